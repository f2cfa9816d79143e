/** `code`: the firmware's bundle. Throws for the first thing that it must not contain. */
export function refuse(code: string): void;
