export function packagesFor(texts: readonly string[] | undefined): string[];
export function needsXs(texts: readonly string[] | undefined): boolean;
