/** The BMS's own log, of packs on one line in virtual time: when it is asked for, and what is known of it. */
import { visitLog } from "jk-bms/system-log";
import { afterEach, describe, expect, it } from "vitest";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import type { SimulatedBms } from "../../host-sim/bms/simulated-bms";
import type { SimulatedBoard } from "../../host-sim/board";
import { LOG_PERIOD } from "../../src/packs/limits";
import type { PackRecord } from "../../src/packs/pack-record";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { SoloMonitor } from "../support/bms/solo-monitor";

const REGISTER = 0x1624;
const RECORDS = 0x1622;
/** Between polls, ms: the log is read by the hour. */
const INTERVAL = 5_000;
/** Until each of three packs is online and all of it has been read, ms. */
const SETTLED = 30_000;
const LATE = 3_900_000_000;

let board: SimulatedBoard;
let bank: Bank;
let monitor: SoloMonitor;
/** When each log was asked for, ms, and at which address. */
let asked: { readonly at: number; readonly address: number }[];

function start(count: number, change: Partial<typeof BANK_SETTINGS> = {}, master = false): void {
  board = lineBoard();
  const { clock, wire } = board;
  // Twenty hours in which nobody looks at the values.
  bank = bankOf({ clock, wire, count, master, evolving: false });
  asked = [];
  const send = wire.board.send.bind(wire.board);
  wire.board.send = (bytes) => {
    const register = ((bytes[2] as number) << 8) | (bytes[3] as number);
    expect(register).not.toBe(RECORDS);
    if (bytes[1] === 16 && register === REGISTER) asked.push({ at: clock.now, address: bytes[0] as number });
    send(bytes);
  };
  monitor = new SoloMonitor({
    settings: { ...BANK_SETTINGS, interval: INTERVAL, ...change },
    opener: new PackOnLine(board),
    packs: bank.packs.map((_, index) => ({ address: index + 1, name: "", serial: "" })),
  });
  monitor.start();
}

afterEach(() => {
  monitor.close();
  bank.close();
});

const run = (ms: number): void => board.clock.runFor(ms);
const pack = (index: number): PackRecord => monitor.packs[index] as PackRecord;
const bms = (index: number): SimulatedBms => bank.packs[index] as SimulatedBms;
const log = (index: number): SimulatedBms["controller"]["systemLog"] => bms(index).controller.systemLog;

/** What is known of the log; undefined: nothing. */
function known(index: number): number[] | undefined {
  const { systemLog } = pack(index);
  if (!systemLog) return undefined;
  const codes: number[] = [];
  visitLog(systemLog, (_, code) => void codes.push(code));
  return codes;
}

