/** Atomically. */
export function replaceFile(path: string, content: string | Uint8Array): void;
