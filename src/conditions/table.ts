/** What can be wrong, one row each; whatever reports it reads this table (docs/api.md, "What needs attention"). */
import type { JsonWriter } from "json/writer";
import { DISPLAY_STRING } from "../catalogue/limits";
import { FLAPPING, MOST_DEVICE_ROWS } from "./limits";
import { CHARGING_BLOCKED, DISCHARGING_BLOCKED, OFFLINE, SETTINGS_UNREAD, SWAPPED } from "./rows";
import * as sets from "./set";
import type { Conditions } from "./set";

/**
 * Code; severity; what must be known to judge it: nothing, its telemetry, or its settings as well; whether it is then found at once or within
 * minutes; how long it must last before it counts, and be gone before it is over, s; where its beginning and end are reported: as events, as messages
 * too, or by something else of that name; the unit of what is judged and of its limit, if that is a number. Codes are used by MQTT, the metrics, the
 * page and messages that wait: never change one, append new ones. Row n is row n of a set (set.ts), of which there may be sets.MOST_ROWS.
 */
const ROWS = Object.freeze(
  [
    "offline fault nothing once 0 other",
    "alarm fault telemetry once 0 other",
    "emergency warning telemetry once 2 message s",
    "sensors-ignored warning settings once 2 message",
    "cell-high warning settings once 30 event V",
    "cell-low warning settings once 30 event V",
    "temperature-high warning settings once 30 event °C",
    "temperature-low warning settings once 30 event °C",
    "discharging-off warning settings once 2 message",
    "discharging-blocked warning settings once 30 message",
    "charging-off warning settings once 2 message",
    "charging-blocked warning settings once 30 message",
    "low-charge warning telemetry once 30 event %",
    "spread warning telemetry once 60 event V",
    "wires warning telemetry once 30 message",
    "link warning telemetry minutes 60 event %",
    "settings-unread warning telemetry once 120 message",
    "other-master warning nothing once 0 other",
    "contradiction warning telemetry once 10 message",
    "carries-nothing warning telemetry minutes 2 message A",
    "off-voltage warning telemetry minutes 2 message V",
    "swapped fault nothing once 0 other",
    "shared-address fault nothing minutes 60 message",
    "no-identity notice telemetry minutes 60 event",
    "same-identity warning telemetry minutes 60 message",
    "limits-differ notice settings minutes 120 event",
    "cells-differ warning settings minutes 60 message",
    "link-weak notice telemetry minutes 60 event %",
    "tail-old notice telemetry minutes 30 event s",
    "late warning nothing once 0 other",
    "energy-short notice telemetry once 2 event %",
    "behind notice telemetry minutes 60 event %",
  ] as const,
  true,
);

/** The same of the device itself, in a set of its own. */
const DEVICE_ROWS = Object.freeze(
  [
    "clock-unknown notice nothing once 120 event",
    "clock-doubtful warning nothing once 120 message",
    "storage-failed warning nothing once 60 message",
    "weak-wifi notice nothing once 300 event dBm",
    "part-failed warning nothing once 60 message",
  ] as const,
  true,
);

/**
 * And what the owner may set a threshold for, judged of each pack by thresholds.ts: the member of the settings of the messages that the code names, how
 * long it must last, s, of silence the threshold itself, and the unit. Of these there are messages only, which have their beginnings and ends (src/notify/rules.ts): nobody else
 * asked for them. The causes of messages are in this order.
 */
const OWNED_ROWS = Object.freeze(["offlineAfter 0 s", "soc 30 %", "temperature 30 °C", "spread 30 mV"] as const, true);

type CodeOf<Row> = Row extends `${infer Code} ${string}` ? Code : never;
export type Concern = CodeOf<(typeof ROWS)[number]>;
export type DeviceCondition = CodeOf<(typeof DEVICE_ROWS)[number]>;
export type Owned = CodeOf<(typeof OWNED_ROWS)[number]>;

export type Severity = "notice" | "warning" | "fault";

const CODE = 0;
const SEVERITY = 1;
const NEEDS = 2;
const FOUND = 3;
const HOLD = 4;
const REPORTED = 5;
const UNIT = 6;
const OWNED_HOLD = 1;
const OWNED_UNIT = 2;
const column = (row: string, at: number): string => row.split(" ")[at] ?? "";

if (ROWS.length > sets.MOST_ROWS || DEVICE_ROWS.length > MOST_DEVICE_ROWS)
  throw new RangeError("table.ts has too many conditions: see limits.ts");

/** The codes in the order of the rows. */
export const CONCERNS = Object.freeze(ROWS.map((row) => column(row, CODE)) as Concern[], true);
export const DEVICE_CONDITIONS = Object.freeze(DEVICE_ROWS.map((row) => column(row, CODE)) as DeviceCondition[], true);
export const OWNED = Object.freeze(OWNED_ROWS.map((row) => column(row, CODE)) as Owned[], true);
export const ownedHold = (row: number): number => Number(column(OWNED_ROWS[row] as string, OWNED_HOLD));
export const ownedUnit = (row: number): string => column(OWNED_ROWS[row] as string, OWNED_UNIT);

