import type KeyValueStorage from "embedded:storage/key-value";
import { readState, writeState } from "../runtime/state";

/** What the energy counters showed when a day began, joules; the day by the owner's time since 1970. Stored once a day. */
export interface DayStart {
  readonly day: number;
  readonly charged: number;
  readonly discharged: number;
}

/** Key in the device's state. */
const KEY = "day";

/** "day charged discharged sum": the sum detects corrupted digits. */
const textOf = ({ day, charged, discharged }: DayStart): string =>
  `${day} ${charged} ${discharged} ${day + charged + discharged}`;

/** Undefined: none is stored, or it cannot be read. */
export function readDayStart(storage: typeof KeyValueStorage): DayStart | undefined {
  try {
    const text = readState(storage, KEY);
    if (typeof text !== "string") return undefined;
    const [day = NaN, charged = NaN, discharged = NaN] = text.split(" ").map(Number);
    const start = { day, charged, discharged };
    return day >= 0 && charged >= 0 && discharged >= 0 && textOf(start) === text ? start : undefined;
  } catch {
    return undefined;
  }
}

/** What cannot be stored costs a power cut the day's energy. */
export function writeDayStart(storage: typeof KeyValueStorage, start: DayStart): void {
  try {
    writeState(storage, KEY, textOf(start));
  } catch {
    trace("history: cannot store the start of the day\n");
  }
}
