/** What is said, in the owner's language: a phrase is a line. */
import { wordsOf } from "../events/words";
import type { NotifyLanguage } from "../settings/types";

// The lines of both languages. {0}: what is filled in.
/** Names of SOC, TEMPERATURE and SPREAD. */
export const VALUE = 0;
export const BELOW = 3;
export const ABOVE = 4;
/** From BELOW to "back below", and from ABOVE to "back above". */
export const BACK = 2;
/** By the value of UPDATE. */
export const UPDATES = 7;
export const RESTARTED = 10;
export const TRIED = 11;
export const TIMES = 12;
export const LASTS = 13;
export const BEFORE_RESTART = 14;
export const MINUTES_AGO = 15;
export const AT = 16;
/** Of a protection limit: another master has changed it, or somebody. */
export const CHANGED_BY_MASTER = 17;
export const CHANGED = 18;
/** Of a condition: since when it lasts, and behind what is judged the limit. */
export const LASTS_SINCE = 19;
export const LIMIT = 20;
// In the page's words: of a pack's name, of EVENTS, of reasons for a start by their value (words.ts; empty: never reported), of alarms, and of
// conditions of the device and of packs, by their row.
export const PACK = 21;
const LOGGED = 22;
export const REASON = 32;
export const ALARM = 57;
export const DEVICE = 87;
export const CONDITION = 92;

/** Codes of the log, in order of the lines from LOGGED on. */
const EVENTS = Object.freeze(
  [
    "bms-offline",
    "bms-online",
    "other-master",
    "other-master-gone",
    "alarm-raised",
    "alarm-cleared",
    "condition-raised",
    "condition-cleared",
    "safe-mode",
    "start-reason",
  ] as const,
  true,
);
export type ReportedEvent = (typeof EVENTS)[number];

