import { FAILURE_MEMORY, SUSPECT_BITS } from "./limits";

const DOT = 0x2e;
const ZERO = 0x30;
/** Odd, and far from a byte's range. */
const FACTOR = 1_031;

/**
 * Which addresses have shown a wrong password, a bit each: none of the device's network shares its bit with another of it, others may. All
 * are forgotten once nobody has failed for FAILURE_MEMORY.
 */
export class Suspects {
  private readonly bits = new Uint8Array(SUSPECT_BITS / 8);
  /** Ticks of the last failure. */
  private last = 0;

  /** At `now` (ticks). */
  add(address: string, now: number): void {
    if ((now - this.last) >>> 0 > FAILURE_MEMORY) this.bits.fill(0);
    this.last = now;
    const bit = bitOf(address);
    this.bits[bit >> 3] = (this.bits[bit >> 3] as number) | (1 << (bit & 7));
  }

  /** At `now` (ticks). */
  has(address: string, now: number): boolean {
    const bit = bitOf(address);
    return (now - this.last) >>> 0 <= FAILURE_MEMORY && (((this.bits[bit >> 3] as number) >> (bit & 7)) & 1) !== 0;
  }
}

/** IPv4 addresses that differ in the last byte alone have different ones. */
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
