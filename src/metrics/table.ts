import { BMS_GROUPS } from "./bms-families";
import { BOARD_GROUP } from "./board-families";
import { tableOf, type Description, type Group } from "./family";
import { HTTP_GROUP } from "./http-families";
import { INFOS } from "./infos";
import { LINK_GROUP } from "./link-families";

/** All metrics but the info metrics, in output order. */
export const GROUPS: readonly Group[] = Object.freeze([...BMS_GROUPS, LINK_GROUP, BOARD_GROUP, HTTP_GROUP], true);

/** The last group of what is known of a pack. A number, since the groups themselves are not kept in flash. */
export const LAST_OF_BMS = BMS_GROUPS.length - 1;

/** All metrics, in output order. */
export const DESCRIPTIONS: readonly Description[] = Object.freeze(
  [...INFOS, ...GROUPS.flatMap(({ descriptions }) => descriptions)],
  true,
);

export const METRICS_TABLE = tableOf(GROUPS);
