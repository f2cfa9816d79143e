type Environment = Readonly<Record<string, string | undefined>>;
export const EMULATOR: string;
export function chipOf(root: string, board: string): number;
export function bmsPortOf(root: string, board: string): number;
export function findEmulator(chip: number, environment: Environment): string | undefined;
export function missingFor(board: string, chip: number, folder: string, environment: Environment): string[];
export function unstartable(root: string, board: string, flashMode?: string): string | undefined;
