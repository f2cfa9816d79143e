export function textsOf(root: string, parameters: readonly string[]): string[] | undefined;
