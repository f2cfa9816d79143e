/** Modbus requests from the emulated UART, passed on each in one piece and one at a time. */
import type { OutsidePort } from "../../host-sim/bridge";

const READ = 0x03;
const WRITE = 0x10;
const READ_LENGTH = 8;
/** Address, function, register, count, the number of bytes, their CRC. */
const WRITE_OVERHEAD = 9;
const BYTES_AT = 6;
/** A pause in a request, ms, that is no longer this machine's doing: a restart has cut it. */
const CUT = 500;
/** What the BMS wants between its reply and the next request, and the longest that its reply takes, ms. The board leaves more between two. */
const TURNAROUND = 30;
const REPLY = 100;

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
 * ends a Modbus frame. A chip's FIFO leaves none. Where it takes the processor from the simulated BMS, the board gives up a request and
 * sends the next: both arrive together, without the gap that there was, and one waits for the other's end. What is lost or wrong stays so.
 */
export function wholeRequests(port: OutsidePort): OutsidePort {
  const held: number[] = [];
  const waiting: Uint8Array[] = [];
  let busy: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  const hold = (time: number): void => {
    clearTimeout(busy);
    busy = setTimeout(() => {
      busy = undefined;
      const next = waiting.shift();
      if (next) pass(next);
    }, time);
  };
  const pass = (request: Uint8Array): void => {
    hold(REPLY);
    whole.onBytes?.(request);
  };
  const take = (length: number): void => {
    const request = Uint8Array.from(held.splice(0, length));
    if (busy) waiting.push(request);
    else pass(request);
  };
  const whole: OutsidePort = {
    write(bytes) {
      if (busy) hold(TURNAROUND);
      port.write(bytes);
    },
    onBytes: undefined,
    onFailure: undefined,
    close() {
      clearTimeout(busy);
      waiting.length = 0;
      return port.close();
    },
  };
  port.onFailure = (problem) => whole.onFailure?.(problem);
  port.onBytes = (bytes) => {
    const now = Date.now();
    if (held.length && now - last > CUT) take(held.length);
    last = now;
    held.push(...bytes);
    for (let length = lengthOf(held); length !== undefined && held.length >= length; length = lengthOf(held))
      take(length);
  };
  return whole;
}
