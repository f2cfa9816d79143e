/** Messages as sentences. */
import { ALARMS_TABLE } from "../catalogue/alarms";
import { ofRow } from "../conditions/set";
import { ALARM_ROW, decimalsOf, DEVICE, ownedUnit, unitOf } from "../conditions/table";
import { thresholdOf } from "../conditions/thresholds";
import { partsOf } from "../events/words";
import { decimalText } from "json/decimal";
import { CAUSES as STARTS, REASONS } from "../health/reasons";
import { isProtection } from "../packs/setting-changes";
import type { BusPack } from "../packs/types";
import type { NotifyLanguage } from "../settings/types";
import * as causes from "./causes";
import { LATE } from "./limits";
import * as phrases from "./phrases";
import { AGAIN, CLEARED, type Message, type NotifyDevice } from "./types";

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

/** "alarm", "condition", or what else has happened. */
export function codeOf({ cause, packs }: Message): string {
  if (causes.isAlarm(cause)) return "alarm";
  if (causes.conditionOf(cause)) return "condition";
  if (cause === causes.TEST) return "test";
  if (cause === causes.SETTING) return "setting-changed";
  return cause === causes.OFFLINE && packs ? "pack-offline" : (CODES[cause - causes.OFFLINE] as string);
}

/** What is wrong rather than over or well. */
export const isUrgent = ({ cause, kind, value }: Message): boolean =>
  kind !== CLEARED &&
  cause !== causes.MASTER &&
  (cause !== causes.UPDATE || value > 0) &&
  (cause < causes.CONDITIONS || causes.isFault(cause));

/** In the owner's language. */
export function sentenceOf(device: NotifyDevice, message: Message): string {
  const { kind, count } = message;
  const { language } = device.settings.notify;
  let text = namesOf(device, message) + factOf(device, message);
  if (count > 1) text += phrases.say(language, phrases.TIMES, String(count));
  else if (kind === AGAIN && !count) text += lastsOf(device, message);
  return text + whenOf(device, message);
}

function factOf(device: NotifyDevice, message: Message): string {
  const { build, settings } = device;
  const { cause, kind, value } = message;
  const over = kind === CLEARED;
  const { language } = settings.notify;
  switch (cause) {
    case causes.OFFLINE:
      return phrases.sayEvent(language, over ? "bms-online" : "bms-offline");
    case causes.MASTER:
      return phrases.sayEvent(language, over ? "other-master-gone" : "other-master");
    case causes.SETTING:
      return changeOf(device, message);
    case causes.SAFE_MODE:
      return phrases.sayEvent(language, "safe-mode");
    case causes.RESTART:
      return `${phrases.say(language, phrases.RESTARTED)} ${phrases.sayEvent(language, "start-reason", reasonOf(value), phrases.REASON + value)}`;
    case causes.UPDATE:
      return phrases.say(language, phrases.UPDATES + value, build.version);
    case causes.TEST:
      return phrases.say(language, phrases.TRIED);
    case causes.SOC:
    case causes.TEMPERATURE:
    case causes.SPREAD: {
      const at = cause - causes.SOC;
      const row = cause - causes.OFFLINE;
      const unit = ` ${ownedUnit(row)}`;
      const shown = String(cause === causes.TEMPERATURE ? value / 10 : value);
      // Low charge is below its threshold, and over above it; the others the other way round.
      const side = (cause === causes.SOC) === over ? phrases.ABOVE : phrases.BELOW;
      const beyond = phrases.say(
        language,
        side + (over ? phrases.BACK : 0),
        String(thresholdOf(row, settings.notify)) + unit,
      );
      return `${phrases.say(language, phrases.VALUE + at)}: ${decimal(language, shown)}${unit}, ${beyond}.`;
    }
    default:
  }
  if (cause >= causes.CONDITIONS)
    return (
      phrases.sayEvent(
        language,
        over ? "condition-cleared" : "condition-raised",
        causes.conditionOf(cause),
        causes.isOfDevice(cause) ? phrases.DEVICE + cause - causes.DEVICE : phrases.CONDITION + causes.rowOf(cause),
      ) + (over ? "" : measuredOf(device, message))
    );
  const code = over ? "alarm-cleared" : "alarm-raised";
  return phrases.sayEvent(language, code, ALARMS_TABLE[cause]?.name ?? "", phrases.ALARM + cause);
}

/** The pack of the changed setting, if it is one that is told: what this device has set is the end of a write. 0: the only one. */
export function changedPack([code, name = "", , , , pack, by]: readonly string[]): number | undefined {
  const isTold = code === "setting-changed" && by !== "device" && (!name || isProtection(name));
  return isTold ? Number(pack) : undefined;
}

