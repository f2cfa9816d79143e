import type KeyValueStorage from "embedded:storage/key-value";
import type { BodySource, Exchange } from "http-server/types";
import type { LinkStatistics } from "jk-bms/types";
import type { Digest } from "pbkdf2/pbkdf2";
import type RNG from "rng";
import type { ObservedMonitor } from "../bms/types";
import type { Sources } from "../endpoints/context";
import type { EventLog, EventStore } from "../events/types";
import type { MemoryFigures, Start } from "../health/types";

/** State of the connection to the MQTT broker. */
export interface MqttFacts {
  readonly state: "off" | "connecting" | "connected";
  /** Why there is no connection (MqttProblem), or empty. */
  readonly problem: string;
  /** Seconds; undefined while disconnected. */
  readonly connectedFor: number | undefined;
  readonly published: number;
  readonly received: number;
  /** Drops the connection and opens a new one. */
  reconnect(): void;
}

export interface SnmpFacts {
  /** The port is open. */
  readonly running: boolean;
  readonly packets: number;
  /** Packets with a wrong community. */
  readonly badCommunityNames: number;
  /** Sends a notification for a test. Returns the number of receivers it went to. */
  test(): number;
}

export interface ModbusFacts {
  /** The port is open. */
  readonly running: boolean;
  /** Of the clients. */
  readonly addresses: readonly string[];
  readonly requests: number;
  /** Requests to write, all refused. */
  readonly writes: number;
  /** Clients turned away. */
  readonly refused: number;
  /** Seconds since the last request; undefined before the first. */
  readonly age: number | undefined;
}

export interface SyslogFacts {
  /** A server is set. */
  readonly running: boolean;
  /** Its IPv4 address; undefined: not found yet. */
  readonly address: string | undefined;
  /** Messages since the start. */
  readonly sent: number;
}

/** State of the time synchronization. */
export interface TimeFacts {
  /** Why the last request failed (TimeProblem), or empty. */
  readonly problem: string;
  /** Seconds since the last reply; undefined before the first. */
  readonly age: number | undefined;
  /** A server keeps the clock right. */
  readonly inStep: boolean;
  /** Requests the time now. */
  restart(): void;
}

export interface ScannedNetwork {
  readonly ssid: string;
  /** dBm. */
  readonly rssi: number;
  /** No password required. */
  readonly open: boolean;
}

/** State and control of the Wi-Fi. */
export interface NetworkControl {
  /** The network joined, or empty. */
  readonly ssid: string;
  /** dBm; undefined while none is joined. */
  readonly rssi: number | undefined;
  /** Why the last attempt to join failed; empty: it succeeded. */
  readonly reason: string;
  /** IP address of the device's access point while it is open, otherwise empty. */
  readonly accessPointIp: string;
  /** Whether the client at this address is connected through the device's access point. */
  onPortal(address: string): boolean;
  /** Strongest first. */
  scan(): { readonly scanning: boolean; readonly networks: readonly ScannedNetwork[] };
  startScan(): void;
}

/** Installs new firmware. */
export interface Updater {
  readonly state: string;
  /** Images must be signed. */
  readonly signed: boolean;
  /** Bytes of the image received, and in total. */
  readonly received: number;
  readonly size: number;
  /** Why the last update failed; empty: it did not. */
  readonly error: string;
  /**
   * Receives the body of `exchange`, of `size` bytes, and calls `done` once: with "" when the image is installed and the device is about to
   * restart, otherwise with the problem. Not called if the client has disconnected.
   * @returns undefined, or why no update can begin now
   */
  receive(exchange: Exchange, size: number, done: (problem: string) => void): string | undefined;
}

/** What the page shows and does beyond the API. */
export interface WebDevice extends Sources {
  readonly build: Sources["build"] & {
    /** Host names that the web interface accepts beside the device's own names and addresses, lower case. */
    readonly hosts?: readonly string[];
    /** TCP port of the HTTP server. Default: 80. */
    readonly httpPort?: number;
  };
  readonly monitor: ObservedMonitor;
  readonly start?: Start;
  /** Parts that have failed, each as an event with its reason: "part-failed\tbutton\tin use". */
  readonly parts?: { readonly problems: readonly string[] };
  readonly events?: EventLog;
  /** Those kept in flash, and the refused sign-ins among them. */
  readonly storedEvents?: EventStore | undefined;
  readonly random: typeof RNG;
  readonly storage: typeof KeyValueStorage;
  /** Creates a SHA-256. */
  makeDigest(): Digest;
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time?(): number | undefined;
  /** The device has a button, which calls `pressed` of the web interface. */
  readonly hasButton?: boolean;
  /** It was pressed within PRESENCE. */
  buttonPressed?(): boolean;
  /** Restarts the device. */
  restartFor(cause: "ordered" | "factory-reset"): void;
  /** Erases all settings. Undefined, or a human-readable error. */
  factoryReset(): string | undefined;
  /** Undefined while the BMS's port cannot be opened. */
  statistics(): LinkStatistics | undefined;
  readonly networkControl?: NetworkControl;
  /** The history ring as CSV, from its start. */
  readHistory?(): BodySource;
  readonly updater?: Updater;
  readonly memory?: Omit<MemoryFigures, "collections">;
  // Undefined in safe mode.
  readonly mqtt?: MqttFacts | undefined;
  readonly snmp?: SnmpFacts | undefined;
  readonly modbus?: ModbusFacts | undefined;
  readonly syslog?: SyslogFacts | undefined;
  readonly sntp?: TimeFacts | undefined;
}
