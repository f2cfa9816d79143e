import { keep, recall } from "application";
import { cellMask, cellResistance, cellsPresent, cellVoltage } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { appendCrc, hasValidCrc } from "modbus/crc";
import type { Pack } from "../catalogue/pack";
import { CELLS_AT, CELLS_BYTES, HISTORY_PACKS } from "../runtime/retained";
import { midnightOf, periodOf, type Zone } from "./calendar";
import * as layout from "./layout";
import { toByte, toWord, UNKNOWN_BYTE, UNKNOWN_WORD } from "./layout";
import type { RecordStore } from "./record-store";

const HALVES = 2;
const CRC_AT = HALVES * layout.CELLS_BYTES;
/** First day of the week or month, where the first record's time will be. */
const BEGUN_AT = 0;

/**
 * The cells of each pack at rest and when full, for a week or a month. Until that is over they lie in the retained memory alone, as the two
 * records that they become: in RAM is one pack at a time.
 */
export class KeptCells {
  private readonly store: RecordStore;
  private readonly zone: Zone;
  private readonly bytes = new Uint8Array(CELLS_BYTES);
  private readonly view = new DataView(this.bytes.buffer);
  private day = -1;
  /** The first day of the week or month; UNKNOWN_WORD: the time is unknown. */
  private period = UNKNOWN_WORD;
  /** The next pack whose week may be over. */
  private next = 0;

  constructor(store: RecordStore, zone: Zone) {
    this.store = store;
    this.zone = zone;
  }

  /** It is this day, by the owner's time since 1970. */
  turn(day: number, packs: number): void {
    if (day === this.day) return;
    this.day = day;
    this.period = periodOf(day, packs);
    this.next = 0;
  }

  /** Records the cells of one pack, if their week is over. */
  work(): void {
    if (this.period === UNKNOWN_WORD || this.next >= HISTORY_PACKS) return;
    const index = this.next++;
    this.load(index);
    // Without a pack nothing has been read.
    if (this.bytes[layout.CELLS_PACK] !== UNKNOWN_BYTE) this.keep(index);
  }

  /** Takes the cells of a pack. */
  read(index: number, address: number, pack: Pack, meanAt: number, eachAt: number): void {
    const { bytes, view } = this;
    const { telemetry } = pack;
    const mask = cellMask(telemetry);
    const count = cellsPresent(telemetry);
    if (!count) return;
    this.load(index);
    const known = bytes[layout.CELLS_PACK];
    if (known !== UNKNOWN_BYTE && known !== address) this.end();
    let sum = 0;
    for (let cell = 0; cell < HALVES * layout.CELLS_EACH; cell++)
      if ((mask >>> cell) & 1) sum += cellVoltage(telemetry, cell);
    const mean = Math.round(sum / count);
    for (let cell = 0; cell < HALVES * layout.CELLS_EACH; cell++) {
      const start = Math.floor(cell / layout.CELLS_EACH) * layout.CELLS_BYTES;
      const at = start + (cell % layout.CELLS_EACH);
      const isThere = (mask >>> cell) & 1;
      bytes[at + eachAt] = isThere ? toByte(cellVoltage(telemetry, cell) - mean + layout.ZERO_DISTANCE) : UNKNOWN_BYTE;
      bytes[at + layout.CELLS_WIRE_EACH] = isThere ? toByte(cellResistance(telemetry, cell)) : UNKNOWN_BYTE;
      if (cell % layout.CELLS_EACH) continue;
      bytes[start + layout.CELLS_PACK] = address;
      bytes[start + layout.CELLS_FIRST] = cell;
      view.setUint16(start + meanAt, toWord(mean));
      view.setUint16(start + layout.CELLS_CYCLES, toWord(readRaw(telemetry, FIELDS.cycles)));
      const learned = readRaw(telemetry, FIELDS.fullCapacity) / layout.CAPACITY_MILLIAMPERE_HOURS;
      view.setUint16(start + layout.CELLS_CAPACITY, toWord(learned));
    }
    this.keep(index);
  }

  /** What is there of a pack, without that of a week that is over. */
  private load(index: number): void {
    const { bytes, view } = this;
    recall(bytes, CELLS_AT + index * CELLS_BYTES);
    if (!hasValidCrc(bytes, 0, CELLS_BYTES)) bytes.fill(UNKNOWN_BYTE);
    const begun = view.getUint16(BEGUN_AT);
    if (begun === UNKNOWN_WORD || this.period === UNKNOWN_WORD || begun === this.period) return;
    this.end();
    this.keep(index);
  }

  private keep(index: number): void {
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
    for (let start = 0; start < CRC_AT; start += layout.CELLS_BYTES)
      if (hasCells(bytes, start))
        store.append(layout.CELLS, bytes.subarray(start, start + layout.CELLS_BYTES), time, 0);
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
  for (let at = start + layout.CELLS_WIRE_EACH; at < start + layout.CELLS_CYCLES; at++)
    if (bytes[at] !== UNKNOWN_BYTE) return true;
  return false;
}
