import { FAILURE_MEMORY, SUSPECT_BITS } from "./limits";

const DOT = 0x2e;
const ZERO = 0x30;
/** Odd, and well above the range of a byte. */
const FACTOR = 1_031;

/**
 * Set of addresses that have sent a wrong password, one bit each: no two addresses of the device's /24 network share a bit; others may. It
 * is cleared after FAILURE_MEMORY without a failure.
 */
export class Suspects {
  private readonly bits = new Uint8Array(SUSPECT_BITS / 8);
  /** Ticks of the last failure. */
  private last = 0;

  /** `now`: ticks. */
  add(address: string, now: number): void {
    if ((now - this.last) >>> 0 > FAILURE_MEMORY) this.bits.fill(0);
    this.last = now;
    const bit = bitOf(address);
    this.bits[bit >> 3] = (this.bits[bit >> 3] as number) | (1 << (bit & 7));
  }

  /** `now`: ticks. */
  has(address: string, now: number): boolean {
    const bit = bitOf(address);
    return (now - this.last) >>> 0 <= FAILURE_MEMORY && (((this.bits[bit >> 3] as number) >> (bit & 7)) & 1) !== 0;
  }
}

/** Bit index; distinct for IPv4 addresses that differ only in the last byte. */
const bitOf = (address: string): number => {
  let sum = 0;
  let byte = 0;
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at);
    if (code === DOT) {
      sum = (sum + byte) * FACTOR;
      byte = 0;
    } else byte = byte * 10 + code - ZERO;
  }
  return (sum + byte) & (SUSPECT_BITS - 1);
};
