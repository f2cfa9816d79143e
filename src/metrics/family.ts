import type { Counters as HttpCounters } from "http-server/service";
import { ascii, asciiParts } from "http-server/characters";
import type { LinkStatistics, ReadMode } from "jk-bms/types";
import type { TelemetryRow } from "../catalogue/telemetry";
import type { WriteCounters } from "../bms/write-counters";
import type { Monitor } from "../bms/types";
import type { Energy } from "../energy/types";
import type { MemoryFigures, Start } from "../health/types";
import type { Relay } from "../relay/types";
import type { Build } from "../runtime/build";
import type { Sensors } from "../sensors/types";
import type { Settings } from "../settings/types";

/** Sources of the metrics. */
export interface Parts {
  readonly build: Pick<Build, "version" | "build" | "boardVersion">;
  readonly settings: Pick<Settings, "relay" | "monitoring">;
  readonly relay: Pick<Relay, "value" | "mode">;
  readonly sensors: Pick<Sensors, "input" | "temperature" | "voltage">;
  readonly energy: Pick<Energy, "stored"> | undefined;
  readonly memory: MemoryFigures;
  /** Parts that could not be started. */
  readonly parts: { readonly problems: readonly string[] };
  readonly monitor: Monitor & {
    readonly uptime: number;
    readonly telemetryAge: number | undefined;
    readonly polls: number;
    readonly lostPolls: number;
    readonly writeCounters: WriteCounters;
    readonly link: { readonly statistics: LinkStatistics; readonly activeReadMode: ReadMode } | undefined;
  };
  readonly start: Start;
  http(): HttpCounters;
}

/** Values are integers in units of 10 ** -decimals; undefined: unknown or absent. */
type Value = number | undefined;

/** A metric family as declared in its table: a single sample, one sample per value of a label, or an info metric. */
export interface Description {
  /** Follows Prometheus conventions: base units, `_total` for counters. Must never change. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** Decimal places of the values. Default 0. */
  readonly decimals?: number;
  /** The value of a single sample; always 1 for an info metric. */
  readonly value?: (parts: Parts) => Value;
  /** Instead of `value`: the telemetry row to read, and the factor to the metric's unit (default 1). */
  readonly row?: TelemetryRow;
  readonly factor?: number;
  /** The label that tells samples apart, the samples' values, and the label's values (default: 1, 2 …). */
  readonly label?: string;
  readonly values?: (parts: Parts) => ArrayLike<Value>;
  readonly names?: readonly string[];
  /** The labels of an info metric, their texts, and the longest text, bytes (default MAX_LABEL_BYTES). */
  readonly labels?: readonly string[];
  readonly text?: (parts: Parts, label: number) => string;
  readonly longest?: number;
}

/** A metric family with its fixed text as bytes. */
export interface Family extends Omit<Description, "name" | "help" | "type" | "label" | "labels"> {
  /** HELP and TYPE lines, and the first sample up to its value or its label's text. */
  readonly head: Uint8Array;
  /** The end of `head`: the start of every further sample. */
  readonly start?: Uint8Array;
  /** Labels of an info metric, each up to its text. */
  readonly labels?: readonly Uint8Array[];
}

/** A sample up to its value or its label's text. */
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
