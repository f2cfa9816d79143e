/** Whether the pack at an address is still the one that is expected there: who is told, what may be written, and how an owner accepts it. */
import * as FIELDS from "jk-bms/field-table";
import { DEVICE_INFO, SERIAL, SETUP, TELEMETRY } from "jk-bms/types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import type { SoloMonitor } from "../support/bms/solo-monitor";
import { common } from "../../src/conditions/set";
import { LINK } from "../../src/conditions/rows";
import { DEVICE_INFO_PERIOD, IDENTITY_PERIOD, MIN_QUALITY_REQUESTS } from "../../src/packs/limits";
import type { PackRecord } from "../../src/packs/pack-record";
import type { PackIdentity } from "../../src/packs/types";
import { BANK_SETTINGS as SETTINGS } from "../support/bms/bank-writes";
import { identities, monitorOf, TestBank } from "../support/bms/test-bank";
import { poweredBoard } from "../support/system/simulated-board";

/** The serial number of the pack that is plugged in at an address. */
let serials: Record<number, string>;
const traced: string[] = [];
let board: SimulatedBoard;
let bank: TestBank;
let monitor: SoloMonitor;
let told: string[];

beforeEach(() => {
  traced.length = 0;
  board = poweredBoard({ console: (text) => traced.push(text) });
  serials = { 1: "A1", 2: "A2", 3: "A3" };
  bank = new TestBank((pack) => {
    const serial = serials[pack.address];
    if (serial) pack.deviceInfo.set(FIELDS.serialNumber, serial);
  });
});

afterEach(() => {
  monitor.close();
  expect(traced).toEqual([]);
});

const run = (ms: number): void => board.clock.runFor(ms);

function start(packs: readonly PackIdentity[]): void {
  ({ monitor, told } = monitorOf(bank, packs));
  monitor.start();
  run(10_000);
}

/** Another pack is plugged in at this address, and read. */
function swap(address: number, serial: string): void {
  serials[address] = serial;
  bank.packs[address - 1]!.deviceInfo.set(FIELDS.serialNumber, serial);
  run(DEVICE_INFO_PERIOD);
}

const expected = (count: number): PackIdentity[] => identities(count, (address) => `A${address}`);
const pack = (address: number): PackRecord => monitor.packs[address - 1] as PackRecord;
const swapped = (): number[] =>
  monitor.packs.filter(({ isSwapped }) => isSwapped).map(({ identity: { address } }) => address);
const write = (address: number): string => monitor.command("balance", true, pack(address))?.reason ?? "accepted";
/** What has been told since the packs came online. */
const news = (): string[] => told.filter((text) => !text.endsWith("online"));

describe("a pack without a known serial number", () => {
  it("is told of when it has been read, of each pack its own", () => {
    start(identities(3));
    expect(news()).toEqual(["1 is A1", "2 is A2", "3 is A3"]);
    expect(swapped()).toEqual([]);
  });

  it("is told of again at each read of it, once a minute, until it is known, and at no other", () => {
    start(identities(2));
    const [first, second] = bank.packs;
    run(IDENTITY_PERIOD);
    expect(first!.times(SETUP)).toHaveLength(1);
    expect(first!.times(SERIAL)).toHaveLength(1);
    expect(news()).toEqual(["1 is A1", "2 is A2", "1 is A1", "2 is A2"]);
    first!.answers[SERIAL] = { outcome: "exception", after: 50 };
    run(IDENTITY_PERIOD + 2_000);
    expect(second!.times(SERIAL)).toHaveLength(2);
    expect(news().slice(4)).toEqual(["2 is A2"]);
  });

  it("that tells none is known by what else tells it from others", () => {
    serials[2] = "";
    start(identities(3));
    expect(pack(2).deviceInfo.valid).toBe(true);
    expect(pack(2).serialNumber).toBe("");
    expect(news()).toEqual(["1 is A1", `2 is ${pack(2).identifier}`, "3 is A3"]);
    expect(pack(2).identifier).not.toBe("");
  });

  it("is nobody's business where it is the only one: that may be replaced", () => {
    start([{ address: 1, name: "", serial: "OTHER" }]);
    expect(monitor.pack.configurationLoaded).toBe(true);
    swap(1, "B1");
    expect([told, swapped(), write(1)]).toEqual([["1 online"], [], "accepted"]);
  });
});

