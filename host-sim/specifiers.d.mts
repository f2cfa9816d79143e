import type { Plugin } from "esbuild";

export const root: string;
export const PLATFORM: Readonly<Record<string, string>>;
export const aliases: { find: RegExp; replacement: string }[];
export const esbuildModules: Plugin;
export const esbuildPlatform: Plugin;
export const esbuildPlatformOnXs: Plugin;
export const esbuildPlatformInBrowser: Plugin;
