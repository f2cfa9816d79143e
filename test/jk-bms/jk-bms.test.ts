import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../host-sim/clock";
import { extremeCells } from "../../modules/jk-bms/cells";
import { FIELDS, readRaw, readText, type Field } from "../../modules/jk-bms/fields";
import type { JkBms } from "../../modules/jk-bms/jk-bms";
import {
  DEVICE_INFO,
  SETUP,
  TELEMETRY,
  type BlockType,
  type ReadOutcome,
  type WriteResult,
} from "../../modules/jk-bms/types";
import {
  LONG_QUANTITY,
  LONG_READ_DOUBTS,
  MAX_UNSETTLED_READS,
  TAIL_INTERVAL,
  WRITE_TRIES,
} from "../../modules/jk-bms/limits";
import type { WriteName } from "../../modules/jk-bms/writes";
import { DEFAULT_GAP, MAX_GAP } from "../../modules/modbus/limits";
import { swapped } from "../support/bms/captures";
import { FakeBms, frame, sealed } from "../support/bms/fake-bms";
import type { BoardOptions, SimulatedBoard } from "../../host-sim/board";
import { hex } from "../support/hex";
import { lineBoard } from "../support/bms/line";
import { PackOnLine, type PackOptions } from "../support/bms/pack-on-line";
import { claimedPins } from "../support/fakes/pins";

let clock: Clock;
let board: SimulatedBoard;
let fake: FakeBms;
let line: PackOnLine;
let bms: JkBms;

function open(options: PackOptions = {}, wire: BoardOptions = {}): void {
  board = lineBoard(wire);
  ({ clock } = board);
  fake = new FakeBms(board);
  line = new PackOnLine(board);
  bms = line.openBms(options);
}

function close(): void {
  bms.close();
  line.closeBus();
}

beforeEach(() => open());

function read(block: BlockType = TELEMETRY): { outcome: ReadOutcome | undefined; took: number } {
  const since = clock.now;
  let outcome: ReadOutcome | undefined;
  let took = 0;
  bms.read(block, (result) => {
    expect(outcome).toBeUndefined();
    outcome = result;
    took = clock.now - since;
  });
  expect(outcome).toBeUndefined();
  clock.runFor(3000);
  return { outcome, took };
}

function write(name: WriteName, value: number | string, timeout = 4000): { result: WriteResult; took: number } {
  const since = clock.now;
  let result: WriteResult | undefined;
  let took = 0;
  bms.write(name, value, timeout, (outcome) => {
    expect(result).toBeUndefined();
    result = outcome;
    took = clock.now - since;
  });
  expect(result).toBeUndefined();
  clock.runFor(timeout + 1000);
  expect(took).toBeLessThanOrEqual(timeout);
  return { result: result as WriteResult, took };
}

const LONG = "01 03 12 00 00 78";
const SHORT = ["01 03 12 00 00 39", "01 03 12 72 00 38"];
const TAIL = "01 03 12 E2 00 19";
const requests = (): string[] => fake.requests.map(({ bytes }) => hex(bytes.subarray(0, 6)));
const isRead = (bytes: Uint8Array): boolean => bytes[1] === 3;
const register = (bytes: Uint8Array): number => ((bytes[2] as number) << 8) | (bytes[3] as number);

