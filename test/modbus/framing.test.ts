/** What a bus may put around, before or instead of the reply. */
import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { Bus } from "../../modules/modbus/bus";
import type { ReplyListener, Result } from "../../modules/modbus/types";
import { encodeRead } from "../../modules/modbus/pdu";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU } from "../../modules/modbus/rtu";
import { Station } from "../../modules/modbus/station";
import { Transaction } from "../../modules/modbus/transaction";
import type { SimulatedBoard } from "../../host-sim/board";
import { concat, sealed } from "../support/bms/fake-bms";
import { hex, unhex } from "../support/hex";
import { lineBoard, onRequest, serialOf } from "../support/bms/line";

const QUANTITY = 8;

/** One piece of what is on the wire after the request; `wait` ms before it. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly wait: number;
}

interface Ending {
  readonly result: Result;
  readonly reply: string;
  readonly exception: number;
  readonly counters: Bus["counters"];
}

/** Starts a transaction on a fresh board, plays `pieces` after the request, and says how it ended. */
function transact(
  prepare: (adu: Uint8Array, board: SimulatedBoard) => number,
  pieces: readonly Piece[],
  echo = false,
  address = 1,
): Ending {
  const board = lineBoard({ echo });
  const { clock, wire } = board;
  const bus = new Bus({ serial: serialOf(board), baud: 115200 });
  onRequest(board, () => {
    let at = clock.now;
    for (const { bytes, wait } of pieces) {
      at += wait;
      clock.at(at, () => wire.bms.send(bytes));
    }
  });
  const transaction = new Transaction();
  const endings: Ending[] = [];
  const listener: ReplyListener = {
    answered(result, { bytes, start, length, exception }) {
      endings.push({ result, reply: hex(bytes.slice(start, start + length)), exception, counters: bus.counters });
    },
  };
  new Station(bus, address).start(transaction.prepare(prepare(transaction.adu, board)), 1, listener);
  clock.runFor(3000);
  expect(endings).toHaveLength(1);
  expect(bus.busy).toBe(false);
  return endings[0] as Ending;
}

const read = (pieces: readonly Piece[], echo = false): Ending =>
  transact((adu) => encodeRead(adu, PDU, 0x1200, QUANTITY), pieces, echo);
const write = (pieces: readonly Piece[], echo = false): Ending =>
  transact((adu) => encodeWrite(adu, PDU, 0x1070, unhex("00 00 00 01")), pieces, echo);

const piece = (bytes: Uint8Array | string, wait = 5): Piece => ({
  bytes: typeof bytes === "string" ? unhex(bytes) : bytes,
  wait,
});

const readReply = (address: number, data: readonly number[]): Uint8Array => sealed(address, 3, data.length, ...data);
const DATA = Array.from({ length: 2 * QUANTITY }, (_, at) => at * 3 + 1);
const REPLY = readReply(1, DATA);
const ACK = sealed(1, 0x10, 0x10, 0x70, 0, 2);

describe("replies to other requests", () => {
  it.each([
    ["another slave's", readReply(2, DATA)],
    ["another length", readReply(1, DATA.slice(2))],
    ["another function", sealed(1, 0x10, 0x12, 0x00, 0, 8)],
    ["a wrong CRC", Uint8Array.from(REPLY, (byte, at) => (at === 7 ? byte ^ 1 : byte))],
    ["another slave's exception", sealed(2, 0x83, 2)],
    ["an exception to another function", sealed(1, 0x90, 3)],
    ["a request of another master to our slave", sealed(1, 3, 0x10, 0x00, 0, 8)],
    ["a write of another master to our slave", sealed(1, 0x10, 0x12, 0, 0, 1, 2, 0, 0)],
  ])("%s is discarded, and the reply after it is accepted", (_, wrong) => {
    expect(read([piece(wrong)])).toMatchObject({ exception: 0, reply: "" });
    expect(read([piece(wrong), piece(REPLY)])).toMatchObject({ result: "reply", reply: hex(REPLY) });
    expect(read([piece(concat(wrong, REPLY))])).toMatchObject({ result: "reply", reply: hex(REPLY) });
  });

  it("distinguishes a slave that answers something else from one that does not answer", () => {
    expect(read([piece(readReply(1, DATA.slice(2)))]).result).toBe("mismatch");
    expect(read([piece(readReply(2, DATA))]).result).toBe("no-reply");
    expect(read([piece(sealed(1, 3, 0x10, 0x00, 0, 8))]).result).toBe("no-reply");
    expect(write([piece(sealed(1, 0x10, 0x10, 0x74, 0, 2))]).result).toBe("mismatch");
    expect(write([piece(sealed(1, 0x10, 0x10, 0x70, 0, 1))]).result).toBe("mismatch");
    expect(write([piece(sealed(2, 0x10, 0x10, 0x70, 0, 2))]).result).toBe("no-reply");
  });

  it("counts wrong CRCs and discarded bytes", () => {
    const wrong = Uint8Array.from(REPLY, (byte, at) => (at === 7 ? byte ^ 1 : byte));
    expect(read([piece(wrong)]).counters).toMatchObject({ crcErrors: 1, discarded: REPLY.length, timeouts: 1 });
    const badAck = Uint8Array.from(ACK, (byte, at) => (at === 7 ? byte ^ 1 : byte));
    expect(write([piece(badAck)]).counters).toMatchObject({ crcErrors: 1, discarded: 8, timeouts: 1 });
  });
});

