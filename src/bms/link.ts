import type { BlockImage, BlockType, ReadOutcome, WriteResult } from "jk-bms/types";
import type { WriteName } from "jk-bms/writes";

/**
 * The BMS as the monitor needs it; `JkBms` of jk-bms is one. One transaction at a time: `read` and `write` throw when
 * `busy`. Each calls `done` exactly once and never before it has returned.
 */
export interface BmsLink {
  readonly busy: boolean;
  readonly telemetry: BlockImage;
  readonly settings: BlockImage;
  readonly deviceInfo: BlockImage;
  read(block: BlockType, done: (outcome: ReadOutcome) => void): void;
  /**
   * Writes a raw value (3650 for 3.650 V, 0 or 1 for a switch, or a text), reads it back, and puts it into the block's
   * image once it is confirmed; all within `timeout` ms.
   */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void;
  /** Lets go of the serial port; a transaction under way is dropped. */
  close(): void;
}
