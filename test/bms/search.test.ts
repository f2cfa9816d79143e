/** A search for packs in virtual time, with the firmware's port: what it finds, what it sends, and what it costs those that are polled. */
import { MAX_BMS_ADDRESS } from "jk-bms/limits";
import { DEVICE_INFO, SETUP, TELEMETRY } from "jk-bms/types";
import { TRIGGERS } from "jk-bms/writes";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { serialNumberAt, SimulatedBms } from "../../host-sim/bms/simulated-bms";
import type { SimulatedBoard } from "../../host-sim/board";
import Serial from "../../host-sim/io/serial";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { BmsPort } from "../../src/bms/port";
import type { FoundPack, PackSearch } from "../../src/packs/search";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { identities, monitorOf, TestBank, type TestPack } from "../support/bms/test-bank";
import { poweredBoard } from "../support/system/simulated-board";

const READ = 3;
const WRITE = 16;
const MODEL = "JK_PB2A16S20P";
/** 16 addresses, each a request by registers and one for a frame, beside a poll a second. */
const LONG_ENOUGH = 60_000;

let board: SimulatedBoard;
let monitor: SoloMonitor;
let bank: Bank;
let sent: Uint8Array[];
/** When the telemetry of each pack was read. */
let read: number[][];

function start(configured: readonly number[], count: number, interval = 1_000): void {
  board = lineBoard();
  const { clock, wire } = board;
  bank = bankOf({ clock, wire, count });
  sent = [];
  const send = wire.board.send.bind(wire.board);
  wire.board.send = (bytes) => {
    sent.push(Uint8Array.from(bytes));
    send(bytes);
  };
  const [first = 1] = configured;
  monitor = new SoloMonitor({
    settings: { ...BANK_SETTINGS, address: first, interval, mode: "auto" },
    opener: new BmsPort({
      serial: Serial,
      build: board.config,
      parts: { failed: () => undefined, works: () => undefined },
    }),
    packs: configured.map((address) => ({ address, name: "", serial: "" })),
  });
  read = configured.map(() => []);
  monitor.observe({
    packUpdated: ({ index }) => void read[index]?.push(clock.now),
  });
  monitor.start();
  clock.runFor(30_000);
  sent = [];
}
afterEach(() => monitor.close());

const search = (): PackSearch => monitor.search as PackSearch;
const found = (): FoundPack[] => {
  const packs: FoundPack[] = [];
  search().forEach((pack) => packs.push(pack));
  return packs;
};
function finish(): void {
  const began = board.clock.now;
  while (search().isRunning && board.clock.now - began < LONG_ENOUGH) board.clock.runFor(100);
  expect(search()).toMatchObject({ isRunning: false, searched: 16, problem: "" });
}
const pack = (address: number, cells = 16) => ({
  address,
  model: MODEL,
  serialNumber: serialNumberAt(address),
  cells,
});
const requestsTo = (address: number, functionCode: number): number =>
  sent.filter((request) => request[0] === address && request[1] === functionCode).length;

