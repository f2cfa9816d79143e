import type { Plugin } from "esbuild";
import type { Pass } from "./passes.mjs";

export function shrinkSources(firmware: string, passes: readonly Pass[]): Plugin[];
export function shrinkBundle(
  bundle: { code: string; map: string },
  passes: readonly Pass[],
): Promise<{ code: string; map: string }>;
