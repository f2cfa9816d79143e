/** Bytes. */
export interface Sizes {
  /** The firmware's bundle without what only formats it. */
  readonly bundle: number;
  /** The page and the roots, as they are embedded. */
  readonly page: number;
}
export const TOLERANCE: number;
export function sizesOf(code: string): Promise<Sizes>;
export function recorded(): Sizes;
export function record(sizes: Sizes): void;
export function changesOf(sizes: Sizes, before: Sizes): string[];
