/** Packs in parallel, compared: who carries how much of the current, and whose voltage is not that of the others. */
import type { PackRow } from "./documents";
import { IDLE_CURRENT } from "./estimate";

/** A pack that carries less than this part of an equal share is odd: packs of a quarter of the others' capacity are not meant to be in parallel. */
export const LEAST_SHARE = 0.25;

export interface Compared {
  /** Of an equal share of the bank's current; negative: against it; undefined: unknown, or the bank is idle. */
  readonly share: number | undefined;
  /** V above that of the others; undefined: unknown, or there are no others. */
  readonly offset: number | undefined;
  readonly isShareOdd: boolean;
}

/** The middle one, which a single odd pack does not move. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const high = sorted[middle] as number;
  return sorted.length % 2 ? high : (high + (sorted[middle - 1] as number)) / 2;
}

const isKnown = (value: number | null): value is number => value !== null;

/** One for each of `packs`, in their order. Those that do not respond have no part in it. */
export function compare(packs: readonly PackRow[]): readonly Compared[] {
  const present = packs.filter(({ online }) => online);
  const currents = present.map(({ current }) => current).filter(isKnown);
  const equal = currents.reduce((sum, current) => sum + current, 0) / currents.length;
  const isFlowing = currents.length > 1 && Math.abs(equal) >= IDLE_CURRENT;
  return packs.map((pack) => {
    const { online, current, voltage } = pack;
    const share = online && isFlowing && current !== null ? current / equal : undefined;
    // Among three or more a single odd one does not move the middle; of two each is compared with the other.
    const beside = present.length > 2 ? present : present.filter((one) => one !== pack);
    const others = beside.map((one) => one.voltage).filter(isKnown);
    const offset = online && voltage !== null && others.length ? voltage - median(others) : undefined;
    return {
      share,
      offset,
      isShareOdd: share !== undefined && share < LEAST_SHARE,
    };
  });
}