describe("noise", () => {
  it.each([
    ["that looks like nothing", "FF 00 55 AA"],
    ["that looks like the beginning of the reply", "01 03 10 01 04"],
    ["that looks like the beginning of a long frame", "05 03 FF 00"],
    ["that looks like half an exception", "01 83"],
    ["of a single zero", "00"],
  ])("%s before the reply is skipped", (_, noise) => {
    const before = unhex(noise);
    expect(read([piece(concat(before, REPLY))])).toMatchObject({ result: "reply", reply: hex(REPLY) });
    expect(read([piece(before), piece(REPLY)])).toMatchObject({ result: "reply", reply: hex(REPLY) });
    expect(write([piece(concat(before, ACK))])).toMatchObject({ result: "reply", reply: hex(ACK) });
  });
});

describe("a silence", () => {
  it("ends a reply that was begun, and the next one is accepted, however short", () => {
    const begun = REPLY.subarray(0, 12);
    expect(read([piece(begun), piece(REPLY, 60)])).toMatchObject({ result: "reply", counters: { discarded: 12 } });
    const refusal = sealed(1, 0x83, 2);
    expect(read([piece(begun), piece(refusal, 60)])).toMatchObject({
      result: "exception",
      counters: { discarded: 12 },
    });
  });
});

describe("the echo of the request", () => {
  it("is tolerated if complete, and is not noise", () => {
    expect(read([piece(REPLY)], true)).toMatchObject({ result: "reply", counters: { discarded: 0, crcErrors: 0 } });
    expect(write([piece(ACK)], true)).toMatchObject({ result: "reply", counters: { discarded: 0, crcErrors: 0 } });
  });

  it("alone is neither a reply nor a mismatch", () => {
    expect(read([], true)).toMatchObject({ result: "no-reply", counters: { discarded: 0 } });
    expect(write([], true)).toMatchObject({ result: "no-reply", counters: { discarded: 0 } });
  });

  it.each([1, 3, 7, 8, 11])("is tolerated when cut off after %i bytes, and after noise", (length) => {
    const readEcho = unhex("01 03 12 00 00 08 40 B4").subarray(0, length);
    const writeEcho = unhex("01 10 10 70 00 02 04 00 00 00 01 F8 8B").subarray(0, length);
    for (const noise of [new Uint8Array(0), Uint8Array.of(0xff), Uint8Array.of(0)]) {
      expect(read([piece(concat(noise, readEcho, REPLY))])).toMatchObject({ result: "reply", reply: hex(REPLY) });
      expect(write([piece(concat(noise, writeEcho, ACK))])).toMatchObject({ result: "reply", reply: hex(ACK) });
    }
  });

  it("cannot pass for the acknowledgement of the same write, even if its first 8 bytes have a valid CRC", () => {
    // Register, quantity and byte count such that the CRC of the first six bytes is byte count and first data byte.
    const found = (() => {
      for (let address = 1; address <= 247; address++)
        for (let register = 0x1000; register < 0x1800; register += 2) {
          const ack = sealed(address, 0x10, register >> 8, register & 255, 0, 2);
          if (ack[6] === 4) return { address, register, first: ack[7] as number };
        }
      throw new Error("none");
    })();
    const data = Uint8Array.of(found.first, 0, 0, 1);
    const prepare = (adu: Uint8Array): number => encodeWrite(adu, PDU, found.register, data);
    const ack = sealed(found.address, 0x10, found.register >> 8, found.register & 255, 0, 2);
    expect(transact(prepare, [], true)).toMatchObject({ result: "no-reply" });
    expect(transact(prepare, [piece(ack)], true)).toMatchObject({ result: "reply", counters: { discarded: 0 } });
    const request = new Uint8Array(13);
    prepare(request);
    const halves = [piece(request.subarray(0, 8)), piece(request.subarray(8))];
    expect(transact(prepare, halves)).toMatchObject({ result: "no-reply" });
    expect(transact(prepare, [...halves, piece(ack)])).toMatchObject({ result: "reply" });
    expect(transact(prepare, [piece(ack)])).toMatchObject({ result: "reply", counters: { discarded: 0 } });
  });
});

