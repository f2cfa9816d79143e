/** `path`: absolute. `firmware`: the source that is bundled: absolute, or from the root of the repository. */
export function sourceOf(path: string, firmware: string, passes?: { privates?: boolean; indices?: boolean }): string;
