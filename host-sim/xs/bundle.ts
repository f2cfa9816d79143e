import { SourceMap } from "node:module";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { esbuildPlatformOnXs, root } from "../specifiers.mjs";

/** The simulator's own entry point: the product. */
const PRODUCT = "host-sim/xs/device/entry.ts";

/** The firmware as a single program for XS. */
export interface Bundle {
  readonly program: string;
  /** An error's text with source positions instead of bundle positions. */
  located(text: string): string;
}

/** A bundle position in an XS stack trace: `#1:line`. */
const PLACE = /\(#\d+:(\d+)\)/g;

/**
 * Bundles the firmware from its sources, without polyfills for anything that XS lacks. `entry`: a file of this
 * repository that calls `boot`. `plugins` run before the platform's.
 */
export async function bundleForXs(entry = PRODUCT, plugins: readonly Plugin[] = []): Promise<Bundle> {
  const { outputFiles } = await build({
    entryPoints: [join(root, entry)],
    outfile: join(root, "build/firmware-on-xs.js"),
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    target: "es2022",
    banner: { js: '"use strict";' },
    sourcemap: "external",
    plugins: [...plugins, esbuildPlatformOnXs],
    tsconfig: join(root, "tsconfig.base.json"),
    logLevel: "silent",
  });
  const [map, program] = outputFiles.map(({ text }) => text) as [string, string];
  let sources: SourceMap | undefined;
  return {
    program,
    located: (text) =>
      text.replace(PLACE, (place, line: string) => {
        // eslint-disable-next-line @typescript-eslint/no-unsafe-argument -- JSON of esbuild's
        sources ??= new SourceMap(JSON.parse(map));
        const entry = sources.findEntry(Number(line) - 1, Number.MAX_SAFE_INTEGER);
        if (!("originalSource" in entry)) return place;
        return `(${relative(root, join(root, "build", entry.originalSource))}:${entry.originalLine + 1})`;
      }),
  };
}
