import { describe, expect, it } from "vitest";
import { SPREAD_UNDER_LOAD } from "../../src/catalogue/limits.ts";
import {
  energyOf,
  eventText,
  gapsIn,
  nightBefore,
  nightLines,
  NIGHT_BEGINS,
  NIGHT_ENDS,
} from "../../web/past/night.ts";
import { clock } from "../../web/format.ts";
import { dayRows, fineRows, pastEvents, withRecent, type Fine } from "../../web/past/records.ts";
import { en } from "../../web/texts/en.ts";
import { PAST_TEXTS } from "../../web/texts/later/past.ts";
import { pt } from "../../web/texts/pt.ts";
import { dayRecord, eventRecord, fineRecord } from "../support/web/past-data.ts";

const TIME = 1_800_000_000;
const STEP = 600;
const BLANK = Buffer.alloc(22, 0xff);

describe("records of ten minutes", () => {
  const record = fineRecord(TIME, { soc: 74, power: -1_240, lowest: 3_309, spread: 12, coldest: -3, alarm: true });

  it("are read as docs/history.md has them", () => {
    expect(fineRows(record)).toEqual([
      {
        ...{ time: TIME, step: STEP, soc: 74, power: -1_240, lowest: expect.closeTo(3.309, 6) as number, spread: 12 },
        ...{ coldest: -3, warmest: 20, minutes: 10, alarm: true, missing: false, relay: false },
        ...{ voltage: 52.8, minPower: -1_240, maxPower: -1_240, minCell: 3 },
      },
    ]);
  });

  it("have no value where nothing was measured, not zero", () => {
    const [row] = fineRows(fineRecord(TIME, { minutes: 0 }));
    expect(row).toMatchObject({ soc: undefined, power: undefined, lowest: undefined, spread: undefined, minutes: 0 });
    expect(fineRows(fineRecord(TIME, { soc: 0, power: 0, lowest: 0, spread: 0, coldest: 0 }))[0]).toMatchObject({
      ...{ soc: 0, power: 0, lowest: 0, spread: 0, coldest: 0 },
    });
  });

  it("that were cut, are blank or have no time are passed over", () => {
    const cut = Buffer.from(record);
    cut[10]! ^= 1;
    const otherTime = Buffer.from(record);
    otherTime[3]! ^= 1;
    const bytes = Buffer.concat([
      cut,
      otherTime,
      BLANK,
      fineRecord(undefined, { soc: 1 }),
      record,
      record.subarray(0, 9),
    ]);
    expect(fineRows(bytes).map(({ soc }) => soc)).toEqual([74]);
    for (const damaged of [cut, otherTime, BLANK]) expect(fineRows(damaged)).toEqual([]);
    expect(fineRows(Buffer.alloc(0))).toEqual([]);
  });

  it("are in the order of their times, each once, also where the clock was set back", () => {
    const of = (time: number, soc: number): Buffer => fineRecord(time, { soc });
    const rows = fineRows(Buffer.concat([of(TIME, 1), of(TIME + STEP, 2), of(TIME, 3), of(TIME - STEP, 4)]));
    expect(rows.map(({ time, soc }) => [time - TIME, soc])).toEqual([
      [-STEP, 4],
      [0, 3],
      [STEP, 2],
    ]);
  });

  it("end where the last hours from memory begin", () => {
    const rows = fineRows(Buffer.concat([0, 1, 2, 3].map((index) => fineRecord(TIME + index * STEP, { soc: index }))));
    const point = { soc: 50, power: 5, minCell: 3.3, maxCell: 3.3125 };
    const recent = withRecent(
      rows,
      [
        { time: -300, ...point },
        { time: -180, ...point, soc: undefined },
      ],
      TIME + 1_500,
    );
    expect(recent.map(({ time, soc }) => [time - TIME, soc])).toEqual([
      [0, 0],
      [STEP, 1],
      [1_200, 50],
      [1_320, undefined],
    ]);
    expect(recent[2]).toMatchObject({ step: 120, spread: 13, lowest: 3.3, minutes: 2 });
    expect(recent[3]).toMatchObject({ minutes: 0 });
    expect(withRecent(rows, [], TIME)).toEqual(rows);
  });
});

it("records of days have energy in kWh, unknown where it is", () => {
  expect(dayRows(Buffer.concat([dayRecord(TIME, 6_543, undefined), dayRecord(TIME + 86_400, 0, 0)]))).toMatchObject([
    { time: TIME, charged: 6.543, discharged: undefined, least: 20, most: 98, rest: 40, load: 80, highest: 3.456 },
    { charged: 0, discharged: 0 },
  ]);
});

