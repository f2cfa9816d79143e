/** Several packs on a bus: each has its own blocks, and is asked as it has been found to answer; and what a search opens beside them. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { serialNumberAt } from "../../host-sim/bms/simulated-bms";
import type { SimulatedBoard } from "../../host-sim/board";
import type { Clock } from "../../host-sim/clock";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { offsetOf, readRaw, readText } from "../../modules/jk-bms/fields";
import type { JkBus } from "../../modules/jk-bms/jk-bus";
import type { JkPack } from "../../modules/jk-bms/jk-pack";
import {
  LONG_QUANTITY,
  LONG_READ_DOUBTS,
  MAX_BMS_ADDRESS,
  POLLS_BEFORE_CHANGE,
  TAIL_INTERVAL,
} from "../../modules/jk-bms/limits";
import {
  DEVICE_INFO,
  SETUP,
  TELEMETRY,
  type BlockType,
  type Effort,
  type ReadOutcome,
  type WriteResult,
} from "../../modules/jk-bms/types";
import type { WriteName } from "../../modules/jk-bms/writes";
import { FIRST_LISTEN, MIN_SILENCE } from "../../modules/modbus/limits";
import { capture } from "../support/bms/captures";
import { concat } from "../support/bms/fake-bms";
import { claimedPins } from "../support/fakes/pins";
import { lineBoard } from "../support/bms/line";
import { LONG, SHORT, TAIL } from "../support/bms/opened-bms";
import { PackOnLine, type PackOptions } from "../support/bms/pack-on-line";
import { hex } from "../support/hex";

const COUNT = 3;

let board: SimulatedBoard;
let clock: Clock;
let bank: Bank;
let bus: JkBus;
/** At addresses 1, 2 and 3. */
let packs: [JkPack, JkPack, JkPack];
/** The beginnings of all requests. */
let sent: string[];

function open(options: PackOptions = {}, addresses: readonly number[] = [1, 2, 3], firmware?: string): void {
  board = lineBoard();
  ({ clock } = board);
  bank = bankOf({ clock, wire: board.wire, count: COUNT, evolving: false, firmware });
  sent = [];
  const send = board.wire.board.send.bind(board.wire.board);
  board.wire.board.send = (bytes) => {
    sent.push(hex(bytes.subarray(0, 6)));
    send(bytes);
  };
  bus = new PackOnLine(board).open(options, addresses);
  packs = bus.links as [JkPack, JkPack, JkPack];
}

beforeEach(() => open());

function read(pack: JkPack, block: BlockType = TELEMETRY, effort?: Effort): ReadOutcome | undefined {
  let outcome: ReadOutcome | undefined;
  pack.read(block, (result) => (outcome = result), effort);
  clock.runFor(3_000);
  return outcome;
}

function write(pack: JkPack, name: WriteName, value: number | string): WriteResult | undefined {
  let result: WriteResult | undefined;
  pack.write(name, value, 4_000, (outcome) => (result = outcome));
  clock.runFor(5_000);
  return result;
}

/** What is sent to `pack` for a poll, without its address. */
const asked = (pack: JkPack, effort?: Effort): string[] => askedFor(pack, TELEMETRY, effort);

/** The same for any block. */
function askedFor(pack: JkPack, block: BlockType, effort?: Effort): string[] {
  const from = sent.length;
  read(pack, block, effort);
  const now = sent.slice(from);
  const address = hex([pack.address]);
  for (const request of now) expect(request.slice(0, 2)).toBe(address);
  return now.map((request) => `01${request.slice(2)}`);
}

const simulated = (pack: JkPack) => bank.packs[pack.address - 1]!;
/** The long read goes unanswered. */
const loseLong = (pack: JkPack): (() => void) =>
  simulated(pack).faults.add({ kind: "no-answer", matching: ({ quantity }) => quantity === LONG_QUANTITY });

it("each has its own limit for discharging in the cold, and one that refuses it all other settings", () => {
  bus.close();
  open({}, [1, 2, 3], "19.21");
  bank.packs.forEach(({ registers }, at) => registers.write("TMPBatDCHUT", -10 - at));
  const [, middle] = packs;
  simulated(middle).faults.add({ kind: "refuse", code: 2, matching: ({ register }) => register === 0x1122 });
  for (const block of [DEVICE_INFO, SETUP] as const)
    expect(packs.map((pack) => read(pack, block))).toEqual(["ok", "ok", "ok"]);
  expect(packs.map(({ setup }) => readRaw(setup, FIELDS.dischargeUtp))).toEqual([-10, 0, -12]);
  expect(packs.map(({ setup }) => readRaw(setup, FIELDS.switchWord))).toEqual([0x3300, 0x3300, 0x3300]);
});