describe("reading by registers", () => {
  it("reads the telemetry in one request, at first and every 10 s with its tail, within 130 ms at the default gap", () => {
    const { outcome, took } = read();
    expect(outcome).toBe("ok");
    expect(requests()).toEqual([LONG, TAIL]);
    expect(took).toBeLessThan(250);
    expect(readRaw(bms.telemetry, FIELDS.packVoltage)).toBe(52695);
    expect(readRaw(bms.telemetry, FIELDS.soc)).toBe(55);
    expect(readRaw(bms.telemetry, FIELDS.detailLogsCount)).toBe(2320);
    expect(bms.telemetry).toMatchObject({ valid: true, littleEndian: false });
    expect(bms.activeReadMode).toBe("registers");
    expect(read()).toEqual({ outcome: "ok", took: expect.toSatisfy((ms: number) => ms < 130) as number });
    expect(requests().slice(2)).toEqual([LONG]);
    clock.runFor(TAIL_INTERVAL - 2 * 3000 - 200);
    read();
    expect(requests().slice(3)).toEqual([LONG]);
    read();
    expect(requests().slice(4)).toEqual([LONG, TAIL]);
  });

  it.each([
    ["in one read", null],
    ["in two", sealed(1, 0x83, 3)],
  ])("keeps the tail in between, as it was last read, %s", (_, refusal) => {
    fake.instead = (bytes) => (bytes[5] === LONG_QUANTITY ? (refusal ?? undefined) : undefined);
    read();
    fake.setWord(0x1304, 0x1234);
    read();
    expect(readRaw(bms.telemetry, FIELDS.detailLogsCount)).toBe(2320);
    clock.runFor(TAIL_INTERVAL);
    read();
    expect(readRaw(bms.telemetry, FIELDS.detailLogsCount)).toBe(0x1234_0910);
  });

  it("reads the tail at once when a frame has shown the telemetry, whose bytes are in another order", () => {
    read();
    bms.hear(TELEMETRY, frame(2, swapped(2, fake.blocks[2] as Uint8Array)), 0);
    expect(readRaw(bms.telemetry, FIELDS.detailLogsCount)).toBe(2320);
    read();
    expect(requests().slice(2)).toEqual([LONG, TAIL]);
    expect(readRaw(bms.telemetry, FIELDS.detailLogsCount)).toBe(2320);
  });

  it("reads settings and device information", () => {
    expect(bms.setup.valid).toBe(false);
    expect(read(SETUP).outcome).toBe("ok");
    expect(readRaw(bms.setup, FIELDS.cellOvpVoltage)).toBe(3650);
    expect(readRaw(bms.setup, FIELDS.switchWord)).toBe(13056);
    expect(read(DEVICE_INFO).outcome).toBe("ok");
    expect(readText(bms.deviceInfo, FIELDS.bluetoothName)).toBe("BB02");
    expect(readText(bms.deviceInfo, FIELDS.serialNumber)).toBe("10000000000");
  });

  it("neither reads nor stores the password", () => {
    (fake.blocks[3] as Uint8Array).fill(0x5a, 0x38, 0x48).fill(0x5a, 0x70, 0x80);
    read(DEVICE_INFO);
    write("bluetooth_name", "Pack 7");
    for (const bytes of fake.requests.map((request) => request.bytes).filter(isRead)) {
      const [from, to] = [register(bytes), register(bytes) + 2 * (bytes[5] as number)];
      for (const secret of [0x1438, 0x1470]) expect(to <= secret || from >= secret + 16).toBe(true);
    }
    expect(hex(new Uint8Array(bms.deviceInfo.view.buffer))).not.toContain("5A");
  });

  it("publishes a block only when all of it has been read", () => {
    read();
    fake.setWord(0x1200, 4000);
    clock.runFor(TAIL_INTERVAL);
    fake.instead = (bytes) => (register(bytes) === 0x12e2 ? null : undefined);
    expect(read().outcome).toBe("no-reply");
    expect(bms.telemetry.view.getUint16(0)).toBe(3293);
    fake.instead = undefined;
    expect(read().outcome).toBe("ok");
    expect(bms.telemetry.view.getUint16(0)).toBe(4000);
  });

  it("changes everything at once with the last reply, and nothing before", () => {
    read();
    fake.setWord(0x1200, 4000);
    bms.read(TELEMETRY, () => expect(bms.telemetry.view.getUint16(0)).toBe(4000));
    for (let at = 0; at < 270; at += 10) {
      clock.runFor(10);
      if (bms.busy) expect(bms.telemetry.view.getUint16(0)).toBe(3293);
    }
    clock.runFor(1000);
  });

  it.each(["registers", "frames"] as const)("looks for the lowest and the highest cell again, by %s", (readMode) => {
    close();
    open({ readMode });
    read();
    const { view, littleEndian } = bms.telemetry;
    const before = view.getUint16(0, littleEndian);
    expect(bms.telemetry.extremes).toBe(extremeCells(bms.telemetry));
    fake.setWord(0x1200, before + 500);
    read();
    expect(view.getUint16(0, littleEndian)).toBe(before + 500);
    expect(bms.telemetry.extremes! >> 8).toBe(1);
    fake.setWord(0x1200, 1);
    clock.runFor(TAIL_INTERVAL);
    read();
    expect(bms.telemetry.extremes! & 0xff).toBe(1);
  });

  it("retries once for a lost reply", () => {
    let lost = 0;
    fake.instead = () => (lost++ ? undefined : null);
    expect(read().outcome).toBe("ok");
    expect(fake.requests).toHaveLength(3);
    expect(bms.statistics).toMatchObject({ requests: 3, replies: 2, timeouts: 1, wakeTriggers: 0 });
  });

  it("reports an exception", () => {
    fake.refuses.set(0x1200, 2);
    expect(read().outcome).toBe("exception");
    expect(bms.statistics.exceptions).toBe(2);
  });

  it("never takes a late reply to another read: all have different lengths", () => {
    let last: Uint8Array | undefined;
    // Every reply comes only with the next request: what arrives is always the answer to the last one.
    fake.instead = (_, usual) => {
      const stale = last;
      last = usual;
      return stale ?? null;
    };
    for (const block of [TELEMETRY, SETUP, DEVICE_INFO, SETUP, TELEMETRY] as const) {
      expect(read(block).outcome).toBe("ok");
      const image = { [SETUP]: bms.setup, [TELEMETRY]: bms.telemetry, [DEVICE_INFO]: bms.deviceInfo }[block];
      for (const field of Object.values<Field>(FIELDS))
        for (let at = field.offset; field.block === block && at < field.offset + field.length; at++)
          expect(image.view.getUint8(at)).toBe((fake.blocks[block] as Uint8Array)[at]);
    }
  });

  it("loses nothing while the script is busy", () => {
    for (let poll = 0; poll < 20; poll++) {
      const busy = setBusy(5 + 7 * poll);
      expect(read().outcome).toBe("ok");
      busy();
    }
    expect(bms.statistics.timeouts).toBe(0);
    expect(board.uart.overflows).toBe(0);
  });

  /** Keeps the script busy for `ms` of every 150 ms. */
  function setBusy(ms: number): () => void {
    let going = true;
    const again = (): void => {
      if (!going) return;
      board.script.busyFor(ms);
      clock.after(150, again);
    };
    again();
    return () => (going = false);
  }

  it("works at 9,600 baud and at other addresses", () => {
    open({ baud: 9600, address: 15, readMode: "registers" }, { baud: 9600 });
    fake.address = 15;
    expect(read().outcome).toBe("ok");
    close();
    open({ address: 0 });
    fake.address = 0;
    expect(read().outcome).toBe("ok");
  });
});

it.each([
  [undefined, 75],
  [200, 200],
])("with a gap of %j the first request is sent after %i ms of quiet", (gap, ms) => {
  open(gap === undefined ? {} : { gap });
  read();
  const [first] = fake.requests;
  expect(first?.at).toBeGreaterThanOrEqual(ms);
  expect(first?.at).toBeLessThan(ms + 5);
});

