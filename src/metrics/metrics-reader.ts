import { ascii } from "http-server/characters";
import type { BodySource } from "http-server/types";
import type { Getter } from "jk-bms/fields";
import { writeDecimal } from "json/decimal";
import TextEncoder from "text/encoder";
import { currentBlock, currentResult } from "../catalogue/read";
import type { TelemetryRow } from "../catalogue/telemetry";
import type { Family, Parts } from "./family";
import { MAX_END_BYTES, MAX_LABEL_BYTES, MAX_LINE_BYTES, MAX_SAMPLE_BYTES } from "./limits";
import { METRICS_TABLE } from "./table";
import { writeText } from "./text";

const CLOSE = 0x7d;
const SPACE = 0x20;
const LF = 0x0a;
const ZERO = 0x30;
/** Ends the label of a sample. */
const LABEL_END = ascii('"} ');

/**
 * Streams the metrics in the Prometheus text format 0.0.4, `name{label="text",…} value`, sample by sample: each value is read when its line
 * is written, so the text can be of any length without taking memory.
 */
export class MetricsReader implements BodySource {
  private readonly parts: Parts;
  /** The next family and sample. */
  private family = 0;
  private sample = 0;
  /** The family's head has been written. */
  private headed = false;
  /** The rest of a sample that did not fit a send window smaller than MAX_SAMPLE_BYTES. */
  private rest: Uint8Array | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  read(into: Uint8Array): number {
    if (this.rest) return this.pour(into, this.rest);
    const length = this.write(into);
    if (length || this.family === METRICS_TABLE.length) return length;
    // Not even one sample fits.
    const bytes = new Uint8Array(MAX_SAMPLE_BYTES);
    return this.pour(into, bytes.subarray(0, this.write(bytes)));
  }

  /** Writes as many samples as fit. */
  private write(into: Uint8Array): number {
    const { parts } = this;
    const table = METRICS_TABLE;
    const room = into.length - MAX_END_BYTES;
    let at = 0;
    let index = this.family;
    let integer: number | undefined;
    while (index < table.length) {
      const family = table[index] as Family;
      const { head, labels, values, row } = family;
      if (at + head.length > (labels ? into.length - MAX_LINE_BYTES : room)) break;
      if (values) {
        at = this.writeSamples(into, at, room - head.length, family, values(parts));
        if (this.sample) break;
      } else {
        integer = row ? this.rowValue(row, family.factor) : family.value?.(parts);
        if (integer !== undefined) {
          into.set(head, at);
          at += head.length;
          if (labels) at = this.writeLabels(into, at, family, labels);
          if (integer > 9 || integer < 0 || family.decimals) at = writeDecimal(into, at, integer, family.decimals ?? 0);
          else {
            into[at] = ZERO + integer;
            at++;
          }
          into[at] = LF;
          at++;
        }
      }
      index++;
    }
    this.family = index;
    return at;
  }

  /** The labels of an info metric. */
  private writeLabels(
    into: Uint8Array,
    at: number,
    { text, longest = MAX_LABEL_BYTES }: Family,
    labels: readonly Uint8Array[],
  ): number {
    for (let index = 0; index < labels.length; index++) {
      const label = labels[index] as Uint8Array;
      into.set(label, at);
      at = writeText(into, at + label.length, text?.(this.parts, index) ?? "", longest);
    }
    into[at] = CLOSE;
    into[at + 1] = SPACE;
    return at + 2;
  }

  /** Samples that differ in a label, from the next one; none starts after byte `limit`. */
  private writeSamples(
    into: Uint8Array,
    at: number,
    limit: number,
    family: Family,
    values: ArrayLike<number | undefined>,
  ): number {
    const { head, start = head, names, decimals = 0 } = family;
    const { length } = values;
    const encoder = new TextEncoder();
    let { sample } = this;
    let integer: number | undefined;
    let bytes = this.headed ? start : head;
    while (sample < length && at <= limit) {
      integer = values[sample];
      sample++;
      if (integer === undefined) continue;
      into.set(bytes, at);
      at += bytes.length;
      this.headed = true;
      if (names) {
        bytes = encoder.encode(names[sample - 1] as string);
        into.set(bytes, at);
        at += bytes.length;
      } else at = writeDecimal(into, at, sample, 0);
      into.set(LABEL_END, at);
      at += 3;
      bytes = start;
      if (integer > 9 || integer < 0 || decimals) at = writeDecimal(into, at, integer, decimals);
      else {
        into[at] = ZERO + integer;
        at++;
      }
      into[at] = LF;
      at++;
    }
    if (sample < length) this.sample = sample;
    else {
      this.sample = 0;
      this.headed = false;
    }
    return at;
  }

  /** The row's current value as a number. */
  private rowValue({ source, quantity }: TelemetryRow, factor = 1): number | undefined {
    const { monitor } = this.parts;
    if (typeof source === "function") {
      const value = currentResult(source, monitor);
      return value === undefined ? undefined : Number(value) * factor;
    }
    const image = currentBlock(monitor, source.block);
    if (!image) return undefined;
    const raw = image.view[source.getter as Getter](source.offset, image.littleEndian);
    return quantity.kind === "boolean" ? Number(raw !== 0) : raw * factor;
  }

  private pour(into: Uint8Array, from: Uint8Array): number {
    const length = Math.min(into.length, from.length);
    into.set(from.subarray(0, length));
    this.rest = length < from.length ? from.subarray(length) : undefined;
    return length;
  }
}
