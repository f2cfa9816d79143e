/** What is set in a pack has changed, from one read that counts to the next. */
import * as FIELDS from "jk-bms/field-table";
import { blockOf, decimalsOf, readRaw, unitOf, type Field } from "jk-bms/fields";
import { DEVICE_INFO, type BlockImage, type BlockType } from "jk-bms/types";
import { WRITES, type Writable } from "jk-bms/writes";
import { decimalText } from "json/decimal";
import { findParameter } from "../catalogue/parameters";
import { setupRows, setupSwitches } from "../catalogue/setup";
import { CHANGES_TOGETHER, MANY_CHANGES } from "./limits";

/** By whom: this device, without that it was confirmed; another master, as far as was heard; or it came with other firmware of the BMS. */
export type ChangedBy = "device" | "master" | "update" | "unknown";

/** As texts: "3.65", "on". Of many at once only how many: all else is empty. */
export interface SettingChange {
  readonly name: string;
  readonly before: string;
  readonly value: string;
  /** Of both; empty: none. */
  readonly unit: string;
  readonly by: ChangedBy;
  readonly count: number;
  /** Where it is, and which bit of it (0: all); of many none. */
  readonly field: Field;
  readonly mask: number;
}

/** What is judged of the settings, and not written. */
const ONLY_READ: Readonly<Record<string, Field>> = Object.freeze(
  {
    max_charge_current: FIELDS.maxChargeCurrent,
    max_discharge_current: FIELDS.maxDischargeCurrent,
    discharge_utp: FIELDS.dischargeUtp,
  },
  true,
);

/** Whether it is a limit that protects the pack. */
export function isProtection(name: string): boolean {
  const { path = "" } = findParameter(name) ?? {};
  return path.startsWith("pro") || path.startsWith("temp") || Object.hasOwn(ONLY_READ, name);
}

/** What is watched, by the name that it is told by: a field, or a bit of the switch word. */
function watched(): Readonly<Record<string, Writable | Field>> {
  const all: Record<string, Writable | Field> = { ...WRITES, ...ONLY_READ };
  const named = Object.values(all).map((entry) =>
    typeof entry === "number" ? entry : (entry.mask << 16) ^ entry.field,
  );
  for (const [name, field] of setupRows()) if (!named.includes(field)) all[name] = field;
  setupSwitches().forEach((name, bit) => {
    const entry = { field: FIELDS.switchWord, kind: "bit", mask: 1 << bit } as Writable;
    if (!named.includes((entry.mask << 16) ^ entry.field)) all[name] = entry;
  });
  return all;
}

export function changesBetween(
  before: BlockImage,
  after: BlockImage,
  block: BlockType,
  by: ChangedBy,
): SettingChange[] {
  const changes: SettingChange[] = [];
  // Its further settings have not been read, or could not be.
  if (block === DEVICE_INFO && [before, after].some((image) => readRaw(image, FIELDS.storePeriod) <= 0)) return changes;
  const all = watched();
  for (const name in all) {
    const entry = all[name] as Writable | Field;
    const { field, kind, mask } = typeof entry === "number" ? { field: entry, kind: "number", mask: 0 } : entry;
    // Balancing has two names; the Bluetooth name is no setting.
    if (blockOf(field) !== block || name === "balance" || kind === "text") continue;
    const old = readRaw(before, field) & (mask || -1);
    const value = readRaw(after, field) & (mask || -1);
    // 0: not in use, or it could not be read.
    const isCold = field === FIELDS.dischargeUtp || field === FIELDS.dischargeUtpr;
    if (old === value || (isCold && !(old && value))) continue;
    const isNumber = kind === "number";
    const [first, second] = [old, value].map((raw) =>
      isNumber ? decimalText(raw, decimalsOf(field)) : raw ? "on" : "off",
    ) as [string, string];
    const unit = findParameter(name)?.quantity.unit ?? unitOf(field);
    changes.push({ name, before: first, value: second, unit: isNumber ? unit : "", by, count: 1, field, mask });
  }
  return changes;
}

/** Changes of a pack that are not told yet. */
export class SettingChanges {
  /** The first ones, and how many there are. */
  private changes: SettingChange[] = [];
  private count = 0;
  /** It is known that they are of one pack. */
  isSure = false;
  /** When some were told, uptime in s. */
  private toldAt = -CHANGES_TOGETHER;

  add(changes: readonly SettingChange[]): void {
    this.isSure = false;
    this.count += changes.length;
    this.changes = [...this.changes, ...changes].slice(0, MANY_CHANGES);
  }

  /** What is to be told now: up to MANY_CHANGES one by one, of more how many they are. Undefined: it is all over. */
  take(now: number): readonly SettingChange[] | undefined {
    const { changes, count } = this;
    if (now - this.toldAt < CHANGES_TOGETHER) return [];
    if (!count) return undefined;
    this.toldAt = now;
    this.changes = [];
    this.count = 0;
    const [{ by }] = changes as [SettingChange];
    return count > MANY_CHANGES
      ? [{ name: "", before: "", value: "", unit: "", by, count, field: 0, mask: 0 }]
      : changes;
  }
}
