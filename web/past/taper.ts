/** How much longer the end of a charge takes than its rate before would let it, as the last days have shown. */
import type { Fine } from "./records";

/** State of charge, %: the rate counts between these … */
export const RATE_FROM = 70;
export const RATE_TO = 90;
/** … and the end is from RATE_TO to this: of the last per cent nobody knows how long it takes the BMS. */
export const END = 99;
const STEPS = [RATE_FROM, RATE_TO, END];
/** A pause between two records longer than this ends a charge, s. */
const LONGEST_PAUSE = 900;

/** One for each charge from RATE_FROM to END without a pause: the time of a per cent at the end by that before; 2: twice as long. */
export function tapersOf(rows: readonly Fine[]): number[] {
  const found: number[] = [];
  /** When each step was reached first in this charge; undefined: it is not known when the first was. */
  let reached: { readonly time: number; readonly soc: number }[] | undefined;
  let last: Fine | undefined;
  for (const row of rows) {
    const { time, soc, power } = row;
    if (soc === undefined) {
      last = reached = undefined;
      continue;
    }
    const goesOn = last?.soc !== undefined && soc >= last.soc && Number(power) > 0 && time - last.time <= LONGEST_PAUSE;
    if (!goesOn) reached = soc <= RATE_FROM ? [] : undefined;
    last = row;
    while (reached && soc >= (STEPS[reached.length] ?? Infinity)) reached.push({ time, soc });
    const [from, to, end] = reached ?? [];
    if (!from || !to || !end) continue;
    const taper = ((end.time - to.time) * (to.soc - from.soc)) / ((end.soc - to.soc) * (to.time - from.time));
    if (taper > 0 && taper < Infinity) found.push(taper);
    reached = undefined;
  }
  return found;
}
