import { Kept } from "../catalogue/kept";

/** A document cached as rendered: the same bytes are served until the state that it shows changes. */
export class Rendered extends Kept {
  /** Undefined while it is rendered, and if that failed. */
  private bytes: Uint8Array | undefined;
  private state: number | undefined;

  /** Copies the document to the start of `into` if it was rendered in `state`. Returns its length, 0 if it was not: then it is rendered next. */
  serve(into: Uint8Array, state: number | undefined): number {
    const { bytes } = this;
    if (bytes && state !== undefined && this.state === state) {
      into.set(bytes);
      return bytes.length;
    }
    this.old = bytes;
    this.bytes = undefined;
    return 0;
  }

  /** Stores the first `length` bytes of `from`, the document as rendered in `state`. */
  keep(from: Uint8Array, length: number, state: number | undefined): void {
    // Frees the old document before the new one is allocated.
    this.old = undefined;
    this.bytes = from.slice(0, length);
    this.state = state;
  }
}
