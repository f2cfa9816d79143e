export function measuredAt(sources: readonly string[]): string;
