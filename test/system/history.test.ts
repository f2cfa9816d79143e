import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventsIn, plant, recordsIn, usedAt } from "../support/system/history-flash";
import { HISTORY_AT } from "../../src/runtime/retained";
import { System, type SystemOptions } from "../support/system/system";

/** Midnight in UTC. */
const MIDNIGHT = 1_800_057_600;
const MINUTES = 60_000;
const HOUR = 60 * MINUTES;

let system: System;
afterEach(() => system.stop());

/** Polls are rare, so that hours pass quickly. */
async function start(more: SystemOptions = {}): Promise<void> {
  system = await System.start({
    unpaced: true,
    ...more,
    board: { ...more.board, config: { settings: { bms: { interval: 10_000 } }, ...more.board?.config } },
  });
  await system.untilLoaded();
}

const flash = (): Uint8Array => system.board.history.bytes;
const times = (): (number | undefined)[] => recordsIn(flash(), "fine").map(({ time }) => time);

describe("what is recorded", () => {
  beforeEach(() => start());

  it("is there after a power cut and a restart, with the time once it is known", async () => {
    system.probes.setTime(MIDNIGHT * 1000);
    system.skip(35 * MINUTES);
    expect(times()).toEqual([0, 600, 1200].map((seconds) => MIDNIGHT + seconds));
    const before = Buffer.from(flash());

    await system.powerCycle();
    expect(times()).toHaveLength(3);
    await system.untilLoaded();
    system.skip(25 * MINUTES);
    const untimed = times().slice(3);
    expect(untimed).toEqual([undefined, undefined]);
    // Nothing that was there has changed.
    for (const [at, byte] of before.entries()) if (byte !== 0xff) expect(flash()[at]! & byte).toBe(flash()[at]);

    const booted = MIDNIGHT + HOUR;
    system.probes.setTime((booted + 25 * 60) * 1000);
    await system.skipUntil("all have a time", () => !times().includes(undefined), 20);
    for (const [index, time] of times().slice(3).entries())
      expect(Math.abs(time! - (booted + 600 * index))).toBeLessThanOrEqual(60);
    expect(eventsIn(flash()).filter((text) => text.startsWith("started"))).toHaveLength(2);
  });

  it("goes on over an ordered restart where it was", async () => {
    system.probes.setTime(MIDNIGHT * 1000);
    system.skip(15 * MINUTES);
    const utc = system.probes.utc()!;
    system.probes.restart();
    await system.skipUntil("it has started again", () => system.probes.start().reason === "ordered", 30);
    // As of the restart, and not of some seconds before.
    expect(Buffer.from(system.board.kept).readUInt32BE(HISTORY_AT)).toBe(utc);
    await system.untilLoaded();
    system.skip(6 * MINUTES);
    expect(times()).toEqual([0, 600].map((seconds) => MIDNIGHT + seconds));
    const [, second] = recordsIn(flash(), "fine");
    // Minutes with replies on both sides of the restart.
    expect(second!.bytes[19]! & 0x0f).toBeGreaterThanOrEqual(9);
    expect(eventsIn(flash())).toEqual(expect.arrayContaining(["stopped", "start-reason\tordered"]));
  });

  it("has no wrong sign-in's password, but its address", async () => {
    await fetch(`${system.url}/api`, { headers: { Authorization: "Bearer wrong" } });
    expect(eventsIn(flash())).toContainEqual(expect.stringMatching(/^sign-in-refused\t.*127\.0\.0\.1$/));
    expect(Buffer.from(flash()).includes("wrong")).toBe(false);
  });

  it("has no record of a request without a token", async () => {
    await fetch(`${system.url}/api`);
    expect(eventsIn(flash()).join()).not.toContain("sign-in-refused");
  });
});

