/**
 * A document as last written, with the number behind each item and where the item ended. When it is written again, what is as it was is
 * copied in runs, and only what has changed is written anew.
 */
export class Kept {
  /** The last document while it is written again. */
  protected old: Uint8Array | undefined;
  /** Of each item; an item without a number has 0, and is always written anew. */
  readonly numbers: Int32Array;
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
}
