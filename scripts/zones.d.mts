export const FILE: string;
export function installedVersion(): string | undefined;
export function zoneTable(): string;