describe("the addresses", () => {
  it.each([-1, MAX_BMS_ADDRESS + 1, 1.5, NaN])("cannot be %d, and the port stays free", (address) => {
    const error = new RangeError(`BMS address ${address} is not an integer from 0 to ${MAX_BMS_ADDRESS}`);
    bus.close();
    for (const addresses of [
      [address, 1],
      [1, address],
      [1, address, 2],
    ])
      expect(() => new PackOnLine(board).open({}, addresses)).toThrow(error);
    expect(claimedPins(board)).toEqual([]);
  });

  it("are those of the packs, in their order", () => {
    const addresses = [MAX_BMS_ADDRESS, 0, 2];
    open({}, addresses);
    expect(packs.map(({ address }) => address)).toEqual(addresses);
  });
});

describe("the blocks", () => {
  it("are each pack's own, however they are asked for", () => {
    const [one, two, three] = packs;
    for (const pack of packs) {
      simulated(pack).registers.write("VolCellOV", 3_600 + pack.address);
      simulated(pack).registers.write("SOC", 50 + pack.address);
    }
    for (const block of [DEVICE_INFO, SETUP, TELEMETRY] as const)
      for (const pack of [one, three]) expect(read(pack, block)).toBe("ok");
    for (const pack of [one, three, three, one]) {
      expect(readRaw(pack.telemetry, FIELDS.soc)).toBe(50 + pack.address);
      expect(readRaw(pack.setup, FIELDS.cellOvpVoltage)).toBe(3_600 + pack.address);
      expect(readText(pack.deviceInfo, FIELDS.serialNumber)).toBe(serialNumberAt(pack.address));
    }
    expect([two.telemetry.valid, two.setup.valid, two.deviceInfo.valid]).toEqual([false, false, false]);
    expect(one.telemetry.valid).toBe(true);
  });

  it("are each pack's own right after another's has been read anew", () => {
    for (const pack of packs) {
      simulated(pack).registers.write("SOC", 50 + pack.address);
      read(pack);
    }
    for (const again of packs)
      for (const pack of packs) {
        expect(readRaw(again.telemetry, FIELDS.soc)).toBe(50 + again.address);
        read(again);
        expect(readRaw(pack.telemetry, FIELDS.soc)).toBe(50 + pack.address);
      }
  });

  it("do not change while nothing is read, another pack is, or a read fails", () => {
    const [one, two] = packs;
    read(one);
    read(one, SETUP);
    const soc = readRaw(one.telemetry, FIELDS.soc);
    const other = 99 - soc;
    simulated(one).registers.write("SOC", other);
    expect(readRaw(one.telemetry, FIELDS.soc)).toBe(soc);
    read(two);
    simulated(one).setOnline(false);
    expect(read(one)).toBe("no-reply");
    expect(read(one, SETUP)).toBe("no-reply");
    expect([one.telemetry.valid, readRaw(one.telemetry, FIELDS.soc)]).toEqual([true, soc]);
    simulated(one).setOnline(true);
    expect(read(one)).toBe("ok");
    expect(readRaw(one.telemetry, FIELDS.soc)).toBe(other);
  });

  it("of a pack that has never answered are not valid", () => {
    const [one, two] = packs;
    read(two);
    simulated(one).setOnline(false);
    for (const block of [TELEMETRY, SETUP, DEVICE_INFO] as const) expect(read(one, block)).toBe("no-reply");
    expect([one.telemetry.valid, one.setup.valid, one.deviceInfo.valid]).toEqual([false, false, false]);
  });

  it("are complete when the read ends", () => {
    const [one, two] = packs;
    read(two);
    let soc: number | undefined;
    simulated(one).registers.write("SOC", 42);
    one.read(TELEMETRY, () => (soc = readRaw(one.telemetry, FIELDS.soc)));
    clock.runFor(3_000);
    expect(soc).toBe(42);
  });

  it("keep their bytes in the order in which they came", () => {
    const [one, two] = packs;
    read(one);
    two.onForeignFrame(TELEMETRY, capture("dbus-sb_t02_addr3_PB2A16S20P_15.41"), 0);
    expect([one.telemetry.littleEndian, two.telemetry.littleEndian]).toEqual([false, true]);
    expect(readRaw(two.telemetry, FIELDS.packVoltage)).toBe(52_695);
  });
});

