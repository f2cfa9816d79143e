import type { BodySource, Exchange } from "http-server/types";
import type { Digest } from "pbkdf2/pbkdf2";
import type RNG from "rng";
import type { ObservedMonitor } from "../bms/types";
import type { EventLog } from "../events/types";
import type { Sources } from "../resources/context";

/** The link to the BMS: its counters since the start. */
export interface LinkFacts {
  readonly activeReadMode: string;
  readonly statistics: {
    readonly requests: number;
    readonly replies: number;
    readonly timeouts: number;
    readonly crcErrors: number;
    readonly exceptions: number;
    readonly discarded: number;
    /** ms. */
    readonly lastReplyTime: number;
  };
}

/** Bytes in use by the machine, and free of the system's; undefined while nobody counts. */
export interface MemoryFacts {
  readonly slots: number | undefined;
  readonly chunks: number | undefined;
  readonly free: number | undefined;
  readonly leastFree: number | undefined;
  readonly largestBlock: number | undefined;
}

/** Why the device has started, and how often since the power came on. */
export interface StartFacts {
  readonly reason: string;
  readonly restarts: number;
  /** Where it was when it crashed; empty: it did not, or is not known. */
  readonly where: string;
  /** Only what is needed to mend the device runs. */
  readonly safe: boolean;
}

/** What becomes of the connection to the MQTT broker. */
export interface MqttFacts {
  readonly state: "off" | "connecting" | "connected";
  /** Why there is none (MqttProblem), or empty. */
  readonly problem: string;
  /** Seconds. */
  readonly connectedFor: number | undefined;
  readonly published: number;
  readonly received: number;
  /** Makes it anew. */
  reconnect(): void;
}

export interface SnmpFacts {
  /** The port is open. */
  readonly running: boolean;
  readonly packets: number;
  /** Packets with another community. */
  readonly strangers: number;
}

/** What becomes of the questions to the time server. */
export interface TimeFacts {
  /** Why the last had no answer (TimeProblem), or empty. */
  readonly problem: string;
  /** Seconds since the last answer; undefined before the first. */
  readonly age: number | undefined;
  /** Asks now. */
  restart(): void;
}

export interface ScannedNetwork {
  readonly ssid: string;
  /** dBm. */
  readonly rssi: number;
  /** Needs no password. */
  readonly open: boolean;
}

/** What there is to know and do of the Wi-Fi. */
export interface NetworkControl {
  /** The one that is joined, or empty. */
  readonly ssid: string;
  /** dBm; undefined while none is joined. */
  readonly rssi: number | undefined;
  /** Why it could not be joined the last time; empty: it could. */
  readonly reason: string;
  /** Of the own access point while it is open, else empty. */
  readonly accessPointIp: string;
  /** Whether whoever has this address came in over the own access point. */
  onPortal(address: string): boolean;
  /** The strongest first. */
  scan(): { readonly scanning: boolean; readonly networks: readonly ScannedNetwork[] };
  startScan(): void;
}

/** Takes a new firmware. */
export interface Updater {
  readonly state: string;
  /** Images must be signed. */
  readonly signed: boolean;
  /** Bytes of the image so far, and in all. */
  readonly received: number;
  readonly size: number;
  /** Why the last one failed; empty: it did not. */
  readonly error: string;
  /**
   * Takes the body of `exchange`, of `size` bytes, and calls `done` once: empty when the image is in and the device is about to restart,
   * else what is wrong. Not when the client has gone.
   * @returns undefined, or why no update can begin now
   */
  receive(exchange: Exchange, size: number, done: (problem: string) => void): string | undefined;
}

export interface WebOptions extends Sources {
  readonly monitor: ObservedMonitor & {
    /** Milliseconds since the last valid telemetry; undefined before the first. */
    readonly age: number | undefined;
  };
  readonly random: typeof RNG;
  /** The device's button was pressed within PRESENCE. Left out on a device without one. */
  buttonPressed?(): boolean;
  /** A SHA-256. */
  makeDigest(): Digest;
  /** Starts the device anew. */
  restart(): void;
  /** Forgets all settings. Undefined, or what went wrong, for people. */
  factoryReset(): string | undefined;
  /** Undefined while the BMS's port cannot be opened. */
  link(): LinkFacts | undefined;
  readonly memory?: MemoryFacts;
  readonly start?: StartFacts;
  /** Seconds since 1970, UTC; undefined while nobody has told the time. */
  time?(): number | undefined;
  readonly networkControl?: NetworkControl;
  readonly events?: EventLog;
  /** The ring of the last hours as CSV, from its beginning. */
  readHistory?(): BodySource;
  readonly updater?: Updater;
  // Undefined in safe mode.
  readonly mqtt?: MqttFacts | undefined;
  readonly snmp?: SnmpFacts | undefined;
  readonly sntp?: TimeFacts | undefined;
}