describe("a BMS that does not answer the long read", () => {
  /** What is asked for in a poll. */
  function asked(): string[] {
    const from = fake.requests.length;
    expect(read().outcome).toBe("ok");
    return requests().slice(from);
  }
  const isLong = (bytes: Uint8Array): boolean => bytes[1] === 3 && bytes[5] === LONG_QUANTITY;

  it.each([1, 2, 3, 4])(
    "is read in shorter ones at once when it refuses it with exception %i, and from then on",
    (code) => {
      fake.instead = (bytes) => (isLong(bytes) ? sealed(1, 0x83, code) : undefined);
      expect(asked()).toEqual([LONG, ...SHORT, TAIL]);
      expect(asked()).toEqual(SHORT);
      fake.instead = undefined;
      for (let poll = 0; poll < 10; poll++) expect(asked()[0]).toBe(SHORT[0]);
      expect(readRaw(bms.telemetry, FIELDS.packVoltage)).toBe(52695);
    },
  );

  it.each([5, 6])("is asked again when its exception %i says nothing of the length", (code) => {
    fake.instead = (bytes) => (isLong(bytes) ? sealed(1, 0x83, code) : undefined);
    expect(read().outcome).toBe("exception");
    fake.instead = undefined;
    expect(asked()).toEqual([LONG, TAIL]);
  });

  it.each([
    ["silent", null],
    ["answering with fewer words", sealed(1, 3, 2, 0, 0)],
  ])("is read in shorter ones within the poll when it is %s, and for good after three of them", (_, answer) => {
    fake.instead = (bytes) => (isLong(bytes) ? answer : undefined);
    for (let poll = 0; poll < LONG_READ_DOUBTS; poll++)
      expect(asked()).toEqual([LONG, LONG, ...SHORT, ...(poll ? [] : [TAIL])]);
    fake.instead = undefined;
    expect(asked()).not.toContain(LONG);
    expect(bms.statistics.wakeTriggers).toBe(0);
  });

  it("because of noise keeps it, however often", () => {
    for (let times = 0; times < 2 * LONG_READ_DOUBTS; times++) {
      expect(asked()).toContain(LONG);
      // Two polls in a row.
      fake.instead = (bytes) => (isLong(bytes) ? null : undefined);
      read();
      read();
      fake.instead = undefined;
    }
    expect(asked()).toContain(LONG);
  });

  it("while it is away loses nothing that was learned", () => {
    read();
    const from = requests().length;
    fake.answersReads = fake.answersTriggers = false;
    expect(read().outcome).toBe("no-reply");
    // It has answered the long read before: that it has gone or fallen asleep is likelier than that it refuses it now.
    expect(requests().slice(from)).toEqual([LONG, LONG, "01 10 16 1E 00 01", LONG, SHORT[0]]);
    for (let poll = 0; poll < 3; poll++) expect(read().outcome).toBe("no-reply");
    fake.answersReads = true;
    expect(asked()[0]).toBe(LONG);
  });
});

describe("a BMS whose FC03 has fallen asleep", () => {
  it("is woken by a trigger, once per read, which is counted", () => {
    fake.sleepsAfter = 3000;
    clock.runFor(5000);
    const { outcome } = read();
    expect(outcome).toBe("ok");
    expect(requests()).toEqual([LONG, LONG, SHORT[0], "01 10 16 1E 00 01", ...SHORT, TAIL]);
    expect(bms.statistics).toMatchObject({ wakeTriggers: 1, timeouts: 3 });
    read();
    expect(requests().at(-1)).toBe(LONG);
    expect(bms.activeReadMode).toBe("registers");
  });

  it("is woken by the long answer even if the script is busy", () => {
    fake.sleepsAfter = 3000;
    clock.runFor(5000);
    bms.read(TELEMETRY, () => (outcome = "ok"));
    let outcome = "";
    while (!line.bus?.awaited) clock.runFor(1);
    clock.runFor(15);
    board.script.busyFor(60);
    clock.runFor(3000);
    expect(board.uart.overflows).toBe(0);
    expect(outcome).toBe("ok");
  });

  it("is not sent a wake trigger at every poll when that does not help", () => {
    open({ readMode: "registers" });
    fake.answersReads = fake.answersTriggers = false;
    for (let poll = 0; poll < 10; poll++) expect(read().outcome).toBe("no-reply");
    expect(bms.statistics.wakeTriggers).toBe(2);
  });
});

describe("the read mode", () => {
  it("changes to frames after five unanswered polls in a row, and stays while they work", () => {
    fake.answersReads = false;
    for (let poll = 0; poll < 5; poll++) {
      expect(bms.activeReadMode).toBe("registers");
      expect(read().outcome).toBe("no-reply");
    }
    expect(bms.activeReadMode).toBe("frames");
    fake.answersReads = true;
    for (let poll = 0; poll < 10; poll++) expect(read().outcome).toBe("ok");
    expect(bms.activeReadMode).toBe("frames");
    expect(bms.telemetry.littleEndian).toBe(true);
    expect(readRaw(bms.telemetry, FIELDS.packVoltage)).toBe(52695);
  });

  it("counts only consecutive polls, and only of telemetry", () => {
    fake.answersReads = false;
    for (let poll = 0; poll < 4; poll++) read();
    fake.answersReads = true;
    read();
    fake.answersReads = false;
    for (let poll = 0; poll < 4; poll++) read();
    for (let other = 0; other < 5; other++) read(SETUP);
    expect(bms.activeReadMode).toBe("registers");
    read();
    expect(bms.activeReadMode).toBe("frames");
  });

  it("changes back when frames stop working", () => {
    fake.answersReads = false;
    for (let poll = 0; poll < 5; poll++) read();
    fake.answersTriggers = false;
    fake.answersReads = true;
    for (let poll = 0; poll < 5; poll++) {
      expect(bms.activeReadMode).toBe("frames");
      expect(read().outcome).toBe("no-reply");
    }
    expect(bms.activeReadMode).toBe("registers");
    expect(read().outcome).toBe("ok");
  });

  it.each(["registers", "frames"] as const)("stays %s when that is configured", (readMode) => {
    open({ readMode });
    fake.answersReads = fake.answersTriggers = false;
    for (let poll = 0; poll < 12; poll++) read();
    expect(bms.activeReadMode).toBe(readMode);
  });
});

