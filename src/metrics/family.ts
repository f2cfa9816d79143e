import type { Counters as HttpCounters } from "http-server/service";
import type { LinkStatistics } from "jk-bms/types";
import type { WriteCounters } from "../bms/write-counters";
import type { Monitor } from "../bms/types";
import type { BusPack } from "../packs/types";
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
  /** Metrics without a label for the pack are the first's; of several packs the bank and each of them follow behind all else. */
  readonly monitor: Monitor & {
    readonly uptime: number;
    readonly writeCounters: WriteCounters;
    readonly bus: { readonly statistics: LinkStatistics } | undefined;
  };
  readonly start: Start;
  http(): HttpCounters;
}

/** An integer in units of 10 ** -decimals; undefined: unknown or absent. */
export type Value = number | undefined;

/** The values of a family: of its only sample, or of all of them, in the order of their names; those of 0 and 1 may be the bits of a number. */
export type Values = Value | ArrayLike<Value>;

/** A metric family: a single sample, one sample per value of a label, or an info metric. */
export interface Description {
  /** Follows Prometheus conventions: base units, `_total` for counters. Must never change. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** Decimal places of the values. Default 0. */
  readonly decimals?: number;
  /** The label that tells samples apart, and its values, which need no escape. */
  readonly label?: string;
  readonly names?: readonly string[];
  /** With a label: the values are written with all their decimals, 0.000, so that those below 10 are as long as the zero that is there. */
  readonly isPadded?: boolean;
  /** The labels of an info metric. */
  readonly labels?: readonly string[];
}

/** Families whose values one function returns, in their order: a function for each would take more flash than its value is worth. */
export interface Group {
  readonly descriptions: readonly Description[];
  readonly values: (pack: BusPack, parts: Parts) => readonly Values[];
}

/** HELP and TYPE lines. */
export const headOf = ({ name, help, type }: Description): string =>
  `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n`;

const zeroOf = ({ isPadded = false, decimals = 0 }: Description): string =>
  isPadded ? `0.${"0".repeat(decimals)}` : "0";

/** Each sample up to its value. */
const samplesOf = ({ name, label, names = [] }: Description): readonly string[] =>
  label === undefined ? [`${name} `] : names.map((text) => `${name}{${label}="${text}"} `);

/** All metrics but the info metrics. A text is written by one native call; a view of bytes would take four slots of flash in addition. */
export interface Table {
  /** By family: HELP and TYPE lines, and its sample up to its value; with a label: all samples, in which every value is 0. */
  readonly texts: readonly string[];
  /** By family with a label: where its first sample begins in its text; 0 without a label. */
  readonly starts: Uint8Array;
  /** By family: its first sample; the last of them is the end. By sample: where its value is in its family's text. */
  readonly firsts: Uint16Array;
  readonly places: Uint16Array;
  /** By family: decimals of the values, and bytes of the zero. */
  readonly decimals: Int8Array;
  readonly widths: Uint8Array;
  /** By group: the first family behind it, and its values. */
  readonly ends: readonly number[];
  readonly values: readonly Group["values"][];
}

export function tableOf(groups: readonly Group[]): Table {
  const families = groups.flatMap(({ descriptions }) => descriptions);
  const zeros = families.map(zeroOf);
  const places: number[] = [];
  const starts: number[] = [];
  const firsts: number[] = [];
  const texts = families.map((description, at) => {
    let text = headOf(description);
    starts.push(description.label === undefined ? 0 : text.length);
    firsts.push(places.length);
    for (const sample of samplesOf(description)) {
      text += sample;
      places.push(text.length);
      if (description.label !== undefined) text += `${zeros[at]}\n`;
    }
    return text;
  });
  firsts.push(places.length);
  let end = 0;
  return Object.freeze(
    {
      texts,
      starts: Uint8Array.from(starts),
      firsts: Uint16Array.from(firsts),
      places: Uint16Array.from(places),
      decimals: Int8Array.from(families, ({ decimals = 0 }) => decimals),
      widths: Uint8Array.from(zeros, ({ length }) => length),
      ends: groups.map(({ descriptions }) => (end += descriptions.length)),
      values: groups.map(({ values }) => values),
    },
    true,
  );
}

export const isOne = (condition: boolean): 1 | 0 => (condition ? 1 : 0);
