/** Whether the texts of screens that are seldom opened are there in all languages. A board may do without: without-rare.ts. */
export const IN_ALL_LANGUAGES = true;
