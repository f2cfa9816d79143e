import { describe, expect, it } from "vitest";
import Serial from "embedded:io/serial";
import { RECEIVE_BUFFER } from "../../host-sim/io/serial";
import type { SimulatedBoard } from "../../host-sim/board";
import { byteTime } from "../../host-sim/wire";
import { poweredBoard } from "../support/system/simulated-board";

const BYTE = byteTime(115_200);
const options = { port: 2, receive: 5, transmit: 17, baud: 115_200 };

const numbers = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, index) => index);

/** A serial port that notes when how many bytes were announced, and reads them. */
function reader(
  board: SimulatedBoard,
  drain = true,
  size = 256,
  direction?: number,
): { serial: Serial; calls: [number, number][]; bytes: number[] } {
  const calls: [number, number][] = [];
  const bytes: number[] = [];
  const into = new Uint8Array(size);
  const serial = new Serial({
    ...options,
    ...(direction !== undefined && { direction }),
    onReadable(count) {
      calls.push([board.clock.now, count]);
      if (!drain) return;
      const read = this.read(into) ?? 0;
      bytes.push(...into.subarray(0, read));
    },
  });
  return { serial, calls, bytes };
}

it("passes its target to its callbacks", () => {
  const board = poweredBoard();
  const target = { heard: 0 };
  function onReadable(this: Serial, count: number): void {
    (this as Serial & { target: typeof target }).target.heard += count;
    this.read(new Uint8Array(count));
  }
  const serial = new Serial({ ...options, target, onReadable } as ConstructorParameters<typeof Serial>[0]);
  board.wire.bms.send(numbers(5));
  board.clock.runFor(10);
  expect(target.heard).toBe(5);
  serial.close();
});

