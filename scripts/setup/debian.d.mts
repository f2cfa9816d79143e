export function findDaemons(): void;
/** Throws an Error that names what is missing. */
export function installDebianPackages(texts: readonly string[] | undefined): void;
export function packagesFor(texts: readonly string[] | undefined): string[];
export function needsXs(texts: readonly string[] | undefined): boolean;
