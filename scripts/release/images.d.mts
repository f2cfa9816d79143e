export interface Release {
  readonly version: string;
  readonly boards: readonly {
    readonly board: string;
    readonly name: string;
    readonly chip: number;
    readonly folder: string;
    readonly budget: number;
  }[];
  readonly table: string;
  readonly texts: readonly string[];
  readonly parts: readonly { readonly name: string; readonly version: string; readonly licence: string }[];
  readonly to: string;
}

export function offsetsOf(table: string): Record<string, number>;
export function writeRelease(release: Release): void;
export const FILES: readonly string[];
export function placesOf(chip: number, offsets: Record<string, number>): number[];
