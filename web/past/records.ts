/** The history in flash as the page reads it: raw records (docs/history.md) become rows in the order of their times. */
import { countOf, decimalsOf, type Field, isBoolean, valueOf } from "../../modules/flash-log/field";
import { checkOf, readLong, TIME_CHECK, PAYLOAD } from "../../modules/flash-log/layout";
import * as bytesOf from "../../src/events/record-bytes";
import type { Point } from "../csv";
import { CELLS, DAYS, FINE, HOURS, type Table } from "./tables";

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
  /** Ten minutes with replies. */
  readonly tenMinutes?: number | undefined;
}

/** An hour of a pack. */
export interface Hour extends Fine {
  readonly pack: number;
  /** Mean, A, positive when charging. */
  readonly current: number | undefined;
  /** V. */
  readonly voltage?: number | undefined;
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

const HOUR = 3_600;
export const DAY = 86_400;

const times = (value: number | undefined, factor: number): number | undefined =>
  value === undefined ? undefined : value * factor;
/** Whole thousandths: mV, mΩ. */
const thousandths = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 1_000);

function shown(record: Uint8Array, field: Field, index?: number): number | boolean | undefined {
  const value = valueOf(record, field, index);
  if (value === undefined) return undefined;
  return isBoolean(field) ? value > 0 : value / 10 ** decimalsOf(field);
}

/** The values of a record by name. */
export function valuesOf<Values>({ fields }: Table<Values>, record: Uint8Array): Values {
  const entries = Object.entries<Field>(fields).map(([name, field]) => {
    const count = countOf(field);
    const value = count
      ? Array.from({ length: count }, (_, index) => shown(record, field, index))
      : shown(record, field);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Values;
}

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

const FINE_STEP = 600;
export const fineRows = (bytes: Uint8Array): Fine[] =>
  whole(bytes, FINE.bytes, (record, time) => {
    const { minCellVoltage, delta, minTemperature, maxTemperature, packMissing, ...values } = valuesOf(FINE, record);
    return {
      ...{ ...values, time, step: FINE_STEP, lowest: minCellVoltage, spread: thousandths(delta) },
      ...{ coldest: minTemperature, warmest: maxTemperature, missing: packMissing === true },
      alarm: values.alarm === true,
    };
  });

export const dayRows = (bytes: Uint8Array): Day[] =>
  whole(bytes, DAYS.bytes, (record, time) => {
    const values = valuesOf(DAYS, record);
    return {
      ...{ ...values, time, step: DAY },
      charged: times(values.charged, 0.001),
      discharged: times(values.discharged, 0.001),
      ...{ least: values.minSoc, most: values.maxSoc, lowest: values.minCellVoltage, highest: values.maxCellVoltage },
      ...{ rest: thousandths(values.deltaAtRest), load: thousandths(values.deltaUnderLoad) },
    };
  });

export const hourRows = (bytes: Uint8Array): Hour[] =>
  whole(
    bytes,
    HOURS.bytes,
    (record, time) => {
      const { delta, pack, ...values } = valuesOf(HOURS, record);
      return {
        ...{ ...values, time, step: HOUR, pack: Number(pack), minutes: undefined },
        ...{ power: undefined, lowest: undefined, spread: thousandths(delta), alarm: values.alarm === true },
      };
    },
    true,
  );

/** A pack of more than 16 cells has two records a week, which become one. */
export function cellRows(bytes: Uint8Array): Week[] {
  const weeks: Week[] = [];
  const parts = whole(
    bytes,
    CELLS.bytes,
    (record, time) => {
      const { pack, firstCell, atRest, full, wires, capacityAh } = valuesOf(CELLS, record);
      return {
        ...{ time, step: 7 * DAY, pack: Number(pack), first: Number(firstCell) - 1, capacity: capacityAh },
        ...{ rest: atRest.map(thousandths), full: full.map(thousandths), wire: wires.map(thousandths) },
      };
    },
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
