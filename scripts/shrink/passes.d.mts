export type Pass = "privates" | "indices" | "arrows" | "folding" | "names" | "code" | "heap";
/** Folder of the stand-in for the SDK's linker. */
export const LINKER: string;
export const PASSES: readonly Pass[];
export function passesIn(words: readonly string[]): { passes: readonly Pass[]; rest: string[] };
