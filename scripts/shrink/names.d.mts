export function reuseNames(code: string): string;
