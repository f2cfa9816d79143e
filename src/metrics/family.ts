import type { Counters as HttpCounters } from "http-server/counters";
import { ascii } from "http-server/characters";
import type { LinkStatistics, ReadingWay } from "jk-bms/types";
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
    readonly link: { readonly statistics: LinkStatistics; readonly activeWay: ReadingWay } | undefined;
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
  readonly start: { readonly restarts: number; readonly reason: string };
  http(): HttpCounters;
  readonly build: Build;
}

/** Samples of one name. */
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

export interface Family extends Description {
  readonly decimals: number;
  readonly size: number;
  /** The lines in front of the samples. */
  readonly head: Uint8Array;
  /** The name, in bytes. */
  readonly start: Uint8Array;
}

const HELP = "# HELP ";

/** A row of the table. Everything fixed is bytes already, which lie in flash. */
export function family(description: Description): Family {
  const { name, help, type } = description;
  const head = ascii(`${HELP}${name} ${help}.\n# TYPE ${name} ${type}\n`);
  return {
    decimals: 0,
    size: 1,
    ...description,
    head,
    // Of the same bytes: a buffer of its own would hold three slots of flash more.
    start: head.subarray(HELP.length, HELP.length + name.length),
  };
}

/** A label's name as `Line` takes it. */
export const label = (name: string): Uint8Array => ascii(`${name}="`);

export const isOne = (condition: boolean): 1 | 0 => (condition ? 1 : 0);
