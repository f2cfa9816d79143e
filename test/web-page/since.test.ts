import { describe, expect, it } from "vitest";
import { CODES } from "../../src/events/record-bytes.ts";
import { eventsSince, LEAST_ABSENCE, lookBefore } from "../../web/since.ts";

const NOW = 1_800_000_000;

describe("the last look", () => {
  it.each([
    [LEAST_ABSENCE - 1, undefined],
    [LEAST_ABSENCE, NOW - LEAST_ABSENCE],
    [LEAST_ABSENCE + 1, NOW - LEAST_ABSENCE - 1],
    // A clock that has been set back.
    [-60, undefined],
  ])("%i s ago", (ago, before) => {
    expect(lookBefore(String(NOW - ago), NOW)).toBe(before);
  });

  it("is none if nothing of use is stored", () => {
    for (const stored of [null, "", "x", "NaN"]) expect(lookBefore(stored, NOW)).toBeUndefined();
  });
});

describe("what has happened since", () => {
  const event = (code: string, time: number) => ({ code, time, parameters: [], count: 1 });

  it("is after it, the newest first", () => {
    const events = [event("write", NOW), event("alarm-raised", NOW + 1), event("crashed", NOW + 2)];
    const { alarms, changes } = eventsSince([...events, event("write", NOW + 3)], NOW);
    expect(alarms.map(({ time }) => time)).toEqual([NOW + 2, NOW + 1]);
    expect(changes.map(({ time }) => time)).toEqual([NOW + 3]);
  });

  it("is not what passed by itself", () => {
    const { alarms, changes } = eventsSince(
      CODES.map((code) => event(code, NOW)),
      0,
    );
    const told = [...alarms, ...changes].map(({ code }) => code);
    expect(CODES.filter((code) => !told.includes(code))).toEqual([
      "started",
      "stopped",
      "bms-online",
      "other-master-gone",
      "alarm-cleared",
      "password-lost",
      "start-reason",
      "pack-online",
      "no-reply",
      "condition-cleared",
    ]);
  });
});
