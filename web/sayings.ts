/**
 * What the device says, in the reader's language. The device speaks one language; a sentence of it is known by a pattern with holes
 * ("{field} must be true or false."), and what stands in the holes goes into the translation, names by their titles.
 */
import { textWords, type TextRule } from "../src/settings/text-rules";
import { endingText, titleOf, writeText } from "./outcome";
import type { Texts } from "./texts/en";

/** The device's sentence, and the page's with the same holes. */
export type Saying = readonly [said: string, shown: string];

/** Holes by kind: digits at the end of a name tell two of a kind apart. */
interface Hole {
  readonly pattern: string;
  /** What is shown of what was found, `first` being what the first hole of the sentence holds. Left out: what was found. */
  readonly shown?: (found: string, t: Texts, first: string) => string;
}

const HOLES: Readonly<Record<string, Hole>> = {
  number: { pattern: "-?\\d+(?:\\.\\d+)?" },
  text: { pattern: ".+" },
  unit: { pattern: "(?: [^.]+)?", shown: (unit, t) => unit && ` ${unitText(unit.slice(1), t)}` },
  rule: { pattern: ".+", shown: ruleText },
  /** A member of a settings group, all of a group, or a setting of the BMS. */
  field: { pattern: "[\\w.]+", shown: fieldText },
  /** A member of the group that the first hole is of. */
  member: { pattern: "\\w+", shown: (member, t, first) => fieldText(`${first.split(".")[0]}.${member}`, t) },
  group: { pattern: "\\w+", shown: (group, t) => known(t.groups, group) ?? group },
  alarm: {
    pattern: "\\w+",
    shown: (name, t) => (known(t.alarms, name) as { title: string } | undefined)?.title ?? name,
  },
  write: { pattern: ".+", shown: loggedWrite },
  reason: { pattern: "[\\w-]+", shown: (reason, t) => known(t.starts, reason) ?? reason },
  /** What has become of the connection to the broker. */
  problem: {
    pattern: "[\\w-]+",
    shown: (code, t) => (code === "connected" ? `${t.services.connected}.` : (known(t.problems, code) ?? code)),
  },
  /** Another sentence of the device. */
  said: { pattern: ".+", shown: (text, t) => t.said(text) },
};

type Rule = readonly [pattern: RegExp, names: readonly string[], shown: string];

const HOLE = /\{(\w+)\}/g;
const compiled = new Map<readonly Saying[], readonly Rule[]>();

/** `text` by the first of `sayings` that it follows; by none: as it came. */
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

/** `relay.onAt`, `monitoring.voltages.0.ratio`: what it belongs to, and its title. `mqtt`, `cell_count`: its title. */
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

/** A line of the log: name, value, outcome and detail, as src/events/record.ts writes them. */
const WRITE = /^(\w+) (".*?"|\S+(?: [^\s()]+)?): ([\w-]+)(?: \((.*)\))?$/;

function loggedWrite(text: string, t: Texts): string {
  const [, name = "", value = "", outcome = "", detail = ""] = WRITE.exec(text) ?? [];
  if (!titleOf(name, t) || !Object.hasOwn(t.outcomes, outcome)) return text;
  const report = { name, value, outcome: outcome as keyof Texts["outcomes"], detail };
  return `${writeText(report, t)}. ${endingText(report, t)}`;
}
