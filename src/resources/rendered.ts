/** A document that is rendered once for each state of what it shows: until that changes, whoever asks gets the same bytes. */
export class Rendered {
  private bytes: Uint8Array | undefined;
  private state: number | undefined;

  /** Writes what it has of that state to the beginning of `into`. Returns its length, 0 when it has none. */
  copy(into: Uint8Array, state: number | undefined): number {
    const { bytes } = this;
    if (!bytes || state === undefined || this.state !== state) return 0;
    into.set(bytes);
    return bytes.length;
  }

  /** Keeps the first `length` bytes of `from`, which are the document in that state. */
  keep(from: Uint8Array, length: number, state: number | undefined): void {
    // Not the old one and the new one at once.
    this.bytes = undefined;
    if (state === undefined) return;
    this.bytes = from.slice(0, length);
    this.state = state;
  }
}
