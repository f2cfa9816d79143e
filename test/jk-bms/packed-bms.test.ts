/** Several packs that share the buffers of one: each has its own blocks, and is asked as it has been found to answer. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { serialNumberAt } from "../../host-sim/bms/simulated-bms";
import type { SimulatedBoard } from "../../host-sim/board";
import type { Clock } from "../../host-sim/clock";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { readRaw, readText } from "../../modules/jk-bms/fields";
import {
  LONG_QUANTITY,
  LONG_READ_DOUBTS,
  MAX_BMS_ADDRESS,
  POLLS_BEFORE_CHANGE,
  TAIL_INTERVAL,
} from "../../modules/jk-bms/limits";
import { PackedBms } from "../../modules/jk-bms/packed-bms";
import type { SharedBms } from "../../modules/jk-bms/shared-bms";
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
import { lineBoard } from "../support/bms/line";
import { LONG, SHORT, TAIL } from "../support/bms/opened-bms";
import { PackOnLine, type PackOptions } from "../support/bms/pack-on-line";
import { hex } from "../support/hex";

const COUNT = 3;

let board: SimulatedBoard;
let clock: Clock;
let bank: Bank;
let line: PackOnLine;
let shared: SharedBms;
/** At addresses 1, 2 and 3. */
let packs: [PackedBms, PackedBms, PackedBms];
/** The beginnings of all requests. */
let sent: string[];

function open(options: PackOptions = {}, places = COUNT): void {
  board = lineBoard();
  ({ clock } = board);
  bank = bankOf({ clock, wire: board.wire, count: COUNT, evolving: false });
  sent = [];
  const send = board.wire.board.send.bind(board.wire.board);
  board.wire.board.send = (bytes) => {
    sent.push(hex(bytes.subarray(0, 6)));
    send(bytes);
  };
  line = new PackOnLine(board);
  shared = line.openBms(options, places) as SharedBms;
  packs = [line.openPack(1), line.openPack(2), line.openPack(3)];
}

beforeEach(() => open());

function read(pack: PackedBms, block: BlockType = TELEMETRY, effort?: Effort): ReadOutcome | undefined {
  let outcome: ReadOutcome | undefined;
  pack.read(block, (result) => (outcome = result), effort);
  clock.runFor(3_000);
  return outcome;
}

function write(pack: PackedBms, name: WriteName, value: number | string): WriteResult | undefined {
  let result: WriteResult | undefined;
  pack.write(name, value, 4_000, (outcome) => (result = outcome));
  clock.runFor(5_000);
  return result;
}

/** What is sent to `pack` for a poll, without its address. */
function asked(pack: PackedBms, effort?: Effort): string[] {
  const from = sent.length;
  read(pack, TELEMETRY, effort);
  const now = sent.slice(from);
  const address = hex([pack.address]);
  for (const request of now) expect(request.slice(0, 2)).toBe(address);
  return now.map((request) => `01${request.slice(2)}`);
}

const simulated = (pack: PackedBms) => bank.packs[pack.address - 1]!;
/** The long read goes unanswered. */
const loseLong = (pack: PackedBms): (() => void) =>
  simulated(pack).faults.add({ kind: "no-answer", matching: ({ quantity }) => quantity === LONG_QUANTITY });

describe("a pack's address", () => {
  it.each([-1, MAX_BMS_ADDRESS + 1, NaN])("is not %d", (address) => {
    const error = new RangeError(`BMS address ${address} is not from 0 to ${MAX_BMS_ADDRESS}`);
    expect(() => new PackedBms(shared, address, 0)).toThrow(error);
  });

  it.each([0, MAX_BMS_ADDRESS])("may be %d", (address) => {
    expect(new PackedBms(shared, address, 0).address).toBe(address);
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
    const { revision } = one.telemetry;
    expect(one.telemetry.revision).toBe(revision);
    read(two);
    simulated(one).setOnline(false);
    expect(read(one)).toBe("no-reply");
    expect(read(one, SETUP)).toBe("no-reply");
    expect(one.telemetry).toMatchObject({ valid: true, revision });
    simulated(one).setOnline(true);
    expect(read(one)).toBe("ok");
    expect(one.telemetry.revision).not.toBe(revision);
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
    two.hear(TELEMETRY, capture("dbus-sb_t02_addr3_PB2A16S20P_15.41"), 0);
    expect([one.telemetry.littleEndian, two.telemetry.littleEndian]).toEqual([false, true]);
    expect(readRaw(two.telemetry, FIELDS.packVoltage)).toBe(52_695);
  });
});

