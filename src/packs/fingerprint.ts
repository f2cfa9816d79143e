import { cellsPresent } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import type { BlockImage } from "jk-bms/types";

/** No serial number begins with it: one is printable. */
const UNNUMBERED = "\t";
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Of the device information, bytes [from, to). */
type Range = readonly [from: number, to: number];
const NAME: Range = Object.freeze(
  [FIELDS.bluetoothName.offset, FIELDS.bluetoothName.offset + FIELDS.bluetoothName.length] as const,
  true,
);
const DATE: Range = Object.freeze(
  [FIELDS.manufactureDate.offset, FIELDS.manufactureDate.offset + FIELDS.manufactureDate.length] as const,
  true,
);
/** Model, number of cells that it takes, versions of hardware and software. */
const MODEL: Range = Object.freeze([0, FIELDS.softwareVersion.offset + FIELDS.softwareVersion.length] as const, true);

/**
 * What tells a pack without a serial number from others, as a text (FNV-1a): model, versions, manufacture date, Bluetooth name and the number of
 * cells. Two packs that agree in all of them cannot be told apart (docs/jk-modbus.md).
 */
export function fingerprintOf({ view }: BlockImage, telemetry: BlockImage, named: boolean): string {
  let hash = FNV_OFFSET ^ (telemetry.valid ? cellsPresent(telemetry) : 0);
  for (const [from, to] of named ? [MODEL, DATE, NAME] : [MODEL, DATE])
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ view.getUint8(at), FNV_PRIME);
  return UNNUMBERED + (hash >>> 0).toString(36);
}
