import type { Plugin } from "esbuild";

export const PARTS: Readonly<Record<string, readonly (readonly [source: string, without: string])[]>>;
export function leaveOut(without: readonly string[]): Plugin;
