/** Info metrics: texts as labels, the value always 1. */
import { DEVICE_INFO } from "jk-bms/types";
import type { Pack } from "../catalogue/pack";
import { currentBlock, read } from "../catalogue/read";
import type { Row } from "../catalogue/row";
import { telemetryRow } from "../catalogue/telemetry";
import type { Description, Parts } from "./family";
import { MAX_CRASH_BYTES, MAX_LABEL_BYTES } from "./limits";
import { headOf, labelOf } from "./text";

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

/** The labels of metric `which` with their braces. */
export function labelsOf(which: number, pack: Pack, parts: Parts | undefined): string {
  const texts = which === BMS ? ROWS.map((row) => String(read(row, pack) ?? "")) : textsOf(which, parts as Parts);
  const longest = which > BUILD ? MAX_CRASH_BYTES : MAX_LABEL_BYTES;
  const labels = LABELS[which] as readonly string[];
  return `{${labels.map((label, at) => `${label}=${labelOf(texts[at] as string, longest)}`).join()}}`;
}

const textsOf = (which: number, { build, start }: Parts): readonly string[] =>
  which === BUILD ? [build.version, build.build, build.boardVersion] : [start.reason, start.where];
