/** A time server that says another time than it is: what is recorded meanwhile, and what is left of it once it says the right one again. */
import { afterEach, describe, expect, it } from "vitest";
import { sampled } from "../support/property";
import { recordsIn } from "../support/system/history-flash";
import { System } from "../support/system/system";

/** Friday, 15 January 2027, 16:00 in UTC. */
const START = Date.UTC(2027, 0, 15, 16);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
/** How far from the right time the server is, ms. */
const SAID = {
  right: 0,
  "2000": Date.UTC(2000, 0, 1, 21) - START,
  past: -200 * DAY,
  hours: -5 * HOUR,
  "2036": Date.UTC(2036, 4, 1, 21) - START,
  "2099": Date.UTC(2099, 6, 1, 21) - START,
  "2106": Date.UTC(2106, 0, 1, 21) - START,
} as const;
type Said = keyof typeof SAID;
/** What it says for three hours, and what comes before: nothing, a restart, or a power cut. */
type Step = Said | `restart ${Said}` | `power ${Said}`;

let system: System;
afterEach(() => system.stop());

const now = (): number => START + system.board.clock.now;

async function live(steps: readonly Step[]): Promise<void> {
  let said = 0;
  system = await System.start({
    unpaced: true,
    bms: { evolving: false },
    board: {
      utc: () => now() + said,
      config: { settings: { bms: { interval: 30_000 }, time: { server: "127.0.0.1" } } },
    },
  });
  // Full and charged: so its cells are recorded.
  system.bms.registers.write("SOC", 100);
  for (const step of steps) {
    said = SAID[step.split(" ").at(-1) as Said];
    if (step.startsWith("power")) await system.powerCycle();
    if (step.startsWith("restart")) {
      const before = system.probes.start().restarts;
      system.probes.restart();
      await system.skipUntil("it has started again", () => system.probes.start().restarts > before, 30);
    }
    await system.untilLoaded();
    for (let hour = 0; hour < 3; hour++) system.skip(HOUR);
  }
  // Asked once an hour, and a minute later.
  for (let hour = 0; hour < 3; hour++) system.skip(HOUR);
}

/** All that is wrong, after the right time and at a start. */
const EACH = (["2000", "past", "hours", "2036", "2099", "2106"] as const).flatMap<readonly Step[]>((wrong) => [
  ["right", wrong, "right"],
  [wrong, "right"],
]);
const STARTS: readonly (readonly Step[])[] = [
  ["right", "power 2000", "right"],
  ["right", "power past", "right"],
  ["right", "2036", "restart 2036", "power right"],
  ["right", "power 2036", "restart 2036", "restart right"],
  ["right", "2036", "right", "2036", "restart right", "hours", "2106", "power 2036", "right"],
];
describe.each([...sampled(EACH, 4), ...sampled(STARTS)])("a server that says %s, %s, %s …", (...steps) => {
  it("leaves no record of another time, no day twice, and the energy as it was", async () => {
    await live(steps);
    const right = now() / SECOND;
    expect(Math.abs(system.probes.utc()! - right)).toBeLessThan(5);
    const flash = system.board.history.bytes;
    for (const ring of ["fine", "hours", "days"] as const) {
      const times = recordsIn(flash, ring).flatMap(({ time }) => time ?? []);
      const before = { fine: 600, hours: 3_600, days: 86_400 }[ring];
      expect(times.filter((time) => time < START / SECOND - before || time > right)).toEqual([]);
      expect(times).toHaveLength(new Set(times).size);
    }
    const ofEvents = recordsIn(flash, "events").map(({ time }) => time!);
    expect(ofEvents.filter((time) => !(time >= START / SECOND - 60 && time <= right))).toEqual([]);
    // Of the week that is not over.
    expect(recordsIn(flash, "cells")).toEqual([]);
    const { energy, flashHistory } = system.firmware;
    const { today } = flashHistory!.recorder;
    const days = recordsIn(flash, "days").map(({ bytes }) => [bytes.readUIntBE(5, 3), bytes.readUIntBE(8, 3)]);
    for (const [way, counted] of [energy!.chargedJoules, energy!.dischargedJoules].entries()) {
      const sum = days.reduce(
        (all, day) => all + day[way]!,
        (way ? today.dischargedWattHours : today.chargedWattHours)!,
      );
      expect(Math.abs(sum - counted / 3_600)).toBeLessThanOrEqual(Math.max(2, 0.002 * (counted / 3_600)));
    }
  });
});
