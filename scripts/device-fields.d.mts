import type { Plugin } from "esbuild";

export function fieldsIn(text: string): string[];
export function usedFields(): ReadonlySet<string>;
export function withFields(text: string, used: ReadonlySet<string>): string;
export const onlyUsedFields: Plugin;
