import type { BodySource } from "http-server/types";
import type { Family, Parts } from "./family";
import { Line } from "./line";
import { METRICS_TABLE } from "./table";

/**
 * The metrics in the Prometheus text format 0.0.4, a sample at a time: each is read when its line is made, so that the text is as long as
 * it likes and takes no memory. It goes on where it stopped, in the middle of a line if need be.
 */
export class MetricsReader implements BodySource {
  private readonly parts: Parts;
  private readonly line = new Line();
  /** The family, and its sample, that come next. */
  private family = 0;
  private sample = 0;
  /** The family's head is out, or under way. */
  private headed = false;
  /** A head is under way; then the line follows. */
  private head: Uint8Array | undefined;
  private at = 0;
  private used = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  read(into: Uint8Array): number {
    let length = 0;
    while (length < into.length) {
      const from = this.head ?? this.line.bytes;
      const left = (this.head ? from.length : this.used) - this.at;
      if (left) {
        const part = Math.min(left, into.length - length);
        into.set(from.subarray(this.at, this.at + part), length);
        length += part;
        this.at += part;
      } else if (this.head) {
        this.head = undefined;
        this.at = 0;
      } else if (!this.next()) break;
    }
    return length;
  }

  /** Makes the next line. False: there is none. */
  private next(): boolean {
    for (let family = METRICS_TABLE[this.family]; family; family = METRICS_TABLE[this.family]) {
      while (this.sample < family.size) {
        const index = this.sample++;
        const value = family.value(this.parts, index, family);
        if (value === undefined) continue;
        this.write(family, index, value);
        return true;
      }
      this.family++;
      this.sample = 0;
      this.headed = false;
    }
    return false;
  }

  private write(family: Family, index: number, value: number): void {
    const line = this.line;
    line.begin(family.start);
    family.labels?.(line, this.parts, index);
    this.used = line.end(value, family.decimals);
    this.at = 0;
    if (!this.headed) this.head = family.head;
    this.headed = true;
  }
}
