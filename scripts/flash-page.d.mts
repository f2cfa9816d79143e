export function writeFlashPage(release: string, to: string): void;
/** Names of the boards on the page, by their images. */
export function boardNames(): Record<string, string>;
