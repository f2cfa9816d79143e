/** Writes to the packs of a bank: who is told of the end, what a silent pack has to do with it, and what reads of packs may cost. */
import * as FIELDS from "jk-bms/field-table";
import { DEVICE_INFO, FURTHER, LOG, SERIAL, SETUP, TELEMETRY, type Effort } from "jk-bms/types";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import Timer from "../../host-sim/io/timer";
import type { SoloMonitor } from "../support/bms/solo-monitor";
import { GRACE, IDENTITY_PERIOD, OFFLINE_TIME, TRUSTED } from "../../src/packs/limits";
import type { PackRecord } from "../../src/packs/pack-record";
import { identities, monitorOf, TestBank, type TestPack } from "../support/bms/test-bank";
import { poweredBoard } from "../support/system/simulated-board";

const SILENT = { outcome: "no-reply", after: 50 } as const;
const OK = { outcome: "ok", after: 50 } as const;
/** Of a write of 30 ms, the serial number before and after it in 50 ms each. */
const WRITE_TIME = 130;

const traced: string[] = [];
let board: SimulatedBoard;
let bank: TestBank;
let monitor: SoloMonitor;
let told: string[];

const run = (ms: number): void => board.clock.runFor(ms);

/** Packs that are online and have been read; nothing is due for half a second. */
function start(count: number): void {
  traced.length = 0;
  board = poweredBoard({ console: (text) => traced.push(text) });
  bank = new TestBank((pack) => void pack.deviceInfo.set(FIELDS.serialNumber, `A${pack.address}`));
  ({ monitor, told } = monitorOf(
    bank,
    identities(count, (address) => `A${address}`),
  ));
  monitor.start();
  run(10_500);
  told.length = 0;
}

beforeEach(() => start(2));
afterEach(() => monitor.close());

const pack = (address: number): PackRecord => monitor.packs[address - 1] as PackRecord;
const link = (address: number): TestPack => bank.packs[address - 1] as TestPack;
const write = (address: number, ended?: () => void): string =>
  monitor.writes.command(pack(address), "balance", true, "API", ended)?.reason ?? "accepted";

describe("the end of a write", () => {
  it("is told once and right after, with the pack", () => {
    expect(write(2)).toBe("accepted");
    run(WRITE_TIME - 1);
    expect(told).toEqual([]);
    run(3);
    expect(told).toEqual(["2 written: confirmed"]);
    run(10_000);
    expect(told).toHaveLength(1);
  });

  it("to another pack is told with that one", () => {
    expect(write(1)).toBe("accepted");
    run(WRITE_TIME + 2);
    expect(told).toEqual(["1 written: confirmed"]);
    run(10_000);
    expect(told).toHaveLength(1);
  });

  it("is told after its caller has learned of it", () => {
    for (const address of [2, 1])
      write(address, () => {
        expect(told).toEqual([]);
        told.push("caller");
      });
    run(WRITE_TIME + 2);
    expect(told).toEqual(["caller", "2 written: confirmed"]);
  });

  it.each([
    [1, "1 written: confirmed"],
    [2, "2 written: confirmed"],
  ])("of pack %i is told at the next poll if there is no memory for a timer", (address, text) => {
    write(address);
    const set = vi.spyOn(Timer, "set").mockImplementation(() => {
      throw new Error("no memory");
    });
    run(WRITE_TIME + 2);
    set.mockRestore();
    expect([monitor.writes.pending, told, traced]).toEqual([false, [], ["bms: no timer: Error: no memory\n"]]);
    run(1_000);
    expect(told).toEqual([text]);
  });
});

