import { MAX_JOULES, MAX_STORED_CHARACTERS } from "./limits";

const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;

/** Joules. */
export interface StoredCounters {
  readonly charged: number;
  readonly discharged: number;
}

/** "charged discharged sum", joules in decimal; the sum is there to tell a changed digit. */
export const textOf = (charged: number, discharged: number): string =>
  `${charged} ${discharged} ${charged + discharged}`;

/** What a stored text says; undefined when it is none of ours. */
export function countersOf(text: unknown): StoredCounters | undefined {
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
