/** Texts of what has happened since the last look. All languages in the one file that has it. */
import type { Language } from "../../format";

const en = { title: (when: string) => `Since you last looked, ${when}` };

export type SinceTexts = typeof en;

const pt: SinceTexts = { title: (when) => `Desde que você olhou por último, ${when}` };

export const SINCE_TEXTS: Readonly<Record<Language, SinceTexts>> = { en, pt };
