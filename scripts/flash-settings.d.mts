export interface Flash {
  readonly size: "4MB" | "8MB" | "16MB";
  readonly mode: "QIO" | "DIO";
}
export function tableOf(size: Flash["size"]): string;
export function flashOf(root: string, board: string): Flash;
export function writeFlashSettings(root: string, board: string, mode?: string): string;
