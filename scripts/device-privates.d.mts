import type { Plugin } from "esbuild";
export function shortenPrivates(code: string): string;
export const shortPrivates: Plugin;
