import { NONE } from "../../../src/conditions/set";
import type { ConditionSource } from "../../../src/conditions/types";

/** Nothing is wrong. */
export const NO_CONDITIONS: ConditionSource = {
  presentOf: () => NONE,
  alarmsOf: () => 0,
  sinceOf: () => 0,
  todayOf: () => 0,
  measurementOf: () => undefined,
};
