/** A rule of one pack is one of each: alone, and the first, the middle and the last of three. */

/** How many packs there are, and the index of the one that is meant. */
export const PLACES = [
  [1, 0],
  [3, 0],
  [3, 1],
  [3, 2],
] as const;

/** The same with its address, from 1. */
export const ADDRESSES = PLACES.map(([count, at]) => [count, at + 1] as const);

/** Each of these rows at each place. */
export const everywhere = <Row>(rows: readonly Row[]): [number, number, Row][] =>
  PLACES.flatMap(([count, at]) => rows.map((row): [number, number, Row] => [count, at, row]));