describe("a place", () => {
  beforeEach(() => open({}, COUNT + 1));

  it("that is begun anew has nothing of the pack that had it, and the others keep theirs", () => {
    const [one, two, three] = packs;
    for (const pack of packs) {
      simulated(pack).registers.write("SOC", 50 + pack.address);
      read(pack);
    }
    for (const shown of packs) {
      expect(readRaw(shown.telemetry, FIELDS.soc)).toBe(50 + shown.address);
      shared.begin(COUNT, false);
      for (const pack of [two, one, three]) expect(readRaw(pack.telemetry, FIELDS.soc)).toBe(50 + pack.address);
    }
    expect(three.telemetry.valid).toBe(true);
    shared.begin(2, false);
    expect(three.telemetry.valid).toBe(false);
    expect(one.telemetry.valid).toBe(true);
  });

  it.each([
    [false, LONG],
    [true, "01 10 16 20 00 01"],
  ])("is asked in frames: %j, whatever was learned of the pack before", (frames, first) => {
    const [one] = packs;
    simulated(one).setOnline(false);
    for (let poll = 0; poll < 3; poll++) read(one);
    simulated(one).setOnline(true);
    shared.begin(one.place, frames);
    expect(asked(one)[0]).toBe(first);
    expect(one.telemetry.littleEndian).toBe(frames);
  });
});

