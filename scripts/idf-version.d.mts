export function wantedIdf(): string;
export function idfVersion(folder: string): string | undefined;
export function otherIdf(folder: string): string | undefined;