describe("reading by frames", () => {
  beforeEach(() => open({ readMode: "frames" }));

  it.each([
    [SETUP, "01 10 16 1E 00 01"],
    [TELEMETRY, "01 10 16 20 00 01"],
    [DEVICE_INFO, "01 10 16 1C 00 01"],
  ] as const)("requests block %i with one trigger", (block, request) => {
    expect(read(block).outcome).toBe("ok");
    expect(requests()).toEqual([request]);
  });

  it("stores no password", () => {
    (fake.blocks[3] as Uint8Array).fill(0x5a, 0x38, 0x48).fill(0x5a, 0x70, 0x80);
    read(DEVICE_INFO);
    expect(readText(bms.deviceInfo, FIELDS.bluetoothName)).toBe("BB02");
    expect(hex(new Uint8Array(bms.deviceInfo.view.buffer))).not.toContain("5A");
  });

  it("loses nothing of a frame while the script is busy for 200 ms", () => {
    let outcome: ReadOutcome | undefined;
    bms.read(TELEMETRY, (result) => (outcome = result));
    while (!line.bus?.awaited) clock.runFor(1);
    clock.runFor(20);
    board.script.busyFor(200);
    clock.runFor(3000);
    expect(board.uart.overflows).toBe(0);
    expect(outcome).toBe("ok");
    expect(fake.requests).toHaveLength(1);
  });

  it("reports an exception", () => {
    fake.refuses.set(0x1620, 2);
    expect(read().outcome).toBe("exception");
  });
});

