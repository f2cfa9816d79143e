import type { BodyBuffer } from "http-server/types";
import { Kept } from "../catalogue/kept";

/** A document cached as rendered: the same bytes are served until the state that it shows changes. */
export class Rendered extends Kept {
  /** Undefined while it is rendered, and if that failed. */
  private bytes: Uint8Array | undefined;
  private state: number | undefined;
  /** Where it was rendered or copied to last, and how often that had been handed out then. */
  private place: BodyBuffer | undefined;
  private handed = 0;
  /** Room for the document to grow in place, bytes. */
  private readonly slack: number;

  constructor(items?: number, slack = 0) {
    super(items);
    this.slack = slack;
  }

  /**
   * Puts the document at the start of `into` if it was rendered in `state`. Returns its length, 0 if it was not: then it is rendered next.
   * Copying takes XS two steps a byte, more than all else of an answer: it is left out while `into` still has the document.
   */
  serve(into: BodyBuffer, state: number | undefined): number {
    const { bytes } = this;
    if (bytes && state !== undefined && this.state === state) {
      const { handed = 0 } = into;
      if (this.place !== into || handed !== this.handed + 1)
        into.set(this.slack ? bytes.subarray(0, this.length) : bytes);
      this.place = into;
      this.handed = handed;
      return this.length;
    }
    this.old = bytes;
    this.bytes = undefined;
    return 0;
  }

  /** Stores the first `length` bytes of `from`, the document as rendered in `state`. */
  keep(from: BodyBuffer, length: number, state: number | undefined): void {
    // Frees the old document before the new one is allocated.
    this.old = this.text = undefined;
    const { slack } = this;
    this.bytes = from.slice(0, length + slack);
    this.length = length;
    this.state = state;
    this.place = from;
    this.handed = from.handed ?? 0;
  }

  /** The old document has been brought to `state` in place: it is served. Returns its length. */
  revised(into: BodyBuffer, state: number | undefined): number {
    this.bytes = this.old;
    this.old = this.place = undefined;
    this.state = state;
    return this.serve(into, state);
  }

  /** The old document is of no use: it is written whole. */
  forget(): void {
    this.old = undefined;
  }
}
