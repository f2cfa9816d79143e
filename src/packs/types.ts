import type { ReadMode } from "jk-bms/types";
import type { Pack } from "../catalogue/pack";
import type { Conditions } from "../conditions/set";
import type { Measured } from "../conditions/types";

/**
 * Why no search can begin: another master is on the bus, one is under way, or the port is not open; or why one has ended early. bus-noise: it found
 * nothing, and the line was never silent at one of the baud rates.
 */
export type SearchProblem = "listening" | "searching" | "no-bus" | "interrupted" | "bus-noise";

/**
 * What came instead of replies: nothing; bytes of which none are valid; frames of other addresses; the requests themselves and nothing else (in
 * this order as modbus/types has them); or exceptions only.
 */
export const NO_REPLIES = Object.freeze(["silence", "noise", "others", "echo", "exceptions"] as const, true);
/** Or replies that came too late. */
export type NoReply = (typeof NO_REPLIES)[number] | "late";
export const EXCEPTIONS = 4;

/** Which pack it is. */
export interface PackIdentity {
  /** The DIP switch, 0 to 15. */
  readonly address: number;
  readonly name: string;
  /** Identity of the pack that was seen there: its serial number, or a fingerprint; empty: none was seen yet. */
  readonly serial: string;
}

/** The packs of a bus, in the order of the settings: at least one. */
export type Packs<Pack = BusPack> = readonly [Pack, ...Pack[]];

/** A pack of the bus, as every interface sees it. */
export interface BusPack extends Pack {
  readonly identity: PackIdentity;
  /** Its place among the packs of the bus, from 0. */
  readonly index: number;
  /** Its address where there are several packs; undefined: it is the only one, and needs no name. */
  readonly label: number | undefined;
  /** Changes whenever its documents may have changed. */
  readonly revision: number;
  /** The same excluding changes by telemetry replies: setup, device information, online state. */
  readonly setupRevision: number;
  /** What needs attention, of CONCERNS (src/conditions/table.ts): what is found, and what has not been gone for long enough. */
  readonly concerns: Conditions;
  /** What is found now. */
  readonly found: Conditions;
  /** What was found and is not over, as last known: the watcher's (src/events/condition-watcher.ts). */
  kept: Conditions;
  /** What was there before a restart: what takes proof, or minutes, stands until it is disproved. */
  resume(present: Conditions): void;
  /** What is judged of this condition, as last known; undefined: no number is. */
  measurementOf(row: Conditions): Measured | undefined;
  /** Whole seconds since the last valid telemetry reply; undefined before the first. */
  readonly telemetryAge: number | undefined;
  /** The same in milliseconds; to the second when older than a day. */
  readonly age: number | undefined;
  /** ms between two of its replies, as expected. */
  readonly cycle: number;
  /** Telemetry polls completed since boot, and those of them without a valid reply. */
  readonly polls: number;
  readonly lostPolls: number;
  /** Whole seconds since its setup was last read; of no meaning before it has been. */
  readonly setupAge: number;
  /** Its own log as it was read last (jk-bms/system-log); undefined: not since it came online. */
  readonly systemLog: Uint8Array | undefined;
  /** Whole seconds since then; 0: it has not been read. */
  readonly systemLogAge: number;
  /** What came instead of a reply to its last poll; undefined: it was answered, or there was none yet. */
  readonly noReply: NoReply | undefined;
  /** How it is read at the moment; undefined while the bus is closed. */
  readonly readMode: ReadMode | undefined;
  /** Another pack answers at its address: nothing is written to it. */
  readonly isSwapped: boolean;
  /** Two packs answer at its address: nothing is written to them. */
  readonly isContested: boolean;
  /** Its serial number; empty: not read since it came online, or it has none. */
  readonly serialNumber: string;
  /** Its identifier, to be remembered as `identity.serial`; empty: unknown. */
  readonly identifier: string;
}
