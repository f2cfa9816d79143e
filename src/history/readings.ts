/** How a reply of a pack is taken into the records that are not complete. */
import { offsetOf, store, storedAt, storedOf, take, takeStored, write } from "flash-log/field";
import { cellMask, cellVoltage, extremeCells } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { alarmBits, faultsIn } from "../catalogue/alarms";
import { capacity, highestOf, lowestOf, temperatureSpan } from "../catalogue/computed";
import type { Pack } from "../catalogue/pack";
import type { BankSum } from "../packs/bank-sum";
import { REST_MILLIAMPERES, REST_SHARE, UNKNOWN_LONG, UNKNOWN_WORD } from "./limits";
import { DAY_FIELDS, FINE_FIELDS, HOUR_FIELDS } from "./records";
import {
  DAY_AT,
  FINE_AT,
  FINE_REPLIES_AT,
  FINE_SUM_AT,
  LAST_MINUTE,
  RANGE_BYTES,
  RANGES_AT,
  REPLIES,
  RESTING,
  SUM,
  type Unfinished,
} from "./unfinished";

const LEAST_POWER = FINE_AT + offsetOf(FINE_FIELDS.minPower);
const MOST_POWER = FINE_AT + offsetOf(FINE_FIELDS.maxPower);

const MINUTES_AN_HOUR = 60;
const MILLI = 1_000;
const DECI = 10;

/** At each reply. `at`: where the pack is in `open`. */
export function takeReply({ bytes, view }: Unfinished, at: number, pack: Pack, minute: number): void {
  const sum = at + SUM;
  view.setFloat64(sum, view.getFloat64(sum) + readRaw(pack.telemetry, FIELDS.packCurrent));
  view.setUint16(at + REPLIES, Math.min(view.getUint16(at + REPLIES) + 1, UNKNOWN_WORD));
  const minuteOfHour = minute % MINUTES_AN_HOUR;
  if (minuteOfHour !== bytes[at + LAST_MINUTE]) {
    bytes[at + LAST_MINUTE] = minuteOfHour;
    const minutes = storedAt(bytes, at, HOUR_FIELDS.minutes) ?? 0;
    write(bytes, at, HOUR_FIELDS.minutes, Math.min(minutes + 1, MINUTES_AN_HOUR));
  }
  const alarms = alarmBits(pack);
  if (!alarms) return;
  takeStored(bytes, DAY_AT, DAY_FIELDS.alarms, alarms);
  if (!faultsIn(alarms)) return;
  take(bytes, FINE_AT, FINE_FIELDS.alarm, 1);
  take(bytes, at, HOUR_FIELDS.alarm, 1);
}

/** At each reply that is counted for the bank: its power, mW. */
export function takePower({ view }: Unfinished, power: number): void {
  view.setFloat64(FINE_SUM_AT, view.getFloat64(FINE_SUM_AT) + power);
  view.setUint32(FINE_REPLIES_AT, view.getUint32(FINE_REPLIES_AT) + 1);
  // Not by `take`, which takes ten times as long.
  takeWord(view, LEAST_POWER, MOST_POWER, storedOf(FINE_FIELDS.minPower, power / MILLI));
}

/** Takes a word into the least and the greatest so far. */
function takeWord(view: DataView, least: number, most: number, word: number): void {
  if (word < view.getUint16(least)) view.setUint16(least, word);
  const known = view.getUint16(most);
  if (known === UNKNOWN_WORD || word > known) view.setUint16(most, word);
}

/** What changes slowly. */
export function takeSample(open: Unfinished, at: number, pack: Pack, address: number, uptime: number): void {
  const { bytes } = open;
  const { telemetry } = pack;
  write(bytes, at, HOUR_FIELDS.pack, address);
  write(bytes, at, HOUR_FIELDS.soc, readRaw(telemetry, FIELDS.soc));
  write(bytes, at, HOUR_FIELDS.voltage, readRaw(telemetry, FIELDS.packVoltage));
  take(bytes, DAY_AT, DAY_FIELDS.cycles, readRaw(telemetry, FIELDS.cycles));
  // Known from now on.
  takeStored(bytes, DAY_AT, DAY_FIELDS.alarms, 0);
  takeTemperatures(bytes, at, pack);
  takeCells(bytes, at, pack, address, takeRest(open, at, pack, uptime));
}

