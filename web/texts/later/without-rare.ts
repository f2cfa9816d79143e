/** In place of rare.ts on a board that has those texts in English only. */
export const IN_ALL_LANGUAGES = false;