describe("a pack with the expected serial number", () => {
  it("is nothing to tell of", () => {
    start(expected(2));
    run(DEVICE_INFO_PERIOD);
    expect([told, swapped()]).toEqual([["1 online", "2 online"], []]);
  });
});

describe("another pack than expected", () => {
  it("is told of once, changes what is shown, and nothing is written to it", () => {
    start(expected(2));
    const before = pack(2).setupRevision;
    swap(2, "B2");
    run(DEVICE_INFO_PERIOD);
    expect(news()).toEqual(["2 swapped for B2"]);
    expect(pack(2).setupRevision).not.toBe(before);
    expect([swapped(), write(2), write(1)]).toEqual([[2], "other-pack", "accepted"]);
  });

  it("at the first address too", () => {
    start(expected(2));
    swap(1, "B1");
    expect([news(), swapped(), write(1), write(2)]).toEqual([["1 swapped for B1"], [1], "other-pack", "accepted"]);
  });

  it("is written to once the right one is back, which is not told of", () => {
    start(expected(2));
    swap(2, "B2");
    swap(2, "A2");
    expect([news(), swapped(), write(2)]).toEqual([["2 swapped for B2"], [], "accepted"]);
  });

  it("is written to once an owner has accepted it, at once and without another read", () => {
    start(expected(2));
    swap(2, "B2");
    const reads = bank.packs[1]!.times(DEVICE_INFO).length;
    monitor.reconfigure(
      SETTINGS,
      expected(2).map((one) => (one.address === 2 ? { ...one, serial: "B2" } : one)),
    );
    expect([bank.opened.length, bank.packs[1]!.times(DEVICE_INFO).length]).toEqual([1, reads]);
    expect([swapped(), write(2)]).toEqual([[], "accepted"]);
  });

  it("is told of as another one when the owner expects one more", () => {
    start(expected(2));
    monitor.reconfigure(
      SETTINGS,
      expected(2).map((one) => ({ ...one, serial: "C" })),
    );
    expect(news()).toEqual(["1 swapped for A1", "2 swapped for A2"]);
    expect(swapped()).toEqual([1, 2]);
  });
});

