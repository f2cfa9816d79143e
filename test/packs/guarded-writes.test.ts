/** What a write to one of several packs asks before and after, how often, and what is said of it. */
import * as FIELDS from "jk-bms/field-table";
import { DEVICE_INFO, SERIAL, TELEMETRY } from "jk-bms/types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { sentenceOf } from "../../src/bms/write-report";
import { LINK_RESERVE, WRITE_TIMEOUT } from "../../src/bms/limits";
import { IDENTITY_RESERVE, WRITE_MINIMUM } from "../../src/packs/limits";
import type { PackRecord } from "../../src/packs/pack-record";
import { identities, monitorOf, TestBank, type TestPack } from "../support/bms/test-bank";
import type { SoloMonitor } from "../support/bms/solo-monitor";
import { poweredBoard } from "../support/system/simulated-board";

const OK = { outcome: "ok", after: 50 } as const;
const LOST = { outcome: "no-reply", after: 340 } as const;
const REFUSED = { outcome: "exception", after: 50 } as const;
const LATE = { outcome: "ok", after: 2_000 } as const;
/** The first, a middle and the last pack. */
const PLACES = [1, 2, 4];

let board: SimulatedBoard;
let bank: TestBank;
let monitor: SoloMonitor;
const run = (ms: number): void => board.clock.runFor(ms);
const pack = (address: number): PackRecord => monitor.packs[address - 1] as PackRecord;
const link = (address: number): TestPack => bank.packs[address - 1] as TestPack;

function start(serial: (address: number) => string | undefined = (address) => `A${address}`): void {
  board = poweredBoard();
  bank = new TestBank((one) => {
    const text = serial(one.address);
    if (text === undefined) one.answers[DEVICE_INFO] = REFUSED;
    else one.deviceInfo.set(FIELDS.serialNumber, text);
  });
  ({ monitor } = monitorOf(bank, identities(4)));
  monitor.observe({
    packIdentified: ({ identity, identifier }) =>
      monitor.reconfigure(
        { address: 1, baud: 115_200, interval: 1000, readMode: "auto", gap: 75, mode: "poll" },
        monitor.packs.map((one) => (one.identity === identity ? { ...identity, serial: identifier } : one.identity)),
      ),
  });
  monitor.start();
  run(10_600);
  for (const { log } of bank.packs) log.length = 0;
}

/** How a write ended, and its sentence. */
function write(address: number, name = "balance"): { outcome: string; text: string } {
  const refusal =
    name === "balance"
      ? monitor.writes.command(pack(address), name, true, "API")
      : monitor.writes.parameter(pack(address), name, "New name", "API");
  expect(refusal).toBeUndefined();
  run(WRITE_TIMEOUT);
  expect(monitor.writes.pending).toBe(false);
  const report = monitor.writes.lastOf(pack(address))!;
  return { outcome: report.outcome, text: sentenceOf(report) };
}

/** Answers to the question what it is, one after the other; the last one stays. */
function answer(address: number, ...answers: (typeof OK | typeof LOST | typeof REFUSED | typeof LATE)[]): void {
  const { answers: of } = link(address);
  const what = pack(address).serialNumber ? SERIAL : DEVICE_INFO;
  Object.defineProperty(of, what, {
    configurable: true,
    get: () => (answers.length > 1 ? answers.shift() : answers[0]),
  });
}

beforeEach(() => start());
afterEach(() => monitor.close());

describe.each(PLACES)("a write to pack %i that waits for the bus", (address) => {
  it.each([
    ["A", "not-sent-other"],
    ["B", "confirmed"],
  ])("while an owner accepts %s in place of B: %s", (told, outcome) => {
    start(() => "B");
    while (!monitor.isBusy) run(1);
    expect(monitor.writes.command(pack(address), "balance", true, "API")).toBeUndefined();
    monitor.reconfigure(
      { address: 1, baud: 115_200, interval: 1000, readMode: "auto", gap: 75, mode: "poll" },
      monitor.packs.map(({ identity }) => (identity.address === address ? { ...identity, serial: "A" } : identity)),
    );
    link(address).deviceInfo.set(FIELDS.serialNumber, told);
    run(WRITE_TIMEOUT);
    expect(monitor.writes.lastOf(pack(address))!.outcome).toBe(outcome);
  });
});

