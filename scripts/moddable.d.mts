export const BOARDS: readonly string[];
export function sdkEnvironment(device?: boolean): Record<string, string>;
export function missingParts(board: string): string[];
