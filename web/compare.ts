/** Packs in parallel, compared: how far the voltage of each is from that of the others. */
import type { PackRow } from "./documents";

/** The middle one, which a single odd pack does not move. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const high = sorted[middle] as number;
  return sorted.length % 2 ? high : (high + (sorted[middle - 1] as number)) / 2;
}

const isKnown = (value: number | null): value is number => value !== null;

/**
 * V above the others, for each of `packs`, in their order; undefined: unknown, or there are no others. Those that do not respond have no part in
 * it.
 */
export function offsets(packs: readonly PackRow[]): readonly (number | undefined)[] {
  const present = packs.filter(({ online }) => online);
  return packs.map((pack) => {
    const { online, voltage } = pack;
    // Among three or more a single odd one does not move the middle; of two each is compared with the other.
    const beside = present.length > 2 ? present : present.filter((one) => one !== pack);
    const others = beside.map((one) => one.voltage).filter(isKnown);
    return online && voltage !== null && others.length ? voltage - median(others) : undefined;
  });
}
