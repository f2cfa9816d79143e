export interface Part {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}
export function billOf(image: {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly version: string;
  readonly parts: readonly Part[];
}): object;
export function partsOf(components: readonly { name: string; of: string; licence: string }[], versions: string): Part[];
