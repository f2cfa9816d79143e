export const BOARDS: readonly string[];
export function sdkEnvironment(device?: boolean): Record<string, string>;
export function missingParts(board: string): string[];
export function slotBytes(): number;
export function checkFit(path: string): void;
export function checkGenerator(map: string): void;
export function linkBoard(board: string): Promise<string>;
