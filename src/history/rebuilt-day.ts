import { Cursor } from "flash-log/cursor";
import { type Field, forget, store, storedAt, take, takeStored, valueOf, write } from "flash-log/field";
import type { Ring } from "flash-log/ring";
import { dayAt, type Zone } from "./calendar";
import { REBUILD_RECORDS, REBUILD_SECTORS } from "./limits";
import { DAY_FIELDS, FINE_FIELDS } from "./records";

const MILLI = 1_000;
const CENTI = 100;

/** The rest of a day that a power cut interrupted, read back from its ten minutes in flash. */
export class RebuiltDay {
  /** By the owner's time since 1970. */
  readonly day: number;
  /** The record of a day whose end was not seen, with its energy; undefined: it is today's, which goes on. */
  readonly record: Uint8Array | undefined;
  private readonly zone: Zone;
  private readonly cursor: Cursor;

  /** @param ring of the ten minutes */
  constructor(ring: Ring, day: number, zone: Zone, record?: Uint8Array) {
    this.day = day;
    this.record = record;
    this.zone = zone;
    this.cursor = new Cursor(ring, REBUILD_SECTORS);
  }

  /**
   * Takes a few further records into that of the day. False: there are no more.
   * @param before only records of until then, seconds since 1970
   * @param resting mA
   * @param address of the one pack; undefined: there are several, and it is not recorded which had the extreme cells
   */
  advance(into: Uint8Array, before: number, resting: number, address: number | undefined): boolean {
    const { cursor, day, zone } = this;
    for (let count = 0; count < REBUILD_RECORDS; count++) {
      if (!cursor.next()) return false;
      const { time } = cursor;
      if (time !== undefined && time <= before && dayAt(time, zone) === day)
        absorb(into, cursor.record, resting, address);
    }
    return true;
  }
}

/** Takes ten minutes into the record of their day. */
export function absorb(day: Uint8Array, fine: Uint8Array, resting: number, address: number | undefined): void {
  merge(day, DAY_FIELDS.minSoc, fine, FINE_FIELDS.soc);
  merge(day, DAY_FIELDS.maxSoc, fine, FINE_FIELDS.soc);
  merge(day, DAY_FIELDS.minTemperature, fine, FINE_FIELDS.minTemperature);
  merge(day, DAY_FIELDS.maxTemperature, fine, FINE_FIELDS.maxTemperature);
  merge(day, isAtRest(fine, resting) ? DAY_FIELDS.deltaAtRest : DAY_FIELDS.deltaUnderLoad, fine, FINE_FIELDS.delta);
  if (merge(day, DAY_FIELDS.minCellVoltage, fine, FINE_FIELDS.minCellVoltage)) {
    forget(day, 0, DAY_FIELDS.minCell);
    merge(day, DAY_FIELDS.minCell, fine, FINE_FIELDS.minCell);
    forget(day, 0, DAY_FIELDS.minCellPack);
  }
  // The highest was at least so much above the lowest; its number is not recorded.
  const highest = (valueOf(fine, FINE_FIELDS.minCellVoltage) ?? NaN) + (valueOf(fine, FINE_FIELDS.delta) ?? NaN);
  if (highest && take(day, 0, DAY_FIELDS.maxCellVoltage, highest)) {
    forget(day, 0, DAY_FIELDS.maxCell);
    forget(day, 0, DAY_FIELDS.maxCellPack);
  }
  if (address !== undefined)
    for (const field of [DAY_FIELDS.minCellPack, DAY_FIELDS.maxCellPack])
      if (storedAt(day, 0, field) === undefined) store(day, 0, field, address);
  if (storedAt(fine, 0, FINE_FIELDS.minutes))
    write(day, 0, DAY_FIELDS.tenMinutes, (storedAt(day, 0, DAY_FIELDS.tenMinutes) ?? 0) + 1);
}

/** Takes a number of one record into another of the same form. @returns whether it has changed */
function merge(into: Uint8Array, field: Field, from: Uint8Array, source: Field): boolean {
  const stored = storedAt(from, 0, source);
  return stored !== undefined && takeStored(into, 0, field, stored);
}

/** Whether so little current flowed that the cells were at rest. */
function isAtRest(fine: Uint8Array, resting: number): boolean {
  const least = valueOf(fine, FINE_FIELDS.minPower);
  const most = valueOf(fine, FINE_FIELDS.maxPower);
  const voltage = valueOf(fine, FINE_FIELDS.voltage);
  if (least === undefined || most === undefined || voltage === undefined) return false;
  return Math.max(most, -least) <= (resting / MILLI) * (voltage / CENTI);
}
