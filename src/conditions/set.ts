/**
 * A set of rows of the table. It is a number, row n being worth 2 ** n, and so a value: compared by `===`, kept without an object. There may be more
 * than 32 rows, of which `&` and `|` would lose the upper ones: only what is here takes a set apart, and the compiler refuses all else. What stores
 * a set casts it to a number and back.
 */
declare const SET: unique symbol;
export interface Conditions {
  readonly [SET]: never;
}

/** Of many: a Float64Array takes half the memory of a list, and XS keeps it out of the slots. */
export type Sets = Record<number, Conditions>;

export { MOST_ROWS } from "./limits";

/** No row. */
export const NONE = 0 as unknown as Conditions;

type Operation<Result> = (set: Conditions, other: Conditions) => Result;
type Row<Result> = (set: Conditions, row: number) => Result;

export const ofRow = ((row: number) => 2 ** row) as unknown as (row: number) => Conditions;

// Of both words: the operators drop what is behind the point. Numbers stand as they are: a function that needs nothing from outside takes less flash.
export const plus = ((set: number, other: number) =>
  ((set | other) >>> 0) +
  0x1_0000_0000 * ((set / 0x1_0000_0000) | (other / 0x1_0000_0000))) as unknown as Operation<Conditions>;

export const common = ((set: number, other: number) =>
  ((set & other) >>> 0) +
  0x1_0000_0000 * ((set / 0x1_0000_0000) & (other / 0x1_0000_0000))) as unknown as Operation<Conditions>;

/** Those of the set that are not among the others. */
export const without = ((set: number, other: number) =>
  ((set & ~other) >>> 0) +
  0x1_0000_0000 * ((set / 0x1_0000_0000) & ~(other / 0x1_0000_0000))) as unknown as Operation<Conditions>;

/** Those of one or the other, but not of both. */
export const changed = ((set: number, other: number) =>
  ((set ^ other) >>> 0) +
  0x1_0000_0000 * ((set / 0x1_0000_0000) ^ (other / 0x1_0000_0000))) as unknown as Operation<Conditions>;

/** Whether any of the others is in the set. */
export const hasAny = ((set: number, other: number) =>
  ((set & other) | ((set / 0x1_0000_0000) & (other / 0x1_0000_0000))) !== 0) as unknown as Operation<boolean>;

export const has = ((set: number, row: number) => ((set / 2 ** row) & 1) === 1) as unknown as Row<boolean>;

/** The first row of the set from `row` on; MOST_ROWS: there is none. */
export const nextRow = ((set: number, row: number) => {
  for (; set >= 2 ** row; row++) if ((set / 2 ** row) & 1) return row;
  return 48;
}) as unknown as Row<number>;
