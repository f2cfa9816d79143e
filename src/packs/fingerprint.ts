import { cellsPresent } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import type { BlockImage } from "jk-bms/types";

/** No serial number begins with it: one is printable. */
const UNNUMBERED = "\t";
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Model, number of cells that it takes, versions of hardware and software. */
const MODEL_END = FIELDS.softwareVersion.offset + FIELDS.softwareVersion.length;

/**
 * What tells a pack without a serial number from others, as a text (FNV-1a): model, versions, manufacture date, Bluetooth name and the number of
 * cells. Two packs that agree in all of them cannot be told apart (docs/jk-modbus.md).
 */
export function fingerprintOf({ view }: BlockImage, telemetry: BlockImage, named: boolean): string {
  const { bluetoothName: name, manufactureDate: date } = FIELDS;
  let hash = FNV_OFFSET ^ (telemetry.valid ? cellsPresent(telemetry) : 0);
  for (let at = 0; at < date.offset + date.length; at++)
    if (at < MODEL_END || at >= date.offset || (named && at >= name.offset && at < name.offset + name.length))
      hash = Math.imul(hash ^ view.getUint8(at), FNV_PRIME);
  return UNNUMBERED + (hash >>> 0).toString(36);
}
