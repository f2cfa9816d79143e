import type TCP from "embedded:io/socket/tcp";
import type TLSSocket from "embedded:io/socket/tcp/tls";
import type UDP from "embedded:io/socket/udp";
import type Resolver from "embedded:network/dns/resolver/udp";
import type MQTTClient from "embedded:network/mqtt/client";
import type KeyValueStorage from "embedded:storage/key-value";
import type { LinkStatistics } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import type { Digest } from "pbkdf2/pbkdf2";
import type RNG from "rng";
import type { Monitor } from "../bms/types";
import type { Energy } from "../energy/types";
import type { EventLog } from "../events/types";
import type { Network } from "../network/types";
import type { Relay } from "../relay/types";
import type { Sensors } from "../sensors/types";
import type { Settings } from "../settings/types";

/** Names of the firmware and the board, fixed at build time. */
export interface Build {
  readonly softwareName: string;
  readonly version: string;
  /** Commit it was built from, or "unknown". */
  readonly build: string;
  readonly boardVersion: string;
  /** Address of the project. */
  readonly homepage?: string;
}

/** Why the device started, and how often since power-on. */
export interface Start {
  readonly reason: string;
  /** Restarts since power-on. */
  readonly restarts: number;
  /** Where it crashed; empty: no crash, or unknown. */
  readonly where: string;
  /** Only what is needed to repair the device runs. */
  readonly safe: boolean;
}

/** Parts that could not be started. */
export interface FailedParts {
  /** Each as an event with its reason: "part-failed\tbutton\tin use". */
  readonly problems: readonly string[];
}

/**
 * Memory figures, bytes. The system heap is always available on the chip; those of the XS machine are counted only in instrumented builds
 * of the Moddable SDK (mcconfig -i, mcconfig -d), and undefined in a release build.
 */
export interface MemoryFigures {
  /** Used by slots, garbage included. */
  readonly slots: number | undefined;
  /** Used by chunks, garbage included. */
  readonly chunks: number | undefined;
  /** Free heap of the operating system, from which the XS machine's memory is also allocated: now, the minimum since the start … */
  readonly free: number | undefined;
  readonly leastFree: number | undefined;
  /** … and the largest free block. */
  readonly largestBlock: number | undefined;
  /** Garbage collections since the start. */
  readonly collections: number | undefined;
}

/**
 * The running firmware (src/firmware.ts) as its parts and interfaces see it. Each takes only the members it uses (`Pick`), so a test passes
 * just those; what only one of them needs, it declares itself.
 */
export interface Device {
  readonly build: Build;
  readonly settings: Settings;
  readonly monitor: Monitor;
  readonly relay: Relay;
  readonly sensors: Sensors;
  readonly network: Network;
  /** Undefined: it could not be started. */
  readonly energy: Energy | undefined;
  readonly events: EventLog;
  readonly start: Start;
  readonly parts: FailedParts;
  readonly memory: MemoryFigures;
  /** Shared: a document is written from beginning to end within one callback. */
  readonly json: JsonWriter;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Hundredths of a second since the firmware started. */
  centiseconds(): number;
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined;
  /** Statistics of the link to the BMS; undefined while there is none. */
  statistics(): LinkStatistics | undefined;
  /** Creates a SHA-256. */
  makeDigest(): Digest;
  // The platform's classes.
  readonly mqttClient: typeof MQTTClient;
  readonly random: typeof RNG;
  readonly resolver: typeof Resolver;
  readonly storage: typeof KeyValueStorage;
  readonly tcp: typeof TCP;
  /** Undefined on a board without TLS. */
  readonly tls: typeof TLSSocket | undefined;
  readonly udp: typeof UDP;
}
