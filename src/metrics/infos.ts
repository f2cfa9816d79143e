/** Info metrics: texts as labels, the value always 1. */
import { UNPRINTABLE, blockOf, lengthOf, offsetOf } from "jk-bms/fields";
import { DEVICE_INFO } from "jk-bms/types";
import { writeAscii, writeText } from "json/bytes";
import type { Pack } from "../catalogue/pack";
import { currentBlock, read } from "../catalogue/read";
import type { Row } from "../catalogue/row";
import { telemetryRow } from "../catalogue/telemetry";
import type { Description, Parts } from "./family";
import { MAX_CRASH_BYTES, MAX_LABEL_BYTES } from "./limits";
import { headOf, writeLabel } from "./text";

const LABELS: readonly (readonly string[])[] = Object.freeze(
  [
    ["model", "name", "chemistry", "hardware_version", "software_version"],
    ["version", "revision", "board"],
    ["reason", "where"],
  ],
  true,
);
const BMS = 0;
const BUILD = 1;

/** Of the BMS's labels, in their order. */
const ROWS: readonly Row[] = Object.freeze(
  ["model", "name", "batteryType", "info.hardwareVersion", "info.softwareVersion"].map(telemetryRow),
  true,
);

const info = (name: string, help: string, at: number): Description => ({
  name,
  help: `${help}, always 1`,
  labels: LABELS[at] as readonly string[],
});

export const INFOS: readonly Description[] = Object.freeze(
  [
    info("bms_info", "The BMS by its names", BMS),
    info("bms_monitor_build_info", "The firmware", BUILD),
    info("bms_monitor_start_info", "Why the firmware has started, and where it had crashed", 2),
  ],
  true,
);

/** Of each, HELP and TYPE lines and the sample up to its labels. */
export const INFO_HEADS: readonly string[] = Object.freeze(
  INFOS.map(({ name, help }) => headOf(name, `${name} ${help}`) + name),
  true,
);

/** The BMS's names are unknown while it is offline. */
export const isKnown = (at: number, pack: Pack): boolean => at !== BMS || currentBlock(pack, DEVICE_INFO) !== undefined;

/** Writes the labels of metric `which` with their braces. Returns the next position. */
export function writeLabels(into: Uint8Array, at: number, which: number, pack: Pack, parts: Parts | undefined): number {
  const labels = LABELS[which] as readonly string[];
  for (let label = 0; label < labels.length; label++) {
    at = writeText(into, at, `${label ? "," : "{"}${labels[label]}=`);
    if (which === BMS) at = writeName(into, at, pack, ROWS[label] as Row);
    else if (parts) at = writeTextOf(into, at, which, label, parts);
  }
  return writeText(into, at, "} ");
}

/** A name of the BMS, from the bytes that it sent: most of its texts are shorter than a string of them would be expensive. */
function writeName(into: Uint8Array, at: number, pack: Pack, row: Row): number {
  const { source } = row;
  const image = typeof source === "function" ? undefined : currentBlock(pack, blockOf(source));
  if (!image || typeof source === "function")
    return writeLabel(into, at, String(read(row, pack) ?? ""), MAX_LABEL_BYTES);
  return writeAscii(into, at, image.view, offsetOf(source), lengthOf(source), UNPRINTABLE);
}

function writeTextOf(into: Uint8Array, at: number, which: number, label: number, { build, start }: Parts): number {
  if (which === BUILD)
    return writeLabel(into, at, [build.version, build.build, build.boardVersion][label] as string, MAX_LABEL_BYTES);
  return writeLabel(into, at, label ? start.where : start.reason, MAX_CRASH_BYTES);
}
