/** Modbus requests from the emulated UART, passed on in one piece. */
import type { OutsidePort } from "../../host-sim/bridge";

const READ = 0x03;
const WRITE = 0x10;
const READ_LENGTH = 8;
/** Address, function, register, count, the number of bytes, their CRC. */
const WRITE_OVERHEAD = 9;
const BYTES_AT = 6;
/** A pause in a request, ms, that is no longer this machine's doing: a restart has cut it. */
const CUT = 500;

/** Length of the request that begins with `bytes`; undefined if it is not known yet. What is no such request is passed on as it comes. */
function lengthOf(bytes: readonly number[]): number | undefined {
  const code = bytes[1];
  if (code === undefined) return undefined;
  if (code === READ) return READ_LENGTH;
  if (code !== WRITE) return bytes.length;
  const count = bytes[BYTES_AT];
  return count === undefined ? undefined : WRITE_OVERHEAD + count;
}

/**
 * QEMU passes on each byte as the guest writes it: where this machine takes the processor from it in between, there would be a gap, which
 * ends a Modbus frame. A chip's FIFO leaves none. What is lost or wrong stays so.
 */
export function wholeRequests(port: OutsidePort): OutsidePort {
  const held: number[] = [];
  let last = 0;
  const whole: OutsidePort = {
    write: (bytes) => port.write(bytes),
    onBytes: undefined,
    onFailure: undefined,
    close: () => port.close(),
  };
  port.onFailure = (problem) => whole.onFailure?.(problem);
  port.onBytes = (bytes) => {
    const now = Date.now();
    if (held.length && now - last > CUT) whole.onBytes?.(Uint8Array.from(held.splice(0)));
    last = now;
    held.push(...bytes);
    for (let length = lengthOf(held); length !== undefined && held.length >= length; length = lengthOf(held))
      whole.onBytes?.(Uint8Array.from(held.splice(0, length)));
  };
  return whole;
}
