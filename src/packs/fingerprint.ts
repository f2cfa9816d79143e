import { cellsPresent } from "jk-bms/cells";
import { lengthOf, offsetOf } from "jk-bms/fields";
import * as FIELDS from "jk-bms/field-table";
import type { BlockImage } from "jk-bms/types";

/** No serial number begins with it: one is printable. */
const UNNUMBERED = "\t";
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Model, number of cells that it takes, versions of hardware and software. */
const MODEL_END = offsetOf(FIELDS.softwareVersion) + lengthOf(FIELDS.softwareVersion);

/**
 * Identifies a pack without a serial number, as a text (FNV-1a): model, versions, manufacture date, Bluetooth name and the number of
 * cells. Two packs that agree in all of them cannot be distinguished (docs/jk-modbus.md).
 */
export function fingerprintOf({ view }: BlockImage, telemetry: BlockImage, named: boolean): string {
  const name = offsetOf(FIELDS.bluetoothName);
  const date = offsetOf(FIELDS.manufactureDate);
  let hash = FNV_OFFSET ^ (telemetry.valid ? cellsPresent(telemetry) : 0);
  for (let at = 0; at < date + lengthOf(FIELDS.manufactureDate); at++)
    if (at < MODEL_END || at >= date || (named && at >= name && at < name + lengthOf(FIELDS.bluetoothName)))
      hash = Math.imul(hash ^ view.getUint8(at), FNV_PRIME);
  return UNNUMBERED + (hash >>> 0).toString(36);
}
