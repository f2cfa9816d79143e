import type { Clock } from "./clock";
import type { WirePort } from "./wire";

/** Where the bytes of one end of a wire go to and come from in the world outside. */
export interface OutsidePort {
  write(bytes: Uint8Array): void;
  /** Set by the bridge. */
  onBytes: ((bytes: Uint8Array) => void) | undefined;
  /** Something is wrong with the port; it carries no more bytes. */
  onFailure: ((problem: Error) => void) | undefined;
  /** Resolves when the port and all that belongs to it is gone. */
  close(): Promise<void>;
}

/** A frame that is longer than this is not held until its end. */
const HOLD_BYTES = 128;

/**
 * Connects an end of a simulated wire with a port outside. What the other end of the wire sends is passed on when the wire falls silent,
 * in one piece: a gap inside a Modbus frame would break it. What comes in from outside takes its wire time from there on.
 * @param most bytes that are held at the most
 */
export function bridge(clock: Clock, end: WirePort, port: OutsidePort, most = HOLD_BYTES): void {
  let held: number[] = [];
  end.onByte = (byte) => {
    held.push(byte);
    if (end.incoming && held.length < most) return;
    port.write(Uint8Array.from(held));
    held = [];
  };
  port.onBytes = (bytes) => clock.external(() => end.send(bytes));
}
