/** The page's texts together with those that only the file of the Device screen has. */
import { useMemo } from "preact/hooks";
import type { Language } from "../format";
import { useTexts } from "../hooks";
import type { Texts } from "../texts/en";
import { DEVICE_TEXTS, type DeviceTexts } from "../texts/later/device";

export type AllTexts = Texts & DeviceTexts;

export function useAllTexts(): { t: AllTexts; language: Language } {
  const { t, language } = useTexts();
  const all = useMemo(() => ({ ...t, ...DEVICE_TEXTS[language] }), [t, language]);
  return { t: all, language };
}
