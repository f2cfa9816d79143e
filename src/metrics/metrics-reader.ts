import type { BodySource } from "http-server/types";
import { UNPRINTABLE, type Getter } from "jk-bms/fields";
import type { BlockImage } from "jk-bms/types";
import { writeAscii } from "json/bytes";
import { writeDecimal } from "json/decimal";
import type { Pack } from "../catalogue/pack";
import { currentBlock, currentResult, read } from "../catalogue/read";
import type { Row, Value } from "../catalogue/row";
import type { TelemetryRow } from "../catalogue/telemetry";
import type { Family, Parts } from "./family";
import { MAX_LABEL_BYTES, MAX_LINE_BYTES, MAX_SAMPLE_BYTES, MAX_VALUE_BYTES } from "./limits";
import { METRICS_TABLE } from "./table";
import { writeText } from "./text";

const CLOSE = 0x7d;
const SPACE = 0x20;
const LF = 0x0a;
const ZERO = 0x30;
const ONE = 0x31;
/** Without a label. */
const NONE = new Uint16Array(0);

function copy(into: Uint8Array, at: number, head: Uint8Array, from: number, to: number): number {
  into.set(head.subarray(from, to), at);
  return at + to - from;
}

/** A row's text, from the bytes that the BMS sent: most of its texts are shorter than a string of them would be expensive. */
function writeRow(into: Uint8Array, at: number, pack: Pack, row: Row): number {
  const { source } = row;
  const image = typeof source === "function" ? undefined : currentBlock(pack, source.block);
  if (!image || typeof source === "function")
    return writeText(into, at, String(read(row, pack) ?? ""), MAX_LABEL_BYTES);
  return writeAscii(into, at, image.view, source.offset, source.length, UNPRINTABLE);
}

/** All samples at once: those of bits that are set are 1. */
function writeBits(into: Uint8Array, at: number, head: Uint8Array, places: Uint16Array, bits: number): number {
  let sample = 0;
  into.set(head, at);
  while (bits) {
    if (bits & 1) into[at + (places[sample] as number)] = ONE;
    sample++;
    bits >>>= 1;
  }
  return at + head.length;
}

/**
 * Streams the metrics in the Prometheus text format 0.0.4, `name{label="text",…} value`, sample by sample: each value is read when its line
 * is written, so the text can be of any length without taking memory.
 */
export class MetricsReader implements BodySource {
  private readonly parts: Parts;
  /** The next family and sample. */
  private family = 0;
  private sample = 0;
  /** The family's HELP and TYPE lines have been written. */
  private headed = false;
  /** Some of the family's samples are still to be written. */
  private begun = false;
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
    const { monitor } = parts;
    const table = METRICS_TABLE;
    const room = into.length - MAX_VALUE_BYTES;
    const longRoom = into.length - MAX_LINE_BYTES;
    let at = 0;
    let end = 0;
    let index = this.family;
    let integer: number | undefined;
    // Outside the loop: XS makes what a block declares anew each time.
    let family: Family;
    let head: Uint8Array;
    let row: TelemetryRow | undefined;
    let value: Family["value"];
    let labels: Family["labels"];
    let source: Row["source"];
    // Most rows read the same block as the previous one.
    let block = 0;
    let image: BlockImage | undefined;
    let raw: Value | undefined;
    while (index < table.length) {
      family = table[index] as Family;
      ({ row, value } = family);
      if (row) {
        ({ source } = row);
        if (typeof source === "function") raw = currentResult(source, monitor);
        else {
          if (source.block !== block) {
            ({ block } = source);
            image = currentBlock(monitor, source.block);
          }
          raw = image?.view[source.getter as Getter](source.offset, image.littleEndian);
        }
        if (raw === undefined) integer = undefined;
        else if (row.quantity.kind === "boolean") integer = raw ? 1 : 0;
        else integer = family.factor ? (raw as number) * family.factor : (raw as number);
      } else if (value) integer = value(parts);
      else {
        at = this.writeSamples(into, at, room, family);
        if (this.begun) break;
        index++;
        continue;
      }
      if (integer !== undefined) {
        ({ head, labels } = family);
        end = at + head.length;
        if (end > (labels ? longRoom : room)) break;
        into.set(head, at);
        at = labels ? this.writeLabels(into, end, family, labels) : end;
        if (integer > 9 || integer < 0 || family.decimals) at = writeDecimal(into, at, integer, family.decimals ?? 0);
        else {
          into[at] = ZERO + integer;
          at++;
        }
        into[at] = LF;
        at++;
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
    { text, rows, longest = MAX_LABEL_BYTES }: Family,
    labels: readonly Uint8Array[],
  ): number {
    const { parts } = this;
    for (let index = 0; index < labels.length; index++) {
      const label = labels[index] as Uint8Array;
      into.set(label, at);
      at += label.length;
      at = rows
        ? writeRow(into, at, parts.monitor, rows[index] as Row)
        : writeText(into, at, text?.(parts, index) ?? "", longest);
    }
    into[at] = CLOSE;
    into[at + 1] = SPACE;
    return at + 2;
  }

  /** Samples that differ in a label, from the next one; no value begins after byte `limit`. Sets `begun` if there are more. */
  private writeSamples(into: Uint8Array, at: number, limit: number, family: Family): number {
    const { parts } = this;
    const { head, start = 0, places = NONE, decimals = 0 } = family;
    const bits = family.bits?.(parts);
    const values = family.values?.(parts);
    if (bits !== undefined && !this.begun && at + head.length <= limit) return writeBits(into, at, head, places, bits);
    const length = values?.length ?? (bits === undefined ? 0 : places.length);
    let { sample, headed } = this;
    let integer: number | undefined;
    let line = 0;
    let place = 0;
    // `head` from here on is still to be copied; -1: nothing of it.
    let from = -1;
    while (sample < length) {
      integer = values ? values[sample] : ((bits as number) >>> sample) & 1;
      place = places[sample] as number;
      if (integer === undefined || from < 0) {
        line = sample ? (places[sample - 1] as number) + 2 : start;
        if (integer === undefined) {
          if (from >= 0) at = copy(into, at, head, from, line);
          from = -1;
          sample++;
          continue;
        }
        if (at + place - line + (headed ? 0 : start) > limit) break;
        if (!headed && sample) at = copy(into, at, head, 0, start);
        from = headed || sample ? line : 0;
        headed = true;
      } else if (at + place - from > limit) break;
      sample++;
      if (integer === 0) continue;
      into.set(head.subarray(from, place), at);
      at += place - from;
      from = place + 1;
      if (integer > 9 || integer < 0 || decimals) at = writeDecimal(into, at, integer, decimals);
      else {
        into[at] = ZERO + integer;
        at++;
      }
    }
    if (from >= 0) at = copy(into, at, head, from, (places[sample - 1] as number) + 2);
    this.begun = sample < length;
    this.sample = this.begun ? sample : 0;
    this.headed = this.begun && headed;
    return at;
  }

  private pour(into: Uint8Array, from: Uint8Array): number {
    const length = Math.min(into.length, from.length);
    into.set(from.subarray(0, length));
    this.rest = length < from.length ? from.subarray(length) : undefined;
    return length;
  }
}
