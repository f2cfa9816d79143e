/** The monitor's interface to REST, web, MQTT, SNMP and metrics. */
import type { Pack } from "../catalogue/pack";
import type { PackRecord } from "../packs/pack-record";
import type { PackSearch } from "../packs/search";
import type { SearchProblem } from "../packs/types";
import type { ParameterRow } from "../catalogue/parameters";
import type { JobProblem, Origin, RefusalReason, WriteReport } from "./outcomes";

/** Why a write was not queued; `message` is shown to the client. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly message: string;
}

/** Called once when an accepted write ends; `message` is the text of `lastCommand`. */
export type WriteEnded = (report: WriteReport, message: string) => void;

/** A setting for all packs: one confirmed write after another. */
export interface AllPacksJob {
  /** Its name. */
  readonly setting: string;
  readonly problem: JobProblem;
  readonly isRunning: boolean;
  /** How the write to this pack has ended, or why there was none; undefined: it is still to come, or will not come. */
  endingOf(pack: PackRecord): WriteReport | Refusal | undefined;
}

/** The device's only write queue: one slot shared by all interfaces. */
export interface Writes {
  /** A write is waiting to be executed or confirmed, for 5 s at most; or a setting for all packs is not over. */
  readonly pending: boolean;
  /** Result of the last processed write as a sentence; empty before the first. */
  readonly lastCommand: string;
  /** The same, machine-readable; undefined before the first. */
  readonly last: WriteReport | undefined;
  /** True only when the BMS confirmed the last processed write. */
  readonly lastCommandOk: boolean;
  /** Queues a command for the first pack or another (`charge_mos` …; case and surrounding whitespace ignored). Returns undefined if accepted. */
  command(name: string, state: boolean, ended?: WriteEnded, pack?: PackRecord, origin?: Origin): Refusal | undefined;
  /**
   * Queues a parameter, given its row, name or alias. `value` as received from the client; the parameter's validator checks
   * it.
   */
  parameter(
    parameter: ParameterRow | string,
    value: string | number | boolean,
    ended?: WriteEnded,
    pack?: PackRecord,
    origin?: Origin,
  ): Refusal | undefined;
  /** Queues a parameter for all packs, one after the other. Returns undefined if accepted. */
  parameterToAll?(
    parameter: ParameterRow | string,
    value: string | number | boolean,
    origin?: Origin,
  ): Refusal | undefined;
  /** The last setting for all packs; undefined: none since the start, nor ended by it. */
  readonly job?: AllPacksJob | undefined;
  /** The last write to a pack; undefined before the first. */
  lastOf?(pack: PackRecord): WriteReport | undefined;
}

/** The pack and its write queue. */
export interface Monitor extends Pack {
  /** Changes whenever the pack's documents may have changed. Undefined: not tracked, may have changed. */
  readonly revision?: number;
  /** The same excluding changes by telemetry replies: setup, device information, online state. */
  readonly setupRevision?: number;
  /** What needs attention, as bits of CONCERNS (src/catalogue/concerns.ts); 0: all is well. */
  readonly concerns: number;
  /** Whole seconds since the last valid telemetry reply; undefined before the first. */
  readonly telemetryAge?: number | undefined;
  readonly writes: Writes;
  /** All packs of the bus, this one first. */
  readonly packs?: readonly PackRecord[];
  /** Bit n: while another master is listened to, a pack at address n is heard. */
  readonly heard?: number;
  /** The last search for packs; undefined: none since the start. */
  readonly search?: PackSearch | undefined;
  /** Begins a search. Undefined, or why none can begin. */
  startSearch?(): SearchProblem | undefined;
}

/** Events of the monitor. */
export interface BmsObserver {
  /** After each valid telemetry reply. */
  bmsUpdated?(monitor: Monitor): void;
  bmsOnlineChanged?(online: boolean): void;
  /** Another master has been heard on the bus, and nothing is sent; or it has been silent for long enough. */
  otherMasterChanged?(present: boolean): void;
  // Of the further packs of a bank:
  packUpdated?(pack: PackRecord): void;
  packOnlineChanged?(pack: PackRecord): void;
  // Of all packs, where there are several:
  /** The serial number has been read of a pack whose identity has none yet. */
  packIdentified?(pack: PackRecord): void;
  /** As `writeResolved`. */
  packWriteResolved?(pack: PackRecord): void;
  /** Another pack than expected answers at its address. */
  packSwapped?(pack: PackRecord): void;
  /** Shortly after a write ends, whatever the outcome; called from a timer, on a fresh stack. */
  writeResolved?(writes: Writes): void;
}

export interface ObservedMonitor extends Monitor {
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  observe(observer: BmsObserver): void;
}
