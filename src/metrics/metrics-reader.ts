import type { BodySource } from "http-server/types";
import type { Family, Parts } from "./family";
import { MAX_SAMPLE_BYTES } from "./limits";
import { Line } from "./line";
import { METRICS_TABLE } from "./table";

/**
 * Streams the metrics in the Prometheus text format 0.0.4, sample by sample: each value is read when its line is written, so the text can
 * be of any length without taking memory.
 */
export class MetricsReader implements BodySource {
  private readonly parts: Parts;
  private readonly line = new Line();
  /** The next family and sample. */
  private family = 0;
  private sample = 0;
  /** The family's header has been sent. */
  private headed = false;
  /** The rest of a sample that did not fit a send window smaller than MAX_SAMPLE_BYTES. */
  private rest: Uint8Array | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  read(into: Uint8Array): number {
    if (this.rest) return this.pour(into, this.rest);
    if (into.length < MAX_SAMPLE_BYTES) {
      const bytes = new Uint8Array(MAX_SAMPLE_BYTES);
      return this.pour(into, bytes.subarray(0, this.read(bytes)));
    }
    const { line, parts } = this;
    const limit = into.length - MAX_SAMPLE_BYTES;
    let at = 0;
    for (; this.family < METRICS_TABLE.length; this.family++) {
      const family = METRICS_TABLE[this.family] as Family;
      const { size = 1, start, decimals = 0 } = family;
      for (; this.sample < size; this.sample++) {
        if (at > limit) return at;
        const value = family.value(parts, this.sample, family);
        if (value === undefined) continue;
        if (!this.headed) {
          into.set(family.head, at);
          at += family.head.length;
          this.headed = true;
        }
        line.begin(into, at, start);
        family.labels?.(line, parts, this.sample);
        at = line.end(value, decimals);
      }
      this.sample = 0;
      this.headed = false;
    }
    return at;
  }

  private pour(into: Uint8Array, from: Uint8Array): number {
    const length = Math.min(into.length, from.length);
    into.set(from.subarray(0, length));
    this.rest = length < from.length ? from.subarray(length) : undefined;
    return length;
  }
}
