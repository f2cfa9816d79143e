import type { BlockImage } from "jk-bms/types";

/**
 * The blocks as last read in full; they keep their values while the BMS is offline. Where several functions are asked about one pack, they get these
 * alone: each look at a pack's block goes through three getters.
 */
export interface Blocks {
  readonly telemetry: BlockImage;
  readonly setup: BlockImage;
  /** The pack that they are of, unless this is it. */
  readonly whole?: Pack;
}

/** A battery pack as reported by its BMS: the source of every row in the catalogue. */
export interface Pack extends Blocks {
  /** The BMS is responding: see OFFLINE_POLLS and OFFLINE_TIME of src/packs/limits.ts. */
  readonly online: boolean;
  /** Nothing is sent: the values are those that another master on the bus is answered. */
  readonly listening?: boolean;
  /** The setup has been read since the BMS came online. */
  readonly configurationLoaded: boolean;
  /** It has been heard a single time, beside another master: it is shown, and nothing acts on it. */
  readonly heardOnce?: boolean;
  readonly deviceInfo: BlockImage;
}
