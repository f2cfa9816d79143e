/** What the device answers, as far as the page reads it (src/web/README.md). */
import type { CommandName } from "./tables";

export interface Session {
  readonly firstStart: boolean;
  readonly signedIn: boolean;
  readonly idleSeconds: number;
}

export interface Cell {
  readonly number: number;
  readonly voltage: number;
  readonly wireResistanceMilliOhm: number;
}

/** `data` of /web/status. */
export interface Status {
  readonly online: boolean;
  readonly name: string;
  readonly model: string;
  readonly batteryType: string;
  readonly cellCount: number;
  readonly soc: number;
  readonly capacityAh: number;
  readonly remainingCapacityAh: number;
  readonly cycles: number;
  readonly cycleCapacityAh: number;
  readonly stateOfHealth: number;
  readonly runtimeSeconds: number;
  readonly averageCellVoltage: number;
  readonly detailLogsCount: number;
  readonly timeEnterSleepSeconds: number;
  readonly emergencyTimeSeconds: number;
  readonly alarmCode: number;
  readonly info: {
    readonly maxCells: number;
    readonly hardwareVersion: string;
    readonly softwareVersion: string;
    readonly serialNumber: string;
    readonly manufactureDate: string;
    readonly totalRuntimeSeconds: number;
    readonly powerOnTimes: number;
  };
  readonly pack: { readonly voltage: number; readonly current: number; readonly power: number };
  readonly cellsSummary: {
    readonly minVoltage: number;
    readonly minCell: number;
    readonly maxVoltage: number;
    readonly maxCell: number;
    readonly delta: number;
  };
  readonly temperatures: { readonly mosfet: number; readonly battery1: number; readonly battery2: number };
  readonly cells: readonly Cell[];
}

/** `bms` of /web/status: what the API's document has no place for. A part that is missing is not known. */
export interface BmsState {
  /** Seconds since the last valid telemetry; null before the first. */
  readonly age?: number | null;
  /** What the MOSFETs do. */
  readonly charging?: boolean;
  readonly discharging?: boolean;
  readonly balancing?: boolean;
  /** A. */
  readonly balanceCurrent?: number;
  /** Bit n: the wire of cell n + 1 has too high a resistance. */
  readonly wireAlarms?: number;
  /** Probes that are there: bit 0 MOSFET, 1 and 2 the battery's. */
  readonly probes?: number;
  /** The switches as set; missing while the setup is not loaded. */
  readonly switches?: Readonly<Partial<Record<CommandName, boolean>>>;
}

export interface StatusDocument {
  readonly data: Status;
  readonly bms?: BmsState;
}

export type ConfigObject = Readonly<Record<string, number | string | boolean>>;

/** `data` of /web/config. */
export interface Config {
  readonly loaded: boolean;
  readonly battery: ConfigObject;
  readonly balance: ConfigObject;
  readonly protections: ConfigObject;
  readonly temperature: ConfigObject;
}

/** `data` of /web/queue. */
export interface Queue {
  readonly bmsOnline: boolean;
  readonly configurationLoaded: boolean;
  readonly pending: boolean;
  readonly lastCommand: string;
  readonly lastCommandOk: boolean;
}

/** `data.monitoring` of /web/summary; missing on a board without inputs, the relay's part on one without relay. */
export type Monitoring = Readonly<Record<string, number | string>>;

/** `data` of /web/summary. */
export interface Summary {
  readonly monitoring?: Monitoring;
}

export interface Link {
  readonly online: boolean;
  readonly way: string;
  /** Requests sent. */
  readonly polls: number;
  readonly replies: number;
  readonly timeouts: number;
  readonly crcErrors: number;
  readonly exceptions?: number;
  /** ms, of the last reply. */
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
  /** dBm; null while no Wi-Fi is joined. */
  readonly rssi?: number | null;
  /** Why the last attempt to join failed; empty: it did not. */
  readonly reason?: string;
}

export interface Update {
  readonly state: string;
  readonly received: number;
  readonly size: number;
  readonly error: string;
}

/** `data` of /web/device. */
export interface Device {
  /** Seconds. */
  readonly uptime: number;
  /** Seconds since 1970, UTC; 0 or null while not known. */
  readonly time: number | null;
  readonly version: string;
  readonly build: string;
  readonly board: string;
  readonly mac: string;
  /** A part that is not known is null. */
  readonly memory?: { readonly slots?: number | null; readonly chunks?: number | null; readonly free?: number | null };
  readonly link: Link;
  readonly network: NetworkState;
  readonly update?: Update;
}

export interface LogEvent {
  readonly uptime: number;
  readonly text: string;
}

export interface Scan {
  readonly scanning: boolean;
  readonly networks: readonly { readonly ssid: string; readonly rssi: number; readonly open: boolean }[];
}

/** Members of a settings group; a secret is true (set) or false. */
export type GroupValues = Readonly<Record<string, unknown>>;
