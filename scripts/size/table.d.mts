import type { LinkedPart } from "./linked.mjs";
import type { Sizes } from "./sizes.mjs";

/** What an image is made of. */
export const SOURCES: readonly string[];
/** Of page and bundle, as the table has them. */
export function sizesIn(text?: string): Sizes;
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
/** Bytes by kind, and slots of the preloaded heap by cause. */
export function writeScript(
  board: string,
  bytes: Readonly<Record<string, number>>,
  causes: ReadonlyMap<string, { readonly slots: number }>,
  at: string,
): void;
export function writeLinked(board: string, parts: readonly LinkedPart[], at: string): void;