describe.each([
  ["one pack of the settings", [2]],
  ["several", [2, 4]],
] as const)("with %s", (_, configured) => {
  it("finds every pack that answers, whoever polls it, and asks each silent address once in each mode", () => {
    start(configured, 5);
    expect(monitor.startSearch()).toBeUndefined();
    expect(search().isRunning).toBe(true);
    finish();
    expect(found()).toEqual([1, 2, 3, 4, 5].map((address) => pack(address)));
    for (const address of [0, 6, 15]) expect([requestsTo(address, READ), requestsTo(address, WRITE)]).toEqual([1, 1]);
    // Device information in two reads, settings in three: no frame is asked for.
    expect([requestsTo(3, READ), requestsTo(3, WRITE)]).toEqual([5, 0]);
  });

  it("sends nothing but reads and the triggers for frames", () => {
    start(configured, 3);
    bank.packs[2]!.faults.add({ kind: "no-answer", matching: (request) => request.function === READ });
    monitor.startSearch();
    finish();
    expect(found()).toContainEqual(pack(3));
    const triggers = Object.values(TRIGGERS).map(({ register }) => register);
    for (const [, code = 0, high = 0, low = 0] of sent)
      if (code !== READ) expect([code, triggers.includes((high << 8) | low)]).toEqual([WRITE, true]);
  });

  it("known packs lose no poll, and none waits for more than two questions", () => {
    start(configured, 5);
    const before = monitor.packs.map(({ lostPolls }) => lostPolls);
    const from = board.clock.now;
    monitor.startSearch();
    finish();
    expect(monitor.packs.map(({ lostPolls }) => lostPolls)).toEqual(before);
    for (const times of read) {
      const late = times.filter((at) => at >= from);
      expect(late.length).toBeGreaterThanOrEqual(Math.floor((board.clock.now - from) / 1_000) - 1);
      for (const [index, at] of late.slice(1).entries()) expect(at - late[index]!).toBeLessThanOrEqual(1_700);
    }
  });

  it("can be done again, also where nothing was there before", () => {
    start(configured, 5);
    bank.packs[4]!.setOnline(false);
    monitor.startSearch();
    finish();
    expect(found()).toHaveLength(4);
    bank.packs[4]!.setOnline(true);
    expect(monitor.startSearch()).toBeUndefined();
    finish();
    expect(found()).toHaveLength(5);
  });
});

it("a pack that refuses to tell what it is, is found all the same", () => {
  start([1], 2);
  bank.packs[1]!.faults.add({ kind: "refuse" });
  monitor.startSearch();
  finish();
  expect(found()).toEqual([pack(1), { address: 2, model: "", serialNumber: "", cells: 0 }]);
});

it("goes on where the packs leave no time", () => {
  start([1, 2], 2, 250);
  monitor.startSearch();
  finish();
  expect(found()).toEqual([pack(1), pack(2)]);
});

it("a write goes next", () => {
  start([1, 2], 2);
  monitor.startSearch();
  board.clock.runFor(1_500);
  expect(search().isRunning).toBe(true);
  expect(monitor.parameter("cell_ovp_voltage", 3.61, monitor.packs[1])).toBeUndefined();
  board.clock.runFor(1_500);
  expect([monitor.writes.pending, search().isRunning]).toEqual([false, true]);
  expect(bank.packs[1]!.registers.read("VolCellOV")).toBe(3610);
  finish();
});

describe("is refused, or ends", () => {
  it("while another one is under way", () => {
    start([1], 1);
    monitor.startSearch();
    expect(monitor.startSearch()).toBe("searching");
    finish();
    expect(monitor.startSearch()).toBeUndefined();
  });

  it("while the port is not open", () => {
    start([1], 1);
    monitor.close();
    expect(monitor.startSearch()).toBe("no-bus");
  });

  it("when another master is heard, and while it is", () => {
    start([1], 2);
    monitor.startSearch();
    board.clock.runFor(2_000);
    const { clock, wire } = board;
    const master = new SimulatedBms({ clock, wire: wire.join(), address: 0, serialNumber: "MASTER" });
    clock.runFor(10_000);
    expect(search()).toMatchObject({ isRunning: false, problem: "listening" });
    expect(monitor.startSearch()).toBe("listening");
    sent = [];
    clock.runFor(10_000);
    expect(sent).toEqual([]);
    master.close();
  });

  it("when the settings of the bus change", () => {
    start([1], 2);
    monitor.startSearch();
    board.clock.runFor(2_000);
    monitor.apply({ ...BANK_SETTINGS, gap: 100 });
    expect(search()).toMatchObject({ isRunning: false, problem: "interrupted" });
    board.clock.runFor(5_000);
    expect(monitor.pack.online).toBe(true);
    expect(monitor.startSearch()).toBeUndefined();
    finish();
    expect(found()).toHaveLength(2);
  });
});

