export function chipOf(root: string, board: string): number;
export function bmsPortOf(root: string, board: string): number;
export function findEmulator(chip: number, path: string): string;
export function checkBuild(folder: string, board: string): void;
