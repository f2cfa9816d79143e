import type { ConditionSource } from "../../../src/conditions/types";

/** Nothing is wrong. */
export const NO_CONDITIONS: ConditionSource = {
  presentOf: () => 0,
  alarmsOf: () => 0,
  sinceOf: () => 0,
  todayOf: () => 0,
  measurementOf: () => undefined,
};
