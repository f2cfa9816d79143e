/** A document cached as rendered: the same bytes are served until the state that it shows changes. */
export class Rendered {
  private bytes: Uint8Array | undefined;
  private state: number | undefined;

  /** Copies the document to the start of `into` if it was rendered in `state`. Returns its length, 0 if it was not. */
  copy(into: Uint8Array, state: number | undefined): number {
    const { bytes } = this;
    if (!bytes || state === undefined || this.state !== state) return 0;
    into.set(bytes);
    return bytes.length;
  }

  /** Stores the first `length` bytes of `from`, the document as rendered in `state`. */
  keep(from: Uint8Array, length: number, state: number | undefined): void {
    // Frees the old document before the new one is allocated.
    this.bytes = undefined;
    if (state === undefined) return;
    this.bytes = from.slice(0, length);
    this.state = state;
  }
}
