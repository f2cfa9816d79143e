import { alarmsAfter } from "../../../src/catalogue/alarms";
import type { Pack } from "../../../src/catalogue/pack";
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

/** The same with the alarms of these packs, which do not flap. */
export function conditionsWithAlarms(monitor: { readonly packs: readonly Pack[] }): ConditionSource {
  const known: number[] = [];
  return {
    ...NO_CONDITIONS,
    alarmsOf(index) {
      const pack = monitor.packs[index];
      const before = known[index] ?? 0;
      return pack ? (known[index] = alarmsAfter(before, pack)) : before;
    },
  };
}