/** The same of the bank, whose packs in parallel have one voltage. */
export function takeBank({ bytes }: Unfinished, { telemetry }: Pack, bank: BankSum, relay: number): void {
  const { charge } = bank;
  write(bytes, FINE_AT, FINE_FIELDS.soc, charge);
  write(bytes, FINE_AT, FINE_FIELDS.voltage, readRaw(telemetry, FIELDS.packVoltage));
  if (relay) take(bytes, FINE_AT, FINE_FIELDS.relay, 1);
  if (!bank.isComplete) take(bytes, FINE_AT, FINE_FIELDS.packMissing, 1);
  take(bytes, DAY_AT, DAY_FIELDS.minSoc, charge);
  take(bytes, DAY_AT, DAY_FIELDS.maxSoc, charge);
}

/** The range of each cell in the day. */
export function takeRanges({ view }: Unfinished, { telemetry }: Pack): void {
  let rest = cellMask(telemetry);
  for (let at = RANGES_AT, cell = 0; rest; at += RANGE_BYTES, cell++) {
    if (rest & 1) {
      takeWord(view, at, at + 2, Math.min(cellVoltage(telemetry, cell), UNKNOWN_WORD - 1));
    }
    rest >>>= 1;
  }
}

function takeTemperatures(bytes: Uint8Array, at: number, pack: Pack): void {
  const span = temperatureSpan(pack);
  if (span === undefined) return;
  const least = lowestOf(span) / DECI;
  const most = highestOf(span) / DECI;
  take(bytes, FINE_AT, FINE_FIELDS.minTemperature, least);
  take(bytes, FINE_AT, FINE_FIELDS.maxTemperature, most);
  take(bytes, at, HOUR_FIELDS.maxTemperature, most);
  take(bytes, DAY_AT, DAY_FIELDS.minTemperature, least);
  take(bytes, DAY_AT, DAY_FIELDS.maxTemperature, most);
}

function takeCells(bytes: Uint8Array, at: number, { telemetry }: Pack, address: number, rests: boolean): void {
  const extremes = telemetry.extremes ?? extremeCells(telemetry);
  if (!extremes) return;
  const low = extremes & 0xff;
  const high = extremes >> 8;
  const lowest = cellVoltage(telemetry, low - 1);
  const highest = cellVoltage(telemetry, high - 1);
  const spread = highest - lowest;
  if (take(bytes, FINE_AT, FINE_FIELDS.minCellVoltage, lowest)) write(bytes, FINE_AT, FINE_FIELDS.minCell, low);
  take(bytes, FINE_AT, FINE_FIELDS.delta, spread);
  take(bytes, at, HOUR_FIELDS.delta, spread);
  if (take(bytes, DAY_AT, DAY_FIELDS.minCellVoltage, lowest)) {
    write(bytes, DAY_AT, DAY_FIELDS.minCell, low);
    store(bytes, DAY_AT, DAY_FIELDS.minCellPack, address);
  }
  if (take(bytes, DAY_AT, DAY_FIELDS.maxCellVoltage, highest)) {
    write(bytes, DAY_AT, DAY_FIELDS.maxCell, high);
    store(bytes, DAY_AT, DAY_FIELDS.maxCellPack, address);
  }
  take(bytes, DAY_AT, rests ? DAY_FIELDS.deltaAtRest : DAY_FIELDS.deltaUnderLoad, spread);
}

/** Whether hardly any current flows. */
function takeRest({ view }: Unfinished, at: number, pack: Pack, uptime: number): boolean {
  const rests = Math.abs(readRaw(pack.telemetry, FIELDS.packCurrent)) <= restingMilliamperes(pack);
  view.setUint32(at + RESTING, rests ? Math.min(view.getUint32(at + RESTING), uptime) : UNKNOWN_LONG);
  return rests;
}

/** mA up to which a pack is at rest. */
export const restingMilliamperes = (pack: Pack): number =>
  Math.max(REST_MILLIAMPERES, (capacity(pack) ?? 0) / REST_SHARE);