describe("the read mode", () => {
  it.each(["registers", "frames"] as const)("%s is that of every pack when it is configured", (readMode) => {
    open({ readMode });
    for (const pack of packs) {
      expect(read(pack)).toBe("ok");
      expect(pack.telemetry.littleEndian).toBe(readMode === "frames");
    }
    expect(shared.activeReadMode).toBe(readMode);
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
    // The first pack's is shown for all.
    expect(shared.activeReadMode).toBe("registers");
    simulated(one).faults.add(isRead);
    for (let poll = 0; poll < POLLS_BEFORE_CHANGE; poll++) read(one);
    expect(shared.activeReadMode).toBe("frames");
  });

  it("and a wake trigger, once until the pack answers again, are each pack's own", () => {
    const [one, two] = packs;
    for (const pack of [one, two]) simulated(pack).setOnline(false);
    for (let poll = 0; poll < 2; poll++)
      for (const pack of [one, two])
        expect(asked(pack).filter((request) => request === "01 10 16 1E 00 01")).toHaveLength(poll ? 0 : 1);
    expect(shared.statistics.wakeTriggers).toBe(2);
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
  it("is read of each pack every 10 s for each of them, and of one of them every 10 s", () => {
    const [one, two, three] = packs;
    const began = clock.now;
    const isRead = (pack: PackedBms, seconds: number): boolean => {
      clock.runUntil(began + seconds * 1_000);
      return asked(pack).includes(TAIL);
    };
    // What has never been read is read at once.
    expect([isRead(one, 0), isRead(two, 15)]).toEqual([true, true]);
    expect([isRead(one, 20), isRead(one, COUNT * (TAIL_INTERVAL / 1_000) - 1)]).toEqual([false, false]);
    expect([isRead(two, 33), isRead(one, 36), isRead(one, 39)]).toEqual([false, true, false]);
    // Thirty seconds after its own, but less than ten after another's.
    expect([isRead(three, 42), isRead(two, 48), isRead(two, 51), isRead(two, 54)]).toEqual([true, false, false, true]);
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

  it("shows nothing of a block that has not been read", () => {
    const [one, two] = packs;
    read(one, SETUP);
    expect(write(two, "cell_count", 16)).toEqual({ outcome: "confirmed" });
    expect([one.setup.valid, two.setup.valid]).toEqual([true, false]);
  });

  it("of a name that cannot be written throws, and leaves the others free", () => {
    const [one, two] = packs;
    expect(() => one.write("shutdown" as WriteName, 1, 4_000, () => undefined)).toThrow(RangeError);
    expect(one.busy).toBe(false);
    expect(read(two)).toBe("ok");
  });
});

describe("one transaction at a time", () => {
  it("of all packs: another one throws", () => {
    const [one, two] = packs;
    expect(two.busy).toBe(false);
    const outcomes: unknown[] = [];
    one.read(TELEMETRY, (outcome) => outcomes.push(outcome));
    const busy = "the BMS link is busy with another read or write";
    for (const pack of packs) {
      expect(pack.busy).toBe(true);
      expect(() => pack.read(SETUP, () => outcomes.push("second"))).toThrow(busy);
      expect(() => pack.write("cell_count", 16, 1_000, () => outcomes.push("second"))).toThrow(busy);
    }
    clock.runFor(3_000);
    expect([outcomes, two.busy, two.telemetry.valid]).toEqual([["ok"], false, false]);
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
      ended.push(first, one.busy);
      two.write("cell_count", 16, 4_000, ({ outcome }) => {
        ended.push(outcome, two.busy);
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
  it("ends what is asked without telling, and frees the bus for others", () => {
    const [one] = packs;
    const done = vi.fn();
    one.read(TELEMETRY, done);
    clock.runFor(50);
    shared.close();
    expect(one.busy).toBe(false);
    clock.runFor(3_000);
    expect(done).not.toHaveBeenCalled();
    expect(line.bus?.busy).toBe(false);
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

  it("is seen by every pack, until it has been silent for long enough", () => {
    clock.runFor(FIRST_LISTEN);
    expect(packs.map(({ listening, masterPresent }) => [listening, masterPresent])).toEqual(
      Array(COUNT).fill([false, false]),
    );
    hear(capture("phinix-parallel_req_1620_addr2"));
    expect(packs.map(({ listening, masterPresent }) => [listening, masterPresent])).toEqual(
      Array(COUNT).fill([true, true]),
    );
    expect(read(packs[0])).toBe("withheld");
    clock.runFor(MIN_SILENCE);
    expect(packs[0].listening).toBe(false);
    expect(sent).toEqual([]);
  });

  it("is none where listening is what was configured", () => {
    open({ mode: "listen" });
    expect([packs[1].listening, packs[1].masterPresent]).toEqual([true, false]);
  });

  it("is answered by a pack, whose block that becomes, and whose listener is told", () => {
    const [one, , three] = packs;
    const [first, third] = [{ heard: vi.fn() }, { heard: vi.fn() }];
    one.listener = first;
    three.listener = third;
    expect(three.telemetry.valid).toBe(false);
    hear(capture("phinix-parallel_req_1620_addr2"), answer);
    expect(third.heard.mock.calls).toEqual([[TELEMETRY]]);
    expect(first.heard).not.toHaveBeenCalled();
    expect([one.telemetry.valid, three.telemetry.valid, three.setup.valid]).toEqual([false, true, false]);
    expect(three.telemetry.littleEndian).toBe(true);
    expect(readRaw(three.telemetry, FIELDS.packVoltage)).toBe(52_695);
    const { revision } = three.telemetry;
    hear(answer);
    expect(three.telemetry.revision).not.toBe(revision);
  });

  it("is answered by a pack to which nobody listens, or no longer", () => {
    const [, , three] = packs;
    hear(capture("phinix-parallel_req_1620_addr2"), answer);
    expect(three.telemetry.valid).toBe(true);
    const listener = { heard: vi.fn() };
    three.listener = listener;
    three.close();
    hear(answer);
    expect(listener.heard).not.toHaveBeenCalled();
  });
});
