import * as FIELDS from "jk-bms/field-table";
import { readRaw, readText } from "jk-bms/fields";
import { DEVICE_INFO, type BlockImage, type BlockType } from "jk-bms/types";
import { FAR_BEYOND } from "../catalogue/limits";
import { PARAMETERS_TABLE } from "../catalogue/parameters";

/** Whether no pack is set like that, or is called that: UVP not below OVP, no cells or capacity, a number far beyond its range; no model, a serial number that is no text. */
export function isImpossible(block: BlockType, image: BlockImage): boolean {
  // What is not printable is read as a question mark.
  if (block === DEVICE_INFO)
    return !readText(image, FIELDS.model) || readText(image, FIELDS.serialNumber).includes("?");
  if (readRaw(image, FIELDS.cellUvpVoltage) >= readRaw(image, FIELDS.cellOvpVoltage)) return true;
  if (!readRaw(image, FIELDS.cellCount) || !readRaw(image, FIELDS.capacity)) return true;
  return PARAMETERS_TABLE.some(
    ({ quantity: { kind, max }, source }) =>
      (kind === "number" || kind === "integer") && Math.abs(readRaw(image, source)) > FAR_BEYOND * max,
  );
}
