/** What can be wrong, one row each; whatever reports it reads this table (docs/api.md, "What needs attention"). */
import type { JsonWriter } from "json/writer";
import { isRaised } from "../catalogue/alarms";
import { DISPLAY_STRING } from "../catalogue/limits";

/**
 * Code; severity; what must be known to judge it: nothing, its telemetry, or its settings as well; how long it must last before it counts, and be
 * gone before it is over, s; where its beginning and end are reported: as events, as messages too, or by something else of that name; the unit of what
 * is judged and of its limit, if that is a number. Codes are used by MQTT, the metrics, the page and messages that wait: never change one, append new
 * ones. Row n is bit n.
 */
const ROWS = Object.freeze(
  [
    "offline fault nothing 0 other",
    "alarm fault telemetry 0 other",
    "emergency warning telemetry 2 message s",
    "sensors-ignored warning settings 2 message",
    "cell-high warning settings 30 event V",
    "cell-low warning settings 30 event V",
    "temperature-high warning settings 30 event °C",
    "temperature-low warning settings 30 event °C",
    "discharging-off warning settings 2 message",
    "discharging-blocked warning settings 30 message",
    "charging-off warning settings 2 message",
    "charging-blocked warning settings 30 message",
    "low-charge warning telemetry 30 event %",
    "spread warning telemetry 60 event V",
    "wires warning telemetry 30 message",
    "link warning telemetry 60 event %",
    "settings-unread warning telemetry 120 message",
    "other-master warning nothing 0 other",
    "contradiction warning telemetry 10 message",
    "carries-nothing warning telemetry 2 message A",
    "off-voltage warning telemetry 2 message V",
    "swapped fault nothing 0 other",
    "shared-address fault nothing 60 message",
    "no-identity notice telemetry 60 event",
    "same-identity warning telemetry 60 message",
    "limits-differ notice settings 120 event",
    "cells-differ warning settings 60 message",
    "link-weak notice telemetry 60 event %",
    "tail-old notice telemetry 30 event s",
    "late warning nothing 0 other",
    "energy-short notice telemetry 2 event %",
    "behind notice telemetry 60 event %",
  ] as const,
  true,
);

/** The same of the device itself, in a word of its own. */
const DEVICE_ROWS = Object.freeze(
  [
    "clock-unknown notice nothing 120 event",
    "clock-doubtful warning nothing 120 message",
    "storage-failed warning nothing 60 message",
    "weak-wifi notice nothing 300 event dBm",
    "part-failed warning nothing 60 message",
  ] as const,
  true,
);

/**
 * And what the owner may set a threshold for, judged of each pack by thresholds.ts: the member of the settings of the messages that the code names; of
 * silence it is the time that it must last. Of these there are messages only, which have their beginnings and ends (src/notify/rules.ts): nobody else
 * asked for them. The causes of messages are in this order.
 */
const OWNED_ROWS = Object.freeze(
  [
    "offlineAfter fault nothing 0 owner s",
    "soc warning telemetry 30 owner %",
    "temperature warning telemetry 30 owner °C",
    "spread warning telemetry 30 owner mV",
  ] as const,
  true,
);

type CodeOf<Row> = Row extends `${infer Code} ${string}` ? Code : never;
export type Concern = CodeOf<(typeof ROWS)[number]>;
export type DeviceCondition = CodeOf<(typeof DEVICE_ROWS)[number]>;
export type Owned = CodeOf<(typeof OWNED_ROWS)[number]>;

export type Severity = "notice" | "warning" | "fault";

const CODE = 0;
const SEVERITY = 1;
const NEEDS = 2;
const HOLD = 3;
const REPORTED = 4;
const UNIT = 5;
const column = (row: string, at: number): string => row.split(" ")[at] ?? "";

/** The codes in the order of the bits. */
export const CONCERNS = Object.freeze(ROWS.map((row) => column(row, CODE)) as Concern[], true);
export const DEVICE_CONDITIONS = Object.freeze(DEVICE_ROWS.map((row) => column(row, CODE)) as DeviceCondition[], true);
export const OWNED = Object.freeze(OWNED_ROWS.map((row) => column(row, CODE)) as Owned[], true);
export const ownedHold = (row: number): number => Number(column(OWNED_ROWS[row] as string, HOLD));
export const ownedUnit = (row: number): string => column(OWNED_ROWS[row] as string, UNIT);

/** The device among the packs' places. */
export const DEVICE = -1;
/** Its first row, where rows are numbered through. */
export const DEVICE_ROW = ROWS.length;
/** The first alarm behind the conditions of a pack, where both are numbered through. */
export const ALARM_ROW = 32;
const rowAt = (index: number): string => ROWS[index] ?? (DEVICE_ROWS[index - DEVICE_ROW] as string);
export const codeOf = (index: number): Concern | DeviceCondition =>
  CONCERNS[index] ?? (DEVICE_CONDITIONS[index - DEVICE_ROW] as DeviceCondition);

/** The bits of the rows that have this in that column. */
const bitsOf = (at: number, text: string, rows: readonly string[] = ROWS): number =>
  rows.reduce((bits, row, index) => (column(row, at) === text ? bits | (1 << index) : bits), 0);