describe("writing", () => {
  it("is confirmed by the acknowledgement and the value read back", () => {
    read(SETUP);
    const { result, took } = write("cell_ovp_voltage", 3600);
    expect(result).toEqual({ outcome: "confirmed" });
    expect(took).toBeLessThan(300);
    expect(fake.word(0x100e)).toBe(3600);
    const [written, ...readBack] = requests().slice(3);
    expect(written).toBe("01 10 10 0C 00 02");
    expect(readBack).toEqual(Array(2).fill(expect.stringMatching(/^01 03 10 0C 00 0[2-5]$/)));
    expect(readBack[0]).not.toBe(readBack[1]);
  });

  it.each(["registers", "frames"] as const)("shows a confirmed value at once, by %s", (readMode) => {
    open({ readMode });
    read(SETUP);
    read(DEVICE_INFO);
    const check = (name: WriteName, value: number | string, shown: () => unknown, expected: unknown): void => {
      let seen: unknown;
      bms.write(name, value, 4000, ({ outcome }) => {
        expect(outcome).toBe("confirmed");
        seen = shown();
      });
      clock.runFor(5000);
      expect(seen).toBe(expected);
    };
    check("capacity_ah", 304_000, () => readRaw(bms.setup, FIELDS.capacity), 304_000);
    check("charge_utp", -205, () => readRaw(bms.setup, FIELDS.chargeUtp), -205);
    check("charge_mos", 0, () => readRaw(bms.setup, FIELDS.chargeEnabled), 0);
    check("display_always_on", 1, () => readRaw(bms.setup, FIELDS.switchWord), 0x3310);
    check("bluetooth_name", "Pack 7", () => readText(bms.deviceInfo, FIELDS.bluetoothName), "Pack 7");
  });

  it("leaves an unread image alone", () => {
    write("capacity_ah", 304_000);
    expect(bms.setup.valid).toBe(false);
    expect(readRaw(bms.setup, FIELDS.capacity)).toBe(0);
  });

  /** Refuses the write of `written`, after applying it if `applies`. */
  const refuseWrite = (written: number, code: number, applies = false): void => {
    fake.ignoresWrites = !applies;
    fake.instead = (bytes) => (bytes[1] === 16 && register(bytes) === written ? sealed(1, 0x90, code) : undefined);
  };

  it.each([1, 2, 3, 4, 255])("is refused by exception %i without a retry, once the old value is read back", (code) => {
    refuseWrite(0x1048, code);
    const { result, took } = write("max_balance_current", 2001);
    expect(result).toEqual({ outcome: "refused", exception: code });
    expect(took).toBeLessThan(400);
    expect(fake.sent(16)).toHaveLength(1);
    expect(fake.sent(3)).toHaveLength(2);
  });

  it("is refused as well if nothing can be read back", () => {
    refuseWrite(0x1048, 3);
    fake.answersReads = fake.answersTriggers = false;
    expect(write("max_balance_current", 2001).result).toEqual({ outcome: "refused", exception: 3 });
  });

  it.each([
    ["max_balance_current", 2001, 0x1048],
    ["display_always_on", 1, 0x1114],
    ["emergency", 1, 0x1610],
  ] as const)("%s is not said to be unchanged by a BMS that refuses and applies", (name, value, written) => {
    read(SETUP);
    refuseWrite(written, 2, true);
    expect(write(name, value).result).toEqual({ outcome: "refused-applied", exception: 2 });
    if (name === "max_balance_current") expect(readRaw(bms.setup, FIELDS.maxBalanceCurrent)).toBe(2001);
  });

  it("is neither confirmed nor refused by exception 5, acknowledge: the value read back tells", () => {
    refuseWrite(0x1048, 5, true);
    expect(write("max_balance_current", 2001).result).toEqual({ outcome: "no-reply-applied" });
    refuseWrite(0x1048, 5);
    expect(write("max_balance_current", 1000).result).toEqual({ outcome: "no-reply-not-applied", readBack: 2001 });
    expect(fake.sent(16)).toHaveLength(2);
  });

  it.each([
    ["max_balance_current", 2001, 0x1048],
    ["display_always_on", 1, 0x1114],
  ] as const)("%s is tried again when the BMS is busy, exception 6, three times at most", (name, value, written) => {
    for (const [busy, outcome, tries] of [
      [1, "confirmed", 2],
      [2, "confirmed", 3],
      [3, "refused", 3],
    ] as const) {
      open();
      let left = busy;
      fake.instead = (bytes, usual) => {
        if (bytes[1] !== 16 || register(bytes) !== written || !usual) return undefined;
        return left-- > 0 ? sealed(1, 0x90, 6) : undefined;
      };
      fake.ignoresWrites = outcome === "refused";
      expect(write(name, value).result.outcome).toBe(outcome);
      expect(fake.sent(16)).toHaveLength(tries);
    }
  });

  it("is tried again at once when the BMS is busy and there is no memory for a timer", () => {
    let left = 1;
    fake.instead = (bytes) => (bytes[1] === 16 && left-- > 0 ? sealed(1, 0x90, 6) : undefined);
    // The first is the deadline's.
    board.refusals.failAllocation(2);
    expect(write("max_balance_current", 2001).result.outcome).toBe("confirmed");
  });

  it("is not begun without memory for its deadline", () => {
    board.refusals.failAllocation(1);
    expect(() => write("max_balance_current", 2001)).toThrow("add failed");
    clock.runFor(5000);
    expect(fake.sent(16)).toHaveLength(0);
  });

  it("of a bit reads the word again after the BMS was busy", () => {
    let busy = true;
    fake.setWord(0x1114, 0x0100);
    fake.instead = (bytes) => {
      if (bytes[1] !== 16 || !busy) return undefined;
      busy = false;
      fake.setWord(0x1114, 0x0200);
      return sealed(1, 0x90, 6);
    };
    // The request that is answered with "busy" must not count as applied.
    fake.ignoresWrites = true;
    clock.after(250, () => (fake.ignoresWrites = false));
    expect(write("display_always_on", 1).result).toEqual({ outcome: "confirmed" });
    expect(fake.word(0x1114)).toBe(0x0210);
  });

  describe("when a retry is refused after a lost reply", () => {
    let tries: number;
    beforeEach(() => {
      tries = 0;
      fake.instead = (bytes) => {
        if (bytes[1] !== 16 || register(bytes) !== 0x106c) return undefined;
        return ++tries === 1 ? null : sealed(1, 0x90, 4);
      };
    });

    it("is read back, and was applied all the same", () => {
      expect(write("cell_count", 15).result).toEqual({ outcome: "no-reply-applied" });
      expect(tries).toBe(2);
    });

    it("is refused if another value is read back", () => {
      fake.ignoresWrites = true;
      expect(write("cell_count", 15).result).toEqual({ outcome: "refused", exception: 4 });
      expect(tries).toBe(2);
    });

    it("is unknown if it cannot be read back", () => {
      fake.answersReads = fake.answersTriggers = false;
      expect(write("cell_count", 15).result).toEqual({ outcome: "no-reply" });
    });

    it("does not delay the refusal of the next write", () => {
      write("cell_count", 15);
      refuseWrite(0x1048, 3);
      const { length } = fake.requests;
      expect(write("max_balance_current", 2001).result).toEqual({ outcome: "refused", exception: 3 });
      expect(fake.requests).toHaveLength(length + 3);
    });
  });

  it("is tried at most three times without an answer", () => {
    fake.instead = () => null;
    const { result, took } = write("cell_count", 15);
    expect(result).toEqual({ outcome: "no-reply" });
    // Tried three times, then looked for all the same.
    expect(requests().slice(0, 3)).toEqual(Array(3).fill("01 10 10 6C 00 02"));
    expect(fake.sent(3)).toHaveLength(2);
    expect(took).toBeLessThan(3500);
  });

  it("succeeds at the third try", () => {
    let tries = 0;
    fake.instead = (bytes) => (bytes[1] === 16 && ++tries < 3 ? null : undefined);
    expect(write("cell_count", 15).result).toEqual({ outcome: "confirmed" });
    expect(fake.sent(16)).toHaveLength(3);
  });

  it("reports a reply to another request", () => {
    fake.instead = (bytes) => (bytes[1] === 16 ? sealed(1, 16, 0x10, 0x74, 0, 2) : undefined);
    expect(write("charge_mos", 0).result).toEqual({ outcome: "mismatch", readBack: 0 });
    expect(fake.sent(16)).toHaveLength(3);
    fake.answersReads = fake.answersTriggers = false;
    expect(write("charge_mos", 1).result).toEqual({ outcome: "mismatch" });
  });

  it("reads back a write without a reply, and reports what the BMS holds", () => {
    read(SETUP);
    // The reply is lost, not the request.
    fake.instead = (bytes) => (bytes[1] === 16 ? null : undefined);
    expect(write("cell_count", 15).result).toEqual({ outcome: "no-reply-applied" });
    expect(readRaw(bms.setup, FIELDS.cellCount)).toBe(15);
    fake.ignoresWrites = true;
    expect(write("cell_count", 14).result).toEqual({ outcome: "no-reply-not-applied", readBack: 15 });
    expect(readRaw(bms.setup, FIELDS.cellCount)).toBe(15);
  });

  it("reports a write that was acknowledged but not applied, with the value read", () => {
    read(SETUP);
    read(DEVICE_INFO);
    fake.ignoresWrites = true;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "not-applied", readBack: 3650 });
    expect(write("charge_utp", -205).result).toEqual({ outcome: "not-applied", readBack: 50 });
    expect(write("bluetooth_name", "Pack 7").result).toEqual({ outcome: "not-applied", readBack: "BB02" });
    expect(write("display_always_on", 1).result).toEqual({ outcome: "not-applied", readBack: 0 });
    fake.setWord(0x1114, 0xffff);
    expect(write("display_always_on", 0).result).toEqual({ outcome: "not-applied", readBack: 1 });
    expect(write("emergency", 1).result).toEqual({ outcome: "not-applied", readBack: 0 });
    expect(readRaw(bms.setup, FIELDS.cellOvpVoltage)).toBe(3650);
    expect(readText(bms.deviceInfo, FIELDS.bluetoothName)).toBe("BB02");
  });

  it("reads a setting back twice, and the emergency countdown five times", () => {
    fake.ignoresWrites = true;
    for (const [name, value, looks] of [
      ["cell_ovp_voltage", 3600, 2],
      ["emergency", 1, 5],
    ] as const) {
      const before = fake.sent(3).length;
      write(name, value);
      expect(fake.sent(3).length - before).toBe(looks);
    }
  });

  it("is confirmed, and not said to be another value, by reads that agree", () => {
    for (let foreign = 0; foreign < 3; foreign++) {
      for (const [held, outcome] of [
        [3600, "confirmed"],
        [3500, "not-applied"],
      ] as const) {
        open();
        fake.setWord(0x100e, 3500);
        fake.ignoresWrites = held === 3500;
        let reads = 0;
        // Another master's reply of the same length: it holds what was asked where the BMS does not, and the other way round.
        fake.instead = (bytes) => {
          if (!isRead(bytes) || reads++ !== foreign) return undefined;
          const words = Array<number>(2 * bytes[5]!).fill(0);
          const other = held === 3500 ? 3600 : 3500;
          words.splice(2, 2, other >> 8, other & 255);
          return sealed(1, 3, words.length, ...words);
        };
        expect(write("cell_ovp_voltage", 3600).result.outcome).toBe(outcome);
      }
    }
  });

  it("is unverified when no two reads agree", () => {
    let reads = 0;
    fake.instead = (bytes) =>
      isRead(bytes) ? sealed(1, 3, 2 * bytes[5]!, ...Array<number>(2 * bytes[5]!).fill(++reads)) : undefined;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "unverified" });
  });

  it("reads back after noise", () => {
    fake.instead = (bytes, usual) => (usual && isRead(bytes) ? Uint8Array.of(0xff, ...usual) : undefined);
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "confirmed" });
  });

  it("reads back by a frame when FC03 is silent", () => {
    fake.answersReads = false;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "confirmed" });
    expect(requests()).toEqual([
      "01 10 10 0C 00 02",
      expect.stringMatching(/^01 03 10 0C/),
      expect.stringMatching(/^01 03 10 0C/),
      "01 10 16 1E 00 01",
    ]);
    expect(write("bluetooth_name", "Pack 7").result).toEqual({ outcome: "confirmed" });
    expect(requests().at(-1)).toBe("01 10 16 1C 00 01");
  });

  it("reads back by registers when frames are silent", () => {
    open({ readMode: "frames" });
    fake.answersTriggers = false;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "confirmed" });
    expect(requests().at(-1)).toMatch(/^01 03 10 0C/);
  });

  it("is unverified when neither answers", () => {
    fake.answersReads = fake.answersTriggers = false;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "unverified" });
  });

  it("does not take a late read-back of another register as its own", () => {
    fake.setWord(0x100e, 3600);
    fake.setWord(0x1012, 3600);
    let stale: Uint8Array | undefined;
    fake.instead = (bytes, usual) => {
      if (bytes[1] !== 3) return undefined;
      const answer = stale ?? null;
      stale = usual;
      return answer;
    };
    fake.ignoresWrites = true;
    fake.answersTriggers = false;
    // OVP is 3600 and is read back late; OVPR must not be confirmed by that.
    write("cell_ovp_voltage", 3600);
    fake.setWord(0x1012, 3500);
    expect(write("cell_ovpr_voltage", 3600).result.outcome).not.toBe("confirmed");
  });

  it("does not take a late read-back of a number as the switch word", () => {
    // The reply to each read is the one to the read before it.
    let stale: Uint8Array | null = null;
    fake.instead = (bytes, usual) => {
      if (!isRead(bytes)) return undefined;
      const answer = stale;
      stale = usual ?? null;
      return answer;
    };
    fake.answersTriggers = false;
    fake.setWord(0x1114, 0x3300);
    for (let round = 0; round < 4; round++) {
      write("cell_ovp_voltage", 3600);
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-sent" });
      expect(fake.word(0x1114)).toBe(0x3300);
    }
  });

  describe("the switch word", () => {
    it.each([
      ["display_always_on", 1, 0x3300, 0x3310],
      ["display_always_on", 0, 0xffff, 0xffef],
      ["temperature_sensors_disabled", 1, 0x0000, 0x0002],
      ["temperature_sensors_disabled", 0, 0x8003, 0x8001],
    ] as const)("%s %i makes 0x%s of it and leaves the other bits", (name, value, before, after) => {
      for (const readMode of ["registers", "frames"] as const) {
        open({ readMode });
        fake.setWord(0x1114, before);
        expect(write(name, value).result).toEqual({ outcome: "confirmed" });
        expect(fake.word(0x1114)).toBe(after);
      }
    });

    it("is read from the BMS every time, not from the image", () => {
      read(SETUP);
      fake.setWord(0x1114, 0x0100);
      write("display_always_on", 1);
      expect(fake.word(0x1114)).toBe(0x0110);
    });

    it("is never formed from another master's reply of the same length", () => {
      for (let foreign = 0; foreign < 3; foreign++) {
        open();
        fake.setWord(0x1114, 0x8321);
        let reads = 0;
        fake.instead = (bytes) =>
          isRead(bytes) && reads++ === foreign
            ? sealed(1, 3, 2 * bytes[5]!, ...Array<number>(2 * bytes[5]!).fill(0))
            : undefined;
        expect(write("display_always_on", 1).result).toEqual({ outcome: "confirmed" });
        expect(fake.word(0x1114)).toBe(0x8331);
      }
    });

    it("is not written while every read contradicts the one before", () => {
      let reads = 0;
      fake.instead = (bytes) =>
        isRead(bytes) ? sealed(1, 3, 2 * bytes[5]!, ...Array<number>(2 * bytes[5]!).fill(reads++)) : undefined;
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-sent" });
      expect(reads).toBe(MAX_UNSETTLED_READS);
      expect(fake.sent(16)).toEqual([]);
    });

    it("is compared as a whole: a switch that changed beside the requested one is not confirmed", () => {
      fake.setWord(0x1114, 0x8300);
      fake.instead = (bytes) => {
        // Somebody else's write, right after ours.
        if (bytes[1] === 16) clock.after(5, () => fake.setWord(0x1114, 0x0310));
        return undefined;
      };
      const readBack = "switch word 0x0310";
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-applied", readBack });
    });

    it("is never written when it could not be read", () => {
      fake.answersReads = fake.answersTriggers = false;
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-sent" });
      expect(fake.sent(16).map(register)).toEqual([0x161e]);
    });
  });

  describe("emergency", () => {
    it("is confirmed when the countdown agrees", () => {
      expect(write("emergency", 1).result).toEqual({ outcome: "confirmed" });
      expect(fake.word(0x12d4)).toBe(1800);
      expect(write("emergency", 0).result).toEqual({ outcome: "confirmed" });
      expect(requests().filter((request) => request.startsWith("01 10"))).toEqual(Array(2).fill("01 10 16 10 00 01"));
    });

    it("shows its countdown with the next telemetry, like everything else", () => {
      read();
      write("emergency", 1);
      expect(readRaw(bms.telemetry, FIELDS.emergencyTime)).toBe(0);
      read();
      expect(readRaw(bms.telemetry, FIELDS.emergencyTime)).toBe(1800);
    });

    it("waits a moment for the countdown", () => {
      fake.ignoresWrites = true;
      clock.after(700, () => fake.setWord(0x12d4, 60));
      expect(write("emergency", 1).result).toEqual({ outcome: "confirmed" });
    });

    it("off is not applied while the countdown continues", () => {
      fake.setWord(0x12d4, 900);
      fake.ignoresWrites = true;
      expect(write("emergency", 0).result).toEqual({ outcome: "not-applied", readBack: 900 });
      expect(fake.sent(3)).toHaveLength(5);
    });

    it("is read back by a telemetry frame when reading by frames", () => {
      open({ readMode: "frames" });
      expect(write("emergency", 1).result).toEqual({ outcome: "confirmed" });
      expect(requests()).toEqual(["01 10 16 10 00 01", "01 10 16 20 00 01"]);
    });
  });

  describe("within its time", () => {
    it.each([
      ["cell_count", 15],
      ["display_always_on", 1],
    ] as const)("%s %i ends at the latest when its time is up", (name, value) => {
      for (const timeout of [1, 50, 297, 299, 500, 1200]) {
        open();
        fake.instead = () => null;
        const { result, took } = write(name, value, timeout);
        // The gap and the wait for the reply take 298 ms.
        expect(result).toEqual({ outcome: name === "cell_count" && timeout > 298 ? "no-reply" : "not-sent" });
        if (name === "cell_count") expect(fake.sent(16).length > 0).toBe(result.outcome === "no-reply");
        expect(took).toBeLessThanOrEqual(timeout);
        expect(bms.busy).toBe(false);
      }
    });

    it.each([
      [DEFAULT_GAP, 4500, WRITE_TRIES],
      [500, 4500, WRITE_TRIES],
      [700, 4500, WRITE_TRIES - 1],
      [MAX_GAP, 4500, 1],
      [MAX_GAP, 3600, 1],
    ])("at a gap of %i ms a lost reply leaves time for the read-back (%i ms: %i tries)", (gap, timeout, tries) => {
      open({ gap });
      fake.instead = (bytes) => (bytes[1] === 16 ? null : undefined);
      expect(write("cell_count", 15, timeout).result).toEqual({ outcome: "no-reply-applied" });
      expect(fake.sent(16)).toHaveLength(tries);
    });

    it("is unknown when a busy bus delayed the request, and the time is up before the reply", () => {
      fake.instead = () => null;
      for (let at = 0; at < 300; at += 10) clock.after(at, () => board.wire.bms.send(Uint8Array.of(0x55)));
      const { result, took } = write("cell_count", 15, 600);
      expect([result, took]).toEqual([{ outcome: "no-reply" }, 600]);
      expect(fake.sent(16)).toHaveLength(1);
    });

    it("nothing is sent without time for its reply", () => {
      open({ gap: MAX_GAP });
      // The word is read twice, each time after a gap; another and 223 ms for the reply no longer fit.
      const { result, took } = write("display_always_on", 1, 3100);
      expect(result).toEqual({ outcome: "not-sent" });
      // Ends when that is known, not when the time is up.
      expect(took).toBeLessThan(2200);
      expect(fake.sent(3)).toHaveLength(2);
      expect(fake.sent(16)).toEqual([]);
      expect(write("display_always_on", 1, 6000).result).toEqual({ outcome: "confirmed" });
    });

    it("reports an acknowledged write as far as it was verified", () => {
      fake.answersReads = fake.answersTriggers = false;
      expect(write("cell_ovp_voltage", 3600, 600).result).toEqual({ outcome: "unverified" });
      open();
      fake.ignoresWrites = true;
      expect(write("emergency", 1, 600).result).toEqual({ outcome: "not-applied", readBack: 0 });
    });

    it("the next read is not disturbed by an aborted one", () => {
      fake.delay = 200;
      write("cell_count", 15, 150);
      fake.delay = 10;
      expect(read().outcome).toBe("ok");
    });

    it.each([0, -1, NaN])("refuses a timeout of %d", (timeout) => {
      expect(() => bms.write("cell_count", 15, timeout, () => undefined)).toThrow(RangeError);
      expect(bms.busy).toBe(false);
    });
  });
});

