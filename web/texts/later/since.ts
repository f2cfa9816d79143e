/** Texts of what has happened since the last look. All languages in the one file that has it. */
import type { Language } from "../../format";

const en = {
  title: (when: string, _isToday: boolean) => `Since you last looked, ${when}`,
  changes: (count: number) => (count === 1 ? "1 change" : `${count} changes`),
};

export type SinceTexts = typeof en;

const pt: SinceTexts = {
  title: (when, isToday) => `Desde a sua última visita, ${isToday ? "às" : "em"} ${when}`,
  changes: (count) => (count === 1 ? "1 alteração" : `${count} alterações`),
};

export const SINCE_TEXTS: Readonly<Record<Language, SinceTexts>> = { en, pt };