describe("another set of packs", () => {
  it("with one at another address opens the bus anew, with nothing known of it", () => {
    start(expected(3));
    const before = monitor.packs;
    monitor.reconfigure(SETTINGS, [...expected(2), { address: 5, name: "New", serial: "" }]);
    expect(bank.opened.map((packs) => packs.map(({ address }) => address))).toEqual([
      [1, 2, 3],
      [1, 2, 5],
    ]);
    expect(monitor.packs.map((pack) => before.indexOf(pack))).toEqual([0, 1, -1]);
    expect(monitor.packs.map(({ online }) => online)).toEqual([false, false, false]);
    run(10_000);
    expect(monitor.packs.map(({ online, identity: { name } }) => [online, name])).toEqual([
      [true, ""],
      [true, ""],
      [true, "New"],
    ]);
  });

  it("with the same addresses but new names leaves the bus open", () => {
    start(expected(2));
    const before = monitor.packs.map(({ setupRevision }) => setupRevision);
    monitor.reconfigure(
      SETTINGS,
      expected(2).map((one) => ({ ...one, name: `Rack ${one.address}` })),
    );
    expect(bank.opened).toHaveLength(1);
    expect(monitor.packs.map(({ identity: { name } }) => name)).toEqual(["Rack 1", "Rack 2"]);
    monitor.packs.forEach(({ setupRevision }, index) => expect(setupRevision).not.toBe(before[index]));
  });

  it("of which the first was swapped begins with none that is", () => {
    start(expected(2));
    swap(1, "B1");
    monitor.reconfigure(SETTINGS, [{ address: 1, name: "", serial: "B1" }, ...identities(3).slice(1)]);
    expect(swapped()).toEqual([]);
    run(10_000);
    expect([swapped(), write(1)]).toEqual([[], "accepted"]);
  });

  it("has the names and serial numbers that are given, the first one's too", () => {
    start(expected(2));
    const packs = [
      { address: 1, name: "Left", serial: "X1" },
      { address: 2, name: "Right", serial: "X2" },
      { address: 3, name: "Middle", serial: "X3" },
    ];
    monitor.reconfigure(SETTINGS, packs);
    expect(monitor.packs.map(({ identity }) => identity)).toEqual(packs);
  });

  it("down to one alone, named or not, is polled as one", () => {
    start(expected(2));
    monitor.reconfigure(SETTINGS, expected(1));
    expect(monitor.packs.map(({ identity }) => identity)).toEqual(expected(1));
    expect(monitor.packs.map(({ label }) => label)).toEqual([undefined]);
    run(10_000);
    expect(monitor.pack.configurationLoaded).toBe(true);
    expect(bank.packs[0]!.times(TELEMETRY).slice(-3)).toEqual([18_000, 19_000, 20_000]);
    monitor.reconfigure(SETTINGS, expected(2));
    monitor.reconfigure(SETTINGS, [{ address: 1, name: "Alone", serial: "" }]);
    expect(monitor.packs.map(({ identity: { name } }) => name)).toEqual(["Alone"]);
  });

  it("forgets what was written to a pack that leaves, and to no other", () => {
    start(expected(3));
    for (const address of [1, 2, 3]) {
      expect(write(address)).toBe("accepted");
      run(1_000);
    }
    const [first, second, third] = monitor.packs as [PackRecord, PackRecord, PackRecord];
    monitor.reconfigure(SETTINGS, [third.identity, first.identity]);
    expect([first, second, third].map((each) => monitor.writes.lastOf(each)?.outcome)).toEqual([
      "confirmed",
      undefined,
      "confirmed",
    ]);
    expect(monitor.packs).toEqual([third, first]);
    run(10_000);
    expect(monitor.packs.map(({ online, index }) => [online, index])).toEqual([
      [true, 0],
      [true, 1],
    ]);
  });

  it("judges the link to each of them", () => {
    start(expected(2));
    monitor.reconfigure(SETTINGS, expected(3));
    run(10_000);
    expect(common(pack(3).concerns, LINK)).toBe(0);
    const [, , third] = bank.packs;
    for (let poll = 0; poll < 2 * MIN_QUALITY_REQUESTS; poll++) {
      third!.answers[TELEMETRY] = { outcome: poll % 2 ? "ok" : "no-reply", after: 50 };
      run(1_000);
    }
    third!.answers[TELEMETRY] = { outcome: "ok", after: 50 };
    run(2_000);
    expect(monitor.packs.map(({ concerns }) => common(concerns, LINK))).toEqual([0, 0, LINK]);
  });

  it("given before the start is the one that is opened", () => {
    ({ monitor, told } = monitorOf(bank, expected(2)));
    monitor.reconfigure(SETTINGS, [...expected(2), { address: 7, name: "", serial: "" }]);
    expect(bank.opened).toEqual([]);
    monitor.start();
    expect(bank.packs.map(({ address }) => address)).toEqual([1, 2, 7]);
    expect(monitor.packs).toHaveLength(3);
  });
});

describe("who the first pack is", () => {
  it("is what is given, with its name and serial number", () => {
    start(expected(2));
    expect(monitor.pack.identity).toEqual({ address: 1, name: "", serial: "A1" });
  });
});