describe("events", () => {
  const of = (...args: Parameters<typeof eventRecord>) => pastEvents(eventRecord(...args));

  it("are all there in their order, two of one time too", () => {
    const two = Buffer.concat([
      eventRecord(TIME, "started", "1.2\tabc"),
      eventRecord(TIME, "start-reason", "power-on", 3),
    ]);
    expect(pastEvents(two)).toEqual([
      { time: TIME, code: "started", parameters: ["1.2", "abc"], count: 1 },
      { time: TIME, code: "start-reason", parameters: ["power-on"], count: 3 },
    ]);
  });

  it.each([
    ["alarm-raised", "cell_undervoltage", 1, "Alarm: Cell voltage too low.", "Alarme: Tensão de célula baixa demais."],
    [
      "sign-in-refused",
      "192.0.2.7",
      4,
      "Wrong password or token from 192.0.2.7. (4×)",
      "Senha ou token incorreto de 192.0.2.7. (4×)",
    ],
  ])("are sentences: %s", (code, text, count, english, portuguese) => {
    const [event] = of(TIME, code, text, count);
    expect(eventText(event!, en, PAST_TEXTS.en)).toBe(english);
    expect(eventText(event!, pt, PAST_TEXTS.pt)).toBe(portuguese);
  });

  it("of an unknown code have their parameters", () => {
    expect(eventText({ time: 0, code: "new-thing", parameters: ["a", "b"], count: 1 }, en, PAST_TEXTS.en)).toBe(
      "new-thing a b",
    );
  });
});

