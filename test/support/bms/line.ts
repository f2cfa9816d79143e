/** A board's serial line in virtual time, with the test as the device at the other end. */
import Serial from "../../../host-sim/io/serial";
import type { BoardOptions, SimulatedBoard } from "../../../host-sim/board";
import { poweredBoard } from "../system/simulated-board";

/** The tick count wraps (at 2^31) this many ms into every test. */
const WRAPS_AFTER = 3000;

/** Silence that ends a request, ms. */
const REQUEST_END = 2;

export const lineBoard = (options: BoardOptions = {}): SimulatedBoard =>
  poweredBoard({ ticks: 0x7fffffff - WRAPS_AFTER, ...options });

/** The line's serial class and pins for the firmware. */
export const serialOf = (
  board: SimulatedBoard,
): { io: typeof Serial; port: number; receive: number; transmit: number } => ({
  io: Serial,
  ...board.config.pins.bms,
});

/** Splits what the firmware sends into requests and passes each to `answer`. */
export function onRequest(board: SimulatedBoard, answer: (request: Uint8Array) => void): void {
  const { clock, wire } = board;
  let bytes: number[] = [];
  let end: ReturnType<typeof clock.after> | undefined;
  wire.bms.onByte = (byte) => {
    bytes.push(byte);
    clock.cancel(end);
    end = clock.after(REQUEST_END, () => {
      const request = Uint8Array.from(bytes);
      bytes = [];
      answer(request);
    });
  };
}