it.each(["registers", "frames"] as const)("by %s leaves nothing of another block in unread bytes", (readMode) => {
  open({ readMode });
  (fake.blocks[2] as Uint8Array).fill(0x5a);
  for (let round = 0; round < 3; round++) {
    read(TELEMETRY);
    read(DEVICE_INFO);
    const { view } = bms.deviceInfo;
    expect(hex(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))).not.toContain("5A");
  }
});

describe("one transaction at a time", () => {
  it("a second read or write throws and disturbs nothing", () => {
    const outcomes: string[] = [];
    bms.read(TELEMETRY, (outcome) => outcomes.push(outcome));
    for (let at = 0; at < 18; at++) {
      expect(bms.busy).toBe(true);
      expect(() => bms.read(SETUP, () => outcomes.push("second"))).toThrow("busy");
      expect(() => bms.write("cell_count", 15, 1000, () => outcomes.push("second"))).toThrow("busy");
      clock.runFor(10);
    }
    clock.runFor(1000);
    expect(outcomes).toEqual(["ok"]);
    expect(fake.sent(16)).toEqual([]);
  });

  it("a write waiting between two read-backs counts as busy", () => {
    fake.ignoresWrites = true;
    bms.write("emergency", 1, 4000, () => undefined);
    for (let at = 0; at < 100; at++) {
      clock.runFor(10);
      expect(bms.busy).toBe(true);
      expect(() => bms.read(TELEMETRY, () => undefined)).toThrow("busy");
    }
  });

  it("the next one can be started from the callback", () => {
    const outcomes: string[] = [];
    bms.read(TELEMETRY, (first) => {
      outcomes.push(first);
      bms.write("cell_count", 15, 1000, ({ outcome }) => {
        outcomes.push(outcome);
        bms.read(SETUP, (third) => outcomes.push(third));
      });
    });
    clock.runFor(3000);
    expect(outcomes).toEqual(["ok", "confirmed", "ok"]);
  });

  it("an invalid name or value throws, and the BMS stays free", () => {
    expect(() => bms.write("shutdown" as WriteName, 1, 1000, () => undefined)).toThrow(RangeError);
    expect(() => bms.write("cell_count", 1.5, 1000, () => undefined)).toThrow(RangeError);
    expect(() => bms.write("display_always_on", 2, 1000, () => undefined)).toThrow(RangeError);
    expect(bms.busy).toBe(false);
    expect(read().outcome).toBe("ok");
  });
});

