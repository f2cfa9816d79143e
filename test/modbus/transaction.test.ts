/** What a transaction makes of bytes, whatever the master does with its verdict. */
import { describe, expect, it, vi } from "vitest";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU } from "../../modules/modbus/rtu";
import { Transaction, WAIT } from "../../modules/modbus/transaction";
import { concat, sealed } from "../support/bms/fake-bms";
import { hex } from "../support/hex";

/** Every verdict is on bytes behind others that have been dealt with. */
const START = 5;

const asked = (transaction: Transaction): Transaction => {
  transaction.seal(1);
  return transaction;
};
const reading = (): Transaction => asked(new Transaction().read(0x1200, 2));
const writing = (): Transaction => {
  const transaction = new Transaction();
  return asked(transaction.prepare(encodeWrite(transaction.adu, PDU, 0x1070, Uint8Array.of(0, 0, 0, 1))));
};

function verdict(transaction: Transaction, received: Uint8Array, idle = false): number {
  const bytes = concat(Uint8Array.of(1, 3, 4, 0, 0), received);
  return transaction.judge(bytes, START, bytes.length, idle);
}

const REPLY = sealed(1, 3, 4, 0x11, 0x22, 0x33, 0x44);
const ACKNOWLEDGEMENT = sealed(1, 0x10, 0x10, 0x70, 0, 2);
const broken = (frame: Uint8Array): Uint8Array => {
  const wrong = frame.slice();
  wrong[frame.length - 1] = (frame[frame.length - 1] as number) ^ 1;
  return wrong;
};

describe.each([
  ["a read", reading, REPLY],
  ["a write", writing, ACKNOWLEDGEMENT],
])("the reply to %s", (_, ask, reply) => {
  it("is accepted when complete, whatever follows", () => {
    expect(verdict(ask(), reply)).toBe(reply.length);
    expect(verdict(ask(), concat(reply, Uint8Array.of(7, 7)))).toBe(reply.length);
    expect(verdict(ask(), reply, true)).toBe(reply.length);
  });

  it("is awaited byte by byte; if silence cuts it short, its first byte is skipped", () => {
    for (let length = 1; length < reply.length; length++) {
      expect(verdict(ask(), reply.subarray(0, length))).toBe(WAIT);
      expect(verdict(ask(), reply.subarray(0, length), true)).toBe(-1);
    }
  });

  it("with a wrong CRC is rejected and counted; a truncated one is not counted", () => {
    const transaction = ask();
    expect(verdict(transaction, broken(reply), true)).toBe(-1);
    expect(verdict(transaction, reply.subarray(0, 6), true)).toBe(-1);
    expect([transaction.checkErrors, transaction.mismatches]).toEqual([1, 0]);
  });
});

describe("a read", () => {
  it.each([
    ["noise", Uint8Array.of(0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8, 0xf7)],
    ["another function that nobody speaks", sealed(1, 6, 4, 0x11, 0x22, 0x33, 0x44)],
  ])("skips the first byte of %s at once and counts nothing", (_, bytes) => {
    const transaction = reading();
    expect(verdict(transaction, bytes)).toBe(-1);
    expect([transaction.checkErrors, transaction.mismatches]).toEqual([0, 0]);
  });

  it.each([
    ["the reply of another slave", sealed(2, 3, 4, 0x11, 0x22, 0x33, 0x44), 0],
    ["a reply of another length from the asked slave", sealed(1, 3, 2, 0x11, 0x22), 1],
    ["an acknowledgement from the asked slave", ACKNOWLEDGEMENT, 1],
    ["somebody's read request to the asked slave", sealed(1, 3, 0x12, 0, 0, 2), 0],
    ["somebody's write request to the asked slave", sealed(1, 0x10, 0x10, 0x70, 0, 1, 2, 0, 1), 0],
    ["an exception of another slave", sealed(2, 0x83, 2), 0],
    ["an exception to another function", sealed(1, 0x90, 2), 1],
  ])("skips the whole of %s", (_, frame, mismatches) => {
    const transaction = reading();
    expect(verdict(transaction, frame)).toBe(-frame.length);
    expect(transaction.mismatches).toBe(mismatches);
  });

  it("accepts its exception", () => {
    const exception = sealed(1, 0x83, 2);
    expect(verdict(reading(), exception)).toBe(exception.length);
  });

  it("waits for the end of another's frame until the line falls silent", () => {
    const begun = sealed(2, 3, 20, ...new Uint8Array(20)).subarray(0, 12);
    expect(verdict(reading(), begun)).toBe(WAIT);
    expect(verdict(reading(), begun, true)).toBe(-1);
  });
});

