import TextEncoder from "text/encoder";
import { writeBytes } from "json/bytes";
import { writeDecimal } from "json/decimal";
import { MAX_LABEL_CHARACTERS, MAX_LINE_BYTES } from "./limits";

const OPEN = 0x7b;
const CLOSE = 0x7d;
const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LF = 0x0a;
const TILDE = 0x7e;
const UNPRINTABLE = 0x3f; // ?

const NOWHERE = new Uint8Array(0);

/**
 * One sample line in the Prometheus text format 0.0.4: `name{label="value",…} value`. Written in place into the buffer passed to `begin`.
 */
export class Line {
  private bytes: Uint8Array = NOWHERE;
  private start = 0;
  private at = 0;
  private labelled = false;

  /** Starts a line at byte `at` of `bytes`, which must have MAX_LINE_BYTES free from there. */
  begin(bytes: Uint8Array, at: number, name: Uint8Array): void {
    this.bytes = bytes;
    this.start = at;
    bytes.set(name, at);
    this.at = at + name.length;
    this.labelled = false;
  }

  /** Adds a label with a number or one of the firmware's own names. `start` is everything before the value: `cell="`. */
  label(start: Uint8Array, value: number | string): void {
    const { bytes } = this;
    let at = this.open(start);
    if (typeof value === "number") at = writeDecimal(bytes, at, value, 0);
    else at = writeBytes(bytes, at, new TextEncoder().encode(value));
    bytes[at] = QUOTE;
    this.at = at + 1;
  }

  /** Adds a label with external text: truncated to `most` characters and escaped; anything but printable ASCII becomes `?`. */
  foreignLabel(start: Uint8Array, text: string, most = MAX_LABEL_CHARACTERS): void {
    const { bytes } = this;
    let at = this.open(start);
    const length = Math.min(text.length, most);
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE || code === BACKSLASH) bytes[at++] = BACKSLASH;
      bytes[at++] = code < SPACE || code > TILDE ? UNPRINTABLE : code;
    }
    bytes[at] = QUOTE;
    this.at = at + 1;
  }

  /**
   * Ends the line with the sample's value, `integer / 10 ** decimals`. Returns the position after it. Throws a RangeError if the line
   * exceeds MAX_LINE_BYTES.
   */
  end(integer: number, decimals: number): number {
    const { bytes } = this;
    let { at } = this;
    if (this.labelled) {
      bytes[at] = CLOSE;
      at++;
    }
    bytes[at] = SPACE;
    at = writeDecimal(bytes, at + 1, integer, decimals);
    bytes[at] = LF;
    at++;
    if (at - this.start > MAX_LINE_BYTES) throw new RangeError("metrics line too long");
    return at;
  }

  /** Returns the position of the label's value. */
  private open(start: Uint8Array): number {
    const { bytes, at } = this;
    bytes[at] = this.labelled ? COMMA : OPEN;
    this.labelled = true;
    return writeBytes(bytes, at + 1, start);
  }
}
