import { beforeEach, describe, expect, it } from "vitest";
import { cellVoltage, extremeCells } from "../../modules/jk-bms/cells";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { blockOf, lengthOf, offsetOf, readRaw, readText, type Field } from "../../modules/jk-bms/fields";
import {
  DEVICE_INFO,
  FURTHER,
  SERIAL,
  SETUP,
  TELEMETRY,
  type BlockImage,
  type BlockType,
  type Effort,
  type ReadOutcome,
} from "../../modules/jk-bms/types";
import { LONG_QUANTITY, LONG_READ_DOUBTS, POLLS_BEFORE_CHANGE, TAIL_INTERVAL } from "../../modules/jk-bms/limits";
import { canProtocol, uart1Protocol, uart2Protocol } from "../../src/catalogue/computed";
import type { Pack } from "../../src/catalogue/pack";
import { FIRST_LISTEN, MIN_SILENCE } from "../../modules/modbus/limits";
import { capture, swapped } from "../support/bms/captures";
import { concat, frame, sealed } from "../support/bms/fake-bms";
import { hex } from "../support/hex";
import {
  bms,
  board,
  bus,
  clock,
  close,
  fake,
  isRead,
  LONG,
  open,
  read,
  register,
  requests,
  SHORT,
  TAIL,
  write,
} from "../support/bms/opened-bms";

beforeEach(() => open());