/** Of each pack the last one, as the log has it. */
function changeOf({ events, settings }: NotifyDevice, { packs }: Message): string {
  const { language } = settings.notify;
  let phrase = phrases.CHANGED;
  const last: string[] = [];
  for (let index = 0; index < events.length; index++) {
    const parts = partsOf(events.at(index));
    const pack = changedPack(parts);
    if (pack === undefined || !(((packs || 1) >> pack) & 1)) continue;
    const [, name, before, value, unit, , by, count = ""] = parts;
    phrase = by === "master" ? phrases.CHANGED_BY_MASTER : phrases.CHANGED;
    last[pack] = name ? `${name} ${before} → ${value} ${unit === "C" ? "°C" : unit}` : count;
  }
  const shown = last.filter((text, at) => last.indexOf(text) === at).join("; ") || "?";
  return phrases.say(language, phrase, language === "en" ? shown : shown.replaceAll(".", ","));
}

/** A number as the language writes it. */
const decimal = (language: NotifyLanguage, text = ""): string => (language === "en" ? text : text.replace(".", ","));

/** The pack that it is about, if it is one and still there. */
const packOf = ({ monitor }: NotifyDevice, { packs }: Message): BusPack | undefined =>
  packs & (packs - 1) ? undefined : monitor.packs.find(({ label = 0 }) => !packs || (packs >> label) & 1);

/** What a condition of a pack is judged by, and its limit, as last known; empty: it is no number, or has none. */
function measuredOf(device: NotifyDevice, message: Message): string {
  if (causes.isOfDevice(message.cause)) return "";
  const { language } = device.settings.notify;
  const row = causes.rowOf(message.cause);
  const [value, limit] = packOf(device, message)?.measurementOf(ofRow(row)) ?? [];
  if (value === undefined || limit === undefined) return "";
  const [shown, bound] = [value, limit].map((units) => `${decimalText(units, decimalsOf(row))} ${unitOf(row)}`);
  return ` ${decimal(language, shown)}${phrases.say(language, phrases.LIMIT, decimal(language, bound))}`;
}

/** That it lasts, of a condition or an alarm since when. */
function lastsOf(device: NotifyDevice, message: Message): string {
  const { language } = device.settings.notify;
  const { cause } = message;
  const now = device.time();
  const index = causes.isOfDevice(cause) ? DEVICE : packOf(device, message)?.index;
  const row = rowOf(cause);
  const since = index === undefined || row === undefined ? undefined : device.conditions.sinceOf(index, row);
  return now === undefined || since === undefined
    ? phrases.say(language, phrases.LASTS)
    : phrases.say(language, phrases.LASTS_SINCE, timeText(now - device.uptime() + since));
}

/** Of a condition or an alarm, as `sinceOf` has them. */
function rowOf(cause: number): number | undefined {
  if (causes.isAlarm(cause)) return ALARM_ROW + cause;
  if (causes.isOfDevice(cause)) return cause - causes.DEVICE;
  return causes.isCondition(cause) ? causes.rowOf(cause) : undefined;
}

/** "2026-11-30 14:02", in UTC. */
const timeText = (seconds: number): string =>
  // eslint-disable-next-line no-restricted-globals -- formats the seconds given
  new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");

/** Which packs of a bank it is about. */
function namesOf({ monitor, settings }: NotifyDevice, { packs }: Message): string {
  if (!packs) return "";
  let names = "";
  for (const { identity, label = 0 } of monitor.packs)
    if ((packs >> label) & 1)
      names += `${names && ", "}${identity.name || phrases.say(settings.notify.language, phrases.PACK, String(label))}`;
  return `${names}: `;
}

/** When it happened, of a message that has waited; otherwise empty. */
function whenOf(device: NotifyDevice, message: Message): string {
  const { language } = device.settings.notify;
  const ago = ageOf(device, message);
  const happened = happenedAt(device, message);
  if (ago === undefined) return phrases.say(language, phrases.BEFORE_RESTART);
  if (ago < LATE) return "";
  if (happened === undefined) return phrases.say(language, phrases.MINUTES_AGO, String(Math.floor(ago / 60)));
  return phrases.say(language, phrases.AT, timeText(happened));
}

/** Seconds since it happened; undefined: unknown, it was before a restart. */
export function ageOf(device: NotifyDevice, message: Message): number | undefined {
  const happened = happenedAt(device, message);
  const now = device.time();
  return happened === undefined || now === undefined ? agoOf(device, message) : now - happened;
}

/** Seconds since it happened; undefined: in an earlier run. */
function agoOf(device: NotifyDevice, message: Message): number | undefined {
  return message.restarts === (device.start.restarts & 0xff) ? device.uptime() - message.uptime : undefined;
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
    pending: "The service's name is being looked up, or MQTT is connecting",
    "no-tls": "This board cannot do TLS",
    "no-time": "The time is not known yet; without it no certificate can be checked",
    "no-memory": "The device has too little free memory now",
    "no-connection": "Nobody answers at this address",
    closed: "The service has closed the connection without an answer",
    timeout: "The service did not answer in time",
    malformed: "What answers there does not speak HTTP",
    redirect: "The service sends elsewhere; redirects are not followed, since they would take the token along",
    refused: "The service has refused the message",
    "daily-limit": "The device has sent its messages of the day; the last of them are reserved for alarms",
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
