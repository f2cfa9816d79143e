/** Statements that do the same and are shorter, by Terser. Results are kept in `folder`. */
export function shortened(statements: string, folder?: string): Promise<string>;