describe("closing", () => {
  it("cancels the current transaction, releases the port and starts nothing more", () => {
    const done = vi.fn();
    bms.read(TELEMETRY, done);
    clock.runFor(100);
    close();
    close();
    clock.runFor(3000);
    expect(done).not.toHaveBeenCalled();
    expect(claimedPins(board)).toEqual([]);
    expect(() => bms.read(TELEMETRY, done)).toThrow("closed");
    expect(() => bms.write("cell_count", 15, 1000, done)).toThrow("closed");
    expect(bms.busy).toBe(false);
    clock.runFor(3000);
    expect(done).not.toHaveBeenCalled();
  });

  it("leaves no timer behind, whether idle, reading or writing", () => {
    close();
    const { count } = board.timers;
    for (const start of [
      () => undefined,
      () => bms.read(TELEMETRY, () => undefined),
      () => bms.write("emergency", 1, 4000, () => undefined),
    ]) {
      open();
      start();
      clock.runFor(100);
      expect(board.timers.count).toBeGreaterThan(count);
      close();
      expect(board.timers.count).toBe(count);
    }
  });

  it("cancels a write between two read-backs", () => {
    const done = vi.fn();
    fake.ignoresWrites = true;
    bms.write("emergency", 1, 4000, done);
    clock.runFor(400);
    expect(bms.busy).toBe(true);
    close();
    expect(bms.busy).toBe(false);
    clock.runFor(5000);
    expect(done).not.toHaveBeenCalled();
  });
});

it.each([-1, 16, 1.5, NaN])("refuses the address %d", (address) => {
  expect(() => open({ address })).toThrow(/^(BMS )?address .* is not .*from 0 to (15|247)$/);
});

it("counts every request once", () => {
  for (let poll = 0; poll < 3; poll++) read();
  fake.refuses.set(0x1200, 2);
  read();
  fake.refuses.clear();
  fake.instead = () => null;
  read();
  const { requests: sent, replies, exceptions, timeouts } = bms.statistics;
  expect({ sent, replies, exceptions }).toEqual({ sent: fake.requests.length, replies: 4, exceptions: 2 });
  expect(sent).toBe(replies + exceptions + timeouts);
  expect(bms.statistics.lastReplyTime).toBeGreaterThan(0);
});