/** The device among the packs' places. */
export const DEVICE = -1;
/** Its first row, where rows are numbered through. */
export const DEVICE_ROW = ROWS.length;
/** The first alarm behind the conditions of a pack, where both are numbered through. */
export const ALARM_ROW = 64;
const rowAt = (index: number): string => ROWS[index] ?? (DEVICE_ROWS[index - DEVICE_ROW] as string);
export const codeOf = (index: number): Concern | DeviceCondition =>
  CONCERNS[index] ?? (DEVICE_CONDITIONS[index - DEVICE_ROW] as DeviceCondition);

/** The rows that have this in that column. */
const rowsWith = (at: number, text: string, rows: readonly string[] = ROWS): Conditions =>
  rows.reduce((set, row, index) => (column(row, at) === text ? sets.plus(set, sets.ofRow(index)) : set), sets.NONE);

const all = ({ length }: readonly string[]): Conditions => (2 ** length - 1) as unknown as Conditions;
const ALL = all(ROWS);
export const DEVICE_ALL = all(DEVICE_ROWS);
/** What is wrong for sure. */
export const FAULTS = rowsWith(SEVERITY, "fault");
/** What the owner should know, and which is no harm. */
export const NOTICES = rowsWith(SEVERITY, "notice");
const NEED_NOTHING = rowsWith(NEEDS, "nothing");
const NEED_NO_SETTINGS = sets.without(ALL, rowsWith(NEEDS, "settings"));
/** Whose beginnings and ends are events of their own. */
export const EVENTS = sets.plus(rowsWith(REPORTED, "event"), rowsWith(REPORTED, "message"));
/** The same of the device, and what it has messages of. */
export const DEVICE_NOTICES = rowsWith(SEVERITY, "notice", DEVICE_ROWS);
export const DEVICE_MESSAGES = rowsWith(REPORTED, "message", DEVICE_ROWS);
export const DEVICE_EVENTS = sets.plus(rowsWith(REPORTED, "event", DEVICE_ROWS), DEVICE_MESSAGES);
/** Seconds. */
export const holdOf = (index: number): number => Number(column(rowAt(index), HOLD));
/** Of what is judged, and of its limit; empty: no number is. */
export const unitOf = (index: number): string => column(rowAt(index), UNIT);
/** Digits of both behind the point. */
export function decimalsOf(index: number): number {
  const unit = unitOf(index);
  if (unit === "V" || unit === "A") return 3;
  return unit === "s" || unit === "dBm" ? 0 : 1;
}

export const bit = (concern: Concern): Conditions => sets.ofRow(CONCERNS.indexOf(concern));
export const deviceBit = (condition: DeviceCondition): Conditions => sets.ofRow(DEVICE_CONDITIONS.indexOf(condition));

/** Which have to last for so long that nobody is told before: all others are concerns from their first reply on. */
export const SLOW = ROWS.reduce(
  (set, _, row) => (holdOf(row) > FLAPPING ? sets.plus(set, sets.ofRow(row)) : set),
  sets.NONE,
);
/** Which are over only once they have been gone for their hold. What is unknown is not. */
export const LINGERING = sets.without(ALL, [rowsWith(HOLD, "0"), SETTINGS_UNREAD, SLOW].reduce(sets.plus));
/** Of which the owner gets a message. */
export const MESSAGES = sets.plus(rowsWith(REPORTED, "message"), SWAPPED);
/** Switched on and not working: of a pack that has an alarm, that is why. */
export const BLOCKED = sets.plus(DISCHARGING_BLOCKED, CHARGING_BLOCKED);
/** What takes minutes to be found: for as long after a start it is not known to be gone. */
export const LEARNED = rowsWith(FOUND, "minutes");

/** Which rows can be judged while these are found: of all others it is unknown whether they apply. */
export function knownBy(found: Conditions): Conditions {
  if (found === sets.NONE) return ALL;
  if (sets.hasAny(found, OFFLINE)) return NEED_NOTHING;
  return sets.hasAny(found, SETTINGS_UNREAD) ? NEED_NO_SETTINGS : ALL;
}

/** Of a code; one that is unknown is a warning. */
export function severityOf(code: string): Severity {
  const isRow = (row: string): boolean => row.startsWith(`${code} `);
  const row = ROWS.find(isRow) ?? DEVICE_ROWS.find(isRow);
  return row ? (column(row, SEVERITY) as Severity) : "warning";
}

/** No fault and no warning is among them. */
export const isWell = (set: Conditions): boolean => sets.without(set, NOTICES) === sets.NONE;

const codesIn = (set: Conditions): Concern[] => CONCERNS.filter((_, row) => sets.has(set, row));
export const deviceCodes = (set: Conditions): DeviceCondition[] =>
  DEVICE_CONDITIONS.filter((_, row) => sets.has(set, row));

/** The codes of a set, faults first and notices last. */
function concernCodes(set: Conditions): Concern[] {
  if (set === sets.NONE) return [];
  const faults = sets.common(set, FAULTS);
  const notices = sets.common(set, NOTICES);
  return [...codesIn(faults), ...codesIn(sets.without(set, sets.plus(FAULTS, NOTICES))), ...codesIn(notices)];
}

/** The same with blanks between them; of too many for a DisplayString the most urgent. */
export function concernsText(set: Conditions): string {
  let text = concernCodes(set).join(" ");
  while (text.length > DISPLAY_STRING) text = text.slice(0, text.lastIndexOf(" "));
  return text;
}

/** Writes `well`, and the codes of the set as the array `concerns`. */
export function writeConcerns(json: JsonWriter, set: Conditions): void {
  json.boolean("well", isWell(set)).strings("concerns", concernCodes(set));
}
