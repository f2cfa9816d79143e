/** Generates the text of web/tables.ts. */
export function tablesModule(): Promise<string>;
