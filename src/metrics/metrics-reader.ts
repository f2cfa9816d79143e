import type { BodySource } from "http-server/types";
import { writeText } from "json/bytes";
import { writeDecimal } from "json/decimal";
import TextEncoder from "text/encoder";
import type { BusPack } from "../packs/types";
import type { Group, Parts, Value, Values } from "./family";
import { BankSamples } from "./bank-samples";
import { INFO_HEADS, isKnown, writeLabels } from "./infos";
import { MAX_LINE_BYTES, MAX_SAMPLE_BYTES, MAX_VALUE_BYTES } from "./limits";
import { LAST_OF_BMS, METRICS_TABLE } from "./table";

const LF = 0x0a;
const ZERO = 0x30;
const NONE: readonly Values[] = Object.freeze([], true);
/** A value of one digit with its line end. */
const DIGIT_BYTES = 2;
/** A padded value is as long as its zero below 10, of three decimals. */
const PADDED = 10_000;

/** Samples of 0 and 1: a family's whole text, in which the samples from `first` on are 0. */
function writeBits(into: Uint8Array, at: number, text: string, first: number, bits: number): number {
  const { places } = METRICS_TABLE;
  new TextEncoder().encodeInto(text, into.subarray(at));
  while (bits) {
    if (bits & 1) into[at + (places[first] as number)] = ZERO + 1;
    first++;
    bits >>>= 1;
  }
  return at + text.length;
}

/** Bits as the values of `count` samples. */
function bitsOf(bits: number, count: number): readonly number[] {
  const values: number[] = [];
  for (let sample = 0; sample < count; sample++) values[sample] = (bits >>> sample) & 1;
  return values;
}

/**
 * Streams the metrics in the Prometheus text format 0.0.4, `name{label="text",…} value`, as much at a time as the send window takes. The values
 * of a group are read when its first line is written, and kept until it is sent.
 */
export class MetricsReader implements BodySource {
  private readonly pack: BusPack;
  private readonly parts: Parts | undefined;
  /** How many info metrics and families there are. */
  private readonly infos: number;
  private readonly families: number;
  /** Of several packs, after all others. From the start: the HTTP server asks for memory before a request, not in the middle of its answer. */
  private readonly bank: BankSamples | undefined;
  /** The next info metric. */
  private info = 0;
  /** The next family; its next sample, and whether its HELP and TYPE lines have been written. */
  private family = 0;
  private sample = 0;
  private headed = false;
  /** Of the group of `family`: its values, its first family, the family behind it, and the next group. */
  private values: readonly Values[] = NONE;
  private base = 0;
  private end = 0;
  private group = 0;
  /** The rest of a sample that did not fit a send window smaller than MAX_SAMPLE_BYTES. */
  private rest: Uint8Array | undefined;

  /**
   * @param pack whose metrics have no label for it
   * @param parts undefined: nothing but what is known of the pack
   */
  constructor(pack: BusPack, parts?: Parts) {
    this.pack = pack;
    this.parts = parts;
    this.infos = parts ? INFO_HEADS.length : 1;
    this.families = parts ? METRICS_TABLE.texts.length : (METRICS_TABLE.ends[LAST_OF_BMS] as number);
    const packs = parts?.monitor.packs;
    if (packs && packs.length > 1) this.bank = new BankSamples(packs);
  }

  read(into: Uint8Array): number {
    if (this.rest) return this.pour(into, this.rest);
    const length = this.write(into);
    if (length || (this.family === this.families && (this.bank?.done ?? true))) return length;
    // Not even one sample fits.
    const bytes = new Uint8Array(MAX_SAMPLE_BYTES);
    return this.pour(into, bytes.subarray(0, this.write(bytes)));
  }

  /** Writes as many samples as fit. */
  private write(into: Uint8Array): number {
    let at = this.writeInfos(into);
    if (this.info < this.infos) return at;
    at = this.writeFamilies(into, at);
    return this.family < this.families || !this.bank ? at : this.bank.write(into, at);
  }

  private writeInfos(into: Uint8Array): number {
    const { pack, parts } = this;
    const heads = INFO_HEADS;
    let at = 0;
    for (; this.info < this.infos; this.info++) {
      if (!isKnown(this.info, pack)) continue;
      const head = heads[this.info] as string;
      if (at + head.length + MAX_LINE_BYTES > into.length) break;
      at = writeLabels(into, writeText(into, at, head), this.info, pack, parts);
      into[at] = ZERO + 1;
      into[at + 1] = LF;
      at += DIGIT_BYTES;
    }
    return at;
  }

