export function effectOf(name: string, first: number): { takes: number; puts: number } | undefined;
