/** NOR flash: a write clears bits, an erase of a sector sets them, and a power cut leaves what it interrupts in between, bits that read now so, now so among it. */

export const SECTOR_BYTES = 4_096;

/** Set by an erase that was cut when it had hardly begun. */
const FEW_BITS = 100;

/** Power was cut during a write or an erase. */
export class PowerCut extends Error {}

export class NorFlash {
  readonly bytes: Uint8Array;
  /** Erases of each sector. */
  readonly wear: number[];
  /** Sectors that cannot be erased any more. */
  readonly worn = new Set<number>();
  /** Bytes that can still be written, and erases in place of a byte, until the power is cut: then nothing works until it is set again. */
  power = Infinity;
  readonly #random: () => number;
  /** Bits that an interrupted erase has left between 0 and 1, by sector: each read decides anew. */
  readonly #unsure = new Map<number, Uint8Array>();

  constructor(sectors: number, random: () => number = Math.random) {
    this.bytes = new Uint8Array(sectors * SECTOR_BYTES).fill(0xff);
    this.wear = Array.from({ length: sectors }, () => 0);
    this.#random = random;
  }

  /** A copy of what is in the flash, with power. */
  clone(): NorFlash {
    const copy = new NorFlash(this.wear.length, this.#random);
    copy.bytes.set(this.bytes);
    for (const sector of this.worn) copy.worn.add(sector);
    for (const [sector, bits] of this.#unsure) copy.#unsure.set(sector, bits.slice());
    return copy;
  }

  read(buffer: Uint8Array, at: number): number {
    this.#within(at, buffer.length);
    buffer.set(this.bytes.subarray(at, at + buffer.length));
    for (const [sector, bits] of this.#unsure) {
      const start = sector * SECTOR_BYTES;
      for (let byte = Math.max(at, start); byte < Math.min(at + buffer.length, start + SECTOR_BYTES); byte++) {
        const unsure = bits[byte - start]!;
        if (unsure) buffer[byte - at]! &= ~unsure | Math.floor(this.#random() * 256);
      }
    }
    return buffer.length;
  }

  write(bytes: Uint8Array, at: number): void {
    this.#within(at, bytes.length);
    this.#isOn();
    const programmed = Math.min(bytes.length, this.power);
    this.power -= bytes.length;
    for (let index = 0; index < programmed; index++) this.#program(at + index, bytes[index]!);
    if (programmed === bytes.length) return;
    // Interrupted, any bit of the rest may have been cleared: of the next byte only, or of all.
    const end = this.#random() < 0.5 ? programmed + 1 : bytes.length;
    for (let index = programmed; index < end; index++)
      this.bytes[at + index]! &= bytes[index]! | Math.floor(this.#random() * 256);
    throw new PowerCut();
  }

  /** Erases sectors [first, end). */
  eraseBlock(first: number, end = first + 1): void {
    this.#within(first * SECTOR_BYTES, (end - first) * SECTOR_BYTES);
    for (let sector = first; sector < end; sector++) {
      this.#isOn();
      if (this.worn.has(sector)) throw new Error("erase failed");
      const cut = this.power-- <= 0;
      const start = sector * SECTOR_BYTES;
      this.wear[sector]!++;
      if (!cut) {
        this.bytes.fill(0xff, start, start + SECTOR_BYTES);
        this.#unsure.delete(sector);
        continue;
      }
      this.#interruptErase(sector);
      throw new PowerCut();
    }
  }

  /** A few bits are set, or half of them, or all, some of them near the threshold: then the sector looks blank, now and then. */
  #interruptErase(sector: number): void {
    const start = sector * SECTOR_BYTES;
    const unsure = new Uint8Array(SECTOR_BYTES);
    const how = this.#random();
    if (how < 0.25) {
      for (let bit = 0; bit < FEW_BITS; bit++)
        this.bytes[start + Math.floor(this.#random() * SECTOR_BYTES)]! |= 1 << Math.floor(this.#random() * 8);
    } else if (how < 0.5) {
      for (let at = start; at < start + SECTOR_BYTES; at++) this.bytes[at]! |= Math.floor(this.#random() * 256);
    } else {
      this.bytes.fill(0xff, start, start + SECTOR_BYTES);
      const few = Math.ceil(this.#random() * 3);
      for (let bit = 0; bit < few; bit++)
        unsure[Math.floor(this.#random() * SECTOR_BYTES)]! |= 1 << Math.floor(this.#random() * 8);
    }
    this.#unsure.set(sector, unsure);
  }

  /** A bit that is cleared is certain. */
  #program(at: number, byte: number): void {
    this.bytes[at]! &= byte;
    const unsure = this.#unsure.get(Math.floor(at / SECTOR_BYTES));
    if (unsure) unsure[at % SECTOR_BYTES]! &= byte;
  }

  /** Whether it was cut. */
  get off(): boolean {
    return this.power < 0;
  }

  #isOn(): void {
    if (this.off) throw new PowerCut();
  }

  #within(at: number, length: number): void {
    if (!Number.isInteger(at) || at < 0 || at + length > this.bytes.length)
      throw new RangeError("outside of the partition");
  }
}
