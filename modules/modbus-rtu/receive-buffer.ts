import { FIFO_BYTES } from "./limits";
import type { Transaction } from "./transaction";
import type { Reply } from "./types";

/** The bytes that have come for a transaction and are not judged yet: `bytes[start, end)`. Once it has ended, they are its reply. */
export class ReceiveBuffer implements Reply {
  readonly bytes: Uint8Array;
  /** Where bytes are read to from the port, as many as there can be. */
  readonly fifo: Uint8Array;
  start = 0;
  end = 0;
  exception = 0;
  private mayBeEcho = false;

  constructor(length: number) {
    const memory = new ArrayBuffer(length + FIFO_BYTES);
    this.bytes = new Uint8Array(memory, 0, length);
    this.fifo = new Uint8Array(memory, length);
  }

  get length(): number {
    return this.end - this.start;
  }

  /** A request goes out: what comes from now on begins with its echo, or with none. */
  begin(): void {
    this.start = this.end = this.exception = 0;
    this.mayBeEcho = true;
  }

  /** Takes the first `count` bytes of `fifo` and answers how many older ones had to go for them. */
  append(count: number): number {
    const { bytes } = this;
    let dropped = 0;
    if (this.end + FIFO_BYTES > bytes.length) {
      bytes.copyWithin(0, this.start, this.end);
      this.end -= this.start;
      this.start = 0;
      // More under judgement than the longest reply: the bytes are none.
      if (this.end + FIFO_BYTES > bytes.length) {
        dropped = this.end;
        this.end = 0;
      }
    }
    // The whole FIFO is copied, for that is one native call; what is beyond `count` is overwritten by the next bytes.
    bytes.set(this.fifo, this.end);
    this.end += count;
    return dropped;
  }

  drop(count: number): void {
    this.start += count;
  }

  /** The first `length` bytes are the reply. Answers how many are behind it: they are nobody's. */
  settle(length: number): number {
    const rest = this.length - length;
    this.end -= rest;
    return rest;
  }

  /** Takes the echo of the request out. True while what is there may yet become the echo. */
  skipEcho(request: Transaction, idle: boolean): boolean {
    if (!this.mayBeEcho) return false;
    const length = Math.min(this.length, request.length);
    for (let at = 0; at < length; at++)
      if (this.bytes[this.start + at] !== request.adu[at]) {
        this.mayBeEcho = false;
        return false;
      }
    if (length < request.length && !idle) return true;
    this.mayBeEcho = false;
    if (length === request.length) this.start += length;
    return false;
  }
}