describe("receiving", () => {
  it("calls after four idle characters for a short reply", () => {
    const board = poweredBoard();
    const { calls, bytes } = reader(board);
    board.wire.bms.send(numbers(95));
    board.clock.runFor(95 * BYTE + 3.9 * BYTE);
    expect(calls).toEqual([]);
    board.clock.runFor(0.2 * BYTE);
    expect(calls).toEqual([[expect.closeTo(99 * BYTE, 9), 95]]);
    expect(bytes).toEqual([...numbers(95)]);
  });

  it("calls at the 96th byte of a long one", () => {
    const board = poweredBoard();
    const { calls } = reader(board);
    board.wire.bms.send(numbers(200));
    board.clock.runFor(200);
    expect(calls).toEqual([
      [expect.closeTo(96 * BYTE, 9), 96],
      [expect.closeTo(192 * BYTE, 9), 96],
      [expect.closeTo(204 * BYTE, 9), 8],
    ]);
  });

  it("calls every 8.3 ms at a low baud rate", () => {
    const board = poweredBoard({ baud: 9600 });
    const times: number[] = [];
    const slow = byteTime(9600);
    new Serial({
      ...options,
      baud: 9600,
      onReadable(count) {
        times.push(board.clock.now, count);
        this.read(new Uint8Array(count));
      },
    });
    board.wire.bms.send(numbers(20));
    board.clock.runFor(100);
    const near = (bytes: number): unknown => expect.closeTo(bytes * slow, 9);
    expect(times).toEqual([near(8), 8, near(16), 8, near(24), 4]);
  });

  it("loses nothing of a frame while the script is busy for 200 ms, and calls once", () => {
    const board = poweredBoard();
    const { calls, bytes } = reader(board, true, 400);
    board.script.busyFor(200);
    board.wire.bms.send(numbers(308));
    board.clock.runFor(300);
    expect(calls).toEqual([[200, 308]]);
    expect(bytes).toEqual([...numbers(308)]);
    expect(board.uart).toEqual({ received: 308, sent: 0, overflows: 0 });
  });

  it("holds the buffer, a stash and a FIFO while the script is busy, and empties the FIFO with one byte more", () => {
    // Ten times 96 bytes fit the buffer of 1,024, the eleventh becomes the stash, then the FIFO fills up.
    const most = 11 * 96 + 128;
    for (const [sent, lost] of [
      [RECEIVE_BUFFER, 0],
      [RECEIVE_BUFFER + 1, 0],
      [most - 1, 0],
      [most, 0],
      [most + 1, 129],
      [most + 20, 129],
    ] as const) {
      const board = poweredBoard();
      const { serial, bytes } = reader(board);
      board.script.busyFor(200);
      board.wire.bms.send(numbers(sent));
      board.clock.runFor(300);
      expect(board.uart).toEqual({ received: sent - lost, sent: 0, overflows: lost });
      // What lies in the FIFO below its threshold comes with the next bytes.
      board.wire.bms.send(numbers(1));
      board.clock.runFor(10);
      expect(serial.read(new Uint8Array(1))).toBeUndefined();
      expect(bytes.length).toBe(sent - lost + 1);
      const kept = Math.min(sent - lost, 11 * 96);
      expect(bytes.slice(0, kept)).toEqual([...numbers(kept)]);
      board.powerOff();
    }
  });

  it("calls again for what `read` left, but not for a callback that reads nothing", () => {
    const board = poweredBoard();
    const counts: number[] = [];
    const into = new Uint8Array(40);
    new Serial({
      ...options,
      onReadable(count) {
        counts.push(count);
        this.read(into);
      },
    });
    board.wire.bms.send(numbers(90));
    board.clock.runFor(50);
    expect(counts).toEqual([90, 50, 10]);
    board.powerOff();
    const other = poweredBoard();
    const { calls } = reader(other, false);
    other.wire.bms.send(numbers(90));
    other.clock.runFor(50);
    expect(calls.map(([, count]) => count)).toEqual([90]);
    other.wire.bms.send(numbers(10));
    other.clock.runFor(50);
    expect(calls.map(([, count]) => count)).toEqual([90, 100]);
  });

  it("loses no call when the queue to the script is full: it comes as soon as there is room", () => {
    const board = poweredBoard();
    const { calls } = reader(board);
    board.refusals.interrupts = true;
    board.wire.bms.send(numbers(10));
    board.clock.runUntil(50.5);
    expect(calls).toEqual([]);
    board.refusals.interrupts = false;
    board.clock.runFor(2);
    expect(calls).toEqual([[expect.closeTo(51, 0), 10]]);
    board.wire.bms.send(numbers(10));
    board.clock.runFor(10);
    expect(calls).toHaveLength(2);
  });

  it("drops its echo if it has a direction pin", () => {
    const board = poweredBoard({ echo: true });
    const { serial, bytes } = reader(board, true, 256, 18);
    expect(() => board.pins.use(18)).toThrow("in use");
    serial.write(Uint8Array.of(9, 8));
    board.clock.runFor(10);
    board.wire.bms.send(Uint8Array.of(7));
    board.clock.runFor(10);
    expect(bytes).toEqual([7]);
    serial.close();
    board.pins.use(18);
  });

  it("returns what is there, in pieces, and undefined when it is empty", () => {
    const board = poweredBoard();
    const serial = new Serial(options);
    expect(serial.read(new Uint8Array(4))).toBeUndefined();
    board.wire.bms.send(Uint8Array.of(1, 2, 3));
    board.clock.runFor(10);
    const into = new Uint8Array(8);
    expect(serial.read(into.subarray(0, 2))).toBe(2);
    expect(() => serial.read(new Uint8Array(0))).toThrow("invalid");
    expect(serial.read(into.subarray(2))).toBe(1);
    expect([...into.subarray(0, 4)]).toEqual([1, 2, 3, 0]);
    expect(serial.read(into)).toBeUndefined();
  });

  it("does not call when everything has been read first", () => {
    const board = poweredBoard();
    const { serial, calls } = reader(board);
    board.script.busyFor(10);
    board.wire.bms.send(numbers(10));
    board.clock.runFor(5);
    expect(serial.read(new Uint8Array(20))).toBe(10);
    board.clock.runFor(20);
    expect(calls).toEqual([]);
  });

  it("hears its own bytes on an echoing transceiver", () => {
    const board = poweredBoard({ echo: true });
    const { serial, bytes } = reader(board);
    serial.write(Uint8Array.of(9, 8));
    board.clock.runFor(10);
    expect(bytes).toEqual([9, 8]);
  });

  it("hears garbage at another baud rate", () => {
    const board = poweredBoard({ baud: 9600 });
    const { bytes } = reader(board);
    board.wire.bms.send(Uint8Array.of(1, 3, 4));
    board.clock.runFor(20);
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes).not.toEqual([1, 3, 4]);
  });
});

