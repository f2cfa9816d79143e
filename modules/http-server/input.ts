import { CR, LF } from "./characters";
import type { ClientSocket } from "./client-socket";
import { INPUT_BYTES } from "./limits";

/** `Input.lineEnd`: the line is not complete yet. */
export const INCOMPLETE = -1;
/** `Input.lineEnd`: a CR or an LF stands alone. */
export const BROKEN_LINE = -2;
export const TOO_LONG = -3;

/**
 * A receive buffer; unread bytes are those from `start` to `end`. Holds the longest line; anything beyond stays in the socket. Lent to a
 * connection for as long as it has unread bytes.
 */
export class Input {
  readonly bytes = new Uint8Array(INPUT_BYTES);
  start = 0;
  end = 0;

  get empty(): boolean {
    return this.start === this.end;
  }

  /** Reads as much as fits from `socket`, which has some. Returns the bytes read, or -1 if the connection has closed. */
  fill(socket: ClientSocket): number {
    const { bytes } = this;
    if (this.start === this.end) this.start = this.end = 0;
    else if (this.start) {
      bytes.copyWithin(0, this.start, this.end);
      this.end -= this.start;
      this.start = 0;
    }
    const length = Math.min(socket.readable, INPUT_BYTES - this.end);
    if (!socket.read(bytes.subarray(this.end, this.end + length))) return -1;
    this.end += length;
    return length;
  }

  /** Discards the buffer and returns how many bytes it held. */
  discard(): number {
    const length = this.end - this.start;
    this.start = this.end;
    return length;
  }

  /** The end, without its CRLF, of the line that begins at `start`, or why there is no line of at most `limit` bytes. */
  lineEnd(limit: number): number {
    const { bytes, start, end } = this;
    const feed = bytes.indexOf(LF, start);
    if (feed >= 0 && feed < end) {
      if (feed === start || bytes[feed - 1] !== CR) return BROKEN_LINE;
      return feed - 1 - start > limit ? TOO_LONG : feed - 1;
    }
    const cr = bytes.indexOf(CR, start);
    if (cr >= 0 && cr < end - 1) return BROKEN_LINE;
    // The CR of a line at its limit may have arrived already.
    return end - start > limit + (cr === end - 1 ? 1 : 0) ? TOO_LONG : INCOMPLETE;
  }

  /** Moves past the line that ends at `lineEnd`. */
  skipLine(lineEnd: number): void {
    this.start = lineEnd + 2;
  }
}