describe("last night", () => {
  const at = (text: string): number => new Date(`2026-11-${text}`).getTime() / 1_000;
  const night = { from: at("22T20:00"), to: at("23T08:00") };

  it.each([
    [`23T0${NIGHT_ENDS - 1}:59`, `22T${NIGHT_BEGINS}:00`, `23T0${NIGHT_ENDS - 1}:59`],
    [`23T0${NIGHT_ENDS}:00`, `22T${NIGHT_BEGINS}:00`, `23T0${NIGHT_ENDS}:00`],
    ["23T23:59", `22T${NIGHT_BEGINS}:00`, `23T0${NIGHT_ENDS}:00`],
  ])("at %s is from %s to %s", (now, from, to) => {
    expect(nightBefore(at(now))).toEqual({ from: at(from), to: at(to) });
  });

  /** The whole night: 60 % falling to 24 % at 06:00, then up; 1,200 W out, 600 W in after that. */
  const whole = (more: (index: number) => Partial<Fine> | undefined = () => ({})): Fine[] =>
    Array.from({ length: 72 }, (_, index): Fine[] => {
      const isDown = index < 60;
      const row = more(index);
      return row
        ? [
            {
              ...{ time: night.from + index * STEP, step: STEP, lowest: 3.2, spread: 10, minutes: 10, coldest: 8 },
              ...{ soc: isDown ? 60 - Math.round(0.6 * (index + 1)) : 24 + index - 59, power: isDown ? -1_200 : 600 },
              ...row,
            },
          ]
        : [];
    }).flat();
  const lines = (rows: readonly Fine[], events: Parameters<typeof nightLines>[1] = []): string[] =>
    nightLines(rows, events, night, { t: en, words: PAST_TEXTS.en, language: "en" }).map((line) =>
      line.replaceAll(/[\u202f\u00a0]/g, " "),
    );
  const event = (time: string, code: string, parameters: string[] = [], count = 1) => ({
    ...{ time: at(time), code, parameters, count },
  });

  /** In the form of the region in which the test runs. */
  const clockOf = (time: string): string =>
    clock(at(time) * 1_000, "en", at(time) * 1_000).replaceAll(/[\u202f\u00a0]/g, " ");

  it("without anything odd is five sentences", () => {
    expect(lines(whole())).toEqual([
      `Lowest charge: 24 % at ${clockOf("23T06:00")}.`,
      "12.0 kWh used, 1.2 kWh charged.",
      "No gap in the data.",
      "No alarm.",
      "The monitor did not restart.",
    ]);
  });

  it("says where nothing is known, and that the sums are at least", () => {
    const rows = whole((index) =>
      index >= 12 && index < 30 ? undefined : index === 60 || index === 61 ? { minutes: 0 } : {},
    );
    const told = lines(rows).join(" ");
    expect(told).toContain("At least");
    expect(told).toContain(`No data for 3 h from ${clockOf("22T22:00")}`);
    expect(told).toContain("No alarm while data was recorded.");
    expect(told).not.toMatch(/No alarm\.|did not restart/);
    expect(gapsIn(rows, night).map(({ from, to }) => (to - from) / STEP)).toEqual([18, 2]);
  });

  it.each([
    [0, 0],
    [899, 0],
    [900, 1],
  ])("a pause of %i s is a gap: %i", (seconds, count) => {
    const rows = whole().map((row, index) => ({ ...row, step: index === 5 ? STEP - seconds : STEP }));
    const moved = rows.map((row, index) => (index === 5 ? { ...row, step: STEP } : row));
    const shifted = moved.map((row, index) => (index > 5 ? { ...row, time: row.time + seconds } : row));
    expect(gapsIn(shifted, night)).toHaveLength(count);
  });

  it("of which nothing is known is unknown, never zero", () => {
    const none = "No data from last night yet.";
    expect(lines([])).toEqual([none]);
    expect(nightLines([], undefined, night, { t: en, words: PAST_TEXTS.en, language: "en" })).toEqual([none]);
    // What was recorded is told: a start, and that the monitor was there while the BMS was silent.
    expect(lines([], [event("23T03:20", "started", ["1.2"])])).toEqual([
      none,
      `The monitor restarted (1×), last at ${clockOf("23T03:20")}.`,
    ]);
    expect(lines(whole(() => ({ minutes: 0 })))).toEqual([none, "The monitor did not restart."]);
    expect(energyOf([])).toBeUndefined();
    const [charge, energy] = lines(whole(() => ({ soc: undefined, power: undefined })));
    expect(charge).toBe("Lowest charge: unknown at –.");
    expect(energy).toBe("How much was used and charged is unknown.");
  });

  it("says that it does not know of alarms and restarts if the events cannot be read", () => {
    const told = nightLines(whole(), undefined, night, { t: en, words: PAST_TEXTS.en, language: "en" }).join(" ");
    expect(told).toContain("Whether there were alarms or restarts is unknown");
    expect(told).not.toMatch(/No alarm|not restart/);
  });

  it("tells alarms, restarts and what is odd, of the night alone", () => {
    const told = lines(
      whole((index) => ({
        spread: index === 9 ? SPREAD_UNDER_LOAD + 2 : 10,
        coldest: index === 8 ? -4 : 3,
        missing: index === 7,
      })),
      [
        event("22T19:59", "alarm-raised", ["mosfet_overtemperature"]),
        event("22T23:10", "alarm-raised", ["cell_undervoltage"], 2),
        event("23T01:10", "alarm-raised", ["cell_undervoltage"]),
        event("23T03:20", "started", ["1.2"]),
        event("23T03:21", "bms-offline"),
        event("23T03:25", "sign-in-refused", ["192.0.2.7"], 9),
        event("23T08:00", "write", []),
      ],
    ).join(" ");
    expect(told).toContain(`Alarm at ${clockOf("22T23:10")}: Cell voltage too low (3×).`);
    expect(told).toContain(`The monitor restarted (1×), last at ${clockOf("23T03:20")}.`);
    expect(told).toMatch(/stopped responding \(1×\)/);
    expect(told).toMatch(/password or token was refused \(9×\)/);
    expect(told).toContain(`differed by up to ${SPREAD_UNDER_LOAD + 2} mV`);
    expect(told).toContain("below freezing: −4 °C");
    expect(told).toContain("A pack was missing");
    expect(told).not.toMatch(/MOSFET|was changed|No alarm/);
  });

  it("names the packs of a bank: an alarm of each, and in one sentence those that were silent", () => {
    const told = lines(whole(), [
      event("22T23:10", "alarm-raised", ["cell_undervoltage", "1"], 2),
      event("23T01:10", "alarm-raised", ["cell_undervoltage", "15"]),
      ...[1, 7, 15].map((address) => event("23T03:21", "pack-offline", [String(address)])),
    ]);
    expect(told).toContain(`Alarm at ${clockOf("22T23:10")}: Pack 1: Cell voltage too low (2×).`);
    expect(told).toContain(`Alarm at ${clockOf("23T01:10")}: Pack 15: Cell voltage too low (1×).`);
    const silent = told.filter((line) => line.includes("stopped responding"));
    expect(silent).toEqual([
      `Pack 1, Pack 7, Pack 15: The BMS stopped responding (3×), last at ${clockOf("23T03:21")}.`,
    ]);
  });

  it("has an alarm that began before it", () => {
    expect(lines(whole((index) => ({ alarm: index === 3 })))).toContain("An alarm from before went on.");
  });
});
