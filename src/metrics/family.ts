import type { Counters as HttpCounters } from "http-server/counters";
import { ascii, asciiParts } from "http-server/characters";
import type { LinkStatistics, ReadMode } from "jk-bms/types";
import type { TelemetryRow } from "../catalogue/telemetry";
import type { Monitor } from "../bms/types";
import type { WriteCounters } from "../bms/write-counters";
import type { Energy } from "../energy/types";
import type { Relay } from "../relay/types";
import type { Sensors } from "../sensors/types";
import type { Settings } from "../settings/types";
import type { Line } from "./line";

/** Names of the firmware and the board. */
export interface Build {
  readonly version: string;
  /** The commit it was built from. */
  readonly build: string;
  readonly boardVersion: string;
}

/** Sources of the metrics. */
export interface Parts {
  readonly monitor: Monitor & {
    readonly uptime: number;
    readonly telemetryAge: number | undefined;
    readonly polls: number;
    readonly lostPolls: number;
    readonly writeCounters: WriteCounters;
    readonly link: { readonly statistics: LinkStatistics; readonly activeReadMode: ReadMode } | undefined;
  };
  readonly settings: Settings;
  readonly relay: Relay;
  readonly sensors: Sensors;
  readonly energy: Energy;
  /** Bytes, and a count; undefined if this build cannot tell. */
  readonly memory: {
    readonly slots: number | undefined;
    readonly chunks: number | undefined;
    readonly free: number | undefined;
    readonly leastFree: number | undefined;
    readonly largestBlock: number | undefined;
    readonly collections: number | undefined;
  };
  readonly start: { readonly restarts: number; readonly reason: string; readonly where: string };
  http(): HttpCounters;
  readonly build: Build;
}

/** A metric family as declared in its table. */
export interface Description {
  /** Follows Prometheus conventions: base units, `_total` for counters. Must never change. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** Decimal places of `value`. Default 0. */
  readonly decimals?: number;
  /** Maximum number of samples. Default 1. */
  readonly size?: number;
  /** Value of sample `index`, an integer in units of 10 ** -decimals; undefined if it does not exist or is unknown. */
  readonly value: (parts: Parts, index: number, family: Family) => number | undefined;
  readonly labels?: (line: Line, parts: Parts, index: number) => void;
  /** The telemetry row that `value` reads. */
  readonly row?: TelemetryRow;
}

/** A metric family with its fixed text pre-encoded. */
export interface Family extends Omit<Description, "name" | "help" | "type"> {
  /** The lines before the samples. */
  readonly head: Uint8Array;
  /** The metric name. */
  readonly start: Uint8Array;
}

const HELP = "# HELP ";

const sent = ({ name, help: _help, type: _type, ...rest }: Description, head: Uint8Array): Family => ({
  head,
  start: head.subarray(HELP.length, HELP.length + name.length),
  ...rest,
});

/** Encodes all fixed text as bytes, which stay in flash; the strings they are made from do not. */
export function families(descriptions: readonly Description[]): readonly Family[] {
  const heads = asciiParts(
    descriptions.map(({ name, help, type }) => `${HELP}${name} ${help}.\n# TYPE ${name} ${type}\n`),
  );
  return Object.freeze(
    heads.map((head, index) => sent(descriptions[index] as Description, head)),
    true,
  );
}

/** A label name as `Line` takes it. */
export const label = (name: string): Uint8Array => ascii(`${name}="`);

export const isOne = (condition: boolean): 1 | 0 => (condition ? 1 : 0);
