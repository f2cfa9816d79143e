/** Changed settings in the log, read on from event to event by whoever tells of each: the log is their queue. */
import type { ObservedEvents } from "./types";
import { partsOf } from "./words";

export type ReadLog = Pick<ObservedEvents, "at" | "length" | "newest">;

type Change = ReturnType<typeof partsOf>;

/** Number of the first event behind the one of number `last` that is still there. */
export const following = ({ length, newest }: ReadLog, last: number): number => Math.max(last + 1, newest - length + 1);

/** @param number of an event. Undefined: it is another one, it is not there any more, or its memory was damaged. */
export function changeAt(log: ReadLog, number: number): Change | undefined {
  try {
    const parts = partsOf(log.at(number - log.newest - 1 + log.length));
    return parts[0] === "setting-changed" ? parts : undefined;
  } catch {
    return undefined;
  }
}
