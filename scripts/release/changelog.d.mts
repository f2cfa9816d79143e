export interface Section {
  readonly version: string;
  readonly date: string | undefined;
  readonly text: string;
}

export const VERSION: RegExp;
export function sectionsOf(text: string): Section[];
export function sectionOf(text: string, version: string): string;
export function released(text: string, version: string, date: string): string;
export function isNewer(version: string, before: string): boolean;
