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
  bank = bankOf({ clock, wire, count, evolving: false });
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
const pack = (address: number, cells = 16, baud = 115_200) => ({
  address,
  baud,
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
    // Device information in two reads, settings in three, both twice: no frame is asked for.
    expect([requestsTo(3, READ), requestsTo(3, WRITE)]).toEqual([10, 0]);
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
  expect(found()).toEqual([pack(1), { address: 2, baud: 115_200, model: "", serialNumber: "", cells: 0 }]);
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

describe.each([
  ["one pack of the settings", [1]],
  ["several", [1, 4, 15]],
] as const)("where nothing has ever answered, with %s", (_, configured) => {
  const OTHER = 9_600;

  /** The packs of the settings are not there; one is at `address`, at `baud`. */
  function startSilent(address: number, baud: number): SimulatedBms {
    start(configured, 0);
    const { clock, wire } = board;
    wire.bms.baud = baud;
    const options = { clock, wire: wire.bms, address, serialNumber: serialNumberAt(address), baud };
    // At its other port a pack with address 0 is the bus's master.
    return new SimulatedBms({ ...options, port: baud === OTHER ? "uart2" : "uart1" });
  }
  /** Runs until it has happened. */
  function until(what: () => boolean): void {
    const began = board.clock.now;
    while (!what()) {
      expect(board.clock.now - began).toBeLessThan(5 * LONG_ENOUGH);
      board.clock.runFor(100);
    }
  }
  const end = (): void => until(() => !search().isRunning);
  /** Another station, which says something that is no frame at the board's baud rate. */
  function speaker(baud: number): () => void {
    const port = board.wire.join();
    port.baud = baud;
    return () => port.send(Uint8Array.of(0x55, 0xff, 0x01, 0x80));
  }

  it.each([
    [0, 115_200],
    [7, OTHER],
    [15, OTHER],
  ])("finds the pack at address %i and %i baud, and polls as before afterwards", (address, baud) => {
    startSilent(address, baud);
    expect(monitor.startSearch()).toBeUndefined();
    end();
    expect(search().problem).toBe("");
    expect(found()).toEqual([pack(address, 16, baud)]);
    board.clock.runFor(2_000);
    expect(board.wire.board.baud).toBe(115_200);
    sent = [];
    board.clock.runFor(10_000);
    expect(sent.length).toBeGreaterThan(2);
  });

  it("finds one that is read by frames only, at the other baud rate", () => {
    const bms = startSilent(3, OTHER);
    bms.faults.add({ kind: "no-answer", matching: (request) => request.function === READ });
    monitor.startSearch();
    end();
    expect(found()).toEqual([pack(3, 16, OTHER)]);
  });

  it("sends nothing for 10 s at either baud rate, then each address one question in each mode, and no poll", () => {
    startSilent(1, 115_200).setOnline(false);
    for (const baud of [115_200, OTHER]) {
      if (baud === 115_200) monitor.startSearch();
      until(() => board.wire.board.baud === baud);
      sent = [];
      board.clock.runFor(9_400);
      expect([sent, search().isWaiting, search().baud]).toEqual([[], true, baud]);
      until(() => !search().isRunning || search().baud !== baud);
      for (let address = 0; address <= MAX_BMS_ADDRESS; address++)
        expect([requestsTo(address, READ), requestsTo(address, WRITE)]).toEqual([1, 1]);
    }
    expect(search()).toMatchObject({ isRunning: false, problem: "", searched: 16 });
    expect(found()).toEqual([]);
  });

  it.each([115_200, OTHER])("a byte heard while it listens at %i baud holds it until 30 s of silence", (baud) => {
    startSilent(2, OTHER);
    const speak = speaker(OTHER);
    monitor.startSearch();
    until(() => board.wire.board.baud === baud);
    board.clock.runFor(9_000);
    sent = [];
    speak();
    board.clock.runFor(29_400);
    expect([sent, search().isWaiting]).toEqual([[], true]);
    board.clock.runFor(2_000);
    expect([sent.length > 0, search().isWaiting]).toEqual([true, false]);
    end();
    expect([search().problem, found()]).toEqual(["", [pack(2, 16, OTHER)]]);
  });

  it("noise in place of a reply holds it as long; the second time it gives that baud rate up", () => {
    startSilent(2, OTHER);
    const speak = speaker(OTHER);
    monitor.startSearch();
    for (let times = 0; times < 2; times++) {
      until(() => sent.length > 0 && !search().isWaiting);
      board.clock.runFor(5);
      speak();
      until(() => search().isWaiting);
      sent = [];
      if (times) continue;
      board.clock.runFor(29_000);
      expect([sent, search().baud]).toEqual([[], 115_200]);
    }
    until(() => search().baud === OTHER);
    expect(sent).toEqual([]);
    end();
    expect([search().problem, found()]).toEqual(["", [pack(2, 16, OTHER)]]);
  });

  it("a line that never falls silent ends it after a minute at each baud rate, and nothing has been sent", () => {
    startSilent(2, OTHER).setOnline(false);
    const speak = speaker(57_600);
    monitor.startSearch();
    sent = [];
    for (let looks = 0; looks < 65 && search().isRunning; looks++) {
      board.clock.runFor(2_000);
      if (looks % 10 === 0) speak();
    }
    expect([search().problem, search().isRunning, sent]).toEqual(["bus-noise", false, []]);
  });

  it("another master is recognized at its baud rate, and is not disturbed", () => {
    const master = startSilent(0, OTHER);
    monitor.startSearch();
    // What was asked before is still on the line.
    board.clock.runFor(1_000);
    const { collisions } = board.wire;
    end();
    expect(search()).toMatchObject({ problem: "listening", baud: OTHER });
    expect(board.wire.collisions).toBe(collisions);
    master.close();
    board.clock.runFor(2_000);
    expect(board.wire.board.baud).toBe(115_200);
  });

  it("nothing is written meanwhile: no pack is online", () => {
    startSilent(2, OTHER);
    monitor.startSearch();
    until(() => search().baud === OTHER && !search().isWaiting);
    for (const pack of monitor.packs)
      expect(monitor.parameter("cell_ovp_voltage", 3.61, pack)).toMatchObject({ reason: "offline" });
    expect(monitor.writes.pending).toBe(false);
  });

  it("new settings of the bus end it, and apply", () => {
    startSilent(2, OTHER);
    monitor.startSearch();
    until(() => search().baud === OTHER && !search().isWaiting);
    monitor.apply({ ...BANK_SETTINGS, address: configured[0], gap: 100, baud: OTHER });
    expect(search()).toMatchObject({ isRunning: false, problem: "interrupted" });
    expect(board.wire.board.baud).toBe(OTHER);
  });

  it("closed meanwhile it stays closed", () => {
    startSilent(2, OTHER);
    monitor.startSearch();
    board.clock.runFor(5_000);
    monitor.close();
    sent = [];
    board.clock.runFor(LONG_ENOUGH);
    expect([sent, monitor.bus, search().problem]).toEqual([[], undefined, "interrupted"]);
  });

  it("a port that cannot be opened meanwhile is tried again, and the search goes on", () => {
    startSilent(2, OTHER);
    const failing = vi.spyOn(BmsPort.prototype, "open").mockImplementationOnce(() => {
      throw new Error("no port");
    });
    monitor.startSearch();
    end();
    expect(failing.mock.calls.length).toBeGreaterThan(2);
    failing.mockRestore();
    expect([search().problem, found()]).toEqual(["", [pack(2, 16, OTHER)]]);
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