it.each([2, 3, 4, 5])("a write is not acknowledged by a copy that differs in byte %i", (at) => {
  const other = ACKNOWLEDGEMENT.slice(0, 6);
  other[at] = (other[at] as number) ^ 1;
  const transaction = writing();
  expect(verdict(transaction, sealed(...other))).toBe(-8);
  expect(transaction.mismatches).toBe(1);
});

describe("a request", () => {
  it("is the same when it is read again, from here or elsewhere, and after a write with the same buffer", () => {
    const adu = new Uint8Array(16);
    const [transaction, other] = [new Transaction(adu), new Transaction(adu)];
    const read = (register: number, quantity: number, address: number): string => {
      transaction.read(register, quantity).seal(address);
      return hex(transaction.request);
    };
    const sealedRead = (register: number, quantity: number, address: number): string =>
      hex(sealed(address, 3, register >> 8, register & 0xff, 0, quantity));
    for (const [register, quantity, address] of [
      [0x1200, 120, 1],
      [0x1200, 120, 1],
      [0x1200, 120, 2],
      [0x1200, 121, 2],
      [0x1201, 121, 2],
      [0x1301, 121, 2],
      [0x1200, 120, 1],
      [0x1200, 1, 1],
      [0x1200, 1, 1],
    ] as const) {
      expect(read(register, quantity, address)).toBe(sealedRead(register, quantity, address));
      other.prepare(encodeWrite(adu, PDU, register, Uint8Array.of(0, quantity))).seal(address);
      expect(read(register, quantity, address)).toBe(sealedRead(register, quantity, address));
    }
  });

  it("is not made anew when it is read again", () => {
    const transaction = new Transaction();
    const prepared = vi.spyOn(transaction, "prepare");
    const read = (register: number, quantity: number, address: number): Uint8Array => {
      transaction.read(register, quantity).seal(address);
      return transaction.request;
    };
    const first = read(0x1234, 120, 1);
    expect(read(0x1234, 120, 1)).toBe(first);
    expect(prepared).toHaveBeenCalledTimes(1);
    expect(read(0x1234, 120, 2)).not.toBe(first);
    read(0x1235, 120, 2);
    read(0x1235, 119, 2);
    expect(prepared).toHaveBeenCalledTimes(3);
  });

  it("has its own length, although another read the same with the same buffer after a write of this one", () => {
    const adu = new Uint8Array(16);
    const [transaction, other] = [new Transaction(adu), new Transaction(adu)];
    transaction.prepare(encodeWrite(adu, PDU, 0x1070, Uint8Array.of(0, 0, 0, 1))).seal(1);
    other.read(0x1200, 2).seal(1);
    transaction.read(0x1200, 2).seal(1);
    expect(hex(transaction.request)).toBe(hex(sealed(1, 3, 0x12, 0, 0, 2)));
    expect(transaction.longest).toBe(REPLY.length);
  });

  it("awaits the whole reply in one piece once more of it is there than an address and a function", () => {
    const transaction = reading();
    const long = asked(new Transaction().read(0x1200, 60));
    const begun = sealed(1, 3, 120, ...new Uint8Array(120));
    expect(verdict(long, begun.subarray(0, 7))).toBe(WAIT);
    expect(long.enough).toBe(0);
    expect(verdict(long, begun.subarray(0, 8))).toBe(WAIT);
    expect(long.enough).toBe(begun.length);
    expect(verdict(transaction, REPLY)).toBe(REPLY.length);
    expect(transaction.enough).toBe(0);
  });

  it("is judged again when what began like its reply has gone", () => {
    const transaction = new Transaction().read(0x1200, 60);
    transaction.seal(1);
    expect(verdict(transaction, REPLY.with(2, 120))).toBe(WAIT);
    expect(transaction.enough).toBe(125);
    expect(verdict(transaction, sealed(1, 0x83, 2))).toBe(5);
    expect(transaction.enough).toBe(0);
  });
});
