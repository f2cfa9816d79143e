/** The text of a generated file. Throws if a value is missing in it. */
export function complete(path: string, text: string): string;
/** JSON of a generated document. Throws if a value is missing in it. */
export function completeJson(path: string, document: unknown): string;