  /** From the next family on, at byte `at` of `into`. */
  private writeFamilies(into: Uint8Array, at: number): number {
    const { texts, starts, decimals } = METRICS_TABLE;
    const count = this.families;
    const encoder = new TextEncoder();
    // No value begins behind it.
    const limit = into.length - MAX_VALUE_BYTES;
    let { family, values, base } = this;
    // Outside the loop: XS makes what a block declares anew each time.
    let found: Values;
    let text = "";
    let end = 0;
    while (family < count) {
      if (family === this.end) ({ values, base } = this.next(family));
      found = values[family - base];
      if (found !== undefined) {
        if (typeof found !== "number" || starts[family]) {
          this.family = family;
          at = this.writeSamples(into, at, limit, found);
          if (this.family === family) return at;
        } else {
          text = texts[family] as string;
          end = at + text.length;
          if (end > limit) break;
          encoder.encodeInto(text, into.subarray(at));
          at = end;
          if (found > 9 || found < 0 || decimals[family])
            at = writeDecimal(into, at, found, decimals[family] as number);
          else {
            into[at] = ZERO + found;
            at++;
          }
          into[at] = LF;
          at++;
        }
      }
      family++;
    }
    this.family = family;
    return at;
  }

  /** Samples of `family` that differ in a label, from the next one on; after the last of them, `family` is the next one. */
  private writeSamples(into: Uint8Array, at: number, limit: number, found: number | ArrayLike<Value>): number {
    const { family } = this;
    const { firsts, places } = METRICS_TABLE;
    const text = METRICS_TABLE.texts[family] as string;
    const start = METRICS_TABLE.starts[family] as number;
    const decimals = METRICS_TABLE.decimals[family] as number;
    const lineEnd = (METRICS_TABLE.widths[family] as number) + 1;
    const first = firsts[family] as number;
    const isBits = typeof found === "number";
    if (isBits && !this.sample && at + text.length <= limit) {
      this.family++;
      return writeBits(into, at, text, first, found);
    }
    const values = isBits ? bitsOf(found, (firsts[family + 1] as number) - first) : found;
    // Values below it are as long as the zero.
    const most = isBits ? 2 : lineEnd > DIGIT_BYTES ? PADDED : decimals ? 1 : 10;
    const { length } = values;
    const encoder = new TextEncoder();
    let { sample, headed } = this;
    let value: Value;
    let line = 0;
    let place = 0;
    let last = 0;
    while (sample < length) {
      value = values[sample];
      if (value === undefined) {
        sample++;
        continue;
      }
      line = sample ? (places[first + sample - 1] as number) + lineEnd : start;
      place = places[first + sample] as number;
      if (at + place - line + (headed ? 0 : start) > limit) break;
      if (!headed) {
        encoder.encodeInto(text.substring(0, start), into.subarray(at));
        at += start;
        headed = true;
      }
      // At once all of the next ones that fit, are known, and are as long as their zeros.
      last = sample;
      while (last < length) {
        value = values[last];
        // False if it is unknown.
        if (!((value as number) >= 0 && (value as number) < most)) break;
        place = places[first + last] as number;
        if (at + place - line > limit) break;
        last++;
      }
      if (last === sample) {
        encoder.encodeInto(text.substring(line, place), into.subarray(at));
        at = writeDecimal(into, at + place - line, values[sample] as number, decimals);
        into[at] = LF;
        at++;
        sample++;
        continue;
      }
      place = (places[first + last - 1] as number) + lineEnd;
      encoder.encodeInto(text.substring(line, place), into.subarray(at));
      at -= line;
      while (sample < last) {
        value = values[sample];
        if (value) writeDecimal(into, at + (places[first + sample] as number), value, decimals);
        sample++;
      }
      at += place;
    }
    this.sample = sample;
    this.headed = headed;
    if (sample === length) {
      this.family++;
      this.sample = 0;
      this.headed = false;
    }
    return at;
  }

  /** Reads the values of the group that begins with `family`. */
  private next(family: number): this {
    const { ends, values } = METRICS_TABLE;
    const { group } = this;
    this.base = family;
    this.end = ends[group] as number;
    this.group++;
    this.values = (values[group] as Group["values"])(this.pack, this.parts as Parts);
    return this;
  }

  private pour(into: Uint8Array, from: Uint8Array): number {
    const length = Math.min(into.length, from.length);
    into.set(from.subarray(0, length));
    this.rest = length < from.length ? from.subarray(length) : undefined;
    return length;
  }
}
