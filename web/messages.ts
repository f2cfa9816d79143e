/** Texts for the device's messages: a code and its parameters, separated by tabs (src/events/types.ts, src/settings/messages.ts). */
import type { MessageCode } from "./message-code";
import { endingText, known, titleOf, unitText, valueText, writeText } from "./outcome";
import { packName } from "./pack-names";
import { RequestError } from "./request-error";
import type { Texts } from "./texts/en";

type Show = (parameter: string, t: Texts) => string;

const plain: Show = (parameter) => parameter;
const unit: Show = (name, t) => name && ` ${unitText(name, t)}`;
const rule: Show = (name, t) => known(t.rules, name) ?? name;
const group: Show = (name, t) => known(t.groups, name) ?? name;
const alarm: Show = (name, t) => known(t.alarms, name)?.title ?? name;
const condition: Show = (code, t) => known(t.concerns, code) ?? code;
const reason: Show = (name, t) => known(t.starts, name) ?? name;
const parameter: Show = (name, t) => quoted(titleOf(name, t) ?? name);
const mqttState: Show = (code, t) =>
  code === "connected" ? `${t.common.connected}.` : (known(t.problems, code) ?? code);

/** How to display the parameters of a message, if not verbatim. */
const MESSAGE_PARAMETERS: Readonly<Partial<Record<MessageCode, readonly Show[]>>> = {
  "start-reason": [reason],
  "part-failed": [group],
  "part-works": [group],
  "alarm-raised": [alarm],
  "alarm-cleared": [alarm],
  "condition-raised": [condition],
  "condition-cleared": [condition],
  "settings-changed": [group],
  "all-packs-ended": [parameter],
  mqtt: [mqttState],
  "not-boolean": [field],
  "not-integer": [field, plain, plain, unit],
  "not-number": [field, plain, plain, unit],
  "not-choice": [field],
  "not-text": [field, plain, plain, rule],
  "not-list": [field],
  "not-object": [field],
  "no-member": [field],
  equal: [field, field],
  unreadable: [field],
  unwritable: [field],
  missing: [field],
  "not-allowed": [field],
  "not-allowed-by-board": [field],
  corrupt: [field],
  older: [field],
  newer: [field],
  same: [field, field],
};

/** Undefined if the page does not know the code: from other firmware, or not a code. */
export function messageText(message: string, t: Texts): string | undefined {
  const [code = "", ...parameters] = message.split("\t");
  if (code === "no-reply") return ofPack(parameters[1], known(t.noReplies, parameters[0] ?? "") ?? "", t);
  const fixed = known(t.errors, code) ?? known(t.refusals, code);
  if (fixed) return fixed;
  if (code === "write")
    return ofPack(parameters[4], t.messages.write(loggedWrite(parameters, t), parameters[5] ?? ""), t);
  if (code === "setting-changed") return ofPack(parameters[4], changeText(parameters, t), t);
  if (code === "settings") {
    const problem = parameters.join("\t");
    return t.messages.settings(messageText(problem, t) ?? problem.replaceAll("\t", " "));
  }
  // Of many in an hour the log has not kept which packs they were.
  const told = parameters[0] ? code : code.replace("pack-o", "bms-o");
  const words: string | ((...shown: string[]) => string) | undefined = known(t.messages, told);
  if (typeof words !== "function") return words;
  const shows = MESSAGE_PARAMETERS[code as MessageCode] ?? [];
  const address = /^(alarm|condition)-/.test(code) ? parameters.splice(1, 1)[0] : undefined;
  const shown = parameters.map((parameter, at) => (shows[at] ?? plain)(parameter, t));
  return ofPack(address, words(...shown), t);
}

/** With several packs an event names its pack. */
export const ofPack = (address: string | undefined, text: string, t: Texts): string =>
  address ? `${packName(address, t)}: ${text}` : text;

/** Error text for display, from the device's code or else the HTTP status. */
export function reasonOf(error: unknown, t: Texts): string {
  if (error instanceof RequestError) {
    const { status, message } = error;
    if (!status) return t.common.unreachable;
    return messageText(message, t) ?? t.statuses[status] ?? t.common.status(String(status));
  }
  return error instanceof Error ? error.message : String(error);
}

const quoted = (title: string): string => `“${title}”`;

/** `relay.onAt`, `monitoring.voltages.0.ratio`: the group and the member's title. `mqtt`: its title. */
function field(path: string, t: Texts): string {
  const [name = "", part = "", at = ""] = path.split(".");
  const owner = known(t.groups, name);
  if (!owner) return path;
  if (!part) return quoted(owner);
  const title = known(t.fields, path.replace(/\.\d+/g, ""));
  if (!title) return path;
  return quoted(`${(name === "monitoring" && channel(part, Number(at) + 1, t)) || owner} – ${title}`);
}

function channel(part: string, number: number, t: Texts): string | undefined {
  const title = known(t.channels, part);
  return typeof title === "function" ? title(number) : title;
}

/** The parameters are those of a WriteReport. */
function loggedWrite(
  [name = "", value = "", outcome = "", unit = "", , , detail = ""]: readonly string[],
  t: Texts,
): string {
  if (!titleOf(name, t) || !Object.hasOwn(t.outcomes, outcome)) return `${name} ${value}: ${outcome}`;
  const report = { name, value, unit: unit === "C" ? "°C" : unit, outcome: outcome as keyof Texts["outcomes"], detail };
  return `${writeText(report, t)}. ${endingText(report, t)}`;
}

/** The parameters are those of a SettingChange. */
function changeText(
  [name = "", before = "", value = "", unit = "", , by = "", count = ""]: readonly string[],
  t: Texts,
): string {
  const shown = (text: string): string => valueText(text, unit.replace(/^C$/, "°C").replace("us", "µs"), t);
  const what = name
    ? `${known(t.onlyRead, name) ?? titleOf(name, t) ?? name}: ${shown(before)} → ${shown(value)}`
    : t.settingCount(count);
  return t.messages["setting-changed"](what, known(t.changedBy, by) ?? by);
}