const LINES: Readonly<Record<NotifyLanguage, string>> = Object.freeze(
  {
    en: [
      "State of charge",
      "Battery temperature",
      "Cell voltage difference",
      "below {0}",
      "above {0}",
      "back below {0}",
      "back above {0}",
      "The update works: firmware {0} is running.",
      "The update was rejected: firmware {0} is running.",
      "The update was rolled back: firmware {0} is running.",
      "Restarted by itself.",
      "Messages arrive. It is only a test.",
      " {0} times since the last message.",
      " It lasts.",
      " That was before the device restarted.",
      " That was {0} min ago.",
      " That was at {0} UTC.",
      "Another master has changed a protection limit: {0}.",
      "A protection limit was changed: {0}.",
      " It lasts, since {0} UTC.",
      ", limit {0}.",
      "Pack {0}",
      // Of EVENTS the words are those of the log; so are those of an empty line.
      ...Array<string>(REASON - LOGGED + 3).fill(""),
      "the firmware restarted it",
      "the firmware crashed",
      "the firmware hung (interrupt watchdog)",
      "the firmware hung (task watchdog)",
      "the firmware hung (watchdog)",
      "",
      "brown-out (supply voltage too low)",
      "SDIO",
      "",
      "",
      "an eFuse error",
      "a supply voltage glitch",
      "the processor locked up",
      "the script aborted",
      "",
      "",
      "",
      "",
      "the BMS was no longer polled",
      "HTTP was no longer served",
      "out of memory",
      "Wi-Fi did not connect although the network was there",
      "",
      "MOSFETs too hot",
      "Cell count does not match",
      "",
      "",
      "Battery voltage too high",
      "Charge current too high",
      "Short circuit while charging",
      "Too hot to charge",
      "Too cold to charge",
      "",
      "Cell voltage too low",
      "Battery voltage too low",
      "Discharge current too high",
      "Short circuit while discharging",
      "Too hot to discharge",
      "",
      "",
      "",
      "",
      "Discharging could not be switched on",
      "Battery too hot",
      "",
      "",
      "Short circuit not cleared",
      "Discharge current far too high",
      "Discharge current extremely high",
      "Too cold to discharge",
      "Locked by GPS remote lock",
      "Cell voltage too high",
      "",
      "The time server's time cannot be right: choose another server.",
      "Settings or history cannot be stored: save a backup, then restart the device.",
      "",
      "A part of the device does not work: see the log.",
      "",
      "",
      "Emergency mode is on: protections do not switch the output off.",
      "Temperature sensors are ignored.",
      "",
      "",
      "",
      "",
      "Discharging is off.",
      "Discharging is on, but a protection blocks it.",
      "Charging is off.",
      "Charging is on, but a protection blocks it.",
      "",
      "",
      "Balancing fault: the resistance of a balance wire is too high.",
      "",
      "The BMS settings have not been read yet, or were heard only once.",
      "",
      "The BMS contradicts itself: values or settings that belong together do not match.",
      "It carries none of the bank's current: check breaker, fuse and leads.",
      "Its voltage is not that of the other packs: check breaker, fuse and leads.",
      "Another pack than before answers at its address.",
      "Two packs answer at its address.",
      "",
      "Another pack of the bank has the same serial number.",
      "",
      "It is set to another number of cells than the other packs.",
    ].join("\n"),
    pt: [
      "Estado de carga",
      "Temperatura da bateria",
      "Diferença entre células",
      "abaixo de {0}",
      "acima de {0}",
      "de novo abaixo de {0}",
      "de novo acima de {0}",
      "A atualização funciona: roda o firmware {0}.",
      "A atualização foi rejeitada: roda o firmware {0}.",
      "A atualização foi desfeita: roda o firmware {0}.",
      "Reiniciou sozinho.",
      "As mensagens chegam. É só um teste.",
      " {0} vezes desde a última mensagem.",
      " Continua.",
      " Isso foi antes de o aparelho reiniciar.",
      " Isso foi há {0} min.",
      " Isso foi em {0} UTC.",
      "Outro mestre alterou um limite de proteção: {0}.",
      "Um limite de proteção foi alterado: {0}.",
      " Continua, desde {0} UTC.",
      ", limite {0}.",
      "Bateria {0}",
      "O BMS deixou de responder.",
      "O BMS responde.",
      "Há outro mestre neste barramento: só se escuta, nada é enviado.",
      "O outro mestre se calou: o BMS é consultado.",
      "Alarme: {0}.",
      "Alarme encerrado: {0}.",
      "Requer atenção: {0}",
      "Não mais: {0}",
      "Modo seguro: só a rede, a página, a atualização e o registro funcionam.",
      "Motivo da inicialização: {0}.",
      "desconhecido",
      "",
      "",
      "o firmware reiniciou o aparelho",
      "falha do firmware",
      "o firmware travou (watchdog de interrupções)",
      "o firmware travou (watchdog de tarefas)",
      "o firmware travou (watchdog)",
      "",
      "a tensão de alimentação caiu",
      "SDIO",
      "",
      "",
      "um erro de eFuse",
      "uma oscilação na alimentação",
      "o processador travou",
      "o script foi abortado",
      "",
      "",
      "",
      "",
      "o BMS deixou de ser lido",
      "o HTTP deixou de responder",
      "a memória acabou",
      "o Wi-Fi não se conectou embora a rede estivesse lá",
      "Resistência dos fios de balanceamento alta",
      "MOSFETs quentes demais",
      "Número de células não coincide",
      "Sensor de corrente anormal",
      "",
      "Tensão da bateria alta demais",
      "Corrente de carga alta demais",
      "Curto-circuito na carga",
      "Quente demais para carregar",
      "Fria demais para carregar",
      "Erro de comunicação interna",
      "Tensão de célula baixa demais",
      "Tensão da bateria baixa demais",
      "Corrente de descarga alta demais",
      "Curto-circuito na descarga",
      "Quente demais para descarregar",
      "MOSFET de carga anormal",
      "MOSFET de descarga anormal",
      "GPS desconectado",
      "",
      "Não foi possível ligar a descarga",
      "Bateria quente demais",
      "Sensor de temperatura anormal",
      "Módulo paralelo anormal",
      "O curto-circuito continua",
      "Corrente de descarga muito alta",
      "Corrente de descarga extrema",
      "Fria demais para descarregar",
      "Bloqueio remoto por GPS",
      "Tensão de célula alta demais",
      "",
      "A hora do servidor não pode estar certa: escolha outro servidor.",
      "Não é possível gravar a configuração ou o histórico: salve um backup e reinicie o aparelho.",
      "",
      "Uma parte do aparelho não funciona: veja o registro.",
      "",
      "",
      "Modo de emergência ligado: as proteções não desligam a saída.",
      "Sensores de temperatura ignorados.",
      "",
      "",
      "",
      "",
      "Descarregamento desligado.",
      "Descarregamento ligado, mas bloqueado por uma proteção.",
      "Carregamento desligado.",
      "Carregamento ligado, mas bloqueado por uma proteção.",
      "",
      "",
      "Falha no balanceamento: resistência alta demais em um fio de balanceamento.",
      "",
      "A configuração do BMS ainda não foi lida, ou só foi ouvida uma vez.",
      "",
      "O BMS se contradiz: valores ou configurações que deveriam combinar não combinam.",
      "Não conduz nada da corrente do banco: verifique disjuntor, fusível e cabos.",
      "A tensão dela não é a das outras baterias: verifique disjuntor, fusível e cabos.",
      "Outra bateria, e não a de antes, responde no endereço dela.",
      "Duas baterias respondem no endereço dela.",
      "",
      "Outra bateria do banco tem o mesmo número de série.",
      "",
      "Está ajustada para outro número de células que as outras baterias.",
    ].join("\n"),
  },
  true,
);

function lineOf(language: NotifyLanguage, phrase: number): string {
  const lines = LINES[language];
  let from = 0;
  for (let line = 0; line < phrase; line++) {
    from = lines.indexOf("\n", from) + 1;
    if (!from) return "";
  }
  const to = lines.indexOf("\n", from);
  return to < 0 ? lines.slice(from) : lines.slice(from, to);
}

export const say = (language: NotifyLanguage, phrase: number, filled = ""): string =>
  lineOf(language, phrase).replace("{0}", filled);

/** An event in the words of the log. `parameter`: as the log has it; `phrase`: of its words, if it is not shown as it is. */
export function sayEvent(language: NotifyLanguage, code: ReportedEvent, parameter = "", phrase = 0): string {
  const shown = (phrase && lineOf(language, phrase)) || parameter;
  if (language === "en") return wordsOf([code, shown]);
  return say(language, LOGGED + EVENTS.indexOf(code), shown);
}
