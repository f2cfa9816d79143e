/** Texts of what has happened since the last look. All languages in the one file that has it. */
import type { Language } from "../../format";

const en = {
  title: (when: string) => `Since you last looked, ${when}`,
  today: (clock: string) => clock,
  onDay: (date: string) => date,
  changes: (count: number) => (count === 1 ? "1 change" : `${count} changes`),
};

export type SinceTexts = typeof en;

const pt: SinceTexts = {
  title: (when) => `Desde a sua última visita, ${when}`,
  today: (clock) => `às ${clock}`,
  onDay: (date) => `em ${date}`,
  changes: (count) => (count === 1 ? "1 alteração" : `${count} alterações`),
};

export const SINCE_TEXTS: Readonly<Record<Language, SinceTexts>> = { en, pt };
