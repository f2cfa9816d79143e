import type { BlockImage, BlockType, Effort, ReadOutcome, WriteResult } from "jk-bms/types";
import type { HeardListener } from "jk-bms/jk-bms";
import type { WriteName } from "jk-bms/writes";

/**
 * The BMS interface that the monitor requires; implemented by `JkBms` of jk-bms. One transaction at a time: `read` and
 * `write` throw when `busy`. Each calls `done` exactly once, never before returning.
 */
export interface BmsLink {
  readonly busy: boolean;
  readonly telemetry: BlockImage;
  readonly setup: BlockImage;
  readonly deviceInfo: BlockImage;
  /** Nothing is sent: blocks are filled from what another master on the bus is answered. */
  readonly listening?: boolean;
  /** Another master has been heard, and nothing is sent because of it. */
  readonly masterPresent?: boolean;
  /** Of the bus. */
  readonly statistics?: { readonly crcErrors: number };
  /** Told of each block filled in that way. */
  listener?: HeardListener | undefined;
  /** `effort`: what it may cost if the BMS is silent; default: all. */
  read(block: BlockType, done: (outcome: ReadOutcome) => void, effort?: Effort): void;
  /**
   * Writes a raw value (3650 for 3.650 V, 0 or 1 for a switch, or a text), reads it back, and stores it in the block's
   * image once confirmed; all within `timeout` ms.
   */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void;
  /** Leaves the bus; drops any transaction in progress. */
  close(): void;
}