describe("a reply whose start looks like a shorter frame", () => {
  it("is accepted as a whole", () => {
    const data = [...DATA];
    const head = sealed(1, 3, data.length, ...data.slice(0, 3));
    data[3] = head[6] as number;
    data[4] = head[7] as number;
    const reply = readReply(1, data);
    expect(read([piece(reply)])).toMatchObject({ result: "reply", reply: hex(reply) });
    expect(read([piece(reply.subarray(0, 9)), piece(reply.subarray(9))]).reply).toBe(hex(reply));
  });
});

describe("in random pieces", () => {
  const foreign = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc
      .tuple(fc.integer({ min: 2, max: 247 }), fc.uint8Array({ minLength: 2, maxLength: 60 }))
      .map(([address, data]) => readReply(address, [...data.subarray(0, data.length & ~1)])),
    fc.constantFrom(
      readReply(1, DATA.slice(4)),
      sealed(1, 0x90, 2),
      REPLY.subarray(0, 12),
      Uint8Array.from(REPLY, (byte, at) => (at === 9 ? byte ^ 0x10 : byte)),
    ),
  );

  function cut(bytes: Uint8Array, cuts: readonly number[], wait: number): Piece[] {
    const at = [...new Set(cuts.map((where) => where % bytes.length))].sort((a, b) => a - b);
    return [0, ...at].map((from, index) => piece(bytes.subarray(from, at[index] ?? bytes.length), index ? wait : 5));
  }

  const options = { numRuns: runs(150) };

  it("only the real reply is accepted, and it is found after anything", () => {
    fc.assert(
      fc.property(
        fc.array(foreign, { maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.integer({ min: 0, max: 8 }),
        fc.boolean(),
        (before, cuts, wait, echo) => {
          const { result, reply } = read(cut(concat(...before, REPLY), cuts, wait), echo);
          expect(result).toBe("reply");
          expect(reply).toBe(hex(REPLY));
        },
      ),
      options,
    );
  });

  it("nothing is accepted without the real reply", () => {
    fc.assert(
      fc.property(fc.array(foreign, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 5 }), (before, cuts) => {
        const bytes = concat(Uint8Array.of(0xee), ...before);
        const { result, reply } = read(cut(bytes, cuts, 3));
        expect(["mismatch", "no-reply"]).toContain(result);
        expect(reply).toBe("");
      }),
      options,
    );
  });

  it("never accepts a truncated reply", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: REPLY.length - 1 }), (length) => {
        expect(read([piece(REPLY.subarray(0, length))]).result).toBe("no-reply");
      }),
      options,
    );
  });

  it("never accepts a reply with wrong bytes", () => {
    fc.assert(
      fc.property(fc.nat(REPLY.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const wrong = Uint8Array.from(REPLY, (byte, index) => (index === at ? byte ^ flip : byte));
        expect(read([piece(wrong)]).reply).toBe("");
      }),
      options,
    );
  });

  it("passes on the data of any reply as sent, whenever the script is busy", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 2 * QUANTITY, maxLength: 2 * QUANTITY }),
        fc.integer({ min: 0, max: 1500 }),
        (data, busy) => {
          const reply = readReply(1, [...data]);
          const ending = transact(
            (adu, board) => {
              board.clock.at(80, () => board.script.busyFor(busy));
              return encodeRead(adu, PDU, 0x1200, QUANTITY);
            },
            [piece(reply)],
          );
          expect(ending).toMatchObject({ result: "reply", reply: hex(reply) });
        },
      ),
      options,
    );
  });
});