describe("a pack that goes offline", () => {
  /** Lets it fall silent, and finds out when it counts as offline. */
  function whenOffline(address: number): number {
    link(address).answers[TELEMETRY] = SILENT;
    const began = board.clock.now;
    while (pack(address).online && board.clock.now - began < 10 * OFFLINE_TIME) run(1);
    return board.clock.now;
  }

  it.each([
    [1, 2],
    [2, 1],
  ])("%i, has nothing to do with a write to pack %i", (silent, written) => {
    const at = whenOffline(silent);
    monitor.close();
    start(2);
    link(silent).answers[TELEMETRY] = SILENT;
    board.clock.runUntil(at - 10);
    expect(write(written)).toBe("accepted");
    run(10);
    expect([pack(silent).online, monitor.writes.pending]).toEqual([false, true]);
    run(1_000);
    expect(monitor.writes.lastOf(pack(written))?.outcome).toBe("confirmed");
  });

  it.each([1, 2])("%i, ends the write to itself", (address) => {
    const at = whenOffline(address);
    monitor.close();
    start(2);
    link(address).answers[TELEMETRY] = SILENT;
    board.clock.runUntil(at - 10);
    link(address).answers[SERIAL] = "never";
    expect(write(address)).toBe("accepted");
    run(20);
    expect([pack(address).online, monitor.writes.pending]).toEqual([false, false]);
    expect(["lost", "not-sent"]).toContain(monitor.writes.lastOf(pack(address))?.outcome);
  });

  it("is told of, each as itself", () => {
    whenOffline(2);
    expect(told).toEqual(["2 offline"]);
    link(2).answers[TELEMETRY] = OK;
    run(20_000);
    whenOffline(1);
    expect(told).toEqual(["2 offline", "2 online", "1 offline"]);
  });

  it.each([1, 2])("%i, is asked at once when it is written to, since it may be back", (address) => {
    whenOffline(address);
    run(60_000 - (board.clock.now % 1_000) + 500);
    link(address).answers[TELEMETRY] = OK;
    expect(pack(address).online).toBe(false);
    expect(write(address)).toBe("offline");
    expect(link(address).times(TELEMETRY).at(-1)).toBe(board.clock.now);
    run(50);
    expect([pack(address).online, write(address)]).toEqual([true, "accepted"]);
  });
});

describe("what a read may cost", () => {
  const polls = (): (Effort | undefined)[] =>
    link(2)
      .efforts.filter(({ what }) => what === TELEMETRY)
      .map(({ effort }) => effort);

  it("is up to two requests at the start, until it has answered a few, then three", () => {
    expect(new Set(link(2).efforts.map(({ what }) => what))).toEqual(
      new Set([TELEMETRY, DEVICE_INFO, SETUP, FURTHER, LOG]),
    );
    expect(polls()).toEqual(polls().map((_, poll) => (poll < TRUSTED ? "twice" : "thrice")));
  });

  it("is one request of one that is back after a long silence, until it has answered a few, then up to three", () => {
    link(2).answers[TELEMETRY] = SILENT;
    run(3 * GRACE);
    link(2).efforts.length = 0;
    link(2).answers[TELEMETRY] = OK;
    run(30_000);
    const first = polls().indexOf("thrice");
    expect(first).toBeGreaterThanOrEqual(TRUSTED);
    expect(polls()).toEqual(polls().map((_, poll) => (poll < first ? "once" : "thrice")));
  });

  it("is one request of one that has fallen silent, and attempts to wake it at first", () => {
    const { efforts } = link(2);
    efforts.length = 0;
    link(2).answers[TELEMETRY] = SILENT;
    run(40_000);
    const asked = efforts.map(({ effort }) => effort);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.slice(0, 5)).toEqual(["thrice", "thrice", "wake", "wake", "once"]);
    expect(new Set(asked.slice(5))).toEqual(new Set(["once"]));
  });

  it("is one request for the serial number, which is asked for again soon", () => {
    run(2 * IDENTITY_PERIOD);
    const serials = link(2).efforts.filter(({ what }) => what === SERIAL);
    expect(serials).toEqual([
      { what: SERIAL, effort: "once" },
      { what: SERIAL, effort: "once" },
    ]);
  });

  it("is everything where there is one pack: it holds up nobody", () => {
    monitor.close();
    start(1);
    expect(new Set(link(1).efforts.map(({ effort }) => effort))).toEqual(new Set(["all"]));
  });
});
