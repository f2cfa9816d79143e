/** The history in flash as the page reads it: raw records (docs/history.md) become rows in the order of their times. */
import { checkOf, readLong, TIME_CHECK, PAYLOAD } from "../../modules/flash-log/layout";
import * as bytesOf from "../../src/events/record-bytes";
import * as at from "../../src/history/layout";
import type { Point } from "../csv";

/** Known unless undefined. Times in seconds since 1970. */
interface Row {
  /** When it began. */
  readonly time: number;
  /** Seconds that it covers. */
  readonly step: number;
}

/** Ten minutes from flash, or two from RAM. */
export interface Fine extends Row {
  /** State of charge at the end, %. */
  readonly soc: number | undefined;
  /** Mean power, W, positive when charging. */
  readonly power: number | undefined;
  /** Lowest cell, V. */
  readonly lowest: number | undefined;
  /** Greatest spread, mV. */
  readonly spread: number | undefined;
  readonly coldest?: number | undefined;
  readonly warmest?: number | undefined;
  /** Minutes with replies. */
  readonly minutes: number | undefined;
  readonly alarm?: boolean;
  readonly missing?: boolean;
}

export interface Day extends Row {
  /** kWh. */
  readonly charged: number | undefined;
  readonly discharged: number | undefined;
  /** State of charge, %. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** Cells, V. */
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  /** mV, at rest and under load. */
  readonly rest: number | undefined;
  readonly load: number | undefined;
}

/** An hour of a pack. */
export interface Hour extends Fine {
  readonly pack: number;
  /** Mean, A, positive when charging. */
  readonly current: number | undefined;
}

/** Cells of a pack in a week. */
export interface Week extends Row {
  readonly pack: number;
  /** Distance of each from the mean at rest and when full, mV. */
  readonly rest: readonly (number | undefined)[];
  readonly full: readonly (number | undefined)[];
  /** Resistance of each wire, mΩ. */
  readonly wire: readonly (number | undefined)[];
  /** That the BMS had learned, Ah. */
  readonly capacity: number | undefined;
}

export interface PastEvent {
  readonly time: number;
  readonly code: string;
  readonly parameters: readonly string[];
  readonly count: number;
}

const FINE_STEP = 600;
const HOUR = 3_600;
export const DAY = 86_400;

const byte = (record: Uint8Array, place: number, zero = 0): number | undefined =>
  record[place] === at.UNKNOWN_BYTE ? undefined : (record[place] as number) - zero;
const word = (record: Uint8Array, place: number, zero = 0): number | undefined => {
  const value = ((record[place] as number) << 8) | (record[place + 1] as number);
  return value === at.UNKNOWN_WORD ? undefined : value - zero;
};
const kilowattHours = (record: Uint8Array, place: number): number | undefined => {
  const value =
    ((record[place] as number) << 16) | ((record[place + 1] as number) << 8) | (record[place + 2] as number);
  return value === 0xff_ffff ? undefined : value / 1_000;
};
const times = (value: number | undefined, factor: number): number | undefined =>
  value === undefined ? undefined : value * factor;

/** Those whose checks are right and whose time is known, in the order of their times; of several of one time the last, unless all are wanted. */
function whole<Entry extends { readonly time: number }>(
  bytes: Uint8Array,
  size: number,
  form: (record: Uint8Array, time: number) => Entry,
  isEach = false,
): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start + size <= bytes.length; start += size) {
    const record = bytes.subarray(start, start + size);
    const isGood =
      record[TIME_CHECK] === checkOf(record, 0, TIME_CHECK) && record[size - 1] === checkOf(record, PAYLOAD, size - 1);
    if (isGood) entries.push(form(record, readLong(record, 0)));
  }
  // Stable: of the same time in the order in which they were written.
  entries.sort((one, other) => one.time - other.time);
  return isEach ? entries : entries.filter(({ time }, index) => entries[index + 1]?.time !== time);
}

export const fineRows = (bytes: Uint8Array): Fine[] =>
  whole(bytes, at.FINE_BYTES, (record, time) => {
    const state = byte(record, at.FINE_STATE);
    return {
      time,
      step: FINE_STEP,
      soc: byte(record, at.FINE_CHARGE),
      power: times(word(record, at.FINE_MEAN, at.ZERO_WORD), at.POWER_MILLIWATTS / 1_000),
      lowest: times(word(record, at.FINE_LOWEST), 0.001),
      spread: times(byte(record, at.FINE_SPREAD), at.SPREAD_MILLIVOLTS),
      coldest: byte(record, at.FINE_COOLEST, at.ZERO_DEGREES),
      warmest: byte(record, at.FINE_WARMEST, at.ZERO_DEGREES),
      minutes: state === undefined ? undefined : state & at.MINUTES,
      alarm: state !== undefined && (state & at.HAD_ALARM) > 0,
      missing: state !== undefined && (state & at.INCOMPLETE) > 0,
    };
  });

