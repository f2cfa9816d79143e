import { Back } from "flash-log/back";
import { valueOf } from "flash-log/field";
import type { Ring } from "flash-log/ring";
import type { Zone } from "./calendar";
import { DAY_FIELDS } from "./records";

const DAY = 86_400;

/**
 * Reads back from `ring` what a day had, by the owner's time since 1970: charged and discharged, Wh; NaN: unknown. More than one record of it: the
 * clock had been set.
 */
export function energyOfDay(ring: Ring, day: number, zone: Zone): readonly number[] {
  const back = new Back(ring);
  const sums = [NaN, NaN];
  while (back.next()) {
    const { record, time } = back;
    const recorded = Math.round((time + zone.offsetAt(time)) / DAY);
    if (recorded < day) break;
    if (recorded !== day) continue;
    for (let index = 0; index < 2; index++) {
      const wattHours = valueOf(record, index ? DAY_FIELDS.discharged : DAY_FIELDS.charged);
      if (wattHours !== undefined) sums[index] = (sums[index] || 0) + wattHours;
    }
  }
  return sums;
}