/** What is wrong for sure. */
export const FAULTS = bitsOf(SEVERITY, "fault");
/** What the owner should know, and which is no harm. */
export const NOTICES = bitsOf(SEVERITY, "notice");
const NEED_SETTINGS = bitsOf(NEEDS, "settings");
const NEED_NOTHING = bitsOf(NEEDS, "nothing");
/** Whose beginnings and ends are events of their own. */
export const EVENTS = bitsOf(REPORTED, "event") | bitsOf(REPORTED, "message");
/** The same of the device, and what it has messages of. */
export const DEVICE_NOTICES = bitsOf(SEVERITY, "notice", DEVICE_ROWS);
export const DEVICE_MESSAGES = bitsOf(REPORTED, "message", DEVICE_ROWS);
export const DEVICE_EVENTS = bitsOf(REPORTED, "event", DEVICE_ROWS) | DEVICE_MESSAGES;
/** Seconds, by the bit. A text: flash. */
const HOLDS = String.fromCharCode(...[...ROWS, ...DEVICE_ROWS].map((row) => Number(column(row, HOLD))));
export const holdOf = (index: number): number => HOLDS.charCodeAt(index);
/** Of what is judged, and of its limit; empty: no number is. */
export const unitOf = (index: number): string => column(rowAt(index), UNIT);
/** Digits of both behind the point. */
export function decimalsOf(index: number): number {
  const unit = unitOf(index);
  if (unit === "V" || unit === "A") return 3;
  return unit === "s" || unit === "dBm" ? 0 : 1;
}

export const bit = (concern: Concern): number => 1 << CONCERNS.indexOf(concern);
export const deviceBit = (condition: DeviceCondition): number => 1 << DEVICE_CONDITIONS.indexOf(condition);

export const OFFLINE = bit("offline");
export const ALARM = bit("alarm");
export const SETTINGS_UNREAD = bit("settings-unread");
/** Which are over only once they have been gone for their hold. What is unknown is not. */
export const LINGERING =
  ROWS.reduce((bits, _, row) => (holdOf(row) ? bits | (1 << row) : bits), 0) & ~bit("settings-unread");
/** Of its telemetry; and of what has been read as rarely: known to the monitor. */
export const CONTRADICTION = bit("contradiction");
/** Of packs in parallel, compared: known to the monitor (src/packs/comparison.ts). */
export const CARRIES_NOTHING = bit("carries-nothing");
export const OFF_VOLTAGE = bit("off-voltage");
export const BEHIND = bit("behind");
/** Its energy counters have gaps: known to the monitor (src/packs/energy-gaps.ts). */
export const ENERGY_SHORT = bit("energy-short");
/** What is set in it, and who it is: compared with the others (src/packs/likeness.ts). */
export const NO_IDENTITY = bit("no-identity");
export const SAME_IDENTITY = bit("same-identity");
export const LIMITS_DIFFER = bit("limits-differ");
export const CELLS_DIFFER = bit("cells-differ");
/** Another pack than before answers at its address, or two do: nothing else that is known of it is one pack's for sure. */
export const SWAPPED = bit("swapped");
export const SHARED = bit("shared-address");
/** Of which the owner gets a message. */
export const MESSAGES = bitsOf(REPORTED, "message") | SWAPPED;
/** Switched on and not working: of a pack that has an alarm, that is why. */
export const BLOCKED = bit("discharging-blocked") | bit("charging-blocked");
/** Another master is on the bus, and nothing is sent: known to the monitor. */
export const OTHER_MASTER = bit("other-master");
/** The link loses many replies, or some: known to the monitor, not to the pack. */
export const LINK = bit("link");
export const LINK_WEAK = bit("link-weak");
/** It answers, but after the time that is waited for: known to the monitor. */
export const LATE = bit("late");
/** What is not read at each poll has not been for long: known to the monitor. */
export const TAIL_OLD = bit("tail-old");
/** What takes minutes to be found. */
export const LEARNED =
  LINK |
  LINK_WEAK |
  CARRIES_NOTHING |
  OFF_VOLTAGE |
  BEHIND |
  SHARED |
  NO_IDENTITY |
  SAME_IDENTITY |
  LIMITS_DIFFER |
  CELLS_DIFFER |
  TAIL_OLD;

/** Which rows can be judged while these bits are found: of all others it is unknown whether they apply. */
export function knownBy(found: number): number {
  if (found & OFFLINE) return NEED_NOTHING;
  return found & SETTINGS_UNREAD ? ~NEED_SETTINGS : ~0;
}

/** Of a code; one that is unknown is a warning. */
export function severityOf(code: string): Severity {
  const isRow = (row: string): boolean => row.startsWith(`${code} `);
  const row = ROWS.find(isRow) ?? DEVICE_ROWS.find(isRow);
  return row ? (column(row, SEVERITY) as Severity) : "warning";
}

/** No fault and no warning is among the bits. */
export const isWell = (bits: number): boolean => !(bits & ~NOTICES);

const codesIn = (bits: number): Concern[] => CONCERNS.filter((_, index) => isRaised(bits, index));
export const deviceCodes = (bits: number): DeviceCondition[] =>
  DEVICE_CONDITIONS.filter((_, index) => isRaised(bits, index));

/** The codes in `bits`, faults first and notices last. */
const concernCodes = (bits: number): Concern[] => [
  ...codesIn(bits & FAULTS),
  ...codesIn(bits & ~(FAULTS | NOTICES)),
  ...codesIn(bits & NOTICES),
];

/** The same with blanks between them; of too many for a DisplayString the most urgent. */
export function concernsText(bits: number): string {
  let text = concernCodes(bits).join(" ");
  while (text.length > DISPLAY_STRING) text = text.slice(0, text.lastIndexOf(" "));
  return text;
}

/** Writes `well`, and the codes in `bits` as the array `concerns`. */
export function writeConcerns(json: JsonWriter, bits: number): void {
  json.boolean("well", isWell(bits)).strings("concerns", concernCodes(bits));
}
