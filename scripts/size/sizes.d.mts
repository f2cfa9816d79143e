import type { Fact } from "../../web/build.mjs";

/** Bytes by the name of a file of the page; "bundle": the firmware's without what only formats it. */
export type Sizes = Readonly<Record<string, number>>;
export const TOLERANCE: number;
export function sizesOf(facts: readonly Fact[], code: string): Promise<Sizes>;
export function tooLarge(
  sizes: Sizes,
  before: Sizes,
  limits: { readonly languages: readonly string[]; readonly page: number },
): string[];
export function grown(sizes: Sizes, before: Sizes): string[];
