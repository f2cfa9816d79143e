/** Texts of the Control screen that nothing else needs. All languages in the one file that has the screen. */
import type { Language } from "../../format";

const en = {
  writesTo: (name: string, address: string) => `Changes go to ${name} (address ${address}).`,
  writesToAll: (count: string) => `The change goes to all ${count} packs.`,
  forAll: (count: string) => `For all ${count} packs`,
  forAllHint: "The packs are changed one after another; each confirms. Until then nothing else can be changed.",
  checkedHere: (pack: string) =>
    `Other packs may have other limits: the new value was compared with those of ${pack} only.`,
  allPacksTitle: (title: string) => `${title}: all packs`,
  someHave: (done: string, of: string) => `${done} of ${of} packs have confirmed it …`,
  allHave: (done: string, of: string) => `All packs have confirmed it: ${done} of ${of}.`,
  onlySomeHave: (done: string, of: string) => `Only ${done} of ${of} packs have confirmed it.`,
  endedEarly: {
    interrupted:
      "Ended before its last pack: the settings or the port of the BMS have changed, or another master has come.",
    restarted: "Ended before its last pack: the device was restarted. Its log says which packs have confirmed it.",
  },
  waits: "Waiting.",
  unknownOutcome: "No outcome.",
  fact: (wish: string, fact: string) => `Switch: ${wish} · MOSFET: ${fact}`,
  balancing: (wish: string, fact: string) => `Switch: ${wish} · balancing now: ${fact}`,
  blocked: (why: string) => `On, blocked by the BMS: ${why}`,
  noReason: "it gives no reason",
  stillOn: "Off, but the MOSFET is on",
  preset: (chemistry: string) => `Preset for ${chemistry} …`,
  presetTitle: (chemistry: string) => `Preset for ${chemistry}`,
  presetHint:
    "The limits that the BMS itself has for these cells (firmware 15.30). Temperatures of the cells stay as they are: the BMS has 70 °C there, more than data sheets of cells allow.",
  presetSame: (chemistry: string) => `All limits are already those of the preset for ${chemistry}.`,
  presetOnly: (chemistry: string) =>
    `Only for ${chemistry} cells: others can catch fire with these limits. One limit is changed after another, and the first refusal stops it.`,
  noPreset: "There is no preset for LTO: its limits have no trustworthy source.",
  sureOf: (chemistry: string) =>
    `The BMS does not say what cells it has. Type ${chemistry} if these are ${chemistry} cells`,
  outside: "The cells are outside of these limits now: the BMS would switch off at once.",
  saveLimits: "Save the limits as a file",
  fileName: "limits",
  fromFile: "Compare with the limits of a file",
  compareWith: (pack: string) => `Compare with ${pack} …`,
  limitsOf: (from: string) => `The limits of ${from}`,
  limitsHint: "Cell count, capacity and Bluetooth name are left out: they belong to the pack.",
  limitsSame: "All limits are the same.",
  limitsOnly: "One limit is changed after another, and the first that is not confirmed stops it.",
  noLimits: "These are not limits that a BMS can have.",
  otherCells: (count: string, type: string) => `These limits are for other cells: ${count}, ${type}.`,
  limit: "Limit",
  then: "New",
  apply: "Change all",
  untouched: "Not changed.",
  elsewhere: "Not changed: a limit was changed elsewhere meanwhile.",
  progress: (done: string, of: string) => `${done} of ${of} changed …`,
  all: (done: string, of: string) => `All changed: ${done} of ${of}.`,
  halted: (done: string, of: string) => `Stopped: ${done} of ${of} changed. The limits are still in a valid order.`,
  stop: "Stop",
  close: "Close",
};

export type ControlTexts = typeof en;

const pt: ControlTexts = {
  writesTo: (name, address) => `As alterações vão para ${name} (endereço ${address}).`,
  writesToAll: (count) => `A alteração vai para todas as ${count} baterias.`,
  forAll: (count) => `Para todas as ${count} baterias`,
  forAllHint: "Uma após a outra, e cada BMS confirma a sua. Até lá, nada mais pode ser alterado.",
  checkedHere: (pack) => `Outras baterias podem ter outros limites: o novo valor só foi comparado com os de ${pack}.`,
  allPacksTitle: (title) => `${title}: todas as baterias`,
  someHave: (done, of) => `${done} de ${of} baterias confirmaram …`,
  allHave: (done, of) => `Todas as baterias confirmaram: ${done} de ${of}.`,
  onlySomeHave: (done, of) => `Só ${done} de ${of} baterias confirmaram.`,
  endedEarly: {
    interrupted:
      "Encerrado antes da última bateria: as configurações ou a porta do BMS mudaram, ou apareceu outro mestre.",
    restarted:
      "Encerrado antes da última bateria: o aparelho foi reiniciado. O registro diz quais baterias confirmaram.",
  },
  waits: "Aguardando.",
  unknownOutcome: "Sem resultado.",
  fact: (wish, fact) => `Chave: ${wish} · MOSFET: ${fact}`,
  balancing: (wish, fact) => `Chave: ${wish} · balanceando agora: ${fact}`,
  blocked: (why) => `Ligado, bloqueado pelo BMS: ${why}`,
  noReason: "ele não informa o motivo",
  stillOn: "Desligado, mas o MOSFET está ligado",
  preset: (chemistry) => `Predefinição para ${chemistry} …`,
  presetTitle: (chemistry) => `Predefinição para ${chemistry}`,
  presetHint:
    "Os limites que o próprio BMS tem para estas células (firmware 15.30). As temperaturas das células ficam como estão: o BMS tem 70 °C ali, mais do que as folhas de dados das células permitem.",
  presetSame: (chemistry) => `Todos os limites já são os da predefinição para ${chemistry}.`,
  presetOnly: (chemistry) =>
    `Só para células ${chemistry}: outras podem pegar fogo com estes limites. Os limites são alterados um após o outro, e a primeira recusa interrompe tudo.`,
  noPreset: "Não há predefinição para LTO: não existe fonte confiável para os seus limites.",
  sureOf: (chemistry) => `O BMS não diz que células tem. Digite ${chemistry} se estas são células ${chemistry}`,
  outside: "As células estão agora fora destes limites: o BMS desligaria na hora.",
  saveLimits: "Salvar os limites em um arquivo",
  fileName: "limites",
  fromFile: "Comparar com os limites de um arquivo",
  compareWith: (pack) => `Comparar com ${pack} …`,
  limitsOf: (from) => `Os limites de ${from}`,
  limitsHint: "Número de células, capacidade e nome Bluetooth ficam de fora: são da própria bateria.",
  limitsSame: "Todos os limites são iguais.",
  limitsOnly: "Os limites são alterados um após o outro, e o primeiro que não for confirmado interrompe tudo.",
  noLimits: "Estes não são limites que um BMS possa ter.",
  otherCells: (count, type) => `Estes limites são para outras células: ${count}, ${type}.`,
  limit: "Limite",
  then: "Novo",
  apply: "Alterar todos",
  untouched: "Não alterado.",
  elsewhere: "Não alterado: um limite foi alterado por outro cliente nesse meio-tempo.",
  progress: (done, of) => `${done} de ${of} alterados …`,
  all: (done, of) => `Todos alterados: ${done} de ${of}.`,
  halted: (done, of) => `Interrompido: ${done} de ${of} alterados. Os limites continuam em uma ordem válida.`,
  stop: "Parar",
  close: "Fechar",
};

export const CONTROL_TEXTS: Readonly<Record<Language, ControlTexts>> = { en, pt };
