import type { Sizes } from "./sizes.mjs";

/** Of page and bundle, as the table has them. */
export function sizesIn(text?: string): Sizes;
/** Commit. */
export function measuredAt(): string;
export function writeSizes(sizes: Sizes, at: string): void;
export type ImageRow = readonly [
  board: string,
  without: readonly string[],
  slots: number,
  firmware: number,
  page: number,
  image: number,
  left: number,
];
export function writeImages(rows: readonly ImageRow[], at: string): void;