describe("a bank of three packs", () => {
  const PACKS = {
    first: "Pack 1",
    further: [2, 3].map((address) => ({ address, name: `Pack ${address}` })),
  };
  const ask = async (path: string): Promise<unknown> => {
    const reply = system.get(path);
    let isDone = false;
    void reply.finally(() => (isDone = true));
    await system.skipUntil("the answer is there", () => isDone, 60);
    return ((await reply).json as { data: unknown }).data;
  };

  beforeEach(async () => {
    await start({
      bank: { count: 3 },
      board: { config: { settings: { bms: { interval: 30_000 }, packs: PACKS } } },
    });
    system.probes.setTime(MIDNIGHT * 1000);
  });

  it("is recorded as one, and each pack by the hour, also over a restart, and the API tells them apart", async () => {
    system.skip(30 * MINUTES);
    system.probes.restart();
    await system.skipUntil("it has started again", () => system.probes.start().reason === "ordered", 30);
    await system.untilLoaded();
    system.skip(95 * MINUTES);
    const hours = recordsIn(flash(), "hours");
    expect(hours.map(({ time, bytes }) => [(time! - MIDNIGHT) / 3_600, bytes[5]])).toEqual(
      [0, 1].flatMap((hour) => [1, 2, 3].map((pack) => [hour, pack])),
    );
    for (const { bytes } of hours) expect(bytes[14]! & 0x3f).toBeGreaterThanOrEqual(58);
    // Each with its own values: the packs of the simulator differ.
    expect(new Set(hours.slice(0, 3).map(({ bytes }) => bytes.readUInt16BE(9))).size).toBeGreaterThan(1);

    const { rows } = (await ask("/api/history?series=hours&pack=2")) as { rows: { time: number; pack: number }[] };
    expect(rows.map(({ time, pack }) => [time, pack])).toEqual([0, 1].map((hour) => [MIDNIGHT + 3_600 * hour, 2]));

    const fine = recordsIn(flash(), "fine");
    const amperes = (row: Buffer): number => (row.readUInt16BE(9) - 0x8000) / 10;
    const sum = hours.slice(0, 3).reduce((all, { bytes }) => all + amperes(bytes), 0);
    const volts = fine[0]!.bytes.readUInt16BE(6) / 100;
    const watts = fine.slice(0, 6).reduce((all, { bytes }) => all + 10 * (bytes.readUInt16BE(8) - 0x8000), 0) / 6;
    expect(watts / (sum * volts)).toBeGreaterThan(0.9);
    expect(watts / (sum * volts)).toBeLessThan(1.1);
    expect(fine.every(({ bytes }) => (bytes[19]! & 0x20) === 0)).toBe(true);

    // What all of them carried. Since the restart only the history has known the time.
    system.probes.setTime(1_000 * Buffer.from(system.board.kept).readUInt32BE(HISTORY_AT));
    const { today } = (await ask("/api/energy")) as { today: { charged: number; discharged: number } };
    const carried = Math.abs(fine.reduce((all, { bytes }) => all + 10 * (bytes.readUInt16BE(8) - 0x8000), 0) / 6);
    expect((1_000 * Math.abs(today.charged - today.discharged)) / carried).toBeGreaterThan(0.8);
    expect((1_000 * Math.abs(today.charged - today.discharged)) / carried).toBeLessThan(1.2);
  });

  it("goes on when its first pack falls silent, and says that one is missing", async () => {
    system.skip(15 * MINUTES);
    system.bank!.packs[0]!.setOnline(false);
    await system.skipUntil("it is offline", () => !system.monitor().online, 120);
    system.skip(46 * MINUTES);
    const fine = recordsIn(flash(), "fine");
    expect(fine.map(({ bytes }) => (bytes[19]! & 0x20) !== 0)).toEqual([false, true, true, true, true, true]);
    expect(fine.at(-1)!.bytes[19]! & 0x0f).toBe(10);
    const hours = recordsIn(flash(), "hours").map(({ bytes }) => [bytes[5], bytes[14]! & 0x3f]);
    expect(hours.map(([pack]) => pack)).toEqual([1, 2, 3]);
    expect(hours[0]![1]).toBeLessThan(20);
    expect(hours[2]![1]).toBeGreaterThan(55);
  });
});

describe("a factory reset", () => {
  beforeEach(async () => {
    // Two sectors of a former time.
    const old = Array.from({ length: 185 }, (_, index) => [MIDNIGHT - 1_000_000 + 600 * index, [1, 2, 3]] as const);
    await start({
      prepare({ history }) {
        plant(history.bytes, "fine", 2, 1, old);
        plant(history.bytes, "fine", 3, 2, old);
      },
    });
    system.probes.setTime(MIDNIGHT * 1000);
    system.skip(65 * MINUTES);
    expect(times()).toHaveLength(2 * 185 + 6);
  });

  it("forgets everything at once and erases it in steps, none of which takes longer than one sector", async () => {
    system.probes.factoryReset();
    expect([times(), eventsIn(flash())]).toEqual([[], []]);
    await system.skipUntil("it has started again", () => system.probes.start().reason === "factory-reset", 30);
    const { wear } = system.board.history;
    const before = [...wear];
    system.skip(100);
    expect(wear.filter((count, sector) => count !== before[sector]).length).toBeLessThanOrEqual(5);
    await system.skipUntil("the old bytes are gone", () => !oldBytes(), 60);
    // What was not complete is not in the first record either.
    expect(recordsIn(flash(), "fine")).toEqual([]);
    system.skip(11 * MINUTES);
    expect(times()).toEqual([undefined]);
  });

  it("is complete although the power fails in the midst", async () => {
    system.probes.factoryReset(false);
    await system.powerCycle();
    expect(times()).toEqual([]);
    await system.skipUntil("the old bytes are gone", () => !oldBytes(), 60);
  });

  /** Something is left: the records have the time. */
  const oldBytes = (): boolean =>
    [MIDNIGHT, MIDNIGHT - 1_000_000].some((seconds) => {
      const time = Buffer.alloc(4);
      time.writeUInt32BE(seconds);
      return Buffer.from(flash()).includes(time);
    });
});

it("a flash that fails is reported once, and everything else goes on", async () => {
  await start({
    prepare: ({ history }) => {
      history.write = history.eraseBlock = () => {
        throw new Error("ESP_FAIL");
      };
    },
  });
  system.skip(30 * MINUTES);
  expect(usedAt(flash())).toBe(-1);
  expect(system.monitor().online).toBe(true);
  const { log, history } = system.probes.parts();
  expect(log.filter((text) => text.includes("history"))).toEqual(["part-failed\thistory\tthe flash fails"]);
  // The last hours in memory are as ever.
  expect(history.split("\r\n").length).toBeGreaterThan(10);
});

it("a host without the partition has the last hours in memory, and says so once", async () => {
  await start({ prepare: ({ refusals }) => (refusals.history = true) });
  system.skip(30 * MINUTES);
  const { log, history } = system.probes.parts();
  expect(log.filter((text) => text.includes("history"))).toEqual(["part-failed\thistory\tcan't find partition"]);
  expect(history.split("\r\n").length).toBeGreaterThan(10);
  expect(system.monitor().online).toBe(true);
});
