export function writeFlashPage(release: string, to: string): void;
