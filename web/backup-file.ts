/** The file of a backup: all settings groups of the device. */
import type { GroupValues } from "./documents";
import { localDate, plain } from "./format";
import { GROUPS, type FieldName, type GroupName } from "./tables";

/** Largest body the device accepts for a group, bytes. */
export const MAX_GROUP_BODY = 1_024;

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

/** Of which device, and of which day. */
export function backupName({ device }: Backup["groups"]): string {
  return `${plain(device?.["hostname"]) || "jk-bms-monitor"}-${localDate(Date.now() / 1_000)}.json`;
}

/** Rules of texts that neither say where values go nor who gets them; the first are two. */
const HARMLESS = /name|topic|zone|ascii/;

/** A row of the tables, as far as it matters here. */
type Row = Partial<Record<"kind" | "rule" | "secret", string>>;

/**
 * Settings of the backup that give somebody access, or send values or passwords elsewhere, with their values; a secret is not shown. Any text that
 * is no mere name, what is switched on, and a broker without TLS.
 */
export const powersOf = ({ groups }: Backup): [FieldName, string][] =>
  RESTORE_ORDER.flatMap((group) =>
    Object.entries((groups[group] ?? {}) as Record<string, string>).flatMap(
      ([member, value]): [FieldName, string][] => {
        const { kind, rule, secret } = (GROUPS[group][member] ?? {}) as Row;
        const opens = member === "enabled" ? value && "✓" : member === "tls" && !value && "–";
        const names = value && (secret || rule === "certificate" ? "•••" : !HARMLESS.test(rule as string) && value);
        const shown = kind === "boolean" ? opens : kind === "text" && names;
        return shown ? [[`${group}.${member}` as FieldName, shown]] : [];
      },
    ),
  );

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
