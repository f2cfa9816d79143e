/** Settings group members by path (`voltages.0.ratio`), for forms and backups. */
import { accepts, type ValueField } from "../src/settings/field";
import type { GroupValues } from "./documents";
import type { Language } from "./format";
import { plainNumber } from "./judge";
import { GROUPS, type FormField, type GroupName } from "./tables";

/** Largest body the device accepts for a group, bytes. */
export const MAX_GROUP_BODY = 1_024;

export function read(values: unknown, path: string): unknown {
  let value = values;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Copies `values` with a new value at `path`. */
export function write(values: unknown, path: string, value: unknown): unknown {
  const [step = "", ...rest] = path.split(".");
  const next = rest.length ? write((values as Record<string, unknown>)[step], rest.join("."), value) : value;
  if (Array.isArray(values)) return values.map((item: unknown, index) => (String(index) === step ? next : item));
  return { ...(values as object), [step]: next };
}

/** Converts typed text to the field's type; undefined if the field rejects it. */
export function valueOf(field: FormField, typed: string | boolean, language: Language): unknown {
  const value = convert(field, typed, language);
  // Validation ignores defaults.
  return accepts(field as ValueField, value) ? value : undefined;
}

function convert(field: FormField, typed: string | boolean, language: Language): unknown {
  if (typeof typed === "boolean" || field.kind === "boolean") return typed;
  switch (field.kind) {
    case "integer":
    case "number": {
      const text = plainNumber(typed, language);
      return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    }
    case "choice":
      return field.choices.find((choice) => String(choice) === typed);
    case "text":
      return typed;
  }
}

/** Body for a POST of the group: each member with a changed path, complete. */
export function changedMembers(values: GroupValues, changes: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [path, value] of changes) {
    const [member = "", ...rest] = path.split(".");
    const base = Object.hasOwn(result, member) ? result[member] : values[member];
    result[member] = rest.length ? write(base, rest.join("."), value) : value;
  }
  return result;
}

/** Restored last: another hostname or network may disconnect the page. */
const LAST: readonly GroupName[] = ["device", "network"];

export const RESTORE_ORDER = (Object.keys(GROUPS) as GroupName[]).sort((a, b) => LAST.indexOf(a) - LAST.indexOf(b));

const BACKUP_KIND = "jk-bms-monitor settings";

export interface Backup {
  readonly kind: typeof BACKUP_KIND;
  readonly version: string;
  readonly groups: Readonly<Partial<Record<GroupName, GroupValues>>>;
}

export function makeBackup(version: string, groups: Backup["groups"]): string {
  return `${JSON.stringify({ kind: BACKUP_KIND, version, groups }, undefined, 2)}\n`;
}

/** Undefined when `text` is not a backup. */
export function readBackup(text: string): Backup | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const backup = value as Backup;
    if (backup.kind !== BACKUP_KIND || !isObject(backup.groups)) return undefined;
    return RESTORE_ORDER.every((group) => !(group in backup.groups) || isObject(backup.groups[group]))
      ? backup
      : undefined;
  } catch {
    return undefined;
  }
}

/** Bodies to POST to restore a group, without secrets missing from the backup, split to fit the device's limit. */
export function restoreBodies(group: GroupName, values: GroupValues): Record<string, unknown>[] {
  const known: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(values)) {
    const field = GROUPS[group][member];
    const isSecret = field?.kind === "text" && field.secret;
    // An empty token means none; the device keeps its own.
    if (isSecret && (typeof value !== "string" || (group === "api" && !value))) continue;
    known[member] = value;
  }
  if (bytes(known) <= MAX_GROUP_BODY) return Object.keys(known).length ? [known] : [];
  return Object.entries(known).map(([member, value]) => ({ [member]: value }));
}

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