describe("the read mode", () => {
  it.each(["registers", "frames"] as const)("%s is that of every pack when it is configured", (readMode) => {
    open({ readMode });
    for (const pack of packs) {
      expect(read(pack)).toBe("ok");
      expect(pack.telemetry.littleEndian).toBe(readMode === "frames");
    }
    expect(packs.map(({ activeReadMode }) => activeReadMode)).toEqual(Array(COUNT).fill(readMode));
  });

  it("changes for the pack that no longer answers in it, whatever the others do", () => {
    const [one, two] = packs;
    const isRead = { kind: "no-answer", matching: ({ function: code }: { function: number }) => code === 3 } as const;
    simulated(two).faults.add(isRead);
    for (let poll = 0; poll < POLLS_BEFORE_CHANGE; poll++) {
      expect([read(two), read(one)]).toEqual(["no-reply", "ok"]);
    }
    expect([read(two), read(one)]).toEqual(["ok", "ok"]);
    expect([one.telemetry.littleEndian, two.telemetry.littleEndian]).toEqual([false, true]);
    const modes = (): string[] => packs.map(({ activeReadMode }) => activeReadMode);
    expect(modes()).toEqual(["registers", "frames", "registers"]);
    simulated(one).faults.add(isRead);
    for (let poll = 0; poll < POLLS_BEFORE_CHANGE; poll++) read(one);
    expect(modes()).toEqual(["frames", "frames", "registers"]);
  });

  it("and a wake trigger, once until the pack answers again, are each pack's own", () => {
    const [one, two] = packs;
    for (const pack of [one, two]) simulated(pack).setOnline(false);
    for (let poll = 0; poll < 2; poll++)
      for (const pack of [one, two])
        expect(asked(pack).filter((request) => request === "01 10 16 1E 00 01")).toHaveLength(poll ? 0 : 1);
    expect(bus.statistics.wakeTriggers).toBe(2);
  });
});

describe("the long read", () => {
  it("is given up for the pack that refuses it", () => {
    const [one, two] = packs;
    simulated(two).faults.add({ kind: "refuse", code: 3, matching: ({ quantity }) => quantity === LONG_QUANTITY });
    read(one);
    read(two);
    for (let poll = 0; poll < 2; poll++) {
      expect(asked(one)[0]).toBe(LONG);
      expect(asked(two).slice(0, 2)).toEqual(SHORT);
    }
  });

  it("is doubted for the pack that does not answer it", () => {
    const [one, two, three] = packs;
    const end = loseLong(two);
    for (let poll = 0; poll < LONG_READ_DOUBTS; poll++) {
      expect(asked(one)[0]).toBe(LONG);
      expect(asked(two)).toContain(LONG);
    }
    end();
    expect(asked(two)[0]).toBe(SHORT[0]);
    expect(asked(one)[0]).toBe(LONG);
    expect(asked(three)[0]).toBe(LONG);
  });

  it("is proven by the pack that has answered it: noise is no reason for shorter ones", () => {
    const [one, two] = packs;
    read(one);
    for (const pack of [one, two]) loseLong(pack);
    expect(asked(two)).toContain(SHORT[0]);
    expect(asked(one).slice(0, 3)).toEqual([LONG, LONG, "01 10 16 1E 00 01"]);
  });

  it("takes turns with a shorter one, of each pack that is polled with one request, as long as that is silent", () => {
    open({ readMode: "registers" });
    const [one, two, three] = packs;
    for (const pack of [one, two]) simulated(pack).setOnline(false);
    for (let poll = 0; poll < 2 * POLLS_BEFORE_CHANGE; poll++) {
      const expected = [poll % 2 ? SHORT[0] : LONG];
      expect([asked(one, "once"), asked(three)[0], asked(two, "once")]).toEqual([expected, LONG, expected]);
    }
  });
});