/** Reads while the script is busy for `ms`, `after` ms from the end of the request; nothing may be lost on the port. */
function readWhileBusy(after: number, ms: number): ReadOutcome | undefined {
  let outcome: ReadOutcome | undefined;
  bms.read(TELEMETRY, (result) => (outcome = result));
  const { requests: before } = bus.statistics;
  for (let waited = 0; bus.statistics.requests === before; waited++) {
    if (waited === 1_000) throw new Error("nothing is asked");
    clock.runFor(1);
  }
  clock.runFor(after);
  board.script.busyFor(ms);
  clock.runFor(3000);
  expect(board.uart.overflows).toBe(0);
  return outcome;
}

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

  it("keeps the tail, whatever block is read in between", () => {
    fake.instead = (bytes) => (bytes[5] === LONG_QUANTITY ? sealed(1, 0x83, 3) : undefined);
    read();
    read(SETUP);
    read(DEVICE_INFO);
    const from = fake.requests.length;
    read();
    expect(requests().slice(from)).toEqual(SHORT);
    expect(readRaw(bms.telemetry, FIELDS.detailLogsCount)).toBe(2320);
    expect(readRaw(bms.telemetry, FIELDS.packVoltage)).toBe(52695);
  });

  it("reads the tail at once when a frame has shown the telemetry, whose bytes are in another order", () => {
    read();
    bms.onForeignFrame(TELEMETRY, frame(2, swapped(2, fake.blocks[2] as Uint8Array)), 0);
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

  it.each([
    ["refuses", sealed(1, 0x83, 2)],
    ["does not answer", null],
  ])("takes all else of a pack that %s the read of its protocols", (_, instead) => {
    fake.instead = (bytes) => (register(bytes) === 0x14b2 ? instead : undefined);
    expect(read(DEVICE_INFO).outcome).toBe("ok");
    expect(readText(bms.deviceInfo, FIELDS.model)).toBe("JK_PB2A16S20P");
    expect(readText(bms.deviceInfo, FIELDS.serialNumber)).toBe("10000000000");
    const pack = bms as unknown as Pack;
    const protocols = (): unknown[] => [uart1Protocol(pack), canProtocol(pack), uart2Protocol(pack)];
    expect(protocols()).toEqual([undefined, undefined, undefined]);
    fake.instead = undefined;
    expect(read(DEVICE_INFO).outcome).toBe("ok");
    expect(protocols()).toEqual([0, 4, 1]);
  });

  const FURTHER_READ = "01 03 14 E4 00 17";

  it.each([
    ["refuses", sealed(1, 0x83, 2)],
    ["does not answer", null],
  ])("takes all else of a pack that %s the read of its further settings", (_, instead) => {
    const bytesOf = ({ view }: BlockImage): string =>
      hex(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    read(SETUP);
    read(TELEMETRY);
    const before = [bms.setup, bms.telemetry].map(bytesOf);
    fake.instead = (bytes) => (register(bytes) === 0x14e4 ? instead : undefined);
    expect(read(DEVICE_INFO).outcome).toBe("ok");
    expect(readText(bms.deviceInfo, FIELDS.serialNumber)).toBe("10000000000");
    expect(uart1Protocol(bms as unknown as Pack)).toBe(0);
    expect(readRaw(bms.deviceInfo, FIELDS.storePeriod)).toBe(-1);
    // The other blocks, whose bytes may lie behind it, are as they were.
    expect([bms.setup, bms.telemetry].map(bytesOf)).toEqual(before);
    fake.instead = undefined;
    expect(read(FURTHER as BlockType).outcome).toBe("ok");
    expect(readRaw(bms.deviceInfo, FIELDS.storePeriod)).toBe(12_032);
  });

  it("reads the further settings in one transaction, and nothing else of the device information changes", () => {
    read(DEVICE_INFO);
    const before = hex(new Uint8Array(bms.deviceInfo.view.buffer, bms.deviceInfo.view.byteOffset, 0xe4));
    const from = fake.requests.length;
    expect(read(FURTHER as BlockType).outcome).toBe("ok");
    expect(requests().slice(from)).toEqual([FURTHER_READ]);
    // Another value has to come twice.
    fake.setWord(0x1504, 0x0c78);
    expect(read(FURTHER as BlockType).outcome).toBe("ok");
    expect(requests().slice(from)).toEqual([FURTHER_READ, FURTHER_READ, FURTHER_READ]);
    expect([FIELDS.rcvTime, FIELDS.rfvTime].map((field) => readRaw(bms.deviceInfo, field))).toEqual([12, 120]);
    expect(hex(new Uint8Array(bms.deviceInfo.view.buffer, bms.deviceInfo.view.byteOffset, 0xe4))).toBe(before);
  });

  it("keeps the further settings of a pack that does not answer, and has none of one that refuses them", () => {
    read(DEVICE_INFO);
    fake.instead = (bytes) => (register(bytes) === 0x14e4 ? null : undefined);
    expect(read(FURTHER as BlockType).outcome).toBe("no-reply");
    expect(readRaw(bms.deviceInfo, FIELDS.storePeriod)).toBe(12_032);
    fake.instead = (bytes) => (register(bytes) === 0x14e4 ? sealed(1, 0x83, 2) : undefined);
    expect(read(FURTHER as BlockType).outcome).toBe("ok");
    expect(readRaw(bms.deviceInfo, FIELDS.storePeriod)).toBe(-1);
    expect(readText(bms.deviceInfo, FIELDS.serialNumber)).toBe("10000000000");
  });

  it.each([
    ["refuses", sealed(1, 0x83, 2)],
    ["does not answer", null],
  ])("takes all else of a pack that %s the read of its limit for discharging in the cold", (_, instead) => {
    const limits = (): number[] =>
      [FIELDS.dischargeUtp, FIELDS.dischargeUtpr].map((field) => readRaw(bms.setup, field));
    fake.setWord(0x1122, 0xecf6);
    fake.setWord(0x1418, 0x3139);
    read(DEVICE_INFO);
    fake.instead = (bytes) => (register(bytes) === 0x1122 ? instead : undefined);
    expect(read(SETUP).outcome).toBe("ok");
    expect(readRaw(bms.setup, FIELDS.cellOvpVoltage)).toBe(3650);
    expect(readRaw(bms.setup, FIELDS.switchWord)).toBe(13056);
    expect(limits()).toEqual([0, 0]);
    fake.instead = undefined;
    expect(read(SETUP).outcome).toBe("ok");
    expect(limits()).toEqual([-20, -10]);
  });

  it.each([
    [0x3138, 3],
    [0x3139, 4],
    [0x3230, 4],
  ])("asks firmware %i for its limit for discharging in the cold: settings in %i reads", (version, reads) => {
    fake.setWord(0x1418, version);
    read(SETUP);
    read(DEVICE_INFO);
    const from = fake.requests.length;
    read(SETUP);
    expect(new Set(requests().slice(from))).toHaveProperty("size", reads);
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
    const inTwo = (bytes: Uint8Array) => (bytes[5] === LONG_QUANTITY ? sealed(1, 0x83, 3) : undefined);
    fake.instead = inTwo;
    read();
    fake.setWord(0x1200, 4000);
    fake.instead = (bytes) => (register(bytes) === 0x1272 ? null : inTwo(bytes));
    expect(read().outcome).toBe("no-reply");
    expect(bms.telemetry.view.getUint16(0)).toBe(3293);
    fake.instead = inTwo;
    expect(read().outcome).toBe("ok");
    expect(bms.telemetry.view.getUint16(0)).toBe(4000);
  });

  it.each([
    ["does not come", null],
    ["is refused", sealed(1, 0x83, 2)],
    ["comes damaged", Uint8Array.of(1, 3, 50)],
  ])(
    "publishes the telemetry with the tail that is known where another %s, and asks for it in its time",
    (_, instead) => {
      read();
      fake.setWord(0x1200, 4000);
      fake.setWord(0x1304, 0x1234);
      fake.instead = (bytes) => (register(bytes) === 0x12e2 ? instead : undefined);
      clock.runFor(TAIL_INTERVAL);
      expect(read().outcome).toBe("ok");
      expect([bms.telemetry.view.getUint16(0), readRaw(bms.telemetry, FIELDS.detailLogsCount)]).toEqual([4000, 2320]);
      expect(bms.tailAge).toBeGreaterThan(TAIL_INTERVAL);
      fake.instead = undefined;
      read();
      expect(requests().at(-1)).toBe(LONG);
      clock.runFor(TAIL_INTERVAL);
      read();
      expect(requests().at(-1)).toBe(TAIL);
      expect(readRaw(bms.telemetry, FIELDS.detailLogsCount)).toBe(0x1234_0910);
      expect(bms.tailAge).toBeLessThan(TAIL_INTERVAL);
    },
  );

  it("has nothing to show where the tail has never come", () => {
    fake.instead = (bytes) => (register(bytes) === 0x12e2 ? null : undefined);
    expect([read().outcome, bms.telemetry.valid]).toEqual(["no-reply", false]);
  });

  it("changes everything at once with the last reply, and nothing before", () => {
    read();
    fake.setWord(0x1200, 4000);
    bms.read(TELEMETRY, () => expect(bms.telemetry.view.getUint16(0)).toBe(4000));
    for (let at = 0; at < 270; at += 10) {
      clock.runFor(10);
      if (bus.busy) expect(bms.telemetry.view.getUint16(0)).toBe(3293);
    }
    clock.runFor(1000);
  });

  it.each(["registers", "frames"] as const)("looks for the lowest and the highest cell again, by %s", (readMode) => {
    close();
    open({ readMode });
    read();
    const first = (): number => cellVoltage(bms.telemetry, 0);
    const before = first();
    expect(bms.telemetry.extremes).toBe(extremeCells(bms.telemetry));
    const set = (millivolts: number): void => {
      fake.setWord(0x1292, fake.word(0x1292) + millivolts - fake.word(0x1200));
      fake.setWord(0x1200, millivolts);
    };
    set(before + 500);
    read();
    expect(first()).toBe(before + 500);
    expect(bms.telemetry.extremes! >> 8).toBe(1);
    set(1);
    clock.runFor(TAIL_INTERVAL);
    read();
    expect(bms.telemetry.extremes! & 0xff).toBe(1);
  });

  it("retries once for a lost reply", () => {
    let lost = 0;
    fake.instead = () => (lost++ ? undefined : null);
    expect(read().outcome).toBe("ok");
    expect(fake.requests).toHaveLength(3);
    expect(bus.statistics).toMatchObject({ requests: 3, replies: 2, timeouts: 1, wakeTriggers: 0 });
  });

  it("reports an exception", () => {
    fake.refuses.set(0x1200, 2);
    expect(read().outcome).toBe("exception");
    expect(bus.statistics.exceptions).toBe(2);
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
      let outcome: ReadOutcome | undefined;
      bms.read(block, (ended) => (outcome = ended));
      while (bus.busy) clock.runFor(1);
      expect(outcome).toBe("ok");
      const image = { [SETUP]: bms.setup, [TELEMETRY]: bms.telemetry, [DEVICE_INFO]: bms.deviceInfo }[block];
      for (const field of Object.values<Field>(FIELDS))
        for (let at = offsetOf(field); blockOf(field) === block && at < offsetOf(field) + lengthOf(field); at++)
          expect(image.view.getUint8(at)).toBe((fake.blocks[block] as Uint8Array)[at]);
    }
  });

  it("loses nothing while the script is busy", () => {
    for (let poll = 0; poll < 20; poll++) {
      const busy = setBusy(5 + 7 * poll);
      expect(read().outcome).toBe("ok");
      busy();
    }
    expect(bus.statistics.timeouts).toBe(0);
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
    open({ baud: 9600, readMode: "registers" }, { baud: 9600 }, 15);
    fake.address = 15;
    expect(read().outcome).toBe("ok");
    close();
    open({}, {}, 0);
    fake.address = 0;
    expect(read().outcome).toBe("ok");
  });
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
    expect(bus.statistics.wakeTriggers).toBe(0);
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

describe("what a read of a silent BMS may cost:", () => {
  const WAKE = "01 10 16 1E 00 01";
  /** The first of the settings. */
  const SETTINGS = "01 03 10 00 00 36";

  beforeEach(() => {
    open({ readMode: "registers" });
    fake.answersReads = fake.answersTriggers = false;
  });

  function asked(effort: Effort, block: BlockType = TELEMETRY, expected: ReadOutcome = "no-reply"): string[] {
    const from = fake.requests.length;
    let outcome: ReadOutcome | undefined;
    bms.read(block, (result) => (outcome = result), effort);
    clock.runFor(3000);
    expect(outcome).toBe(expected);
    return requests().slice(from);
  }

  it("everything is each request twice, and a wake trigger with its repeat", () => {
    expect(asked("all")).toEqual([LONG, LONG, SHORT[0], WAKE, SHORT[0]]);
    expect(asked("all", SETUP)).toEqual([SETTINGS, SETTINGS]);
  });

  it("a wake trigger comes with one request, and its repeat", () => {
    for (let poll = 0; poll < 2; poll++) expect(asked("wake", SETUP)).toEqual([SETTINGS, WAKE, SETTINGS]);
    expect(bus.statistics.wakeTriggers).toBe(2);
  });

  it("once is one request", () => {
    for (let poll = 0; poll < 2; poll++) expect(asked("once", SETUP)).toEqual([SETTINGS]);
    expect(bus.statistics).toMatchObject({ requests: 2, wakeTriggers: 0 });
  });

  it("once is, of the telemetry, the long read and the shorter one in turn, whatever else is read between", () => {
    for (let poll = 0; poll < 3; poll++) {
      expect(asked("once")).toEqual([LONG]);
      asked("once", SETUP);
      expect(asked("once")).toEqual([SHORT[0]]);
    }
  });

  it("once is a whole block, if it answers", () => {
    fake.answersReads = true;
    expect(asked("once", TELEMETRY, "ok")).toEqual([LONG, TAIL]);
    // Of several packs those of the protocols come the next time. What is not known yet has to come twice.
    expect(asked("once", DEVICE_INFO, "ok")).toHaveLength(2 * 2);
    expect(uart1Protocol(bms as unknown as Pack)).toBeUndefined();
    expect(asked("once", DEVICE_INFO, "ok")).toHaveLength(2 * 4);
    expect(uart1Protocol(bms as unknown as Pack)).toBe(0);
  });

  it("once is a frame asked for once", () => {
    open({ readMode: "frames" });
    fake.answersTriggers = false;
    expect(asked("once")).toHaveLength(1);
    expect(asked("all")).toHaveLength(2);
  });

  it("the turn of the shorter read shows a BMS that does not answer the long one, for good after three", () => {
    fake.answersReads = true;
    fake.instead = (bytes) => (bytes[5] === LONG_QUANTITY ? null : undefined);
    for (let doubts = 0; doubts < LONG_READ_DOUBTS; doubts++) {
      expect(asked("once")).toEqual([LONG]);
      expect(asked("once", TELEMETRY, "ok").slice(0, 2)).toEqual(SHORT);
    }
    expect(asked("once", TELEMETRY, "ok")).toEqual(SHORT);
  });
});

describe("the end of the telemetry", () => {
  it.each([
    ["refused", sealed(1, 0x83, 2), "exception"],
    ["unanswered", null, "no-reply"],
  ] as const)("%s, says nothing of the length that the BMS answers", (_, answer, outcome) => {
    fake.instead = (bytes) => (register(bytes) === 0x12e2 ? answer : undefined);
    expect(read().outcome).toBe(outcome);
    expect(requests().filter((request) => SHORT.includes(request))).toEqual([]);
    fake.instead = undefined;
    const from = fake.requests.length;
    expect(read().outcome).toBe("ok");
    expect(requests().slice(from)).toEqual([LONG, TAIL]);
  });
});

describe.each(["registers", "frames"] as const)("beside another master, by %s", (readMode) => {
  const master = (): void => board.wire.bms.send(capture("phinix-parallel_req_1620_addr2"));
  let outcomes: ReadOutcome[];

  beforeEach(() => {
    open({ readMode, mode: "auto" });
    outcomes = [];
    clock.runFor(FIRST_LISTEN);
  });

  it("nothing is sent, and every read ends withheld: neither an answer nor a lost one", () => {
    master();
    clock.runFor(100);
    for (let poll = 0; poll < POLLS_BEFORE_CHANGE; poll++)
      for (const block of [TELEMETRY, SETUP] as const) {
        bms.read(block, (outcome) => outcomes.push(outcome));
        clock.runFor(500);
      }
    expect(outcomes).toEqual(Array(2 * POLLS_BEFORE_CHANGE).fill("withheld"));
    expect(requests()).toEqual([]);
    expect([bus.listening, bus.masterPresent]).toEqual([true, true]);
    expect(bus.statistics).toMatchObject({ requests: 0, wakeTriggers: 0, timeouts: 0 });
  });

  it("what was learned stays: the first read after it has gone is like the last before", () => {
    read();
    const from = fake.requests.length;
    master();
    clock.runFor(100);
    for (let poll = 0; poll < POLLS_BEFORE_CHANGE; poll++) expect(read().outcome).toBe("withheld");
    clock.runFor(MIN_SILENCE);
    expect(read().outcome).toBe("ok");
    expect(requests()[from]).toBe(requests()[0]);
  });

  it("a read that has begun is not repeated", () => {
    fake.answersReads = fake.answersTriggers = false;
    bms.read(TELEMETRY, (outcome) => outcomes.push(outcome));
    clock.runFor(150);
    expect(fake.requests).toHaveLength(1);
    master();
    clock.runFor(2000);
    expect([outcomes, fake.requests.length, bus.statistics.wakeTriggers]).toEqual([["withheld"], 1, 0]);
  });

  it("a poll that is withheld counts as none of those after which the other mode is tried", () => {
    open({ mode: "auto" });
    fake.answersReads = false;
    for (let poll = 1; poll < POLLS_BEFORE_CHANGE; poll++) read();
    master();
    clock.runFor(100);
    for (let poll = 0; poll < POLLS_BEFORE_CHANGE; poll++) expect(read().outcome).toBe("withheld");
    expect(bms.activeReadMode).toBe("registers");
    clock.runFor(MIN_SILENCE);
    expect(read().outcome).toBe("no-reply");
    expect(bms.activeReadMode).toBe("frames");
  });
});

describe("a BMS whose FC03 has fallen asleep", () => {
  it("is woken by a trigger, once per read, which is counted", () => {
    fake.sleepsAfter = 3000;
    clock.runFor(5000);
    const { outcome } = read();
    expect(outcome).toBe("ok");
    expect(requests()).toEqual([LONG, LONG, SHORT[0], "01 10 16 1E 00 01", ...SHORT, TAIL]);
    expect(bus.statistics).toMatchObject({ wakeTriggers: 1, timeouts: 3 });
    read();
    expect(requests().at(-1)).toBe(LONG);
    expect(bms.activeReadMode).toBe("registers");
  });

  it("is woken by the long answer even if the script is busy", () => {
    fake.sleepsAfter = 3000;
    clock.runFor(5000);
    expect(readWhileBusy(15, 60)).toBe("ok");
  });

  it("is not sent a wake trigger at every poll when that does not help", () => {
    open({ readMode: "registers" });
    fake.answersReads = fake.answersTriggers = false;
    for (let poll = 0; poll < 10; poll++) expect(read().outcome).toBe("no-reply");
    expect(bus.statistics.wakeTriggers).toBe(2);
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

describe("the serial number", () => {
  const SERIALS = ["01 03 14 50 00 0F", "01 03 14 50 00 10", "01 03 14 50 00 0D"];
  const WHOLE = ["01 03 14 00 00 1C", "01 03 14 48 00 14", "01 03 14 B2 00 12", "01 03 14 E4 00 17"];

  it("is read alone, each time with another length, once the device information has been", () => {
    expect(read(SERIAL as BlockType).outcome).toBe("ok");
    // The first, and another one, have to come twice.
    expect(requests()).toEqual([...WHOLE, ...WHOLE]);
    const name = readText(bms.deviceInfo, FIELDS.bluetoothName);
    (fake.blocks[3] as Uint8Array).set([0x42, 0x31, 0], 0x50);
    (fake.blocks[3] as Uint8Array).set([0x58, 0], 0x28);
    for (let turn = 0; turn < 3; turn++) expect(read(SERIAL as BlockType).outcome).toBe("ok");
    expect(requests().slice(2 * WHOLE.length)).toEqual([...SERIALS, SERIALS[0]]);
    expect(readText(bms.deviceInfo, FIELDS.serialNumber)).toBe("B1");
    // Nothing else has been read.
    expect(readText(bms.deviceInfo, FIELDS.bluetoothName)).toBe(name);
  });

  it("comes with all else as a frame, of which nothing can be read alone", () => {
    read(DEVICE_INFO);
    open({ readMode: "frames" });
    for (let turn = 0; turn < 2; turn++) expect(read(SERIAL as BlockType).outcome).toBe("ok");
    // The first has to come twice.
    expect(requests()).toEqual(Array(3).fill("01 10 16 1C 00 01"));
  });

  it.each([
    ["once", 1],
    ["twice", 2],
    ["thrice", 3],
  ] as const)("is asked for %s, as any block is, if that is what it may cost", (effort, count) => {
    read(DEVICE_INFO);
    fake.instead = () => null;
    for (const [at, block] of ([SERIAL, SETUP] as const).entries()) {
      let outcome: ReadOutcome | undefined;
      bms.read(block, (result) => (outcome = result), effort);
      clock.runFor(3_000);
      expect(outcome).toBe("no-reply");
      expect(requests()).toHaveLength(2 * WHOLE.length + (at + 1) * count);
    }
  });
});

describe("reading by frames", () => {
  beforeEach(() => open({ readMode: "frames" }));

  it.each([
    [SETUP, "01 10 16 1E 00 01"],
    [TELEMETRY, "01 10 16 20 00 01"],
    [DEVICE_INFO, "01 10 16 1C 00 01"],
  ] as const)("requests block %i with one trigger, the first time with two", (block, request) => {
    expect(read(block).outcome).toBe("ok");
    expect(read(block).outcome).toBe("ok");
    expect(requests()).toEqual(Array(3).fill(request));
  });

  it("stores no password", () => {
    (fake.blocks[3] as Uint8Array).fill(0x5a, 0x38, 0x48).fill(0x5a, 0x70, 0x80);
    read(DEVICE_INFO);
    expect(readText(bms.deviceInfo, FIELDS.bluetoothName)).toBe("BB02");
    expect(hex(new Uint8Array(bms.deviceInfo.view.buffer))).not.toContain("5A");
  });

  it("loses nothing of a frame while the script is busy for 200 ms", () => {
    expect(readWhileBusy(20, 200)).toBe("ok");
    // The first one comes twice.
    expect(fake.requests).toHaveLength(2);
  });

  it("reports an exception", () => {
    fake.refuses.set(0x1620, 2);
    expect(read().outcome).toBe("exception");
  });

  it("reports the answer to something else as none", () => {
    fake.instead = (bytes) =>
      register(bytes) === 0x1620
        ? concat(capture("dbus-sb_t01_addr3_PB2A16S20P_15.41"), sealed(1, 16, 0x16, 0x1e, 0, 1))
        : undefined;
    expect(read().outcome).toBe("no-reply");
    expect(bms.telemetry.valid).toBe(false);
  });
});
