import type KeyValueStorage from "embedded:storage/key-value";
import { readState, writeState } from "../runtime/state";
import { MAX_JOULES, MAX_STORED_CHARACTERS } from "./limits";
import type { Counters } from "./types";

/** Key in the device's state storage. */
const KEY = "energy";

const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;

/** "charged discharged sum", joules in decimal; the sum detects corrupted digits. */
export const textOf = (charged: number, discharged: number): string =>
  `${charged} ${discharged} ${charged + discharged}`;

/** Parses a stored text; undefined if invalid. */
export function countersOf(text: unknown): Counters | undefined {
  if (typeof text !== "string" || text.length > MAX_STORED_CHARACTERS) return undefined;
  const numbers = [0, 0, 0];
  let count = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === SPACE) {
      if (!digits || ++count === numbers.length) return undefined;
      digits = 0;
    } else {
      if (code < ZERO || code > NINE) return undefined;
      numbers[count] = (numbers[count] as number) * 10 + code - ZERO;
      digits++;
    }
  }
  const [charged, discharged, sum] = numbers as [number, number, number];
  if (count !== 2 || !digits || charged > MAX_JOULES || discharged > MAX_JOULES) return undefined;
  return charged + discharged === sum ? { charged, discharged } : undefined;
}

/** The stored counters: zeros if absent or corrupt; undefined if the storage cannot be read (it may be intact). */
export function readCounters(storage: typeof KeyValueStorage): Counters | undefined {
  let stored: unknown;
  try {
    stored = readState(storage, KEY);
  } catch {
    trace("energy: cannot read the stored counters\n");
    return undefined;
  }
  const counters = stored === undefined ? undefined : countersOf(stored);
  if (stored !== undefined && !counters) trace("energy: the stored counters are corrupt; counting from 0\n");
  return counters ?? { charged: 0, discharged: 0 };
}

/** @returns false if the counters could not be stored. */
export function writeCounters(storage: typeof KeyValueStorage, { charged, discharged }: Counters): boolean {
  try {
    writeState(storage, KEY, textOf(charged, discharged));
    return true;
  } catch {
    trace("energy: cannot store the counters\n");
    return false;
  }
}
