/**
 * Translates the device's messages. The device has English only; each message is matched against a template with placeholders
 * ("{field} must be true or false."), whose values go into the translated template, with titles in place of names.
 */
import { textWords, type TextRule } from "../src/settings/text-rules";
import { endingText, titleOf, writeText } from "./outcome";
import type { Texts } from "./texts/en";

/** The device's template, and its translation with the same placeholders. */
export type Saying = readonly [said: string, shown: string];

/** Placeholders by kind; trailing digits tell two of the same kind apart. */
interface Hole {
  readonly pattern: string;
  /** Text for a matched value; `first` is the value of the first placeholder. Default: the matched value. */
  readonly shown?: (found: string, t: Texts, first: string) => string;
}

const HOLES: Readonly<Record<string, Hole>> = {
  number: { pattern: "-?\\d+(?:\\.\\d+)?" },
  text: { pattern: ".+" },
  unit: { pattern: "(?: [^.]+)?", shown: (unit, t) => unit && ` ${unitText(unit.slice(1), t)}` },
  rule: { pattern: ".+", shown: ruleText },
  /** A settings group, a member of one, or a BMS setting. */
  field: { pattern: "[\\w.]+", shown: fieldText },
  /** A member of the group named by the first placeholder. */
  member: { pattern: "\\w+", shown: (member, t, first) => fieldText(`${first.split(".")[0]}.${member}`, t) },
  group: { pattern: "\\w+", shown: (group, t) => known(t.groups, group) ?? group },
  alarm: {
    pattern: "\\w+",
    shown: (name, t) => (known(t.alarms, name) as { title: string } | undefined)?.title ?? name,
  },
  write: { pattern: ".+", shown: loggedWrite },
  reason: { pattern: "[\\w-]+", shown: (reason, t) => known(t.starts, reason) ?? reason },
  /** State of the connection to the broker. */
  problem: {
    pattern: "[\\w-]+",
    shown: (code, t) => (code === "connected" ? `${t.services.connected}.` : (known(t.problems, code) ?? code)),
  },
  /** Another message of the device. */
  said: { pattern: ".+", shown: (text, t) => t.said(text) },
};

type Rule = readonly [pattern: RegExp, names: readonly string[], shown: string];

const HOLE = /\{(\w+)\}/g;
const compiled = new Map<readonly Saying[], readonly Rule[]>();

/** Translates `text` by the first matching template; unchanged if none matches. */
export function sayIn(sayings: readonly Saying[], text: string, t: Texts): string {
  let rules = compiled.get(sayings);
  if (!rules) compiled.set(sayings, (rules = sayings.map(ruleOf)));
  for (const [pattern, names, shown] of rules) {
    const found = pattern.exec(text);
    if (!found) continue;
    return shown.replace(HOLE, (_, name: string) => {
      const part = found[names.indexOf(name) + 1] ?? "";
      return holeOf(name).shown?.(part, t, found[1] ?? "") ?? part;
    });
  }
  return text;
}

function ruleOf([said, shown]: Saying): Rule {
  const names: string[] = [];
  const pattern = said
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace(HOLE, (_, name: string) => `(${holeOf((names.push(name), name)).pattern})`);
  return [new RegExp(`^${pattern}$`), names, shown];
}

const holeOf = (name: string): Hole => HOLES[name.replace(/\d+$/, "")] as Hole;

function known<T>(words: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}

const quoted = (title: string | undefined): string | undefined => title && `“${title}”`;

export const unitText = (unit: string, t: Texts): string => known(t.units, unit) ?? unit;

function ruleText(text: string, { rules }: Texts): string {
  const rule = Object.keys(rules).find((name) => textWords(name as TextRule) === text);
  return rule ? rules[rule as TextRule] : text;
}

/** `relay.onAt`, `monitoring.voltages.0.ratio`: the group and the member's title. `mqtt`, `cell_count`: its title. */
function fieldText(path: string, t: Texts): string {
  const [group = "", part = "", at = ""] = path.split(".");
  const owner = known(t.groups, group);
  if (!part) return quoted(owner ?? titleOf(path, t)) ?? path;
  const title = known(t.fields, path.replace(/\.\d+/g, ""));
  if (!title || !owner) return path;
  const number = Number(at) + 1;
  if (group !== "monitoring") return `“${owner} – ${title}”`;
  switch (part) {
    case "temperature":
      return `“${t.relay.temperature} – ${title}”`;
    case "voltages":
      return `“${t.relay.voltage(number)} – ${title}”`;
    case "inputs":
      return `“${t.relay.input(number)} – ${title}”`;
    default:
      return `“${owner} – ${title}”`;
  }
}

/** A log line as written by src/events/record.ts: name, value, outcome and detail. */
const WRITE = /^(\w+) (".*?"|\S+(?: [^\s()]+)?): ([\w-]+)(?: \((.*)\))?$/;

function loggedWrite(text: string, t: Texts): string {
  const [, name = "", value = "", outcome = "", detail = ""] = WRITE.exec(text) ?? [];
  if (!titleOf(name, t) || !Object.hasOwn(t.outcomes, outcome)) return text;
  const report = { name, value, outcome: outcome as keyof Texts["outcomes"], detail };
  return `${writeText(report, t)}. ${endingText(report, t)}`;
}
