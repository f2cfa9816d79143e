import type KeyValueStorage from "embedded:storage/key-value";
import type {
  BlockImage,
  Effort,
  PackListener,
  LinkStatistics,
  ReadMode,
  Readable,
  ReadOutcome,
  WriteResult,
} from "jk-bms/types";
import type { WriteName } from "jk-bms/writes";
import type { BmsSettings } from "../settings/types";

/**
 * One pack's way to its BMS. `read` and `write` throw while the bus is busy. Each calls `done` exactly once, never before
 * returning. Images are valid until those of another pack of the bus are asked for.
 */
export interface BmsLink {
  readonly telemetry: BlockImage;
  readonly setup: BlockImage;
  readonly deviceInfo: BlockImage;
  /** The log of the BMS as it was read last (jk-bms/system-log). */
  readonly systemLog: Uint8Array;
  /** The read mode in use. */
  readonly activeReadMode: ReadMode;
  /** ms since the end of its telemetry was read, where the probes behind the second are; of no meaning before it has been. */
  readonly tailAge: number;
  /** Called for each block filled from what another master on the bus was answered. */
  listener?: PackListener | undefined;
  /** Reads a block, the serial number alone, or the log. `effort`: what it may cost if the BMS is silent; default: all. */
  read(what: Readable, done: (outcome: ReadOutcome) => void, effort?: Effort): void;
  /**
   * Writes a raw value (3650 for 3.650 V, 0 or 1 for a switch, or a text), reads it back, and stores it in the block's
   * image once confirmed; all within `timeout` ms.
   */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void;
}

/** The open bus with its packs; implemented by `JkBus` of jk-bms. One transaction at a time, of all packs and probes. */
export interface BmsBus {
  /** In the order of the addresses it was opened with; never empty. */
  readonly links: readonly BmsLink[];
  /** A transaction with any of them, or with a probe, is in progress. */
  readonly busy: boolean;
  /** Nothing is sent: blocks are filled from what another master on the bus is answered. */
  readonly listening: boolean;
  /** Another master has been heard, and nothing is sent because of it. */
  readonly masterPresent: boolean;
  readonly statistics: LinkStatistics;
  /** When the bus was last in use, ticks: it was opened, a request ended, or a byte was heard, valid or not. */
  readonly lastActivity: number;
  /** Bit n: a pack at address n is heard that another master asks. */
  readonly heard: number;
  /** Opens what reads at this address for a search, in frames or by registers; valid until the next one is opened. @throws Error without memory for it */
  openProbe(address: number, frames: boolean): BmsLink;
  /** Frees what probes take; a transaction of one ends without its callback. */
  closeProbes(): void;
  /** Drops any transaction in progress, and frees the port. */
  close(): void;
}

/** Opens the bus with the packs on it. */
export interface BusOpener {
  /** @throws Error while the port cannot be opened */
  open(settings: BmsSettings, addresses: readonly number[]): BmsBus;
  /** Where a setting for all packs is noted until it is over. */
  readonly storage?: typeof KeyValueStorage | undefined;
}
