export function pack(source: string): string;