describe("with links that answer as they are told", () => {
  /** ms until a question counts as not answered. */
  const SILENCE = 60;

  class Searchable extends TestBank {
    protected override probe(address: number): TestPack {
      const probe = super.probe(address);
      probe.answers = { ...probe.answers, [DEVICE_INFO]: { outcome: "no-reply", after: SILENCE } };
      return probe;
    }

    get probes(): TestPack[] {
      return this.bus!.probes as TestPack[];
    }

    /** How often a search has ended. */
    get closed(): number {
      return this.bus!.searched;
    }

    /** When each question was asked. */
    get asked(): number[] {
      return this.probes.flatMap(({ log }) => log.map(({ at }) => at));
    }
  }

  const traced: string[] = [];
  const run = (ms: number): void => board.clock.runFor(ms);

  /** Nothing is due for half a second. */
  function begin<Bank extends TestBank>(links: Bank, packs = 1): Bank {
    traced.length = 0;
    board = poweredBoard({ console: (text) => traced.push(text) });
    ({ monitor } = monitorOf(links, identities(packs)));
    monitor.start();
    run(10_500);
    return links;
  }

  it("it begins at once, and each question follows the one before, but for the polls", () => {
    const links = begin(new Searchable());
    monitor.startSearch();
    expect(monitor.isBusy).toBe(true);
    const since = board.clock.now;
    run(999);
    // Between the ninth and the tenth a poll of 50 ms falls due.
    const steps = Array.from({ length: 12 }, (_, index) => since + index * SILENCE + (index > 8 ? 50 : 0));
    expect(links.asked.slice(0, 12)).toEqual(steps);
    expect(links.packs[0]!.times(TELEMETRY).at(-1)).toBe(since + 9 * SILENCE);
  });

  it.each([1, 3])("%i packs that answer are not asked again, and one that does not is", (count) => {
    const links = begin(new Searchable(), count);
    const addresses = () => [...new Set(links.probes.map(({ address }) => address))];
    const all = Array.from({ length: MAX_BMS_ADDRESS + 1 }, (_, address) => address);
    monitor.startSearch();
    run(LONG_ENOUGH);
    expect(addresses()).toEqual(all.filter((address) => address < 1 || address > count));
    links.probes.length = 0;
    links.packs[0]!.answers[TELEMETRY] = { outcome: "no-reply", after: SILENCE };
    run(LONG_ENOUGH);
    monitor.startSearch();
    run(LONG_ENOUGH);
    expect(addresses()).toEqual(all.filter((address) => address < 2 || address > count));
  });

  it("what it has opened is closed once, at its end", () => {
    const links = begin(new Searchable());
    monitor.startSearch();
    run(1_000);
    expect([search().isRunning, links.closed]).toEqual([true, 0]);
    run(LONG_ENOUGH);
    expect([search().isRunning, search().problem, links.closed]).toEqual([false, "", 1]);
  });

  it("another master that is heard between two questions ends it", () => {
    const links = begin(new Searchable());
    monitor.startSearch();
    run(300);
    Object.assign(links.bus!, { listening: true, masterPresent: true });
    run(200 + SILENCE);
    expect(search()).toMatchObject({ isRunning: false, problem: "listening" });
    const questions = links.asked.length;
    run(LONG_ENOUGH);
    expect([links.asked.length, links.closed]).toEqual([questions, 1]);
    expect(monitor.startSearch()).toBe("listening");
  });

  it("where it is impossible it ends with a line in the log, and delays no poll", () => {
    const links = begin(new Searchable());
    const refuse = vi.spyOn(links.bus!, "openProbe").mockImplementation(() => {
      throw new Error("no memory");
    });
    links.packs[0]!.answers[SETUP] = { outcome: "ok", after: 1_700 };
    // Of the settings, so that they are read again.
    monitor.parameter("cell_count", 16);
    run(30);
    expect(links.packs[0]!.times(SETUP).at(-1)).toBe(board.clock.now);
    monitor.startSearch();
    run(1_700);
    expect(search()).toMatchObject({ isRunning: false, problem: "interrupted" });
    expect(traced).toEqual(["bms: cannot search: Error: no memory\n"]);
    expect(links.packs[0]!.times(TELEMETRY).at(-1)).toBe(board.clock.now);
    expect(refuse).toHaveBeenCalledOnce();
  });

  it("before the start there is no bus to search", () => {
    board = poweredBoard();
    ({ monitor } = monitorOf(new Searchable(), identities(1)));
    expect([monitor.startSearch(), monitor.search, monitor.isBusy]).toEqual(["no-bus", undefined, false]);
  });
});