describe("the end of the telemetry", () => {
  it("is read of one pack in a round, of each in turn, and of what was never read at once", () => {
    const round = (): number[] => packs.filter((pack) => asked(pack).includes(TAIL)).map(({ address }) => address);
    expect([round(), round()]).toEqual([[1, 2, 3], []]);
    clock.runFor(TAIL_INTERVAL);
    expect([round(), round(), round()]).toEqual([[1], [2], [3]]);
    const [one, two, three] = packs.map(({ tailAge }) => tailAge) as [number, number, number];
    expect(one > two && two > three).toBe(true);
  });
});

describe("writing", () => {
  it("reaches the pack it is for, whose block shows it when it ends", () => {
    const [one, two] = packs;
    for (const pack of [one, two]) read(pack, SETUP);
    const before = readRaw(one.setup, FIELDS.cellOvpVoltage);
    let shown: number | undefined;
    two.write("cell_ovp_voltage", before - 50, 4_000, ({ outcome }) => {
      expect(outcome).toBe("confirmed");
      shown = readRaw(two.setup, FIELDS.cellOvpVoltage);
    });
    clock.runFor(5_000);
    expect(shown).toBe(before - 50);
    expect(readRaw(one.setup, FIELDS.cellOvpVoltage)).toBe(before);
    expect([one, two].map((pack) => simulated(pack).registers.read("VolCellOV"))).toEqual([before, before - 50]);
  });

  it("shows the rest of its block as it is, if that was answered to another master meanwhile", () => {
    const [one] = packs;
    read(one, SETUP);
    // Other settings than are known have to be heard twice.
    for (let time = 0; time < 2; time++)
      one.onForeignFrame(SETUP, capture("mppsolar-jkpb_t01_addr1_PB2A16S15P_15.10"), 0);
    const capacity = readRaw(one.setup, FIELDS.capacity);
    expect(capacity).not.toBe(simulated(one).registers.read("CapBatCell"));
    expect(write(one, "cell_ovp_voltage", 3_600)).toEqual({ outcome: "confirmed" });
    expect(readRaw(one.setup, FIELDS.cellOvpVoltage)).toBe(3_600);
    expect(readRaw(one.setup, FIELDS.capacity)).toBe(capacity);
  });

  it("shows nothing of a block that has not been read", () => {
    const [one, two] = packs;
    read(one, SETUP);
    expect(write(two, "cell_count", 16)).toEqual({ outcome: "confirmed" });
    expect([one.setup.valid, two.setup.valid]).toEqual([true, false]);
  });

  it("of a name that cannot be written throws, and leaves the others free", () => {
    const [one, two] = packs;
    expect(() => one.write("shutdown" as WriteName, 1, 4_000, () => undefined)).toThrow(RangeError);
    expect(bus.busy).toBe(false);
    expect(read(two)).toBe("ok");
  });
});

