export const REVIEWED: Readonly<Record<string, string>>;
export function unreviewedFiles(makefile: string, sdk: string): string[];
export function unreviewedArchives(map: string): string[];
export function problemsOf(build: {
  readonly makefile: string;
  readonly map: string;
  readonly sdk: string;
  readonly idf: string;
}): string[];
