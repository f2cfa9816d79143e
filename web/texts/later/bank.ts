/** Texts of the bank that nothing else needs. All languages in the one file that has it. */
import type { Language } from "../../format";

const en = {
  online: (online: string, all: string) => `${online} of ${all} packs respond.`,
  incomplete: "Sums are of these; nothing is estimated until all do.",
  columns: ["Charge", "Current", "Voltage"] as readonly string[],
  marks: "Line: an equal share of the current. Dot: the voltage, beside that of most packs.",
  select: "Select a pack for its cells.",
  spread: (spread: string) => `spread ${spread}`,
  silent: (time: string) => `not responding for ${time}`,
  never: "has not responded yet",
  shared: "two packs seem to have its address",
  little: (part: string) => `carries only ${part} of an equal share`,
  against: "its current flows against that of the bank",
  lags: (volts: string) => `${volts} below the others`,
  leads: (volts: string) => `${volts} above the others`,
};

export type BankTexts = typeof en;

const pt: BankTexts = {
  online: (online, all) => `${online} de ${all} baterias respondem.`,
  incomplete: "As somas são destas; nada é estimado até que todas respondam.",
  columns: ["Carga", "Corrente", "Tensão"],
  marks: "Linha: uma parte igual da corrente. Ponto: a tensão, comparada com a da maioria das baterias.",
  select: "Selecione uma bateria para ver as suas células.",
  spread: (spread) => `diferença ${spread}`,
  silent: (time) => `sem resposta há ${time}`,
  never: "ainda não respondeu",
  shared: "duas baterias parecem ter o seu endereço",
  little: (part) => `leva só ${part} de uma parte igual`,
  against: "a sua corrente flui contra a do banco",
  lags: (volts) => `${volts} abaixo das outras`,
  leads: (volts) => `${volts} acima das outras`,
};

export const BANK_TEXTS: Readonly<Record<Language, BankTexts>> = { en, pt };
