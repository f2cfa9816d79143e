/** Texts of the bank that nothing else needs. All languages in the one file that has it. */
import type { Language } from "../../format";

const en = {
  online: (online: string, all: string) => `${online} of ${all} packs respond.`,
  incomplete: "Totals cover these packs only; nothing is estimated until all respond.",
  columns: ["Charge", "Current", "Voltage"] as readonly string[],
  marks: "Line: equal share of the current. Dot: how far the voltage is from the others'.",
  select: "Select a pack for its cells.",
  spread: (spread: string) => `spread ${spread}`,
  silent: (time: string) => `not responding for ${time}`,
  never: "has not responded yet",
  lags: (volts: string) => `${volts} below the others`,
  leads: (volts: string) => `${volts} above the others`,
};

export type BankTexts = typeof en;

const pt: BankTexts = {
  online: (online, all) => `${online} de ${all} baterias respondem.`,
  incomplete: "Os totais são só destas; nada é estimado até que todas respondam.",
  columns: ["Nível", "Corrente", "Tensão"],
  marks: "Linha: parcela igual da corrente. Ponto: quanto a tensão difere da das outras.",
  select: "Selecione uma bateria para ver as células dela.",
  spread: (spread) => `diferença ${spread}`,
  silent: (time) => `sem resposta há ${time}`,
  never: "ainda não respondeu",
  lags: (volts) => `${volts} abaixo das outras`,
  leads: (volts) => `${volts} acima das outras`,
};

export const BANK_TEXTS: Readonly<Record<Language, BankTexts>> = { en, pt };
