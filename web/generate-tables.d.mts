import type { RecordTable } from "../modules/flash-log/field";

/** Generates the text of web/tables.ts. */
export function tablesModule(): Promise<string>;
/** Generates the text of web/setup-table.ts. */
export function setupModule(): Promise<string>;
/** Generates the text of web/past/tables.ts; of these kinds of records in place of the firmware's. */
export function recordsModule(records?: readonly RecordTable[]): Promise<string>;
