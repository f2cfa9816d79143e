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

/** One sample's line in the Prometheus text format, 0.0.4: `name{label="value",…} value`. */
export class Line {
  readonly bytes = new Uint8Array(MAX_LINE_BYTES);
  private length = 0;
  private labelled = false;

  begin(name: Uint8Array): void {
    this.bytes.set(name);
    this.length = name.length;
    this.labelled = false;
  }

  /** `start`: the label's name with what stands between it and its value, `cell="`. */
  label(start: Uint8Array, value: string | number): void {
    const { bytes } = this;
    bytes[this.length++] = this.labelled ? COMMA : OPEN;
    this.labelled = true;
    if (this.length + start.length > bytes.length) throw new RangeError("metrics line too long");
    bytes.set(start, this.length);
    this.length += start.length;
    if (typeof value === "number") this.length = writeDecimal(bytes, this.length, value, 0);
    else this.text(value);
    bytes[this.length++] = QUOTE;
  }

  /** Ends the line with the sample's value, `integer / 10 ** decimals`. Answers the line's length. Throws a RangeError when it is too long. */
  end(integer: number, decimals: number): number {
    const { bytes } = this;
    if (this.labelled) bytes[this.length++] = CLOSE;
    bytes[this.length++] = SPACE;
    this.length = writeDecimal(bytes, this.length, integer, decimals);
    bytes[this.length++] = LF;
    if (this.length > bytes.length) throw new RangeError("metrics line too long");
    return this.length;
  }

  private text(text: string): void {
    const { bytes } = this;
    const length = Math.min(text.length, MAX_LABEL_CHARACTERS);
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE || code === BACKSLASH) bytes[this.length++] = BACKSLASH;
      bytes[this.length++] = code < SPACE || code > TILDE ? UNPRINTABLE : code;
    }
  }
}
