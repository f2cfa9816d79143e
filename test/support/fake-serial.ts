/** A serial port with the FIFOs of the ESP32's UART, on one end of a simulated wire. */
import type Serial from "embedded:io/serial";
import type { SerialOptions } from "../../host-sim/io/options";
import { byteTime, Wire } from "../../host-sim/wire";
import { board } from "./virtual-time";

const FIFO = 128;
const THRESHOLD = 96;
const IDLE_CHARACTERS = 4;

export interface FakeLine {
  readonly wire: Wire;
  /** The class to hand to the firmware. */
  readonly io: new (options: SerialOptions) => Serial;
  /** Bytes lost because the FIFO was full. */
  lost: number;
  /** The next writes of the firmware throw. */
  failing: boolean;
  closed: boolean;
}

export function fakeLine({ baud = 115200, echo = false } = {}): FakeLine {
  const { clock, script } = board;
  const wire = new Wire(clock, { baud, echo });
  const line: FakeLine = { wire, io: FakeSerial as unknown as FakeLine["io"], lost: 0, failing: false, closed: false };

  function FakeSerial(this: unknown, options: SerialOptions): object {
    if (options.baud !== baud) throw new Error("baud rate");
    let fifo: number[] = [];
    let posted = false;
    let idle: ReturnType<typeof clock.after> | undefined;
    const post = (): void => {
      if (posted || line.closed) return;
      posted = true;
      script.post(() => {
        posted = false;
        if (fifo.length && !line.closed) options.onReadable?.call(serial, fifo.length);
        if (fifo.length >= THRESHOLD) post();
      });
    };
    wire.board.onByte = (byte) => {
      if (fifo.length < FIFO) fifo.push(byte);
      else line.lost++;
      if (fifo.length >= THRESHOLD) post();
      clock.cancel(idle);
      idle = clock.after(IDLE_CHARACTERS * byteTime(baud), post);
    };
    const serial = {
      read(buffer: Uint8Array): number | undefined {
        const count = Math.min(buffer.length, fifo.length);
        if (!count) return undefined;
        buffer.set(fifo.slice(0, count));
        fifo = fifo.slice(count);
        return count;
      },
      write(buffer: Uint8Array): void {
        if (line.failing || wire.board.unsent + buffer.length > FIFO) throw new Error("output full");
        wire.board.send(Uint8Array.from(buffer));
      },
      close(): void {
        line.closed = true;
      },
    };
    return serial;
  }
  return line;
}

/** Collects what the firmware sends into requests (by an idle gap of 2 ms) and hands each to `answer`. */
export function onRequest(line: FakeLine, answer: (request: Uint8Array) => void): void {
  const { clock } = board;
  let bytes: number[] = [];
  let end: ReturnType<typeof clock.after> | undefined;
  line.wire.bms.onByte = (byte) => {
    bytes.push(byte);
    clock.cancel(end);
    end = clock.after(2, () => {
      const request = Uint8Array.from(bytes);
      bytes = [];
      answer(request);
    });
  };
}

export const hex = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");

export const unhex = (text: string): Uint8Array =>
  Uint8Array.from(text.trim().split(/\s+/), (digits) => parseInt(digits, 16));
