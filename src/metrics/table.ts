import { BMS_FAMILIES } from "./bms-families";
import { BOARD_FAMILIES } from "./board-families";
import { families } from "./family";
import { HTTP_FAMILIES } from "./http-families";
import { LINK_FAMILIES } from "./link-families";

/** All metrics, in output order. */
export const DESCRIPTIONS = Object.freeze(
  [...BMS_FAMILIES, ...LINK_FAMILIES, ...BOARD_FAMILIES, ...HTTP_FAMILIES],
  true,
);

export const METRICS_TABLE = families(DESCRIPTIONS);
