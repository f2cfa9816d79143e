/** What several packs in parallel are together. */
import { cellVoltage } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import {
  capacity as capacityOf,
  extremesOf,
  highestOf,
  lowestOf,
  percent,
  power as powerOf,
  temperatureSpan,
} from "../catalogue/computed";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import type { Blocks } from "../catalogue/pack";
import { telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import type { BusPack, Packs } from "./types";

/** What is shown of each pack in short. */
export const ROWS: readonly TelemetryRow[] = Object.freeze(
  "model info.serialNumber soc pack.voltage pack.current pack.power alarmCode cellsSummary.minCell cellsSummary.minVoltage cellsSummary.maxCell cellsSummary.maxVoltage cellsSummary.delta"
    .split(" ")
    .map(telemetryRow),
  true,
);

/** Of the state of charge. */
export const SOC_DECIMALS = 1;

/** Where each value is: behind an extreme its pack's address, behind one of cells also the number of the cell. */
export const PACKS = 0;
export const ONLINE = 1;
export const CHARGE = 2;
export const AMPERE_HOURS = 3;
export const REMAINING = 4;
export const VOLTAGE = 5;
export const CURRENT = 6;
export const POWER = 7;
export const LOWEST = 8;
export const HIGHEST = 11;
export const WIDEST = 14;
export const HOTTEST = 16;
/** Without the address of its pack, which no interface shows. */
export const COLDEST = 18;
/** How many there are. */
export const VALUES = COLDEST + 1;

export type Numbers = Record<number, number>;

/** Adds to the values what else somebody asks for of a pack, whose capacity and remaining capacity, mAh, are known already. */
type Add = (values: Numbers, pack: Blocks, capacity: number, remaining: number) => void;

/** Keeps the greatest of a value, or with `sign` -1 the least, and whose it is. */
function keep(values: Numbers, at: number, pack: BusPack, value: number, sign = 1): boolean {
  if (sign * value <= sign * (values[at] as number)) return false;
  values[at] = value;
  values[at + 1] = pack.identity.address;
  return true;
}

/**
 * The values of a bank, in the units of the rows of the same name: see above. All are of the packs that are online. NaN: unknown, which a sum of
 * something unknown is too.
 */
export function bankOf(packs: readonly BusPack[]): readonly number[] {
  // VALUES of them, in one go: a loop takes XS 400 units more, and so does filling.
  // prettier-ignore
  const values = [NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN];
  readBank(packs, values);
  return values;
}

/**
 * Writes the same into `values`, in which all are NaN; without temperatures if nobody asks for them. One pack after the other: the blocks of all but
 * the first are unpacked into the same buffers.
 */
export function readBank(packs: readonly BusPack[], values: Numbers, hasTemperatures = true, add?: Add): void {
  let online = 0;
  let volts = 0;
  let charge = 0;
  let capacity = 0;
  let remaining = 0;
  let current = 0;
  let power = 0;
  let pack: BusPack;
  for (let index = 0; index < packs.length; index++) {
    pack = packs[index] as BusPack;
    if (!pack.online) continue;
    online++;
    // A pattern takes XS twice what two accesses take.
    const setup = pack.setup;
    const telemetry = pack.telemetry;
    const blocks = { setup, telemetry, whole: pack };
    if (!telemetry.valid) {
      volts = charge = capacity = remaining = current = power = NaN;
      continue;
    }
    const ampereHours = capacityOf(blocks) as number;
    const left = readRaw(telemetry, FIELDS.remainingCapacity);
    add?.(values, blocks, ampereHours, left);
    capacity += ampereHours;
    charge += (percent(telemetry, FIELDS.soc) as number) * ampereHours;
    remaining += left;
    current += readRaw(telemetry, FIELDS.packCurrent);
    power += powerOf(blocks) as number;
    volts += readRaw(telemetry, FIELDS.packVoltage);
    const extremes = extremesOf(blocks);
    if (extremes) {
      const low = extremes & 0xff;
      const high = extremes >> 8;
      const least = cellVoltage(telemetry, low - 1);
      const most = cellVoltage(telemetry, high - 1);
      if (keep(values, LOWEST, pack, least, -1)) values[LOWEST + 2] = low;
      if (keep(values, HIGHEST, pack, most)) values[HIGHEST + 2] = high;
      keep(values, WIDEST, pack, most - least);
    }
    const span = hasTemperatures ? temperatureSpan(blocks) : undefined;
    if (span === undefined) continue;
    keep(values, HOTTEST, pack, highestOf(span));
    const coldest = lowestOf(span);
    if (!((values[COLDEST] as number) <= coldest)) values[COLDEST] = coldest;
  }
  values[PACKS] = packs.length;
  values[ONLINE] = online;
  if (!online) return;
  values[CHARGE] = Math.round((charge / capacity) * 10 ** SOC_DECIMALS);
  values[AMPERE_HOURS] = capacity;
  values[REMAINING] = remaining;
  // In parallel they have one voltage.
  values[VOLTAGE] = Math.round(volts / online);
  values[CURRENT] = current;
  values[POWER] = power;
}

/** The one that stands for all: the first that answers, or if none does the first. */
export const leaderOf = (packs: Packs): BusPack => packs.find(({ online }) => online) ?? packs[0];

/** What needs attention of any of these packs; NONE: each of them is online and well. */
export function concernsOfAny(packs: readonly { readonly concerns: Conditions }[]): Conditions {
  let found = sets.NONE;
  for (const { concerns } of packs) found = sets.plus(found, concerns);
  return found;
}
