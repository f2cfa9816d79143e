import type { BodySource } from "http-server/types";
import { writeText } from "json/bytes";
import type { BusPack } from "../packs/types";
import type { Turns } from "../endpoints/turns";
import { bitOf, type Group, type Parts, type Value, type Values } from "./family";
import { BankSamples } from "./bank-samples";
import { INFO_HEADS, isKnown, labelsOf } from "./infos";
import { MAX_LINE_BYTES, MAX_SAMPLE_BYTES } from "./limits";
import { LAST_OF_BMS, METRICS_TABLE } from "./table";
import { headOf, nameOf, writeSample } from "./text";

const NONE: readonly Values[] = Object.freeze([], true);

/** The value of a sample with a label; of bits it is 0 or 1. */
const sampleOf = (found: number | ArrayLike<Value>, sample: number): Value =>
  typeof found === "number" ? bitOf(found, sample) : found[sample];

/**
 * Streams the metrics in the Prometheus text format 0.0.4, `name{label="text",…} value`, as much at a time as the send window takes. The values
 * of a group are read when its first line is written, and kept until it is sent.
 */
export class MetricsReader implements BodySource {
  private readonly pack: BusPack;
  private readonly parts: Parts | undefined;
  private readonly scrapes: Turns | undefined;
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
   * @param scrapes of which it is one
   */
  constructor(pack: BusPack, parts?: Parts, scrapes?: Turns) {
    this.pack = pack;
    this.scrapes = scrapes;
    this.parts = parts;
    this.infos = parts ? INFO_HEADS.length : 1;
    this.families = parts ? METRICS_TABLE.texts.length : (METRICS_TABLE.ends[LAST_OF_BMS] as number);
    const packs = parts?.monitor.packs;
    // One pack alone is the bank: its samples would be there twice.
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

  close(): void {
    this.scrapes?.end();
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
      at = writeText(into, at, `${head}${labelsOf(this.info, pack, parts)} 1\n`);
    }
    return at;
  }

  /** From the next sample on, at byte `at` of `into`. */
  private writeFamilies(into: Uint8Array, at: number): number {
    const { texts, decimals, labelled, labels, names } = METRICS_TABLE;
    for (; this.family < this.families; this.family++) {
      const { family } = this;
      if (family === this.end) this.next();
      const found = this.values[family - this.base];
      if (found === undefined) continue;
      const text = texts[family] as string;
      const name = nameOf(text);
      const label = labelled[family] as number;
      const samples = names[label] as readonly string[];
      const start = `${name}{${labels[label]}="`;
      for (const count = samples.length || 1; this.sample < count; this.sample++) {
        const value = label ? sampleOf(found, this.sample) : (found as number);
        if (value === undefined) continue;
        const lead = label ? `${start}${samples[this.sample]}"} ` : `${name} `;
        const next = writeSample(
          into,
          at,
          this.headed ? lead : headOf(name, text) + lead,
          value,
          decimals[family] as number,
        );
        if (next === at) return at;
        at = next;
        this.headed = true;
      }
      this.sample = 0;
      this.headed = false;
    }
    return at;
  }

  /** Reads the values of the group that begins with the next family. */
  private next(): void {
    const { ends, values } = METRICS_TABLE;
    this.base = this.end;
    this.end = ends[this.group] as number;
    this.values = (values[this.group] as Group["values"])(this.pack, this.parts as Parts);
    this.group++;
  }

  private pour(into: Uint8Array, from: Uint8Array): number {
    const length = Math.min(into.length, from.length);
    into.set(from.subarray(0, length));
    this.rest = length < from.length ? from.subarray(length) : undefined;
    return length;
  }
}
