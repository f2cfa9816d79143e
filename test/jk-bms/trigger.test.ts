/** The answer to a trigger: frame, padding, acknowledgement; and what a bus with a master has on it besides. */
import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { Bus } from "../../modules/modbus/bus";
import { Station } from "../../modules/modbus/station";
import type { Result } from "../../modules/modbus/types";
import { TriggerTransaction } from "../../modules/jk-bms/trigger";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "../../modules/jk-bms/types";
import { capture } from "../support/bms/captures";
import { concat, sealed } from "../support/bms/fake-bms";
import { hex } from "../support/hex";
import { lineBoard, onRequest, serialOf } from "../support/bms/line";

interface Ending {
  result: Result;
  frame: string;
  exception: number;
  discarded: number;
  crcErrors: number;
  lost: number;
}

type Piece = readonly [wait: number, bytes: Uint8Array];

function ask(block: BlockType, pieces: readonly Piece[], { address = 1, echo = false, baud = 115200 } = {}): Ending {
  const board = lineBoard({ echo, baud });
  const { clock, wire, uart } = board;
  const bus = new Bus({ serial: serialOf(board), baud });
  onRequest(board, () => {
    let at = clock.now;
    for (const [wait, bytes] of pieces) {
      at += wait;
      clock.at(at, () => wire.bms.send(bytes));
    }
  });
  const endings: Ending[] = [];
  new Station(bus, address).start(new TriggerTransaction().prepareFor(block), 1, {
    answered(result, { bytes, start, exception }) {
      const { discarded, crcErrors } = bus.counters;
      const frame = result === "reply" ? hex(bytes.slice(start, start + 300)) : "";
      endings.push({ result, frame, exception, discarded, crcErrors, lost: uart.overflows });
    },
  });
  clock.runFor(4000);
  expect(endings).toHaveLength(1);
  return endings[0] as Ending;
}

const T1 = capture("mppsolar-jkpb_t01_addr1_PB2A16S15P_15.10");
const T2 = capture("mppsolar-jkpb_t02_addr1_PB2A16S15P_15.10");
const T3 = capture("mppsolar-jkpb_t03_addr1_PB2A16S15P_15.10");
const ACK = capture("phinix-parallel_ack_1620_addr0");
const ack = (register: number, address = 1): Uint8Array => sealed(address, 0x10, register >> 8, register & 255, 0, 1);
const MASTER_T2 = capture("phinix-parallel_t02_addr0_master");
const MASTER_T1 = capture("phinix-parallel_t01_addr0_master");
const zeros = (count: number): Uint8Array => new Uint8Array(count);

describe("a trigger answer", () => {
  it.each([
    [SETUP, T1, 0x161e],
    [TELEMETRY, T2, 0x1620],
    [DEVICE_INFO, T3, 0x161c],
  ] as const)("of block %i is accepted", (block, frame, register) => {
    expect(ask(block, [[10, concat(frame, ack(register))]])).toMatchObject({
      result: "reply",
      frame: hex(frame),
      discarded: 0,
      lost: 0,
    });
  });

  it.each([0, 1, 2, 8])("is accepted with %i zeros before the acknowledgement", (count) => {
    for (const address of [0, 1, 15])
      expect(
        ask(TELEMETRY, [[10, concat(T2, zeros(count), ack(0x1620, address), zeros(1))]], { address }),
      ).toMatchObject({ result: "reply", frame: hex(T2) });
  });

  it("is not accepted with more than that", () => {
    expect(ask(TELEMETRY, [[10, concat(T2, zeros(9), ack(0x1620))]]).result).toBe("no-reply");
  });

  it.each([0, 5, 20, 45])("is accepted with a pause of %i ms before the acknowledgement", (pause) => {
    // The frame itself lasts 26 ms on the wire.
    const pieces: Piece[] = [
      [10, T2],
      [26.05 + pause, ack(0x1620)],
    ];
    expect(ask(TELEMETRY, pieces)).toMatchObject({ result: "reply", frame: hex(T2) });
  });

  it("is accepted at 9,600 baud", () => {
    expect(ask(TELEMETRY, [[10, concat(T2, ack(0x1620))]], { baud: 9600 })).toMatchObject({ result: "reply" });
  });

  it("is accepted after the echo of its request and after noise", () => {
    expect(ask(TELEMETRY, [[10, concat(T2, ack(0x1620))]], { echo: true })).toMatchObject({
      result: "reply",
      discarded: 0,
    });
    const noise = Uint8Array.of(0x55, 0xaa, 0x01, 0x55, 0x01, 0x90, 0x00);
    expect(ask(TELEMETRY, [[10, concat(noise, T2, ack(0x1620))]])).toMatchObject({ result: "reply", frame: hex(T2) });
  });

  it("may be an exception, with or without preceding noise", () => {
    const refused = sealed(1, 0x90, 2);
    expect(ask(TELEMETRY, [[10, refused]])).toMatchObject({ result: "exception", exception: 2 });
    expect(ask(TELEMETRY, [[10, concat(Uint8Array.of(1, 0, 0x55), refused)]])).toMatchObject({ exception: 2 });
    // Behind a frame that broke off.
    const pieces: Piece[] = [
      [10, T2.subarray(0, 100)],
      [60, refused],
    ];
    expect(ask(TELEMETRY, pieces)).toMatchObject({ exception: 2 });
  });
});