export const dayRows = (bytes: Uint8Array): Day[] =>
  whole(bytes, at.DAY_BYTES, (record, time) => ({
    time,
    step: DAY,
    charged: kilowattHours(record, at.DAY_CHARGED),
    discharged: kilowattHours(record, at.DAY_DISCHARGED),
    least: byte(record, at.DAY_LEAST_CHARGE),
    most: byte(record, at.DAY_MOST_CHARGE),
    lowest: times(word(record, at.DAY_LOWEST), 0.001),
    highest: times(word(record, at.DAY_HIGHEST), 0.001),
    rest: times(byte(record, at.DAY_REST_SPREAD), at.SPREAD_MILLIVOLTS),
    load: times(byte(record, at.DAY_LOAD_SPREAD), at.SPREAD_MILLIVOLTS),
  }));

export const hourRows = (bytes: Uint8Array): Hour[] =>
  whole(
    bytes,
    at.HOUR_BYTES,
    (record, time) => ({
      ...{ time, step: HOUR, pack: record[at.HOUR_PACK] as number, minutes: undefined },
      ...{ power: undefined, lowest: undefined },
      soc: byte(record, at.HOUR_CHARGE),
      current: times(word(record, at.HOUR_CURRENT, at.ZERO_WORD), at.CURRENT_MILLIAMPERES / 1_000),
      spread: word(record, at.HOUR_SPREAD),
    }),
    true,
  );

/** A pack of more than 16 cells has two records a week, which become one. */
export function cellRows(bytes: Uint8Array): Week[] {
  const weeks: Week[] = [];
  const each = (record: Uint8Array, place: number, zero = at.ZERO_DISTANCE): (number | undefined)[] =>
    Array.from({ length: at.CELLS_EACH }, (_, cell) => byte(record, place + cell, zero));
  const parts = whole(
    bytes,
    at.CELLS_BYTES,
    (record, time) => ({
      ...{ time, step: 7 * DAY, pack: record[at.CELLS_PACK] as number, first: record[at.CELLS_FIRST] as number },
      ...{ rest: each(record, at.CELLS_REST_EACH), full: each(record, at.CELLS_FULL_EACH) },
      wire: each(record, at.CELLS_WIRE_EACH, 0),
      capacity: times(word(record, at.CELLS_CAPACITY), at.CAPACITY_MILLIAMPERE_HOURS / 1_000),
    }),
    true,
  );
  for (const { first, rest, full, wire, ...week } of parts) {
    const place = weeks.findIndex(({ time, pack }) => time === week.time && pack === week.pack);
    const known = weeks[place];
    const join = (one: Week["rest"] = [], more: Week["rest"]): Week["rest"] => [...one.slice(0, first), ...more];
    const joined = {
      ...week,
      rest: join(first ? known?.rest : [], rest),
      full: join(first ? known?.full : [], full),
      wire: join(first ? known?.wire : [], wire),
    };
    if (first && !known) continue;
    if (known) weeks[place] = joined;
    else weeks.push(joined);
  }
  return weeks;
}

export const pastEvents = (bytes: Uint8Array): PastEvent[] =>
  whole(
    bytes,
    bytesOf.EVENT_BYTES,
    (record, time) => {
      const length = Math.min(record[bytesOf.EVENT_LENGTH] as number, bytesOf.EVENT_TEXT_BYTES);
      const text = String.fromCharCode(...record.subarray(bytesOf.EVENT_TEXT, bytesOf.EVENT_TEXT + length));
      return {
        time,
        code: bytesOf.CODES[record[bytesOf.EVENT_CODE] as number] ?? "",
        parameters: text ? text.split("\t") : [],
        count: record[bytesOf.EVENT_COUNT] as number,
      };
    },
    true,
  );

/** The last hours from RAM, by two minutes, behind what is older in flash. `now`: seconds since 1970 when the points were asked for. */
export function withRecent(rows: readonly Fine[], points: readonly Point[], now: number): Fine[] {
  const recent = points.map(({ time, soc, power, minCell, maxCell }) => ({
    time: now + time,
    step: RAM_STEP,
    soc,
    power,
    lowest: minCell,
    spread: minCell === undefined || maxCell === undefined ? undefined : Math.round((maxCell - minCell) * 1_000),
    minutes: soc === undefined ? 0 : RAM_STEP / 60,
  }));
  const first = recent[0]?.time ?? Infinity;
  return [...rows.filter(({ time, step }) => time + step <= first), ...recent];
}

/** Seconds between the points from RAM. */
const RAM_STEP = 120;