describe("transmit FIFO", () => {
  it("accepts 128 bytes and throws on the 129th, or on one more than is free", () => {
    const board = poweredBoard();
    const serial = new Serial(options);
    expect(() => serial.write(new Uint8Array(129))).toThrow("output full");
    serial.write(new Uint8Array(100));
    expect(() => serial.write(new Uint8Array(29))).toThrow("output full");
    serial.write(new Uint8Array(28));
    expect(() => serial.write(new Uint8Array(1))).toThrow("output full");
    board.clock.runFor(3 * BYTE + 0.001);
    expect(() => serial.write(new Uint8Array(4))).toThrow("output full");
    serial.write(new Uint8Array(3));
    board.clock.runFor(50);
    expect(board.uart.sent).toBe(131);
  });

  it("sends at wire speed", () => {
    const board = poweredBoard();
    const serial = new Serial(options);
    const arrived: [number, number][] = [];
    board.wire.bms.onByte = (byte) => arrived.push([byte, board.clock.now]);
    serial.write(Uint8Array.of(5, 6).buffer);
    board.clock.runFor(10);
    expect(arrived).toEqual([
      [5, expect.closeTo(BYTE, 9)],
      [6, expect.closeTo(2 * BYTE, 9)],
    ]);
  });

  it("calls onWritable at start, and when fewer than ten bytes are left", () => {
    const board = poweredBoard();
    const calls: [number, number][] = [];
    const serial = new Serial({ ...options, onWritable: (free) => calls.push([board.clock.now, free]) });
    board.clock.runFor(0);
    expect(calls).toEqual([[0, 128]]);
    serial.write(new Uint8Array(50));
    board.clock.runFor(40.5 * BYTE);
    expect(calls.length).toBe(1);
    board.clock.runFor(BYTE);
    expect(calls[1]).toEqual([expect.closeTo(41 * BYTE, 9), 119]);
    board.clock.runFor(50);
    expect(calls.length).toBe(2);
  });
});

describe("Serial", () => {
  it("refuses invalid options and pins or ports in use; close frees them", () => {
    const board = poweredBoard();
    expect(() => new Serial({ baud: 9600 } as typeof options)).toThrow("invalid");
    expect(() => new Serial({ ...options, port: 3 })).toThrow(RangeError);
    expect(() => new Serial({ ...options, baud: 0 })).toThrow(RangeError);
    expect(() => new Serial({ ...options, transmit: 34 })).toThrow("input only");
    const serial = new Serial(options);
    expect(() => new Serial({ ...options, receive: 4, transmit: 12 })).toThrow("port in use");
    expect(() => new Serial({ ...options, port: 1, transmit: 12 })).toThrow("in use");
    // The attempt gave back the pin that it got.
    board.pins.use(12);
    serial.close();
    serial.close();
    expect(() => serial.read(new Uint8Array(1))).toThrow();
    expect(() => serial.write(new Uint8Array(1))).toThrow();
    new Serial(options);
  });

  it("calls nothing after close, not even what was posted", () => {
    const board = poweredBoard();
    const { serial, calls } = reader(board);
    board.script.busyFor(50);
    board.wire.bms.send(numbers(100));
    board.clock.runFor(20);
    serial.close();
    board.clock.runFor(100);
    expect(calls).toEqual([]);
  });
});
