/** Blocks of a JK BMS, and the outcomes of reads and writes. */
import type { Counters } from "modbus-rtu/types";

/** The three blocks a monitor reads; the numbers are the frame types (docs/jk-modbus.md, "Triggers"). */
export const SETTINGS = 1;
export const TELEMETRY = 2;
export const DEVICE_INFO = 3;
export type BlockType = typeof SETTINGS | typeof TELEMETRY | typeof DEVICE_INFO;

/**
 * The bytes of one block as last read whole: byte k is the block's register byte offset k, whichever way it was read. 16- and 32-bit
 * values are big-endian when read by registers (FC03) and little-endian when read as a frame.
 */
export interface BlockImage {
  readonly view: DataView;
  readonly littleEndian: boolean;
  /** False until the whole block has been read once. */
  readonly valid: boolean;
}

export type ReadMode = "registers" | "frames";

export type ReadOutcome = "ok" | "no-reply" | "exception";

export interface WriteResult {
  /**
   * confirmed: the reply matched and the value read back is the one written. refused: Modbus exception. not-applied: acknowledged, but another
   * value was read back. unverified: acknowledged, but it could not be read back.
   * no-reply: none in time, or damaged, and nothing could be read back. no-reply-applied: no reply, but the value read back is the one asked
   * for. no-reply-not-applied: no reply, and another value was read back. mismatch: a reply came, but for something else.
   * not-sent: the word that holds a bit could not be read, so nothing was written.
   */
  readonly outcome:
    | "confirmed"
    | "refused"
    | "not-applied"
    | "unverified"
    | "no-reply"
    | "no-reply-applied"
    | "no-reply-not-applied"
    | "mismatch"
    | "not-sent";
  /** The exception code of `refused`. */
  readonly exception?: number;
  /** What was read back with `not-applied`, `no-reply-not-applied` and, when anything was, `mismatch`: the raw number or the text. */
  readonly readBack?: number | string;
}

/** Diagnostic counters since the start. All wrap at 2^31. */
export interface LinkStatistics extends Counters {
  /** Triggers sent because the BMS had stopped answering reads by registers. */
  wakeTriggers: number;
}
