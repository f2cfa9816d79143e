import { keep, recall } from "application";
import { type Field, forget, ROW_LENGTH, storedAt, write } from "flash-log/field";
import { cellMask, cellResistance, cellsPresent, cellVoltage, MAX_CELLS } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { appendCrc, hasValidCrc } from "modbus/crc";
import type { Pack } from "../catalogue/pack";
import { CELLS_AT, CELLS_BYTES, HISTORY_PACKS } from "../runtime/retained";
import { dayAt, midnightOf, periodAfter, periodOf, type Zone } from "./calendar";
import { CELLS } from "./layout";
import { UNKNOWN_BYTE, UNKNOWN_WORD } from "./limits";
import type { RecordStore, Weeks } from "./record-store";
import { CELLS_FIELDS } from "./records";

const CRC_BYTES = 2;
const CRC_AT = CELLS_BYTES - CRC_BYTES;
/** Of the two records. */
const RECORD_BYTES = CRC_AT / 2;
/** First day of the week or month, where the first record's time will be. */
const BEGUN_AT = 0;

/**
 * The cells of each pack at rest and when full, for a week or a month. Until that is over they lie in the retained memory alone, as the two
 * records that they become: in RAM is one pack at a time.
 */
export class UnfinishedCells implements Weeks {
  private readonly store: RecordStore;
  private readonly zone: Zone;
  private readonly bytes = new Uint8Array(CELLS_BYTES);
  private readonly view = new DataView(this.bytes.buffer);
  private day = -1;
  private packs = 1;
  /** The first day of the week or month; UNKNOWN_WORD: the time is unknown. */
  private period = UNKNOWN_WORD;
  /** The next pack whose week may be over. */
  private next = 0;

  constructor(store: RecordStore, zone: Zone) {
    this.store = store;
    this.zone = zone;
  }

  /**
   * It is this day, by the owner's time since 1970.
   * @param isSet the clock was wrong: the week that is not over is this one
   */
  turn(day: number, packs: number, isSet: boolean): void {
    if (day === this.day) return;
    this.day = day;
    this.packs = packs;
    const period = periodOf(day, packs);
    for (let index = 0; isSet && index < packs; index++) {
      this.period = UNKNOWN_WORD;
      this.load(index);
      this.period = period;
      this.view.setUint16(BEGUN_AT, period);
      this.save(index);
    }
    this.period = period;
    this.next = 0;
  }

  /** When the week or month of a record was over: seconds since 1970, as the time of the record. */
  endOf(time: number): number {
    const { packs, zone } = this;
    return midnightOf(periodAfter(dayAt(time, zone), packs), zone);
  }

  /** Records the cells of one pack, if their week is over. */
  work(): void {
    if (this.period === UNKNOWN_WORD || this.next >= HISTORY_PACKS) return;
    const index = this.next++;
    this.load(index);
    // Without a pack nothing has been read.
    if (storedAt(this.bytes, 0, CELLS_FIELDS.pack) !== undefined) this.save(index);
  }

  /** Takes the cells of a pack, as they are at rest or full: their mean, and the distance of each. */
  read(index: number, address: number, pack: Pack, meanField: Field, distances: Field): void {
    const { bytes } = this;
    const { telemetry } = pack;
    const mask = cellMask(telemetry);
    const count = cellsPresent(telemetry);
    if (!count) return;
    this.load(index);
    const known = storedAt(bytes, 0, CELLS_FIELDS.pack);
    if (known !== undefined && known !== address) this.end();
    let sum = 0;
    for (let cell = 0; cell < MAX_CELLS; cell++) if ((mask >>> cell) & 1) sum += cellVoltage(telemetry, cell);
    const mean = Math.round(sum / count);
    for (let cell = 0; cell < MAX_CELLS; cell++) {
      const start = Math.floor(cell / ROW_LENGTH) * RECORD_BYTES;
      const place = cell % ROW_LENGTH;
      if ((mask >>> cell) & 1) {
        write(bytes, start, distances, cellVoltage(telemetry, cell) - mean, place);
        write(bytes, start, CELLS_FIELDS.wires, cellResistance(telemetry, cell), place);
      } else {
        forget(bytes, start, distances, place);
        forget(bytes, start, CELLS_FIELDS.wires, place);
      }
      if (place) continue;
      write(bytes, start, CELLS_FIELDS.pack, address);
      write(bytes, start, CELLS_FIELDS.firstCell, cell + 1);
      write(bytes, start, meanField, mean);
      write(bytes, start, CELLS_FIELDS.cycles, readRaw(telemetry, FIELDS.cycles));
      write(bytes, start, CELLS_FIELDS.capacityAh, readRaw(telemetry, FIELDS.fullCapacity));
    }
    this.save(index);
  }

  /** What is there of a pack, without that of a week that is over. */
  private load(index: number): void {
    const { bytes, view } = this;
    recall(bytes, CELLS_AT + index * CELLS_BYTES);
    if (!hasValidCrc(bytes, 0, CELLS_BYTES)) bytes.fill(UNKNOWN_BYTE);
    const { period } = this;
    if (period === UNKNOWN_WORD) return;
    // A week to come was of a wrong time.
    if (view.getUint16(BEGUN_AT) >= period) {
      view.setUint16(BEGUN_AT, period);
      return;
    }
    this.end();
    this.save(index);
  }

  private save(index: number): void {
    const { bytes, view } = this;
    // What was read before the time was known is of this week.
    if (view.getUint16(BEGUN_AT) === UNKNOWN_WORD) view.setUint16(BEGUN_AT, this.period);
    appendCrc(bytes, CRC_AT);
    keep(bytes, CELLS_AT + index * CELLS_BYTES);
  }

  private end(): void {
    const { bytes, store, view, zone } = this;
    const begun = view.getUint16(BEGUN_AT);
    const time = begun === UNKNOWN_WORD ? undefined : midnightOf(begun, zone);
    for (let start = 0; start < CRC_AT; start += RECORD_BYTES)
      if (hasCells(bytes, start)) store.append(CELLS, bytes.subarray(start, start + RECORD_BYTES), time, 0);
    bytes.fill(UNKNOWN_BYTE);
  }
}

/** Forgets the cells of all packs. */
export function forgetCells(): void {
  const blank = new Uint8Array(CELLS_BYTES);
  for (let index = 0; index < HISTORY_PACKS; index++) keep(blank, CELLS_AT + index * CELLS_BYTES);
}

/** Whether the record has a cell. */
function hasCells(bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < ROW_LENGTH; index++)
    if (storedAt(bytes, start, CELLS_FIELDS.wires, index) !== undefined) return true;
  return false;
}