/** Of the first, the middle and the last of three, and of one alone. */
describe.each([
  [3, 0],
  [3, 1],
  [3, 2],
  [1, 0],
])("of %i packs, place %i", (count, place) => {
  it("is read once the pack is online, and then hourly, not more often", () => {
    start(count);
    expect(known(place)).toBeUndefined();
    for (let code = 0; code < 3; code++) log(place).add(LATE + code, 41 + code);
    run(SETTLED);
    expect(known(place)).toEqual([43, 42, 41, 1]);
    for (let other = 0; other < count; other++) if (other !== place) expect(known(other)).toEqual([1]);
    // It grows past what is kept.
    for (let more = 0; more < 60; more++) log(place).add(LATE + 10 + more, 100 + (more % 16));
    run(LOG_PERIOD - 2 * SETTLED);
    expect(known(place)).toEqual([43, 42, 41, 1]);
    expect(asked.filter(({ address }) => address === place + 1)).toHaveLength(1);
    expect(pack(place).systemLogAge).toBeGreaterThan((LOG_PERIOD - 2 * SETTLED) / 1_000 - 1);
    run(3 * SETTLED);
    expect(known(place)).toEqual(Array.from({ length: 50 }, (_, back) => 100 + ((59 - back) % 16)));
    const [first, second, ...more] = asked.filter(({ address }) => address === place + 1);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(LOG_PERIOD);
    expect(more).toEqual([]);
    expect(pack(place).systemLogAge).toBeLessThan((3 * SETTLED) / 1_000);
  });

  it("stays as it was when one is damaged, or does not come, and shows what an erase has left", () => {
    start(count);
    run(SETTLED);
    log(place).add(LATE, 41);
    // Elsewhere than the number of entries says.
    log(place).bytes[4]!++;
    run(LOG_PERIOD + SETTLED);
    expect(asked.filter(({ address }) => address === place + 1)).toHaveLength(2);
    expect(known(place)).toEqual([1]);
    bms(place).faults.add({ kind: "no-answer", matching: ({ register }) => register === REGISTER });
    log(place).bytes[4]!--;
    run(LOG_PERIOD + SETTLED);
    expect([known(place), pack(place).online]).toEqual([[1], true]);
    bms(place).faults.clear();
    run(LOG_PERIOD + SETTLED);
    expect(known(place)).toEqual([41, 1]);
    log(place).erase();
    log(place).add(5, 1);
    run(LOG_PERIOD + SETTLED);
    expect(known(place)).toEqual([1]);
  });

  it("is kept while the pack is offline, and unknown when one comes online until that has told its own", () => {
    start(count);
    run(SETTLED);
    bms(place).setOnline(false);
    run(60_000);
    expect([pack(place).online, known(place)]).toEqual([false, [1]]);
    expect(pack(place).systemLogAge).toBeGreaterThan(55);
    bms(place).faults.add({ kind: "no-answer", matching: ({ register }) => register === REGISTER });
    bms(place).setOnline(true);
    run(60_000);
    expect([pack(place).online, known(place)]).toEqual([true, undefined]);
  });
});

it("is read by frames, too, where the blocks are", () => {
  start(3, { readMode: "frames" });
  run(SETTLED);
  expect([0, 1, 2].map(known)).toEqual([[1], [1], [1]]);
});

it("is never asked for while another master is on the bus", () => {
  start(3, { mode: "auto" }, true);
  run(120_000);
  expect([pack(0).online, pack(1).online, pack(2).online]).toEqual([true, true, true]);
  expect([asked, [0, 1, 2].map(known)]).toEqual([[], [undefined, undefined, undefined]]);
});

it("is of the pack that answers: unknown once another has come to the address", () => {
  start(3);
  run(SETTLED);
  expect(known(1)).toEqual([1]);
  bms(1).registers.writeText("SerialNumber", "OTHER");
  bms(1).faults.add({ kind: "no-answer", matching: ({ register }) => register === REGISTER });
  monitor.reconfigure(
    BANK_SETTINGS,
    monitor.packs.map(({ identity, identifier }) => ({ ...identity, serial: identifier })),
  );
  run(150_000);
  expect([pack(1).isSwapped, known(1), known(0)]).toEqual([true, undefined, [1]]);
});

it("waits for a write", () => {
  start(3);
  // The first step in which the log is due.
  while (!asked.length) run(1);
  const { clock } = board;
  const next = asked[0]!.at + LOG_PERIOD;
  run(next - clock.now - 20);
  asked.length = 0;
  const sent: number[] = [];
  const { board: line } = board.wire;
  const send = line.send.bind(line);
  line.send = (bytes) => {
    sent.push(bytes[1] === 16 ? ((bytes[2] as number) << 8) | (bytes[3] as number) : 0);
    send(bytes);
  };
  run(30);
  expect(monitor.writes.command(pack(2), "balance", false, "API")).toBeUndefined();
  while (!asked.length) run(1);
  expect(sent.indexOf(0x1078)).toBeGreaterThanOrEqual(0);
  expect(sent.indexOf(0x1078)).toBeLessThan(sent.indexOf(REGISTER));
});
