/** The packs of a bank against each other, by the hour. */
import type { Sample } from "../chart-scale";
import type { Hour } from "./records";

/** A: with less the shares are noise. */
const LEAST_CURRENT = 2;

export interface Compared {
  readonly pack: number;
  /** Of the current of all packs, %. */
  readonly share: readonly Sample[];
  /** Above the mean voltage, mV. */
  readonly lead: readonly Sample[];
}

/** Of each hour in which all packs are known. */
export function comparedOf(hours: readonly Hour[], packs: readonly number[]): Compared[] {
  const byTime = new Map<number, Hour[]>();
  for (const hour of hours) {
    const at = Math.floor(hour.time / 3_600);
    byTime.set(at, [...(byTime.get(at) ?? []), hour]);
  }
  const rows = [...byTime.values()].filter(
    (each) =>
      each.length === packs.length &&
      each.every(({ current, voltage }) => current !== undefined && voltage !== undefined),
  );
  const sum = (each: readonly Hour[], key: "current" | "voltage"): number =>
    each.reduce((all, { [key]: value }) => all + Number(value), 0);
  return packs.map((pack) => {
    const own = (each: readonly Hour[]): Hour => each.find((hour) => hour.pack === pack) as Hour;
    return {
      pack,
      share: rows.map((each) => {
        const { time, step, current } = own(each);
        const all = sum(each, "current");
        return { time, step, value: Math.abs(all) < LEAST_CURRENT ? undefined : (100 * Number(current)) / all };
      }),
      lead: rows.map((each) => {
        const { time, step, voltage } = own(each);
        return { time, step, value: 1_000 * (Number(voltage) - sum(each, "voltage") / packs.length) };
      }),
    };
  });
}
