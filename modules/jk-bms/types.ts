/** Blocks of a JK BMS, and the outcomes of reads and writes. */
import type { Counters } from "modbus/types";
import type { WriteOutcome } from "./outcomes";

/** The three blocks a monitor reads; the numbers are the frame types (docs/jk-modbus.md, "Triggers", which calls the setup "settings"). */
export const SETUP = 1;
export const TELEMETRY = 2;
export const DEVICE_INFO = 3;
export type BlockType = typeof SETUP | typeof TELEMETRY | typeof DEVICE_INFO;

/** No block: the serial number alone, which the image of the device information is brought up to date with. */
export const SERIAL = 4;
/** The BMS's own log, which comes as a frame only: its number is the frame type, too. */
export const LOG = 5;
/** No block either: what switches buzzer and dry contacts, and the charge stages (FURTHER_PLAN), of the device information likewise. */
export const FURTHER = 6;
export type Readable = BlockType | typeof SERIAL | typeof LOG | typeof FURTHER;

/**
 * The bytes of one block as last read in full: byte k is the block's register byte offset k, in either read mode. 16- and 32-bit
 * values are big-endian when read by registers (FC03) and little-endian when read as a frame.
 */
export interface BlockImage {
  /** Another one after each reply: not to be kept. */
  readonly view: DataView;
  readonly littleEndian: boolean;
  /** False until the whole block has been read once. */
  readonly valid: boolean;
  /** Its `extremeCells`, where they are kept. */
  readonly extremes?: number;
  /** A telemetry that says one thing in two ways which do not go together. */
  readonly contradicts?: boolean;
}

export type ReadMode = "registers" | "frames";

/**
 * What a read may cost if the BMS is silent: every try, and a wake trigger; one request and the wake trigger with its repeat; or so many
 * requests for each of its parts.
 */
export type Effort = "all" | "wake" | "once" | "twice" | "thrice";

/**
 * doubtful: the BMS has answered, but its telemetry contradicts itself, or jumps and did not come again, or its log contradicts itself; what was read before stays. withheld: another
 * master is on the bus, and nothing was sent, or nothing more.
 */
export type ReadOutcome = "ok" | "doubtful" | "no-reply" | "exception" | "withheld";

export interface WriteResult {
  readonly outcome: WriteOutcome;
  /** The exception code of `refused` and `refused-applied`. */
  readonly exception?: number;
  /**
   * The value read back (raw number or text; of a switch whose word differs in others "0x3212, changed: temperature sensors disabled"), for `not-applied`, `no-reply-not-applied`
   * and, if anything was read, `mismatch`.
   */
  readonly readBack?: number | string;
}

export interface PackListener {
  /** The image of a block has been filled from what another master was answered. `once`: it has been heard a single time, and nothing is known to compare it with. */
  onForeignBlock(block: BlockType, once: boolean): void;
  /** Settings, or device information, that count take the place of those before; the images are valid until this returns. */
  onNewSettings(before: BlockImage, after: BlockImage, block: BlockType): void;
  /** Whether settings, or device information, of which this is the image, cannot be: they are asked for once more. */
  isImpossible(block: BlockType, image: BlockImage): boolean;
  /** A request was answered twice: two packs have its address. */
  onSecondReply(): void;
  /** It has answered what is no longer waited for. */
  onLateReply(): void;
}

/** Diagnostic counters since the start. All wrap at 2^31. */
export interface LinkStatistics extends Counters {
  /** Triggers sent because the BMS had stopped answering reads by registers. */
  wakeTriggers: number;
  /** Replies that contradict themselves or jump, and were not shown at once. */
  doubted: number;
}
