/** Messages as English sentences: the words of the log and the catalogue's titles. */
import { ALARMS_TABLE } from "../catalogue/alarms";
import { wordsOf } from "../events/words";
import { CAUSES as STARTS, REASONS } from "../health/reasons";
import type { NotifySettings } from "../settings/types";
import * as causes from "./causes";
import { LATE } from "./limits";
import { CLEARED, RAISED, type Message, type NotifyDevice } from "./types";

const ABORTED = "script-aborted";
const STARTS_AT = REASONS.length;

/** A reason for a start as the value of a message, and back. */
export function reasonValue(reason: string): number {
  const at = (REASONS as readonly string[]).indexOf(reason);
  return at >= 0 ? at : STARTS_AT + Math.max(0, (STARTS as readonly string[]).indexOf(reason));
}
const reasonOf = (value: number): string => REASONS[value] ?? (STARTS[value - STARTS_AT] || ABORTED);

/** Of the causes from OFFLINE on: the code of the webhook. */
const CODES: readonly string[] = Object.freeze(
  "bms-offline low-charge temperature spread other-master restart safe-mode update".split(" "),
  true,
);
/** Of SOC, TEMPERATURE and SPREAD. */
const TITLES: readonly string[] = Object.freeze(
  ["State of charge", "Battery temperature", "Cell voltage difference"],
  true,
);
const UNITS: readonly string[] = Object.freeze(["%", "°C", "mV"], true);
const UPDATES: readonly string[] = Object.freeze(
  ["The update works", "The update was rejected", "The update was rolled back"],
  true,
);

/** "alarm", or what else has happened. */
export function codeOf(cause: number): string {
  if (causes.isAlarm(cause)) return "alarm";
  if (cause === causes.TEST) return "test";
  return CODES[cause - causes.OFFLINE] ?? "pack-offline";
}

/** The threshold of SOC, TEMPERATURE or SPREAD, in the unit of its setting; 0: none. */
export const limitOf = ({ soc, temperature, spread }: NotifySettings, cause: number): number =>
  cause === causes.SOC ? soc : cause === causes.TEMPERATURE ? temperature : spread;

/** What is wrong rather than over or well. */
export const isUrgent = ({ cause, kind, value }: Message): boolean =>
  kind !== CLEARED && cause !== causes.TEST && cause !== causes.MASTER && (cause !== causes.UPDATE || value > 0);

/** In printable ASCII, apart from the degree sign. */
export function sentenceOf(device: NotifyDevice, message: Message): string {
  const { cause, kind, count } = message;
  let text = factOf(device, message);
  if (count > 1) text += ` ${count} times since the last message.`;
  else if (kind !== RAISED && kind !== CLEARED && !count) text += " It lasts.";
  return text + whenOf(device, message) + (cause === causes.TEST ? " It is only a test." : "");
}

function factOf({ build, settings }: NotifyDevice, { cause, kind, value }: Message): string {
  const over = kind === CLEARED;
  switch (cause) {
    case causes.OFFLINE:
      return wordsOf([over ? "bms-online" : "bms-offline"]);
    case causes.MASTER:
      return wordsOf([over ? "other-master-gone" : "other-master"]);
    case causes.SAFE_MODE:
      return wordsOf(["safe-mode"]);
    case causes.RESTART:
      return `Restarted by itself. ${wordsOf(["start-reason", reasonOf(value)])}`;
    case causes.UPDATE:
      return `${UPDATES[value]}: firmware ${build.version} is running.`;
    case causes.TEST:
      return "Messages arrive.";
    case causes.SOC:
    case causes.TEMPERATURE:
    case causes.SPREAD: {
      const at = cause - causes.SOC;
      const shown = cause === causes.TEMPERATURE ? value / 10 : value;
      const unit = UNITS[at] as string;
      return `${TITLES[at]}: ${shown} ${unit}, ${over ? "back within" : "beyond"} ${limitOf(settings.notify, cause)} ${unit}.`;
    }
    default:
  }
  if (cause >= causes.PACKS) return wordsOf([over ? "pack-online" : "pack-offline", String(cause - causes.PACKS)]);
  // Of several packs none has it any more.
  const whose = value && !over ? [String(value - 1)] : [];
  return wordsOf([over ? "alarm-cleared" : "alarm-raised", ALARMS_TABLE[cause]?.name ?? "", ...whose]);
}

/** When it happened, of a message that has waited; otherwise empty. */
function whenOf(device: NotifyDevice, message: Message): string {
  const ago = ageOf(device, message);
  const happened = happenedAt(device, message);
  if (ago === undefined) return " That was before the device restarted.";
  if (ago < LATE) return "";
  if (happened === undefined) return ` That was ${Math.floor(ago / 60)} min ago.`;
  // eslint-disable-next-line no-restricted-globals -- formats the seconds given
  return ` That was at ${new Date(happened * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}

/** Seconds since it happened; undefined: unknown, it was before a restart. */
export function ageOf(device: NotifyDevice, message: Message): number | undefined {
  const happened = happenedAt(device, message);
  const now = device.time();
  return happened === undefined || now === undefined ? agoOf(device, message) : now - happened;
}

/** Seconds since it happened; undefined: in an earlier run. */
function agoOf(device: NotifyDevice, message: Message): number | undefined {
  return message.restarts === (device.start.restarts & 0xffff) ? device.uptime() - message.uptime : undefined;
}

/** Seconds since 1970; undefined: unknown. */
export function happenedAt(device: NotifyDevice, message: Message): number | undefined {
  const ago = agoOf(device, message);
  const now = device.time();
  if (ago !== undefined && now !== undefined) return now - ago;
  return message.minutes === undefined ? undefined : message.minutes * 60;
}

/** Problems with a sentence of their own. */
const PROBLEMS: Readonly<Record<string, string>> = Object.freeze(
  {
    incomplete: "This target is off, or its address, topic or token is missing",
    "no-network": "The device has no network",
    "unknown-host": "The service's name was not found",
    "no-tls": "This board cannot do TLS",
    "no-time": "The time is not known yet; without it no certificate can be checked",
    "no-memory": "The device has too little free memory now",
    "no-connection": "Nobody answers at this address",
    closed: "The service has closed the connection without an answer",
    timeout: "The service did not answer in time",
    malformed: "What answers there does not speak HTTP",
    redirect: "The service sends elsewhere; redirects are not followed, since they would take the token along",
    refused: "The service has refused the message",
    "too-many": "The service wants fewer messages for now",
    "server-error": "The service has failed",
  },
  true,
);

/** How a test has ended, with the service's own words. */
export function resultOf(problem: string, status: number, answer: string): string {
  const words = problem
    ? (PROBLEMS[problem] ?? `No secure connection (${problem})`)
    : "The service has taken the message";
  return `${words}.${status ? ` It answered ${status}${answer && `: ${answer}`}` : ""}`;
}
