/** The names that private members are given. */
export const GIVEN: RegExp;
export function shortenPrivates(code: string): string;
