import type { Counters as HttpCounters } from "http-server/service";
import { ascii, asciiParts, LF } from "http-server/characters";
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
  /** The history in flash; undefined: there is none. */
  readonly records: { readonly failures: readonly number[]; readonly wear: number } | undefined;
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
  /** The label that tells samples apart, and its values, which need no escape. */
  readonly label?: string;
  readonly names?: readonly string[];
  /** The samples' values, no more than there are names; or all of them as bits, undefined if they are unknown. */
  readonly values?: (parts: Parts) => ArrayLike<Value>;
  readonly bits?: (parts: Parts) => Value;
  /** The labels of an info metric, and their texts: rows of the catalogue, or the longest of them, bytes (default MAX_LABEL_BYTES). */
  readonly labels?: readonly string[];
  readonly rows?: readonly TelemetryRow[];
  readonly text?: (parts: Parts, label: number) => string;
  readonly longest?: number;
}

/** A metric family with its fixed text as bytes. */
export interface Family extends Omit<Description, "name" | "help" | "type" | "label" | "names" | "labels"> {
  /**
   * HELP and TYPE lines, and the sample up to its value; of an info metric up to its labels. With a label: all samples, each with the value
   * 0, of which a scrape copies what is between the other values.
   */
  readonly head: Uint8Array;
  /** With a label: where the first sample begins in `head`. */
  readonly start?: number;
  /** With a label: where each sample's value is in `head`. */
  readonly places?: Uint16Array;
  /** Labels of an info metric, each up to its text. */
  readonly labels?: readonly Uint8Array[];
}

const headOf = ({ name, help, type }: Description): string => `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n`;

/** See `head` of Family. */
function samplesOf({ name, label, labels, names = [] }: Description): string {
  if (label !== undefined) return names.map((text) => `${name}{${label}="${text}"} 0\n`).join("");
  return labels ? name : `${name} `;
}

function placesIn(head: Uint8Array, start: number): Uint16Array {
  const places: number[] = [];
  for (let at = start; at < head.length; at++) if (head[at] === LF) places.push(at - 1);
  return Uint16Array.from(places);
}

const sent = (
  { name: _name, help: _help, type: _type, names: _names, label, labels, ...rest }: Description,
  head: Uint8Array,
  start: number,
): Family => ({
  head,
  ...(label !== undefined && { start, places: placesIn(head, start) }),
  ...(labels && { labels: labels.map((name, at) => ascii(`${at ? "," : "{"}${name}=`)) }),
  ...rest,
});

/** Encodes all fixed text as bytes, which stay in flash; the strings they are made from do not. */
export function families(descriptions: readonly Description[]): readonly Family[] {
  const heads = asciiParts(descriptions.map((description) => headOf(description) + samplesOf(description)));
  return Object.freeze(
    descriptions.map((description, at) => sent(description, heads[at] as Uint8Array, headOf(description).length)),
    true,
  );
}

export const isOne = (condition: boolean): 1 | 0 => (condition ? 1 : 0);
