import type { Value } from "./row";

/**
 * A document as last written, with the number behind each item and where the item ended. When it is written again, what is as it was is
 * copied in runs, and only what has changed is written anew; or, in place, only what has changed is written over the old one.
 */
export class Kept {
  /** The last document while it is written again, and room for it to grow. */
  protected old: Uint8Array | undefined;
  /** Bytes of that document. */
  protected length = 0;
  /** Of each item; an item without a number has 0, and is always written anew. */
  readonly numbers: Int32Array;
  /** What the last row of kind text was brought up to: of one whose text is computed, its text. Undefined: written whole since. */
  text: Value | undefined;
  /** Of each item, commas and brackets after it included. The first of a series is where the series begins. */
  readonly ends: Uint16Array;

  constructor(items = 0) {
    this.numbers = new Int32Array(items);
    this.ends = new Uint16Array(items);
  }

  /** Whether numbers and ends are those of a document. */
  get known(): boolean {
    return this.old !== undefined;
  }

  /** Copies bytes [from, to) of the old document to byte `at` of `into`; beyond its end they are dropped. Returns the next position. */
  copy(into: Uint8Array, at: number, from: number, to: number): number {
    const end = at + to - from;
    if (end <= into.length && this.old) into.set(this.old.subarray(from, to), at);
    return end;
  }

  /** Copies bytes [from, to) of the old document to byte `at` of it. */
  repeat(at: number, from: number, to: number): void {
    this.old?.copyWithin(at, from, to);
  }

  /**
   * Replaces bytes [from, to) of the old document by the first `length` bytes of `text`. Returns how far what follows has moved, NaN if there
   * is no room for it or a position is NaN: then the document has to be written whole.
   */
  replace(from: number, to: number, text: Uint8Array, length: number): number {
    const { old } = this;
    const moved = length - (to - from);
    if (!old) return NaN;
    // NaN is not 0 either.
    if (moved !== 0) {
      if (!(this.length + moved <= old.length)) return NaN;
      old.copyWithin(to + moved, to, this.length);
      this.length += moved;
    }
    old.set(text.subarray(0, length), from);
    return moved;
  }
}
