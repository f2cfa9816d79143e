import type { Clock } from "./clock";
import type { WirePort } from "./wire";

/** External endpoint for one end of a wire. */
export interface OutsidePort {
  write(bytes: Uint8Array): void;
  /** Set by the bridge. */
  onBytes: ((bytes: Uint8Array) => void) | undefined;
  /** The port has failed and carries no more bytes. */
  onFailure: ((problem: Error) => void) | undefined;
  /** Resolves when the port and its resources have been released. */
  close(): Promise<void>;
}

/** A frame longer than this is forwarded before its end. */
const HOLD_BYTES = 128;

/**
 * Bridges one end of a simulated wire to an external port. Bytes from the other end are forwarded in one piece once the
 * wire falls silent, since a gap would break a Modbus frame. Incoming bytes then take their normal time on the wire.
 * @param most maximum number of bytes held back
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
