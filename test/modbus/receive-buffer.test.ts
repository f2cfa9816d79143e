import { beforeEach, describe, expect, it } from "vitest";
import { FIFO_BYTES } from "../../modules/modbus/limits";
import { ReceiveBuffer } from "../../modules/modbus/receive-buffer";
import { Transaction } from "../../modules/modbus/transaction";

const ROOM = 10;
const transaction = new Transaction();
transaction.read(0x1200, 8).seal(1);
const ECHO = [...transaction.request];

let buffer: ReceiveBuffer;
beforeEach(() => {
  buffer = new ReceiveBuffer(FIFO_BYTES + ROOM);
  buffer.begin();
});

/** The bytes come through the FIFO; answers how many older ones had to go. */
function receive(...bytes: number[]): number {
  buffer.fifo.fill(0xee);
  buffer.fifo.set(bytes);
  return buffer.append(bytes.length);
}

const held = (): number[] => [...buffer.bytes.subarray(buffer.start, buffer.end)];
const counting = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

describe("buffered bytes", () => {
  it("stay in order while there is room for one more FIFO", () => {
    expect(receive(...counting(1, ROOM))).toBe(0);
    expect(receive(50)).toBe(0);
    expect(held()).toEqual([...counting(1, ROOM), 50]);
    expect(buffer.start).toBe(0);
  });

  it("move to the front when the room after them is used up, and none is lost", () => {
    receive(...counting(1, ROOM + 5));
    buffer.drop(5);
    expect(receive(50, 51)).toBe(0);
    expect(held()).toEqual([...counting(6, ROOM), 50, 51]);
  });

  it("are all dropped and counted when there is no room for a FIFO after them", () => {
    receive(...counting(1, ROOM + 3));
    buffer.drop(2);
    expect(receive(50, 51)).toBe(ROOM + 1);
    expect(held()).toEqual([50, 51]);
  });

  it("are dropped when the next request is sent", () => {
    receive(1, 2, 3);
    buffer.exception = 2;
    buffer.begin();
    expect(held()).toEqual([]);
    expect(buffer.exception).toBe(0);
  });

  it("become the reply, without what follows it", () => {
    receive(0xff, 1, 3, 0, 9, 9);
    buffer.drop(1);
    buffer.settle(3);
    expect([buffer.length, buffer.rest]).toEqual([3, 2]);
    expect(held().slice(0, 3)).toEqual([1, 3, 0]);
    buffer.release();
    expect([buffer.length, buffer.rest]).toEqual([0, 2]);
    expect(held()).toEqual([9, 9]);
  });
});

describe("the echo of the request", () => {
  it("is removed once complete; until then more bytes are awaited", () => {
    receive(...ECHO.slice(0, 5));
    expect(buffer.skipEcho(transaction, false)).toBe(true);
    expect(held()).toEqual(ECHO.slice(0, 5));
    receive(...ECHO.slice(5), 1, 3);
    expect(buffer.skipEcho(transaction, false)).toBe(false);
    expect(held()).toEqual([1, 3]);
  });

  it("is removed only once", () => {
    receive(...ECHO);
    buffer.skipEcho(transaction, false);
    receive(...ECHO);
    expect(buffer.skipEcho(transaction, false)).toBe(false);
    expect(held()).toEqual(ECHO);
  });

  it("is not recognised after anything else", () => {
    receive(0xff, ...ECHO);
    expect(buffer.skipEcho(transaction, false)).toBe(false);
    buffer.drop(1);
    expect(buffer.skipEcho(transaction, false)).toBe(false);
    expect(held()).toEqual(ECHO);
  });

  it("is no longer awaited when the line falls silent in the middle of it", () => {
    receive(...ECHO.slice(0, 5));
    expect(buffer.skipEcho(transaction, true)).toBe(false);
    receive(...ECHO.slice(5));
    expect(buffer.skipEcho(transaction, false)).toBe(false);
    expect(held()).toEqual(ECHO);
  });
});
