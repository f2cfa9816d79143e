/** The device's responses, as far as the page reads them (src/web/README.md). */
import type { Texts } from "./texts/en";
import type { TimeProblem } from "../src/network/types";
import type { MqttProblem } from "../src/mqtt/problems";
import type { JobProblem, Outcome, RefusalReason, WriteReport } from "../src/bms/outcomes";
import type {
  AlarmName,
  CommandName,
  ConcernCode,
  DeviceConcernCode,
  Outputs,
  ParameterObject,
  Telemetry,
} from "./tables";

export interface Session {
  /** The device started only what is needed to repair it. */
  readonly safeMode: boolean;
  readonly firstStart: boolean;
  readonly signedIn: boolean;
  /** Signed in to look, not to change anything. */
  readonly guest: boolean;
  /** By a read-only link. */
  readonly link: boolean;
  /** There is a guest password. */
  readonly guests: boolean;
  /** The stored password is damaged; sign-in is impossible. */
  readonly passwordLost: boolean;
  /** The first start requires the set-up code, or a press of the button. */
  readonly codeWanted: boolean;
  /** The device has a button for that. */
  readonly button: boolean;
  readonly idleSeconds: number;
  /** For which a browser stays signed in if asked to. */
  readonly stayDays: number;
  /** True on a board without them. */
  readonly noRelay?: boolean;
  readonly noInputs?: boolean;
  // Once signed in:
  /** A time server keeps the clock right. */
  readonly inStep?: boolean;
  /** As stored, with its rule; empty: none is chosen. */
  readonly zone?: string;
  /** Of the device's time from UTC, s. */
  readonly offset?: number;
  /** Seconds since 1970; without it the clock is not set, and `about` is the last known time, if there is one: it is later now. */
  readonly time?: number;
  readonly about?: number;
}

/** `data` of /web/button. */
export interface ButtonState {
  /** A press admits this page; it has; or it admits nobody. */
  readonly state: "waiting" | "admitted" | "contested";
  /** Shown by the first page that asked; empty for others. */
  readonly number: string;
  /** Address of the other page that asks. */
  readonly other: string;
}

/** `data` of /web/sessions. */
export interface SessionEntry {
  readonly number: number;
  readonly address: string;
  /** As the page that signed in calls it; empty: unknown. */
  readonly browser: string;
  /** Seconds. */
  readonly since: number;
  readonly idle: number;
  readonly guest: boolean;
  /** By which it came; 0: with a password. */
  readonly link: number;
  readonly own: boolean;
  /** For which it stays signed in; 0: an ordinary session. */
  readonly days: number;
}

/** `data` of /web/tokens and /web/links. */
export interface NamedToken {
  readonly number: number;
  readonly name: string;
  readonly write: boolean;
}

export interface Cell {
  readonly number: number;
  readonly voltage: number;
  readonly wireResistanceMilliOhm: number;
}

/** `data` of /web/status: the last known values, so stale while `online` is false. */
export interface Status extends Telemetry {
  /** Of a bank: not all packs answer, so that nothing can be said of what will be. */
  readonly isPartial?: boolean;
  readonly cells: readonly Cell[] | null;
}

/** `bms` of /web/status: what the API's status document does not include. */
export interface BmsState extends Partial<Outputs> {
  /** Seconds since the last valid telemetry; null before the first. */
  readonly age?: number | null;
  /** What came instead of a reply to the last poll; empty: it was answered, or there was none yet. */
  readonly noReply?: keyof Texts["noReplies"] | "";
  /** The switches as configured. */
  readonly switches?: Readonly<Partial<Record<CommandName, boolean | null>>>;
  /** On the bus, this one included. */
  readonly packs?: number;
  /** No fault and no warning. */
  readonly well?: boolean;
  /** What needs attention, the most urgent first; of a pack that is lost as last known. */
  readonly concerns?: readonly ConcernCode[];
  /** When a protection whose countdown runs is released, s. */
  readonly releases?: Readonly<Partial<Record<AlarmName, number>>>;
}

export interface StatusDocument {
  readonly data: Status;
  readonly bms?: BmsState;
  /** What needs attention of the device itself; well: there are only notices. */
  readonly device?: { readonly well: boolean; readonly concerns: readonly DeviceConcernCode[] };
}

/** One of `packs` in `data` of /web/packs; null: unknown, as all of a pack that does not respond. */
export interface PackRow {
  readonly address: number;
  /** Empty: it has none. */
  readonly name: string;
  readonly online: boolean;
  /** Another pack than before answers there: nothing is written to it until it is accepted. */
  readonly swapped: boolean;
  /** Two packs answer there: nothing is written to them. */
  readonly shared: boolean;
  /** What needs attention, the most urgent first. */
  readonly concerns: readonly ConcernCode[];
  readonly serialNumber: string | null;
  readonly ageSeconds: number | null;
  readonly soc: number | null;
  readonly voltage: number | null;
  /** A, positive while charging. */
  readonly current: number | null;
  readonly power: number | null;
  readonly alarmCode: number | null;
  /** V. */
  readonly delta: number | null;
  /** What is last known of a pack that is offline. */
  readonly last?: {
    readonly soc: number | null;
    readonly voltage: number | null;
    readonly capacityAh: number | null;
  } | null;
}

/** `data` of /web/packs. */
export interface BankDocument {
  readonly bank: {
    readonly packs: number;
    readonly online: number;
    readonly well: boolean;
    /** Of any pack. */
    readonly concerns: readonly ConcernCode[];
    /** Of the packs that are online; null: unknown. */
    readonly soc: number | null;
    readonly voltage: number | null;
    readonly current: number | null;
    readonly power: number | null;
    readonly remainingCapacityAh: number | null;
    readonly capacityAh: number | null;
  };
  readonly packs: readonly PackRow[];
}

