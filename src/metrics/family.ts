import type { Counters as HttpCounters } from "http-server/counters";
import { ascii, asciiParts } from "http-server/characters";
import type { LinkStatistics, ReadMode } from "jk-bms/types";
import type { TelemetryRow } from "../catalogue/telemetry";
import type { WriteCounters } from "../bms/write-counters";
import type { Device } from "../parts/device";

/** Sources of the metrics. */
export interface Parts extends Pick<Device, "settings" | "relay" | "sensors" | "energy" | "memory" | "build"> {
  readonly monitor: Device["monitor"] & {
    readonly uptime: number;
    readonly telemetryAge: number | undefined;
    readonly polls: number;
    readonly lostPolls: number;
    readonly writeCounters: WriteCounters;
    readonly link: { readonly statistics: LinkStatistics; readonly activeReadMode: ReadMode } | undefined;
  };
  readonly start: Omit<Device["start"], "safe">;
  http(): HttpCounters;
}

/** Values are integers in units of 10 ** -decimals; undefined: unknown, or not there. */
type Value = number | undefined;

/** A metric family as declared in its table: one sample, samples that differ in one label, or one that informs by its labels. */
export interface Description {
  /** Follows Prometheus conventions: base units, `_total` for counters. Must never change. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** Decimal places of the values. Default 0. */
  readonly decimals?: number;
  /** The value of the only sample; of an informing family always 1. */
  readonly value?: (parts: Parts) => Value;
  /** In place of `value`: the telemetry row to read, and the factor to the metric's unit. Default 1. */
  readonly row?: TelemetryRow;
  readonly factor?: number;
  /** The label of several samples, their values, and those of the label, one for each sample. Default: numbers from 1. */
  readonly label?: string;
  readonly values?: (parts: Parts) => ArrayLike<Value>;
  readonly names?: readonly string[];
  /** The labels of an informing family, their texts, and the longest text, bytes. Default MAX_LABEL_BYTES. */
  readonly labels?: readonly string[];
  readonly text?: (parts: Parts, label: number) => string;
  readonly longest?: number;
}

/** A metric family with its fixed text as bytes. */
export interface Family extends Omit<Description, "name" | "help" | "type" | "label" | "labels"> {
  /** The lines before the samples, and the first sample up to its value or to the text of its label. */
  readonly head: Uint8Array;
  /** The end of `head`, with which the further ones of several samples begin. */
  readonly start?: Uint8Array;
  /** Labels of an informing family, each up to its text. */
  readonly labels?: readonly Uint8Array[];
}

/** A sample up to its value or to the text of its label. */
function startOf({ name, label, labels }: Description): string {
  if (labels) return name;
  return label === undefined ? `${name} ` : `${name}{${label}="`;
}

const sent = (
  { name: _name, help: _help, type: _type, label, labels, ...rest }: Description,
  head: Uint8Array,
  start: number,
): Family => ({
  head,
  ...(label !== undefined && { start: head.subarray(start) }),
  ...(labels && { labels: labels.map((name, at) => ascii(`${at ? "," : "{"}${name}=`)) }),
  ...rest,
});

/** Encodes all fixed text as bytes, which stay in flash; the strings they are made from do not. */
export function families(descriptions: readonly Description[]): readonly Family[] {
  const starts = descriptions.map(startOf);
  const heads = asciiParts(
    descriptions.map(({ name, help, type }, at) => `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n${starts[at]}`),
  );
  return Object.freeze(
    descriptions.map((description, at) => {
      const head = heads[at] as Uint8Array;
      return sent(description, head, head.length - (starts[at] as string).length);
    }),
    true,
  );
}

export const isOne = (condition: boolean): 1 | 0 => (condition ? 1 : 0);