describe("rejected as a trigger answer", () => {
  const others: readonly [string, Uint8Array][] = [
    ["a frame without an acknowledgement", T2],
    ["an acknowledgement without a frame", ack(0x1620)],
    ["a frame of another type", concat(T1, ack(0x1620))],
    ["an acknowledgement of another register", concat(T2, ack(0x161e))],
    ["an acknowledgement of another quantity", concat(T2, sealed(1, 0x10, 0x16, 0x20, 0, 2))],
    ["an acknowledgement from another slave", concat(T2, ack(0x1620, 2))],
    ["a bus master's own frame", concat(MASTER_T2, ACK)],
    ["a bus master's scan", concat(MASTER_T2, capture("phinix-parallel_req_1620_addr2"))],
    ["a one-key preset", concat(capture("phinix-preset_160A_t01_addr1"), ack(0x160a))],
    [
      "a frame with a wrong sum",
      concat(
        Uint8Array.from(T2, (byte, at) => (at === 60 ? byte ^ 4 : byte)),
        ack(0x1620),
      ),
    ],
    ["a frame that lost a byte", concat(T2.subarray(0, 150), T2.subarray(151), ack(0x1620))],
    ["a frame with a byte too many", concat(T2.subarray(0, 150), zeros(1), T2.subarray(150), ack(0x1620))],
    [
      "a damaged acknowledgement",
      concat(
        T2,
        Uint8Array.from(ack(0x1620), (byte, at) => (at === 5 ? byte ^ 2 : byte)),
      ),
    ],
    ["an acknowledgement with a wrong CRC", concat(T2, ack(0x1620).fill(0, 7))],
    ["an acknowledgement behind something else", concat(T2, Uint8Array.of(0x55), ack(0x1620))],
    ["another slave's exception", sealed(2, 0x90, 2)],
    ["an exception to a read", sealed(1, 0x83, 2)],
    ["a damaged exception", sealed(1, 0x90, 2).fill(0, 3)],
  ];

  it.each(others)("%s; the real one after it is accepted", (_, other) => {
    const alone = ask(TELEMETRY, [[10, other]]);
    expect(["no-reply", "mismatch"]).toContain(alone.result);
    const behind = ask(TELEMETRY, [
      [10, other],
      [32, concat(T2, ack(0x1620))],
    ]);
    expect(behind).toMatchObject({ result: "reply", frame: hex(T2) });
    expect(ask(TELEMETRY, [[10, concat(other, T2, ack(0x1620))]])).toMatchObject({ result: "reply", frame: hex(T2) });
  });

  it("a whole cycle of a bus master, whichever block is requested", () => {
    const cycle = concat(MASTER_T2, ACK, MASTER_T1, capture("phinix-parallel_ack_161E_addr0"));
    for (const block of [SETUP, TELEMETRY, DEVICE_INFO] as const)
      expect(ask(block, [[1, cycle]]).result).toBe("no-reply");
  });

  it("a frame followed by another frame's acknowledgement", () => {
    // The master's frame, its acknowledgement lost; then our slave's answer of which only the acknowledgement came through.
    const { result } = ask(TELEMETRY, [[1, concat(MASTER_T2, T2.subarray(40), ack(0x1620))]]);
    expect(result).toBe("no-reply");
    expect(ask(TELEMETRY, [[1, concat(MASTER_T2, T2, ack(0x1620))]])).toMatchObject({ frame: hex(T2) });
  });

  it("reports a slave that answers something else, and counts wrong checksums", () => {
    expect(ask(TELEMETRY, [[10, concat(T1, ack(0x161e))]]).result).toBe("mismatch");
    expect(ask(TELEMETRY, [[10, concat(MASTER_T2, ACK)]]).result).toBe("no-reply");
    const wrong = Uint8Array.from(T2, (byte, at) => (at === 60 ? byte ^ 4 : byte));
    expect(ask(TELEMETRY, [[10, concat(wrong, ack(0x1620))]])).toMatchObject({ crcErrors: 1, discarded: 308 });
  });

  it("a torn frame with a matching checksum; the real one after it is accepted", () => {
    const sums = (length: number): boolean => {
      const torn = concat(T2.subarray(0, length), T2).subarray(0, T2.length);
      return (torn.subarray(0, -1).reduce((sum, byte) => sum + byte, 0) & 0xff) === torn.at(-1);
    };
    const lengths = Array.from({ length: 299 }, (_, length) => length + 1).filter(sums);
    expect(lengths).not.toEqual([]);
    for (const length of lengths)
      expect(ask(TELEMETRY, [[10, concat(T2.subarray(0, length), T2, ack(0x1620))]])).toMatchObject({
        result: "reply",
        frame: hex(T2),
      });
  });

  it("random fragments", () => {
    const part = fc.oneof(
      fc.constantFrom(...others.map(([, bytes]) => bytes)),
      fc.uint8Array({ minLength: 1, maxLength: 30 }),
      fc.nat(299).map((length) => T2.subarray(0, length)),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 2 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.nat(6),
        fc.boolean(),
        fc.boolean(),
        (before, cuts, wait, isThere, echo) => {
          // Random bytes at the end could be the beginning of an exception that the true answer completes: a byte keeps them apart.
          const bytes = concat(Uint8Array.of(0xee), ...before, isThere ? concat(T2, ack(0x1620)) : zeros(1));
          const at = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
          const pieces = [0, ...at].map((from, index): Piece => [wait, bytes.subarray(from, at[index])]);
          const { result, frame } = ask(TELEMETRY, pieces, { echo });
          if (isThere) expect({ result, frame }).toEqual({ result: "reply", frame: hex(T2) });
          else expect(frame).toBe("");
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
