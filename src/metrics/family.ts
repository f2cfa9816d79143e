import type { Counters as HttpCounters } from "http-server/service";
import type { LinkStatistics } from "jk-bms/types";
import type { WriteCounters } from "../bms/write-counters";
import type { Monitor } from "../bms/types";
import type { ConditionSource } from "../conditions/types";
import type { BusPack } from "../packs/types";
import type { Turns } from "../endpoints/turns";
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
  /** Parts that have failed; and how often a callback has thrown. */
  readonly parts: { readonly problems: readonly string[]; readonly faults: number };
  readonly conditions: Pick<ConditionSource, "presentOf">;
  /** Metrics without a label for the pack are the first's; of several packs the bank and each of them follow behind all else. */
  readonly monitor: Monitor & {
    readonly uptime: number;
    readonly writeCounters: WriteCounters;
    readonly bus: { readonly statistics: LinkStatistics } | undefined;
  };
  readonly start: Start;
  readonly scrapes: Turns;
  http(): HttpCounters;
}

/** An integer in units of 10 ** -decimals; undefined: unknown or absent. */
export type Value = number | undefined;

/** The values of a family: of its only sample, or of all of them, in the order of their names; those of 0 and 1 may be the bits of a number below 2 ** 53. */
export type Values = Value | ArrayLike<Value>;

/** A metric family: a single sample, one sample per value of a label, or an info metric. */
export interface Description {
  /** Follows Prometheus conventions: base units, `_total` for counters and nothing else. Must never change. */
  readonly name: string;
  readonly help: string;
  /** Decimal places of the values. Default 0. */
  readonly decimals?: number;
  /** The label that distinguishes samples, and its values, which need no escape. */
  readonly label?: string;
  readonly names?: readonly string[];
  /** The labels of an info metric. */
  readonly labels?: readonly string[];
}

/** Families whose values one function returns, in their order: a function for each would take more flash than its value is worth. */
export interface Group {
  readonly descriptions: readonly Description[];
  readonly values: (pack: BusPack, parts: Parts) => readonly Values[];
}

/** All families but the info metrics. */
export interface Table {
  /** By family: its name and its help, with a blank between them. */
  readonly texts: readonly string[];
  /** By family: decimals of the values. */
  readonly decimals: Int8Array;
  /** By family: the place of its label; 0: none. */
  readonly labelled: Uint8Array;
  /** From place 1 on, the labels that families have: their names, and the values of each. */
  readonly labels: readonly string[];
  readonly names: readonly (readonly string[])[];
  /** By group: the first family behind it, and its values. */
  readonly ends: readonly number[];
  readonly values: readonly Group["values"][];
}

export function tableOf(groups: readonly Group[]): Table {
  const families = groups.flatMap(({ descriptions }) => descriptions);
  const withLabel = families.filter(({ label }) => label !== undefined);
  let end = 0;
  return Object.freeze(
    {
      texts: families.map(({ name, help }) => `${name} ${help}`),
      decimals: Int8Array.from(families, ({ decimals = 0 }) => decimals),
      labelled: Uint8Array.from(families, (family) => withLabel.indexOf(family) + 1),
      labels: ["", ...withLabel.map(({ label = "" }) => label)],
      names: [[], ...withLabel.map(({ names = [] }) => names)],
      ends: groups.map(({ descriptions }) => (end += descriptions.length)),
      values: groups.map(({ values }) => values),
    },
    true,
  );
}

export const isOne = (condition: boolean): 1 | 0 => (condition ? 1 : 0);

export const bitOf = (bits: number, at: number): number => (at < 32 ? bits >>> at : Math.floor(bits / 2 ** at)) & 1;
