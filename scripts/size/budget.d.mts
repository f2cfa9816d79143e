/** Bytes. */
export interface Budget {
  readonly image: number;
  /** All files of the page. */
  readonly page: number;
}
/** What a browser loads until it shows the first values, in any one language. */
export const MAX_FIRST: number;
/** By a board's flash. */
export const BUDGETS: { readonly "4MB": Budget; readonly more: Budget };
/** These throw for a board that there is not. */
export function budgetOf(board: string): Budget;
export function restOf(board: string): number;
/** Names of parts, scripts/parts.mjs. */
export function withoutOf(board: string): string[];
