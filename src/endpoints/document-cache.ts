/** The last rendered bytes of a document: they are sent again until the state that it shows changes. */
export class DocumentCache {
  /** Undefined while it is rendered, and if that failed. */
  private bytes: ArrayBuffer | undefined;
  private state = NaN;

  /** Copies the document to the start of `into` if it was rendered in `state`. Returns its length; 0: it has to be rendered. */
  serve(into: Uint8Array, state: number): number {
    const { bytes } = this;
    if (bytes && this.state === state) {
      into.set(new Uint8Array(bytes));
      return bytes.byteLength;
    }
    // Freed before the next one is allocated.
    this.bytes = undefined;
    return 0;
  }

  /** Stores the first `length` bytes of `from`, the document as rendered in `state`. */
  store(from: Uint8Array, length: number, state: number): void {
    // On XS that of a Uint8Array takes each byte on its own.
    this.bytes = (from.buffer as ArrayBuffer).slice(from.byteOffset, from.byteOffset + length);
    this.state = state;
  }
}
