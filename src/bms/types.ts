/** The monitor's interface to REST, web, MQTT, SNMP and metrics. */
import type { PackSearch } from "../packs/search";
import type { SettingChange } from "../packs/setting-changes";
import type { BusPack, Packs, SearchProblem } from "../packs/types";
import type { ParameterRow } from "../catalogue/parameters";
import type { JobProblem, Origin, RefusalReason, WriteReport } from "./outcomes";

/** Why a write was not queued; `message` is shown to the client. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly message: string;
  /** off-voltage: by how much the pack is above those that are connected, negative below, mV. */
  readonly above?: number;
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
  endingOf(pack: BusPack): WriteReport | Refusal | undefined;
}

/** The device's only write queue: one slot shared by all interfaces. */
export interface Writes {
  /** A write is waiting to be executed or confirmed, for 5 s at most; or a setting for all packs is not over. */
  readonly pending: boolean;
  /** The last write to a pack; undefined before the first. Its sentence: `sentenceOf` (write-report.ts). */
  lastOf(pack: BusPack): WriteReport | undefined;
  /**
   * Queues a command (`charge_mos` …; case and surrounding whitespace ignored). Returns undefined if accepted.
   * @param force although a large current would flow (src/packs/inrush.ts)
   */
  command(
    pack: BusPack,
    name: string,
    state: boolean,
    origin: Origin,
    ended?: WriteEnded,
    force?: boolean,
  ): Refusal | undefined;
  /**
   * Queues a parameter, given its row, name or alias. `value` as received from the client; the parameter's validator checks
   * it.
   */
  parameter(
    pack: BusPack,
    parameter: ParameterRow | string,
    value: string | number | boolean,
    origin: Origin,
    ended?: WriteEnded,
  ): Refusal | undefined;
  /** Queues a parameter for all packs, one after the other. Returns undefined if accepted. */
  parameterToAll(
    parameter: ParameterRow | string,
    value: string | number | boolean,
    origin: Origin,
  ): Refusal | undefined;
  /** The last setting for all packs; undefined: none since the start, nor ended by it. */
  readonly job: AllPacksJob | undefined;
}

/** The bus with its packs. */
export interface Monitor {
  readonly packs: Packs;
  /** Nothing is sent: the values are those that another master on the bus is answered. */
  readonly listening: boolean;
  readonly writes: Writes;
  /** Bit n: while another master is listened to, a pack at address n is heard. */
  readonly heard: number;
  /** The last search for packs; undefined: none since the start. */
  readonly search: PackSearch | undefined;
  /** Begins a search. Undefined, or why none can begin. */
  startSearch(): SearchProblem | undefined;
}

/** Events of the monitor. */
export interface BmsObserver {
  /** After each valid telemetry reply. */
  packUpdated?(pack: BusPack): void;
  packOnlineChanged?(pack: BusPack): void;
  /** The serial number has been read of a pack whose identity has none yet, of several. */
  packIdentified?(pack: BusPack): void;
  /** Another pack than expected answers at its address, of several. */
  packSwapped?(pack: BusPack): void;
  /** It does not answer: what came instead is in `noReply`. Of each kind once, until it has answered. */
  packUnanswered?(pack: BusPack): void;
  /** All of its settings have been read, and are those of the pack that answers. */
  packSettled?(pack: BusPack): void;
  /** What is set in it has changed, and not by a confirmed write. */
  packSettingChanged?(change: SettingChange & { readonly pack: BusPack }): void;
  /** Shortly after a write ends, whatever the outcome; called from a timer, on a fresh stack. */
  writeEnded?(report: WriteReport): void;
  /** Another master has been heard on the bus, and nothing is sent; or it has been silent for long enough. */
  otherMasterChanged?(present: boolean): void;
}

export interface ObservedMonitor extends Monitor {
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  observe(observer: BmsObserver): void;
}
