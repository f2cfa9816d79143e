export const COMPILED: number;
/** Bytes by board. */
export const BUDGET: Readonly<Record<"wt32_eth01" | "nodemcu" | "esp32c3" | "esp32s3", number>>;
/** Bytes of an image as linked, of any board. */
export const LINKED_BUDGET: number;
export function restOf(board: string): number;
export function budgetOf(board: string): number;
