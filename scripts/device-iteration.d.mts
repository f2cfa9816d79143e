import type { Plugin } from "esbuild";
/** `firmware`: path of the source that is bundled, from the root of the repository, or an absolute one. */
export function indexed(firmware: string): Plugin;
