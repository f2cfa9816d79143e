import type { Field } from "jk-bms/fields";
import { DEVICE_INFO, SETTINGS, type BlockImage } from "jk-bms/types";

/** A battery pack as its BMS told of it: what every row of the catalogue reads from. */
export interface Pack {
  /** The BMS answers: see OFFLINE_POLLS and OFFLINE_TIME of src/bms/limits.ts. */
  readonly online: boolean;
  /** The setup was read since the BMS came online. */
  readonly configurationLoaded: boolean;
  /** The blocks as last read whole; they keep their last values while the BMS is offline. */
  readonly telemetry: BlockImage;
  readonly setup: BlockImage;
  readonly deviceInfo: BlockImage;
}

/** The block of a field as last read. */
export function imageOf(pack: Pack, { block }: Field): BlockImage {
  if (block === SETTINGS) return pack.setup;
  return block === DEVICE_INFO ? pack.deviceInfo : pack.telemetry;
}
