export const BOARDS: readonly string[];
export function sdkEnvironment(device?: boolean): Record<string, string>;
