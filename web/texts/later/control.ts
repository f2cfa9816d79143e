/** Texts of the Control screen that nothing else needs. All languages in the one file that has the screen. */
import type { Language } from "../../format";

const en = {
  fact: (wish: string, fact: string) => `Switch: ${wish} · MOSFET: ${fact}`,
  balancing: (wish: string, fact: string) => `Switch: ${wish} · balancing now: ${fact}`,
  blocked: (why: string) => `On, blocked by the BMS: ${why}`,
  noReason: "it gives no reason",
  stillOn: "Off, but the MOSFET is on",
};

export type ControlTexts = typeof en;

const pt: ControlTexts = {
  fact: (wish, fact) => `Chave: ${wish} · MOSFET: ${fact}`,
  balancing: (wish, fact) => `Chave: ${wish} · balanceando agora: ${fact}`,
  blocked: (why) => `Ligado, bloqueado pelo BMS: ${why}`,
  noReason: "ele não informa o motivo",
  stillOn: "Desligado, mas o MOSFET está ligado",
};

export const CONTROL_TEXTS: Readonly<Record<Language, ControlTexts>> = { en, pt };
