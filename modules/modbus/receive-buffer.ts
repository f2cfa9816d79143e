import { FIFO_BYTES } from "./limits";
import type { Transaction } from "./transaction";
import type { Reply } from "./types";

/** Received bytes that have not been parsed: `bytes[start, end)`. Once a transaction has ended, they begin with its reply. */
export class ReceiveBuffer implements Reply {
  readonly bytes: Uint8Array;
  /** How many bytes fit; the FIFO is behind them. */
  readonly room: number;
  /** Read buffer for the port; holds a full FIFO. */
  readonly fifo: Uint8Array;
  start = 0;
  end = 0;
  exception = 0;
  retried = false;
  /** Bytes of the reply; 0 without one. */
  length = 0;
  /** The whole echo of the request has been heard. */
  echoed = false;
  private mayBeEcho = false;

  constructor(length: number) {
    const memory = new ArrayBuffer(length + FIFO_BYTES);
    this.bytes = new Uint8Array(memory);
    this.room = length;
    this.fifo = new Uint8Array(memory, length);
  }

  /** Bytes that have not been parsed. */
  get rest(): number {
    return this.end - this.start - this.length;
  }

  /** A request is being sent: received bytes may begin with its echo. */
  begin(): void {
    this.start = this.end = this.length = this.exception = 0;
    this.echoed = false;
    this.mayBeEcho = true;
  }

  /** Takes the first `count` bytes of `fifo`. Returns how many older bytes were dropped to make room. */
  append(count: number): number {
    const { bytes, room } = this;
    let dropped = 0;
    if (this.end + FIFO_BYTES > room) {
      bytes.copyWithin(0, this.start, this.end);
      this.end -= this.start;
      this.start = 0;
      // Longer than any reply, so not a reply.
      if (this.end + FIFO_BYTES > room) {
        dropped = this.end;
        this.end = 0;
      }
    }
    bytes.copyWithin(this.end, room, room + count);
    this.end += count;
    return dropped;
  }

  drop(count: number): void {
    this.start += count;
  }

  /** The first `length` bytes are the reply, until they are released. */
  settle(length: number): void {
    this.length = length;
  }

  /** Drops the reply: only what came after it is left. */
  release(): void {
    this.start += this.length;
    this.length = 0;
  }

  /** Removes the echo of the request. True while the bytes may still become the echo. */
  skipEcho(request: Transaction, idle: boolean): boolean {
    if (!this.mayBeEcho) return false;
    const { bytes, start } = this;
    const { adu } = request;
    const length = Math.min(this.rest, request.length);
    let at = 0;
    while (at < length) {
      if (bytes[start + at] !== adu[at]) {
        this.mayBeEcho = false;
        return false;
      }
      at++;
    }
    if (length < request.length && !idle) return true;
    this.mayBeEcho = false;
    if (length === request.length) {
      this.start += length;
      this.echoed = true;
    }
    return false;
  }
}
