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

/** The firmware's and the board's own names. */
export interface Build {
  readonly version: string;
  /** The commit it was built from. */
  readonly build: string;
  readonly boardVersion: string;
}

/** What the metrics are read from. */
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
  /** Bytes, and a count; undefined where this build does not know. */
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

/** Samples of one name, as their table has them. */
export interface Description {
  /** By Prometheus's conventions: base units, `_total` for a count that only rises. Never to be changed. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  /** Decimals of what `value` gives. Default 0. */
  readonly decimals?: number;
  /** Samples there may be. Default 1. */
  readonly size?: number;
  /** The value of sample `index`, a whole number of units of 10 ** -decimals; undefined when there is none, or it is not known. */
  readonly value: (parts: Parts, index: number, family: Family) => number | undefined;
  readonly labels?: (line: Line, parts: Parts, index: number) => void;
  /** What `value` tells of. */
  readonly row?: TelemetryRow;
}

/** The same as it is sent. */
export interface Family extends Omit<Description, "name" | "help" | "type"> {
  /** The lines in front of the samples. */
  readonly head: Uint8Array;
  /** The name. */
  readonly start: Uint8Array;
}

const HELP = "# HELP ";

const sent = ({ name, help: _help, type: _type, ...rest }: Description, head: Uint8Array): Family => ({
  head,
  start: head.subarray(HELP.length, HELP.length + name.length),
  ...rest,
});

/** All that is fixed is bytes, which lie in flash; the texts they are made of do not. */
export function families(descriptions: readonly Description[]): readonly Family[] {
  const heads = asciiParts(
    descriptions.map(({ name, help, type }) => `${HELP}${name} ${help}.\n# TYPE ${name} ${type}\n`),
  );
  return Object.freeze(
    heads.map((head, index) => sent(descriptions[index] as Description, head)),
    true,
  );
}

/** A label's name as `Line` takes it. */
export const label = (name: string): Uint8Array => ascii(`${name}="`);

export const isOne = (condition: boolean): 1 | 0 => (condition ? 1 : 0);
