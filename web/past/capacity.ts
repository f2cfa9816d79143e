/** What a pack has held from full to nearly empty, measured at its terminals. */
import type { Hour, Week } from "./records";

/** %: a discharge counts from full down to this at least; the rest is reckoned by the state of charge. */
export const EMPTY = 10;
const FULL = 100;
const HOUR = 3_600;

export interface Measured {
  /** Seconds since 1970: the hour in which it was lowest. */
  readonly time: number;
  /** Ah, from full to 0 %. */
  readonly capacity: number;
  /** State of charge down to which it was measured, %. */
  readonly least: number;
}

/**
 * One for each discharge from full: hours of a pack in the order of their times. An hour that is missing, or of which something is unknown,
 * ends it.
 */
export function measuredCapacities(hours: readonly Hour[]): Measured[] {
  const found: Measured[] = [];
  let drawn: number | undefined;
  let lowest: Measured | undefined;
  let next = 0;
  const end = (): void => {
    if (lowest) found.push(lowest);
    drawn = lowest = undefined;
  };
  for (const { time, soc, current } of hours) {
    if (time !== next) end();
    next = time + HOUR;
    if (soc === undefined || current === undefined) end();
    else if (soc >= FULL) {
      end();
      drawn = 0;
    } else if (drawn !== undefined) {
      drawn -= current;
      if (soc <= EMPTY && soc < (lowest?.least ?? FULL))
        lowest = { time, capacity: (drawn / (FULL - soc)) * FULL, least: soc };
    }
  }
  end();
  return found;
}

/** What the BMS had learned by then, Ah: as recorded in that week, or else the week before; undefined: unknown. */
export const learnedAt = (weeks: readonly Week[], time: number): number | undefined =>
  weeks.filter((week) => week.time <= time && week.capacity !== undefined).at(-1)?.capacity;
