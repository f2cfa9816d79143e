import type { BlockImage } from "jk-bms/types";

/** A battery pack as reported by its BMS: the source of every row in the catalogue. */
export interface Pack {
  /** The BMS is responding: see OFFLINE_POLLS and OFFLINE_TIME of src/packs/limits.ts. */
  readonly online: boolean;
  /** Nothing is sent: the values are those that another master on the bus is answered. */
  readonly listening?: boolean;
  /** The setup has been read since the BMS came online. */
  readonly configurationLoaded: boolean;
  /** The blocks as last read in full; they keep their values while the BMS is offline. */
  readonly telemetry: BlockImage;
  readonly setup: BlockImage;
  readonly deviceInfo: BlockImage;
}
