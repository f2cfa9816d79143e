import type { Plugin } from "esbuild";

/** A plugin that takes the names out of the texts, and those of the languages' files: "a,b{c,d}". */
export function nameless(languages: readonly string[]): Promise<{ plugin: Plugin; names: string }>;
