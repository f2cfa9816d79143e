import { Cursor } from "flash-log/cursor";
import type { Ring } from "flash-log/ring";
import type { Zone } from "./calendar";
import * as layout from "./layout";
import { toByte, UNKNOWN_BYTE, UNKNOWN_WORD } from "./layout";
import { REBUILD_RECORDS, REBUILD_SECTORS } from "./limits";
import { leastByte, leastWord, mostByte, mostWord, raise } from "./unfinished";

const DAY = 86_400;

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
      if (time !== undefined && time <= before && Math.floor((time + zone.offsetAt(time)) / DAY) === day)
        absorb(into, cursor.record, resting, address);
    }
    return true;
  }
}

/** Takes ten minutes into the record of their day. */
function absorb(day: Uint8Array, fine: Uint8Array, resting: number, address: number | undefined): void {
  const view = new DataView(day.buffer, day.byteOffset, day.byteLength);
  const charge = fine[layout.FINE_CHARGE] as number;
  const spread = fine[layout.FINE_SPREAD] as number;
  const lowest = wordAt(fine, layout.FINE_LOWEST);
  const most = Math.max(
    wordAt(fine, layout.FINE_MOST) - layout.ZERO_WORD,
    layout.ZERO_WORD - wordAt(fine, layout.FINE_LEAST),
  );
  const rests =
    most * layout.POWER_MILLIWATTS <= (resting * wordAt(fine, layout.FINE_VOLTAGE) * layout.VOLTAGE_MILLIVOLTS) / 1e3;
  leastByte(day, layout.DAY_LEAST_CHARGE, charge);
  mostByte(day, layout.DAY_MOST_CHARGE, charge);
  const isBank = address === undefined;
  if (leastWord(view, layout.DAY_LOWEST, lowest)) {
    day[layout.DAY_LOWEST_CELL] = fine[layout.FINE_CELL] as number;
    if (isBank) raise(day, layout.DAY_PACKS, layout.UNKNOWN_PACK << 4);
  }
  // The highest was at least so much above the lowest; its number is not recorded.
  const highest = lowest + spread * layout.SPREAD_MILLIVOLTS;
  if (spread !== UNKNOWN_BYTE && highest < UNKNOWN_WORD && mostWord(view, layout.DAY_HIGHEST, highest)) {
    day[layout.DAY_HIGHEST_CELL] = UNKNOWN_BYTE;
    if (isBank) raise(day, layout.DAY_PACKS, layout.UNKNOWN_PACK);
  }
  mostByte(day, rests ? layout.DAY_REST_SPREAD : layout.DAY_LOAD_SPREAD, spread);
  leastByte(day, layout.DAY_COOLEST, fine[layout.FINE_COOLEST] as number);
  mostByte(day, layout.DAY_WARMEST, fine[layout.FINE_WARMEST] as number);
  if (!isBank) leastByte(day, layout.DAY_PACKS, (address << 4) | address);
  if (((fine[layout.FINE_STATE] as number) & layout.MINUTES) === 0) return;
  const covered = day[layout.DAY_COVERED] as number;
  day[layout.DAY_COVERED] = covered === UNKNOWN_BYTE ? 1 : toByte(covered + 1);
}

const wordAt = (record: Uint8Array, at: number): number => ((record[at] as number) << 8) | (record[at + 1] as number);