describe.each(PLACES)("pack %i", (address) => {
  it("is asked for its serial number alone, before and after", () => {
    expect(write(address).outcome).toBe("confirmed");
    const asked = link(address).log.map(({ what }) => what);
    const at = asked.indexOf("balance");
    expect(asked.slice(at - 1, at + 2)).toEqual([SERIAL, "balance", SERIAL]);
  });

  it("is asked again while replies are lost, before and after", () => {
    answer(address, LOST, LOST, OK, LOST, LOST, OK);
    expect(write(address).outcome).toBe("confirmed");
  });

  it("that is silent beforehand is not written to, which is said as it is, when the time is up", () => {
    answer(address, LOST);
    const { outcome, text } = write(address);
    expect([outcome, text]).toEqual(["not-sent", `Pack ${address}: balance on: not sent: the BMS did not answer.`]);
    expect(link(address).times("balance")).toEqual([]);
    // Until there is no time left for the write, not after one lost reply.
    const time = WRITE_TIMEOUT - LINK_RESERVE - IDENTITY_RESERVE - WRITE_MINIMUM;
    expect(link(address).times(SERIAL).length).toBeGreaterThanOrEqual(Math.floor(time / LOST.after));
  });

  it("that does not tell its serial number afterwards is not confirmed, and the value that was read back is said", () => {
    answer(address, OK, LOST);
    const { outcome, text } = write(address);
    expect([outcome, text]).toEqual([
      "unidentified",
      `Pack ${address}: balance on: read back as on, but its serial number could not be read afterwards.`,
    ]);
  });

  it.each(["B", ""])("that is another one beforehand, with the serial number '%s', is not written to", (serial) => {
    link(address).deviceInfo.set(FIELDS.serialNumber, serial);
    const { outcome, text } = write(address);
    expect(outcome).toBe("not-sent-other");
    expect(text).toContain("not sent: another pack answers at this address.");
    expect(link(address).times("balance")).toEqual([]);
    expect(pack(address).isSwapped).toBe(true);
  });

  it("that is another one afterwards is not confirmed", () => {
    link(address).writeAnswer = { result: { outcome: "confirmed" }, after: 400 };
    monitor.writes.command(pack(address), "balance", true, "API");
    run(300);
    link(address).deviceInfo.set(FIELDS.serialNumber, "B");
    run(WRITE_TIMEOUT);
    const report = monitor.writes.lastOf(pack(address))!;
    expect(report.outcome).toBe("exchanged");
    expect(sentenceOf(report)).toContain("another pack answers at this address since; the outcome is unknown.");
  });

  it("that refuses to tell what it has told before is another one", () => {
    answer(address, REFUSED);
    expect(write(address).outcome).toBe("not-sent-other");
  });

  it.each([
    ["no-reply-applied", "unidentified"],
    ["refused-applied", "unidentified"],
    ["not-applied", "not-applied"],
    ["unverified", "unverified"],
  ] as const)("a write that ended as %s and is not identified afterwards ends as %s", (result, outcome) => {
    link(address).writeAnswer = { result: { outcome: result }, after: 30 };
    answer(address, OK, LOST);
    expect(write(address).outcome).toBe(outcome);
  });
});

describe.each(PLACES)("pack %i that goes offline during a write", (address) => {
  /** Silences its telemetry, and returns shortly before it counts as offline. */
  function nearlyOffline(): void {
    const silence = (): void => void (link(address).answers[TELEMETRY] = LOST);
    silence();
    const since = board.clock.now;
    while (pack(address).online) run(10);
    const patience = board.clock.now - since;
    monitor.close();
    start();
    silence();
    run(patience - 400);
    expect(pack(address).online).toBe(true);
  }

  it("before it was asked for the value is written to no more, and this is said", () => {
    nearlyOffline();
    answer(address, LATE);
    const { outcome, text } = write(address);
    run(WRITE_TIMEOUT);
    expect([outcome, text]).toEqual(["not-sent", `Pack ${address}: balance on: not sent: the BMS did not answer.`]);
    expect(link(address).times("balance")).toEqual([]);
  });

  it("after it was sent has an unknown outcome", () => {
    nearlyOffline();
    link(address).writeAnswer = { result: { outcome: "confirmed" }, after: 2_000 };
    expect(write(address).outcome).toBe("lost");
    expect(link(address).times("balance")).toHaveLength(1);
  });
});

describe.each(PLACES)("pack %i without a serial number", (address) => {
  beforeEach(() => {
    monitor.close();
    start((one) => (one === address ? "" : `A${one}`));
  });

  it("is known by its device information and number of cells", () => {
    expect(pack(address).serialNumber).toBe("");
    expect(pack(address).identity.serial).toBe(pack(address).identifier);
    expect(write(address).outcome).toBe("confirmed");
    const asked = link(address).log.map(({ what }) => what);
    const at = asked.indexOf("balance");
    expect(asked.slice(at - 1, at + 2)).toEqual([DEVICE_INFO, "balance", DEVICE_INFO]);
  });

  it.each([
    ["model", FIELDS.model],
    ["hardware version", FIELDS.hardwareVersion],
    ["software version", FIELDS.softwareVersion],
    ["manufacture date", FIELDS.manufactureDate],
    ["Bluetooth name", FIELDS.bluetoothName],
    ["serial number", FIELDS.serialNumber],
  ])("is another one with another %s", (_, field) => {
    link(address).deviceInfo.set(field, "X");
    expect([write(address).outcome, pack(address).isSwapped]).toEqual(["not-sent-other", true]);
    link(address).deviceInfo.set(field, "");
    run(130_000);
    expect(pack(address).isSwapped).toBe(false);
  });

  it("is another one with another number of cells", () => {
    link(address).telemetry.setCells(Array<number>(8).fill(3300));
    expect([write(address).outcome, pack(address).isSwapped]).toEqual(["not-sent-other", true]);
  });

  it("stays itself when its Bluetooth name is written", () => {
    const { identifier } = pack(address);
    const { deviceInfo } = link(address);
    link(address).writeAnswer = { result: { outcome: "confirmed" }, after: 30 };
    const usual = link(address).write.bind(link(address));
    link(address).write = (...given) => {
      deviceInfo.set(FIELDS.bluetoothName, "New name");
      usual(...given);
    };
    expect(write(address, "bluetooth_name").outcome).toBe("confirmed");
    run(130_000);
    expect([pack(address).isSwapped, pack(address).identifier === identifier]).toEqual([false, false]);
    expect(pack(address).identity.serial).toBe(pack(address).identifier);
  });

  it("that never tells what it is is written to: nothing else was remembered", () => {
    monitor.close();
    start((one) => (one === address ? undefined : `A${one}`));
    expect(pack(address).identity.serial).toBe("");
    expect(write(address).outcome).toBe("confirmed");
  });
});
