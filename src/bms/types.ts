/** What the monitor offers to the interfaces (REST, web interface, MQTT, SNMP, metrics). */
import type { Pack } from "../catalogue/pack";
import type { SettingRow } from "../catalogue/settings";
import type { RefusalReason, WriteReport } from "./outcomes";

/** Why a write did not enter the queue; `message` is for the client to read. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly message: string;
}

/** Called once when an accepted write has ended; `message` is what `lastCommand` says of it. */
export type WriteEnded = (report: WriteReport, message: string) => void;

/** The one write queue of the device: one slot, whichever interface feeds it. */
export interface Writes {
  /** A write is waiting for execution or for its confirmation. Never longer than 5 s. */
  readonly pending: boolean;
  /** How the last processed write ended, in a sentence; an empty text before the first. */
  readonly lastCommand: string;
  /** The same for programs; undefined before the first. */
  readonly last: WriteReport | undefined;
  /** True only when the BMS confirmed the last processed write. */
  readonly lastCommandOk: boolean;
  /** Queues a command (`charge_mos` …, case and surrounding blanks ignored). Undefined when it was accepted. */
  command(name: string, state: boolean, ended?: WriteEnded): Refusal | undefined;
  /** Queues a setting: its row, or its name or alias. `value` as the client gave it; the setting's validator judges it. */
  setting(setting: SettingRow | string, value: string | number | boolean, ended?: WriteEnded): Refusal | undefined;
}

/** The pack, and the queue of what is to be written to it. */
export interface Monitor extends Pack {
  /** Another number whenever what the documents about the pack show may have changed. Undefined: nobody counts, it may have. */
  readonly revision?: number;
  /** The same without what each telemetry reply brings: setup, device information, online or not. */
  readonly setupRevision?: number;
  /** Whole seconds since the last valid telemetry reply; undefined before the first. */
  readonly telemetryAge?: number | undefined;
  readonly writes: Writes;
}

/** What the monitor tells whoever wants to know it. */
export interface BmsObserver {
  /** After each valid telemetry reply. */
  bmsUpdated?(monitor: Monitor): void;
  bmsOnlineChanged?(online: boolean): void;
  /** Soon after a write has ended, however it did; with a stack of its own. */
  writeResolved?(writes: Writes): void;
}

export interface ObservedMonitor extends Monitor {
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  observe(observer: BmsObserver): void;
}
