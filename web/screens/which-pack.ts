/** The pack that the Control screen writes to, where there are several. */
import { packTitle } from "../bank";
import type { PackRow } from "../documents";
import type { Language } from "../format";
import { live } from "../live";
import type { Texts } from "../texts/en";
import { CONTROL_TEXTS } from "../texts/later/control";

/** Without an address in the page's it is the first. */
export function presentPack(): PackRow | undefined {
  const packs = live.documents.packs?.packs ?? [];
  return live.pack === undefined ? packs[0] : packs.find(({ address }) => address === live.pack);
}

/** Begins every question; empty with one pack alone. */
export function whichPack(t: Texts, language: Language): string {
  const pack = presentPack();
  return pack && Number(live.documents.packs?.packs.length) > 1
    ? CONTROL_TEXTS[language].writesTo(packTitle(pack, t), String(pack.address))
    : "";
}