describe("one transaction at a time", () => {
  it("of all packs: another one throws", () => {
    const [one, two] = packs;
    expect(bus.busy).toBe(false);
    const outcomes: unknown[] = [];
    one.read(TELEMETRY, (outcome) => outcomes.push(outcome));
    const busy = "the BMS link is busy with another read or write";
    for (const pack of packs) {
      expect(bus.busy).toBe(true);
      expect(() => pack.read(SETUP, () => outcomes.push("second"))).toThrow(busy);
      expect(() => pack.write("cell_count", 16, 1_000, () => outcomes.push("second"))).toThrow(busy);
    }
    clock.runFor(3_000);
    expect([outcomes, bus.busy, two.telemetry.valid]).toEqual([["ok"], false, false]);
  });

  it("and a write that waits between two read-backs stays with its pack", () => {
    const [one, two] = packs;
    simulated(one).faults.add({ kind: "ignore-write" });
    const results: WriteResult[] = [];
    one.write("emergency", 1, 4_000, (result) => results.push(result));
    for (let at = 0; at < 80; at++) {
      clock.runFor(10);
      expect(() => two.read(TELEMETRY, () => undefined)).toThrow("busy");
    }
    clock.runFor(5_000);
    expect(results).toEqual([{ outcome: "not-applied", readBack: 0 }]);
    expect(sent.every((request) => request.startsWith("01"))).toBe(true);
  });

  it("the next one, of another pack, can be started when one ends", () => {
    const [one, two, three] = packs;
    const ended: unknown[] = [];
    one.read(TELEMETRY, (first) => {
      ended.push(first, bus.busy);
      two.write("cell_count", 16, 4_000, ({ outcome }) => {
        ended.push(outcome, bus.busy);
        three.read(SETUP, (third) => ended.push(third));
      });
    });
    clock.runFor(5_000);
    expect(ended).toEqual(["ok", false, "confirmed", false, "ok"]);
    expect(packs.map(({ telemetry, setup }) => [telemetry.valid, setup.valid])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });
});

describe("closing", () => {
  it("ends what is asked without telling, and frees the port", () => {
    const [one] = packs;
    const done = vi.fn();
    one.read(TELEMETRY, done);
    clock.runFor(50);
    bus.close();
    expect(bus.busy).toBe(false);
    expect(claimedPins(board)).toEqual([]);
    clock.runFor(3_000);
    expect(done).not.toHaveBeenCalled();
  });
});

describe("another master", () => {
  const frame = capture("dbus-sb_t02_addr3_PB2A16S20P_15.41");
  const answer = concat(frame, capture("dbus-sb_ack_1620_addr3"));

  beforeEach(() => {
    open({ mode: "auto" });
    // Only the master's traffic is on the line.
    for (const pack of bank.packs) pack.setOnline(false);
  });

  function hear(...messages: Uint8Array[]): void {
    for (const message of messages) {
      board.wire.bms.send(message);
      clock.runFor(60);
    }
  }

  it("is known until it has been silent for long enough, and which pack it asks", () => {
    clock.runFor(FIRST_LISTEN);
    expect([bus.listening, bus.masterPresent, bus.heard]).toEqual([false, false, 0]);
    hear(capture("phinix-parallel_req_1620_addr2"));
    expect([bus.listening, bus.masterPresent, bus.heard]).toEqual([true, true, 0]);
    hear(answer);
    expect(bus.heard).toBe(1 << 3);
    expect(read(packs[0])).toBe("withheld");
    clock.runFor(MIN_SILENCE);
    expect([bus.listening, bus.masterPresent]).toEqual([false, false]);
    expect(sent).toEqual([]);
  });

  it("is none where listening is what was configured", () => {
    open({ mode: "listen" });
    expect([bus.listening, bus.masterPresent]).toEqual([true, false]);
  });

  it("is answered by a pack, whose block that becomes, and whose listener is told", () => {
    const [one, , three] = packs;
    const [first, third] = [
      {
        onForeignBlock: vi.fn(),
        onSecondReply: vi.fn(),
        onLateReply: vi.fn(),
        onNewSettings: vi.fn(),
        isImpossible: vi.fn(),
      },
      {
        onForeignBlock: vi.fn(),
        onSecondReply: vi.fn(),
        onLateReply: vi.fn(),
        onNewSettings: vi.fn(),
        isImpossible: vi.fn(),
      },
    ];
    one.listener = first;
    three.listener = third;
    expect(three.telemetry.valid).toBe(false);
    hear(capture("phinix-parallel_req_1620_addr2"), answer);
    expect(third.onForeignBlock.mock.calls).toEqual([[TELEMETRY, false]]);
    expect(first.onForeignBlock).not.toHaveBeenCalled();
    expect([one.telemetry.valid, three.telemetry.valid, three.setup.valid]).toEqual([false, true, false]);
    expect(three.telemetry.littleEndian).toBe(true);
    expect(readRaw(three.telemetry, FIELDS.packVoltage)).toBe(52_695);
    three.telemetry.view.setUint32(offsetOf(FIELDS.packVoltage), 0, true);
    expect(readRaw(three.telemetry, FIELDS.packVoltage)).toBe(0);
    hear(answer, answer);
    expect(readRaw(three.telemetry, FIELDS.packVoltage)).toBe(52_695);
  });

  it("is answered by a pack to which nobody listens", () => {
    const [, , three] = packs;
    hear(capture("phinix-parallel_req_1620_addr2"), answer);
    expect(three.telemetry.valid).toBe(true);
  });
});

describe.each([
  ["one pack", [1]],
  ["three packs", [1, 2, 3]],
] as const)("a probe beside %s", (_, addresses) => {
  const ADDRESS = 3;
  const READ_ONE = "01 03";
  /** All that is there but the probe's address. */
  let others: readonly JkPack[];

  beforeEach(() => {
    open({}, addresses);
    others = bus.links.filter(({ address }) => address !== ADDRESS);
    for (const pack of others) {
      simulated(pack).registers.write("SOC", 50 + pack.address);
      expect(read(pack)).toBe("ok");
    }
  });

  const expectOthers = (): void => {
    for (const pack of others) expect(readRaw(pack.telemetry, FIELDS.soc)).toBe(50 + pack.address);
  };

  it.each([
    [false, "01 03 14 00 00 1C"],
    [true, "01 10 16 1C 00 01"],
  ])("asks in frames: %j, of which nothing is known, and the packs keep what they have", (frames, first) => {
    const probe = bus.openProbe(ADDRESS, frames);
    expect([probe.deviceInfo.valid, probe.activeReadMode]).toEqual([false, frames ? "frames" : "registers"]);
    expect(askedFor(probe, DEVICE_INFO)[0]).toBe(first);
    expect(readText(probe.deviceInfo, FIELDS.serialNumber)).toBe(serialNumberAt(ADDRESS));
    expect(probe.deviceInfo.littleEndian).toBe(frames);
    expectOthers();
    // A poll between its two questions.
    for (const pack of others) expect(asked(pack)[0]).toBe(LONG);
    expect(read(probe, SETUP)).toBe("ok");
    expect([probe.deviceInfo.valid, probe.setup.valid]).toEqual([true, true]);
    expectOthers();
    bus.closeProbes();
    for (const pack of others) expect(asked(pack)[0]).toBe(LONG);
    expectOthers();
  });

  it("that is the next has nothing of the one before", () => {
    expect(read(bus.openProbe(ADDRESS, true), DEVICE_INFO)).toBe("ok");
    const next = bus.openProbe(MAX_BMS_ADDRESS, false);
    expect([next.deviceInfo.valid, next.activeReadMode]).toEqual([false, "registers"]);
    expect(read(next, DEVICE_INFO)).toBe("no-reply");
    expect(next.deviceInfo.valid).toBe(false);
  });

  it("leaves to each pack what has been learned about it", () => {
    const [one] = others as [JkPack];
    simulated(one).faults.add({ kind: "no-answer", matching: ({ function: code }) => code === 3 });
    for (let poll = 0; poll < POLLS_BEFORE_CHANGE - 1; poll++) {
      expect(asked(one)[0]?.slice(0, READ_ONE.length)).toBe(READ_ONE);
      expect(read(bus.openProbe(ADDRESS, false), DEVICE_INFO)).toBe("ok");
    }
    asked(one);
    expect(read(bus.openProbe(ADDRESS, false), DEVICE_INFO)).toBe("ok");
    expect(one.activeReadMode).toBe("frames");
    expect(asked(one)).toEqual(["01 10 16 20 00 01"]);
  });

  it("is one of those of which only one is asked at a time", () => {
    const probe = bus.openProbe(ADDRESS, false);
    probe.read(DEVICE_INFO, () => undefined);
    expect(bus.busy).toBe(true);
    expect(() => others[0]?.read(TELEMETRY, () => undefined)).toThrow("busy");
    clock.runFor(3_000);
    expect(bus.busy).toBe(false);
  });

  it("keeps no pack from what another master is answered", () => {
    const [one] = others as [JkPack];
    bus.openProbe(ADDRESS, false).read(DEVICE_INFO, () => undefined);
    for (let time = 0; time < 2; time++)
      one.onForeignFrame(TELEMETRY, capture("dbus-sb_t02_addr3_PB2A16S20P_15.41"), 0);
    // Its registers are big-endian.
    expect(one.telemetry.littleEndian).toBe(true);
  });

  it("is asked no longer when the search is over, and the bus is free at once", () => {
    const done = vi.fn();
    bus.openProbe(ADDRESS, false).read(DEVICE_INFO, done);
    clock.runFor(50);
    bus.closeProbes();
    expect(bus.busy).toBe(false);
    for (const pack of others) expect(read(pack)).toBe("ok");
    expect(done).not.toHaveBeenCalled();
    expectOthers();
  });

  it("that was not asked costs a pack's read nothing", () => {
    bus.openProbe(ADDRESS, false);
    let outcome: unknown;
    others[0]?.read(TELEMETRY, (result) => (outcome = result));
    bus.closeProbes();
    clock.runFor(3_000);
    expect(outcome).toBe("ok");
  });
});