/** One of `packs` in `data` of /web/packs/settings. */
export interface AllPacksPack extends Pick<PackRow, "address" | "name"> {
  /** How the write has ended, or why there was none; null: it is still to come, or will not come. */
  readonly outcome: Outcome | RefusalReason | null;
  readonly last: WriteReport | null;
}

/** `data` of /web/packs/settings: the last setting for all packs. */
export interface AllPacksJob {
  readonly running: boolean;
  /** Null: there was none. */
  readonly setting: string | null;
  /** Why it has ended early; empty: it has not. */
  readonly problem: JobProblem;
  readonly packs: readonly AllPacksPack[];
}

/** Null: not known, as the Bluetooth name may be. */
export type ConfigObject = Readonly<Record<string, number | string | boolean | null>>;

/** `data` of /web/config. */
export interface Config extends Readonly<Record<ParameterObject, ConfigObject>> {
  readonly loaded: boolean;
  /** Seconds since it was read. */
  readonly ageSeconds: number;
}

/** `data` of /web/queue. */
export interface Queue {
  readonly bmsOnline: boolean;
  readonly configurationLoaded: boolean;
  readonly pending: boolean;
  readonly lastCommand: string;
  readonly lastCommandOk: boolean;
  /** Null before the first. */
  readonly last: WriteReport | null;
}

/** `data.monitoring` of /web/summary; absent on a board without inputs; null: not measured. */
export type Monitoring = Readonly<Record<string, number | string | null>>;

/** `data` of /web/summary. */
export interface Summary {
  /** 1: on; absent on a board without a relay. */
  readonly relay?: number;
  readonly monitoring?: Monitoring;
}

export interface Link {
  readonly online: boolean;
  readonly readMode: string;
  readonly mode?: "poll" | "listen";
  /** Requests sent. */
  readonly polls: number;
  readonly replies: number;
  readonly timeouts: number;
  readonly crcErrors: number;
  readonly exceptions?: number;
  /** Latency of the last reply, ms. */
  readonly replyTime: number;
}

export interface NetworkState {
  readonly mode: "AP" | "STA";
  readonly type: string;
  readonly ip: string;
  readonly gateway?: string;
  readonly dns1?: string;
  readonly dns2?: string;
  readonly cable?: boolean;
  readonly ssid?: string;
  /** dBm; null while not joined to a Wi-Fi. */
  readonly rssi?: number | null;
  /** Why the last attempt to join failed; empty if it did not. */
  readonly reason?: string;
}

export interface Update {
  readonly state: string;
  /** Images must be signed. */
  readonly signed: boolean;
  readonly received: number;
  readonly size: number;
  readonly error: string;
}

/** `data` of /web/device. */
export interface Device {
  /** Seconds. */
  readonly uptime: number;
  /** Seconds since 1970, UTC; 0 or null if unknown. */
  readonly time: number | null;
  readonly version: string;
  readonly build: string;
  readonly board: string;
  readonly mac: string;
  /** Unknown parts are null. */
  readonly memory?: Readonly<
    Partial<Record<"slots" | "chunks" | "free" | "leastFree" | "largestBlock", number | null>>
  >;
  /** Reason for the last start, and starts since power-on. */
  readonly start?: {
    readonly reason: string;
    readonly restarts: number;
    /** Where it crashed; empty if it did not. */
    readonly where: string;
    readonly safeMode: boolean;
    /** Faults found in the stored settings. */
    readonly problems: readonly string[];
    /** Parts that have failed, as messages. */
    readonly parts: readonly string[];
  };
  readonly link: Link;
  readonly network: NetworkState;
  // Absent in safe mode.
  readonly mqtt?: {
    readonly state: "off" | "connecting" | "connected";
    readonly problem: MqttProblem | "";
    /** Seconds. */
    readonly connectedFor: number | null;
    readonly published: number;
    readonly received: number;
  };
  readonly snmp?: { readonly running: boolean; readonly packets: number; readonly badCommunityNames: number };
  /** `clients`: their addresses; `age`: seconds since the last request, null: there was none; `writes`: refused; `refused`: clients turned away. Absent on a board without. */
  readonly modbus?: {
    readonly running: boolean;
    readonly clients: readonly string[];
    readonly requests: number;
    readonly writes: number;
    readonly refused: number;
    readonly age: number | null;
  };
  /** `address`: of the server; empty: not found yet. */
  readonly syslog?: { readonly running: boolean; readonly address: string; readonly sent: number };
  readonly notify?: Notifications;
  readonly sntp?: { readonly problem: TimeProblem | ""; readonly age: number | null };
  readonly update?: Update;
}

/** Problems are those of docs/notifications.md; empty: none. */
export interface Notifications {
  readonly waiting: number;
  /** Null: none waits, or since before a restart. */
  readonly waitingSeconds: number | null;
  /** Empty: both are off. */
  readonly targets: readonly (Delivery & { readonly kind: string; readonly sent: number })[];
}

/** `status`: of the answer, null: none; `answer`: the service's own words. */
export interface Delivery {
  readonly problem: string;
  readonly status: number | null;
  readonly answer: string;
  /** All of it in English; empty: there was no message. */
  readonly message: string;
}

export interface LogEvent {
  readonly uptime: number;
  /** From the run before the last restart, or an earlier one. */
  readonly before?: boolean;
  /** Of such a line, seconds since 1970, if it was known. */
  readonly time?: number;
  readonly text: string;
}

export interface Scan {
  readonly scanning: boolean;
  readonly networks: readonly { readonly ssid: string; readonly rssi: number; readonly open: boolean }[];
}

/** Members of a settings group; a secret reads as true (set) or false. */
export type GroupValues = Readonly<Record<string, unknown>>;
