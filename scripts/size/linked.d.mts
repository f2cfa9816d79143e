/** Of an image, by the linker's map, bytes: of each part, the largest first, then of all together. */
export type LinkedPart = readonly [part: string, flash: number, code: number, data: number, zeroed: number];
export function linkedParts(map: string): LinkedPart[];
