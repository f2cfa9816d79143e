import { keep, recall } from "application";
import type KeyValueStorage from "embedded:storage/key-value";
import { Cursor, timeOf } from "flash-log/cursor";
import { isWhole, type Ring } from "flash-log/ring";
import { cellMask, cellResistance, cellsPresent, cellVoltage, extremeCells } from "jk-bms/cells";
import { FIELDS, readRaw } from "jk-bms/fields";
import { appendCrc, hasValidCrc } from "modbus/crc";
import { alarmBits, faultBits } from "../catalogue/alarms";
import { battery1Temperature, battery2Temperature, capacity, milliwatts } from "../catalogue/computed";
import type { Pack } from "../catalogue/pack";
import type { Energy } from "../energy/types";
import { HISTORY_AT, HISTORY_BYTES } from "../runtime/retained";
import type { BmsSettings } from "../settings/types";
import { type DayStart, readDayStart, writeDayStart } from "./day-start";
import * as layout from "./layout";
import { toByte, toSigned, toWord, UNKNOWN_BYTE, UNKNOWN_LONG, UNKNOWN_WORD } from "./layout";
import {
  BACK_SECONDS,
  FINE_SECONDS,
  FIRST_TIME,
  FULL_CHARGE,
  KEEP_SECONDS,
  REBUILD_RECORDS,
  REBUILD_SECTORS,
  REST_MILLIAMPERES,
  REST_SECONDS,
  REST_SHARE,
  SAMPLE_SECONDS,
} from "./limits";
import type { RecordStore } from "./record-store";

export interface RecorderSources {
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Joules since the device's first start. */
  readonly energy: (Energy & { readonly chargedJoules: number; readonly dischargedJoules: number }) | undefined;
  readonly relay: { readonly value: number };
  readonly settings: { readonly bms: Pick<BmsSettings, "address"> };
  /** The retained memory was intact at start-up. */
  readonly start: { readonly kept: boolean };
  readonly storage: typeof KeyValueStorage;
  /** Seconds from UTC to the owner's time at `utc`, seconds since 1970. */
  offsetAt(utc: number): number;
}

/** What is not complete yet, as it lies in the retained memory: records as in flash, and what their values are computed from. */
const UTC_AT = 0;
const FINE_AT = 4;
const HOUR_AT = FINE_AT + layout.FINE_BYTES;
const DAY_AT = HOUR_AT + layout.HOUR_BYTES;
const CELLS_AT = DAY_AT + layout.DAY_BYTES;
const HALVES = 2;
/** Ten minutes since 1970, or since the start as long as the time is unknown. */
const FINE_SLOT_AT = CELLS_AT + HALVES * layout.CELLS_BYTES;
const FINE_REPLIES_AT = FINE_SLOT_AT + 4;
/** Sum of the power of all replies, mW. */
const FINE_SUM_AT = FINE_REPLIES_AT + 4;
/** A bit for each minute with a reply. */
const FINE_MINUTES_AT = FINE_SUM_AT + 8;
const HOUR_SLOT_AT = FINE_MINUTES_AT + 2;
const HOUR_REPLIES_AT = HOUR_SLOT_AT + 4;
/** Sum of the current, mA. */
const HOUR_SUM_AT = HOUR_REPLIES_AT + 4;
/** The last minute of the hour with a reply. */
const HOUR_MINUTE_AT = HOUR_SUM_AT + 8;
/** Days since 1970 by the owner's time. */
const DAY_NUMBER_AT = HOUR_MINUTE_AT + 1;
/** The last ten minutes counted for the day. */
const DAY_SLOT_AT = DAY_NUMBER_AT + 4;
const DAY_CHARGED_AT = DAY_SLOT_AT + 4;
const DAY_DISCHARGED_AT = DAY_CHARGED_AT + 8;
const WEEK_AT = DAY_DISCHARGED_AT + 8;
const CRC_AT = HISTORY_BYTES - 2;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const JOULES_PER_WATT_HOUR = 3_600;
/** 1 January 1970 was a Thursday, and weeks begin on Monday. */
const THURSDAY = 3;
const NOTHING: readonly number[] = Object.freeze([NaN, NaN], true);
const MAX_LONG_BYTES = 0xff_fffe;

/** What is read at a start after a power cut. */
interface Rebuilding {
  /** The day, by the owner's time since 1970. */
  readonly day: number;
  readonly cursor: Cursor;
  /** The record of a day whose end was not seen, with its energy; undefined: it is today's, which goes on. */
  readonly record: Uint8Array | undefined;
}

/**
 * Records the battery: ten minutes, hours, days, and cells by the week. What is not complete is kept over a restart; of a day that a power cut
 * interrupts, the extremes come from its ten minutes in flash. Without a known time, days and weeks go on until it is known.
 */
export class Recorder {
  private readonly device: RecorderSources;
  private readonly store: RecordStore;
  private readonly bytes = new Uint8Array(HISTORY_BYTES);
  private readonly view = new DataView(this.bytes.buffer);
  /** When the device started, as far as the retained memory tells, seconds since 1970; 0: it does not. */
  private started = 0;
  /** Seconds since the start: of the last sample, of the last look at the cells, of the last time all was kept, and from when on the pack has been at rest. */
  private sampledAt = -SAMPLE_SECONDS;
  private cellsAt = -MINUTE;
  private keptAt = 0;
  private restSince = Infinity;
  /** Joules at the last reply; -1: there was none. */
  private charged = -1;
  private discharged = 0;
  /** The day whose day before has been looked up in flash, and what that had, Wh. */
  private lookedUp = -1;
  private yesterday: readonly number[] = NOTHING;
  private rebuilding: Rebuilding | undefined;

  constructor(store: RecordStore, device: RecorderSources) {
    this.store = store;
    this.device = device;
    this.restore();
  }

  /** Call at each valid reply of the telemetry, once its energy has been counted. */
  update(pack: Pack, power = milliwatts(pack)): void {
    if (power === undefined) return;
    const uptime = this.device.uptime();
    this.turn(uptime);
    this.addPower(pack, power, uptime);
    this.addEnergy();
    if (uptime - this.sampledAt >= SAMPLE_SECONDS) {
      this.sampledAt = uptime;
      this.sample(pack, uptime);
    }
    if (this.rebuilding) this.rebuild(this.rebuilding, restingMilliamperes(pack));
    if (uptime - this.keptAt >= KEEP_SECONDS) this.keep();
  }

  /** Call when the BMS goes offline. */
  interrupt(): void {
    this.restSince = Infinity;
  }

  /** Keeps what is not complete: call before a planned restart. */
  keep(): void {
    this.keptAt = this.device.uptime();
    // What is half rebuilt is rebuilt again: a restart now is as a power cut.
    if (this.rebuilding) return;
    this.view.setUint32(UTC_AT, this.now() ?? UNKNOWN_LONG);
    appendCrc(this.bytes, CRC_AT);
    keep(this.bytes, HISTORY_AT);
  }

  /** The day that is not complete, by the owner's time since 1970; undefined: there is none. */
  get day(): number | undefined {
    const day = this.view.getUint32(DAY_NUMBER_AT);
    return day === UNKNOWN_LONG ? undefined : day;
  }

  /** Energy of that day so far, Wh; undefined: unknown. */
  get dayCharged(): number | undefined {
    return wattHoursOf(this.view.getFloat64(DAY_CHARGED_AT));
  }

  get dayDischarged(): number | undefined {
    return wattHoursOf(this.view.getFloat64(DAY_DISCHARGED_AT));
  }

  /**
   * Energy of the owner's days, Wh; NaN: unknown. 0: charged today, 1: discharged today, 2 and 3: yesterday. Of the day that is not over as last
   * stored, like the counters: a power cut takes nothing back.
   */
  energyOf(index: number): number {
    const { device, view } = this;
    const { energy } = device;
    const now = this.now();
    if (now === undefined || !energy?.stored) return NaN;
    const today = Math.floor((now + device.offsetAt(now)) / DAY);
    const isCharged = !(index & 1);
    if (view.getUint32(DAY_NUMBER_AT) === today - (index >> 1)) {
      const joules = view.getFloat64(isCharged ? DAY_CHARGED_AT : DAY_DISCHARGED_AT);
      const unstored = isCharged
        ? energy.chargedJoules - energy.stored.charged
        : energy.dischargedJoules - energy.stored.discharged;
      return Math.max(0, joules - unstored) / JOULES_PER_WATT_HOUR;
    }
    if (index < 2) return NaN;
    if (this.lookedUp !== today) this.lookUp(today);
    return this.yesterday[index - 2] as number;
  }

  /** Reads the day before `today` back from the newest sector. More than one record: the clock had been set. */
  private lookUp(today: number): void {
    const ring = this.store.rings[layout.DAYS] as Ring;
    const record = new Uint8Array(ring.recordBytes);
    const sums = [NaN, NaN];
    for (let place = ring.last; place >= 0; place--) {
      const time = ring.read(record, ring.head, place) && isWhole(record) ? timeOf(record) : undefined;
      if (time === undefined) continue;
      const day = Math.round((time + this.device.offsetAt(time)) / DAY);
      if (day < today - 1) break;
      if (day !== today - 1) continue;
      for (let index = 0; index < 2; index++) {
        const wattHours = layout.wattHoursAt(record, index ? layout.DAY_DISCHARGED : layout.DAY_CHARGED);
        if (wattHours !== undefined) sums[index] = (sums[index] || 0) + wattHours;
      }
    }
    this.lookedUp = today;
    this.yesterday = sums;
  }

  /** When the device started, seconds since 1970; undefined: unknown. */
  get startedAt(): number | undefined {
    const now = this.now();
    return now === undefined ? undefined : now - this.device.uptime();
  }

  /** Seconds since 1970. After a restart the retained memory tells, until the clock is set. */
  private now(): number | undefined {
    const { device, started } = this;
    return device.time() ?? (started ? started + device.uptime() : undefined);
  }

  private restore(): void {
    const { bytes, view, device } = this;
    recall(bytes, HISTORY_AT);
    if (!device.start.kept || !hasValidCrc(bytes, 0, HISTORY_BYTES)) {
      forgetUnfinished();
      return this.reset();
    }
    const utc = view.getUint32(UTC_AT);
    if (utc !== UNKNOWN_LONG) this.started = utc;
  }

  private reset(): void {
    this.bytes.fill(UNKNOWN_BYTE);
    this.beginFine(UNKNOWN_LONG);
    this.beginHour(UNKNOWN_LONG);
    this.beginDay(UNKNOWN_LONG);
  }

  /** Ends what is over, and begins what comes. */
  private turn(uptime: number): void {
    const { view } = this;
    const now = this.now();
    const fine = view.getUint32(FINE_SLOT_AT);
    let seconds = now ?? uptime;
    // The clock was set back a little, just after the turn: it does not turn twice.
    const back = fine * FINE_SECONDS - seconds;
    if (back > 0 && back <= BACK_SECONDS) seconds += back;
    const slot = Math.floor(seconds / FINE_SECONDS);
    if (slot !== fine) {
      // What began shortly before the time was known counts as of now.
      const isSame = fine === UNKNOWN_LONG || (fine * FINE_SECONDS < FIRST_TIME && uptime < FINE_SECONDS);
      if (isSame) view.setUint32(FINE_SLOT_AT, slot);
      else {
        this.endFine();
        this.beginFine(slot);
      }
      const hour = Math.floor(seconds / HOUR);
      if (isSame) view.setUint32(HOUR_SLOT_AT, hour);
      else if (hour !== view.getUint32(HOUR_SLOT_AT)) {
        this.endHour();
        this.beginHour(hour);
      }
    }
    if (now !== undefined) this.turnDay(seconds);
    this.countDay(slot);
  }

  private turnDay(seconds: number): void {
    const { view } = this;
    const day = Math.floor((seconds + this.device.offsetAt(seconds)) / DAY);
    const kept = view.getUint32(DAY_NUMBER_AT);
    if (kept === UNKNOWN_LONG) this.resumeDay(day);
    else if (day !== kept) {
      this.endDay(kept);
      this.beginDay(day);
      this.storeDay(day);
    }
    this.turnWeek(Math.floor((day + THURSDAY) / 7));
  }

  private addPower(pack: Pack, power: number, uptime: number): void {
    const { bytes, view } = this;
    const { telemetry } = pack;
    const seconds = this.now() ?? uptime;
    const units = toSigned(power / layout.POWER_MILLIWATTS);
    view.setFloat64(FINE_SUM_AT, view.getFloat64(FINE_SUM_AT) + power);
    view.setUint32(FINE_REPLIES_AT, view.getUint32(FINE_REPLIES_AT) + 1);
    this.leastWord(FINE_AT + layout.FINE_LEAST, units);
    this.mostWord(FINE_AT + layout.FINE_MOST, units);
    const minute = Math.floor((seconds % FINE_SECONDS) / MINUTE);
    view.setUint16(FINE_MINUTES_AT, view.getUint16(FINE_MINUTES_AT) | (1 << minute));
    view.setFloat64(HOUR_SUM_AT, view.getFloat64(HOUR_SUM_AT) + readRaw(telemetry, FIELDS.packCurrent));
    view.setUint32(HOUR_REPLIES_AT, view.getUint32(HOUR_REPLIES_AT) + 1);
    const minuteOfHour = Math.floor((seconds % HOUR) / MINUTE);
    if (minuteOfHour !== bytes[HOUR_MINUTE_AT]) {
      bytes[HOUR_MINUTE_AT] = minuteOfHour;
      const state = bytes[HOUR_AT + layout.HOUR_STATE] as number;
      if ((state & ~layout.HOUR_ALARM) < HOUR / MINUTE) bytes[HOUR_AT + layout.HOUR_STATE] = state + 1;
    }
    if (faultBits(pack)) {
      this.raise(FINE_AT + layout.FINE_STATE, layout.HAD_ALARM);
      this.raise(HOUR_AT + layout.HOUR_STATE, layout.HOUR_ALARM);
    }
    const alarms = alarmBits(pack);
    if (alarms === undefined) return;
    const seen = view.getUint32(DAY_AT + layout.DAY_ALARMS);
    if (seen === UNKNOWN_LONG) view.setUint32(DAY_AT + layout.DAY_ALARMS, alarms);
    else if (alarms & ~seen) view.setUint32(DAY_AT + layout.DAY_ALARMS, seen | alarms);
  }

  private addEnergy(): void {
    const { view } = this;
    const { energy } = this.device;
    if (!energy) return;
    const { chargedJoules, dischargedJoules } = energy;
    if (this.charged >= 0) {
      view.setFloat64(DAY_CHARGED_AT, this.dayJoules(DAY_CHARGED_AT) + chargedJoules - this.charged);
      view.setFloat64(DAY_DISCHARGED_AT, this.dayJoules(DAY_DISCHARGED_AT) + dischargedJoules - this.discharged);
    }
    this.charged = chargedJoules;
    this.discharged = dischargedJoules;
  }

  /** What changes slowly. */
  private sample(pack: Pack, uptime: number): void {
    const { bytes, view } = this;
    const { telemetry } = pack;
    const charge = toByte(readRaw(telemetry, FIELDS.soc));
    const voltage = toWord(readRaw(telemetry, FIELDS.packVoltage) / layout.VOLTAGE_MILLIVOLTS);
    bytes[FINE_AT + layout.FINE_CHARGE] = bytes[HOUR_AT + layout.HOUR_CHARGE] = charge;
    view.setUint16(FINE_AT + layout.FINE_VOLTAGE, voltage);
    view.setUint16(HOUR_AT + layout.HOUR_VOLTAGE, voltage);
    bytes[HOUR_AT + layout.HOUR_PACK] = this.device.settings.bms.address;
    if (this.device.relay.value) this.raise(FINE_AT + layout.FINE_STATE, layout.RELAY_ON);
    this.leastByte(DAY_AT + layout.DAY_LEAST_CHARGE, charge);
    this.mostByte(DAY_AT + layout.DAY_MOST_CHARGE, charge);
    view.setUint16(DAY_AT + layout.DAY_CYCLES, toWord(readRaw(telemetry, FIELDS.cycles)));
    this.sampleTemperatures(pack);
    this.sampleCells(pack, this.rests(pack, uptime));
    this.readCells(pack, uptime);
  }

  private sampleTemperatures(pack: Pack): void {
    for (const tenths of [battery1Temperature(pack), battery2Temperature(pack)]) {
      if (tenths === undefined) continue;
      const degrees = degreesOf(tenths);
      this.leastByte(FINE_AT + layout.FINE_COOLEST, degrees);
      this.mostByte(FINE_AT + layout.FINE_WARMEST, degrees);
      this.mostByte(HOUR_AT + layout.HOUR_WARMEST, degrees);
      this.leastByte(DAY_AT + layout.DAY_COOLEST, degrees);
      this.mostByte(DAY_AT + layout.DAY_WARMEST, degrees);
    }
  }

  private sampleCells(pack: Pack, rests: boolean): void {
    const { bytes } = this;
    const { telemetry } = pack;
    const extremes = extremeCells(telemetry);
    if (!extremes) return;
    const low = extremes & 0xff;
    const high = extremes >> 8;
    const lowest = toWord(cellVoltage(telemetry, low - 1));
    const highest = toWord(cellVoltage(telemetry, high - 1));
    const spread = highest - lowest;
    const { address } = this.device.settings.bms;
    if (this.leastWord(FINE_AT + layout.FINE_LOWEST, lowest)) bytes[FINE_AT + layout.FINE_CELL] = low;
    this.mostByte(FINE_AT + layout.FINE_SPREAD, toByte(spread / layout.SPREAD_MILLIVOLTS));
    this.mostWord(HOUR_AT + layout.HOUR_SPREAD, spread);
    if (this.leastWord(DAY_AT + layout.DAY_LOWEST, lowest)) bytes[DAY_AT + layout.DAY_LOWEST_CELL] = low;
    if (this.mostWord(DAY_AT + layout.DAY_HIGHEST, highest)) bytes[DAY_AT + layout.DAY_HIGHEST_CELL] = high;
    bytes[DAY_AT + layout.DAY_PACKS] = (address << 4) | address;
    this.mostByte(
      DAY_AT + (rests ? layout.DAY_REST_SPREAD : layout.DAY_LOAD_SPREAD),
      toByte(spread / layout.SPREAD_MILLIVOLTS),
    );
  }

  /** Whether hardly any current flows. */
  private rests(pack: Pack, uptime: number): boolean {
    const current = Math.abs(readRaw(pack.telemetry, FIELDS.packCurrent));
    const rests = current <= restingMilliamperes(pack);
    this.restSince = rests ? Math.min(this.restSince, uptime) : Infinity;
    return rests;
  }

  /** The cells, if they have been at rest for long enough, or are full. */
  private readCells(pack: Pack, uptime: number): void {
    const { telemetry } = pack;
    if (uptime - this.cellsAt < MINUTE) return;
    this.cellsAt = uptime;
    const isFull = readRaw(telemetry, FIELDS.soc) >= FULL_CHARGE && readRaw(telemetry, FIELDS.packCurrent) >= 0;
    if (isFull) this.writeCells(pack, layout.CELLS_FULL, layout.CELLS_FULL_EACH);
    else if (uptime - this.restSince >= REST_SECONDS) this.writeCells(pack, layout.CELLS_REST, layout.CELLS_REST_EACH);
  }

  private writeCells(pack: Pack, meanAt: number, eachAt: number): void {
    const { bytes, view } = this;
    const { telemetry } = pack;
    const mask = cellMask(telemetry);
    const count = cellsPresent(telemetry);
    if (!count) return;
    let sum = 0;
    for (let cell = 0; cell < HALVES * layout.CELLS_EACH; cell++)
      if ((mask >>> cell) & 1) sum += cellVoltage(telemetry, cell);
    const mean = Math.round(sum / count);
    for (let cell = 0; cell < HALVES * layout.CELLS_EACH; cell++) {
      const start = CELLS_AT + Math.floor(cell / layout.CELLS_EACH) * layout.CELLS_BYTES;
      const at = start + (cell % layout.CELLS_EACH);
      const isThere = (mask >>> cell) & 1;
      bytes[at + eachAt] = isThere ? toByte(cellVoltage(telemetry, cell) - mean + layout.ZERO_DISTANCE) : UNKNOWN_BYTE;
      bytes[at + layout.CELLS_WIRE_EACH] = isThere ? toByte(cellResistance(telemetry, cell)) : UNKNOWN_BYTE;
      if (cell % layout.CELLS_EACH) continue;
      bytes[start + layout.CELLS_PACK] = this.device.settings.bms.address;
      bytes[start + layout.CELLS_FIRST] = cell;
      view.setUint16(start + meanAt, toWord(mean));
      view.setUint16(start + layout.CELLS_CYCLES, toWord(readRaw(telemetry, FIELDS.cycles)));
      const learned = readRaw(telemetry, FIELDS.fullCapacity) / layout.CAPACITY_MILLIAMPERE_HOURS;
      view.setUint16(start + layout.CELLS_CAPACITY, toWord(learned));
    }
  }

  private beginFine(slot: number): void {
    const { bytes, view } = this;
    bytes.fill(UNKNOWN_BYTE, FINE_AT, HOUR_AT);
    bytes[FINE_AT + layout.FINE_STATE] = 0;
    view.setUint32(FINE_SLOT_AT, slot);
    view.setUint32(FINE_REPLIES_AT, 0);
    view.setFloat64(FINE_SUM_AT, 0);
    view.setUint16(FINE_MINUTES_AT, 0);
    // The next reply is sampled.
    this.sampledAt = -SAMPLE_SECONDS;
  }

  private endFine(): void {
    const { view } = this;
    const mean = view.getFloat64(FINE_SUM_AT) / view.getUint32(FINE_REPLIES_AT) / layout.POWER_MILLIWATTS;
    view.setUint16(FINE_AT + layout.FINE_MEAN, toSigned(mean));
    let minutes = 0;
    for (let rest = view.getUint16(FINE_MINUTES_AT); rest; rest >>= 1) minutes += rest & 1;
    this.raise(FINE_AT + layout.FINE_STATE, minutes);
    this.append(layout.FINE, FINE_AT, HOUR_AT, view.getUint32(FINE_SLOT_AT) * FINE_SECONDS);
  }

  private beginHour(hour: number): void {
    const { bytes, view } = this;
    bytes.fill(UNKNOWN_BYTE, HOUR_AT, DAY_AT);
    bytes[HOUR_AT + layout.HOUR_STATE] = 0;
    view.setUint32(HOUR_SLOT_AT, hour);
    view.setUint32(HOUR_REPLIES_AT, 0);
    view.setFloat64(HOUR_SUM_AT, 0);
    bytes[HOUR_MINUTE_AT] = UNKNOWN_BYTE;
  }

  private endHour(): void {
    const { view } = this;
    const mean = view.getFloat64(HOUR_SUM_AT) / view.getUint32(HOUR_REPLIES_AT) / layout.CURRENT_MILLIAMPERES;
    view.setUint16(HOUR_AT + layout.HOUR_CURRENT, toSigned(mean));
    this.append(layout.HOURS, HOUR_AT, DAY_AT, view.getUint32(HOUR_SLOT_AT) * HOUR);
  }

  private beginDay(day: number): void {
    const { bytes, view } = this;
    bytes.fill(UNKNOWN_BYTE, DAY_AT, CELLS_AT);
    bytes[DAY_AT + layout.DAY_COVERED] = 0;
    view.setUint32(DAY_NUMBER_AT, day);
    view.setUint32(DAY_SLOT_AT, UNKNOWN_LONG);
    // Unknown until there are two replies.
    view.setFloat64(DAY_CHARGED_AT, NaN);
    view.setFloat64(DAY_DISCHARGED_AT, NaN);
  }

  /** Joules of the day so far. */
  private dayJoules(at: number): number {
    return this.view.getFloat64(at) || 0;
  }

  /**
   * The day of a start without retained memory. What the counters showed when the day began is stored: its energy goes on from there. If that
   * was another day, it ends as far as it is known. The rest of either is read back from flash, at the replies that follow.
   */
  private resumeDay(day: number): void {
    const { view, device } = this;
    const { energy } = device;
    const begun = energy && readDayStart(device.storage);
    view.setUint32(DAY_NUMBER_AT, day);
    const isLost = begun !== undefined && begun.day < day;
    this.rebuilding = {
      day: isLost ? begun.day : day,
      cursor: new Cursor(this.store.rings[layout.FINE] as Ring, REBUILD_SECTORS),
      record: isLost ? this.lostDay(begun) : undefined,
    };
    if (begun?.day === day) {
      // A power cut takes the counters back a little.
      view.setFloat64(DAY_CHARGED_AT, Math.max(0, Number(energy?.chargedJoules) - begun.charged));
      view.setFloat64(DAY_DISCHARGED_AT, Math.max(0, Number(energy?.dischargedJoules) - begun.discharged));
      // What is in there already is not added again.
      this.charged = -1;
    } else if (!isLost) this.storeDay(day);
  }

  /** A day whose end was not seen has the energy of all that was counted before this start. */
  private lostDay({ charged, discharged }: DayStart): Uint8Array {
    const before = this.beforeDay();
    const record = new Uint8Array(layout.DAY_BYTES).fill(UNKNOWN_BYTE);
    setWattHours(record, layout.DAY_CHARGED, Math.max(0, before.charged - charged));
    setWattHours(record, layout.DAY_DISCHARGED, Math.max(0, before.discharged - discharged));
    return record;
  }

  /** A few records further. `resting`: mA. */
  private rebuild({ day, cursor, record }: Rebuilding, resting: number): void {
    const { device } = this;
    const before = (this.startedAt ?? 0) - FINE_SECONDS;
    // Another day has begun: that one is recorded as it was.
    let isOver = !record && day !== this.day;
    if (record) this.swapDay(record);
    for (let count = 0; count < REBUILD_RECORDS && !isOver; count++) {
      isOver = !cursor.next();
      const { time } = cursor;
      // What this run has recorded is in the day already.
      if (!isOver && time !== undefined && time <= before && Math.floor((time + device.offsetAt(time)) / DAY) === day)
        this.absorb(cursor.record, resting);
    }
    if (record) this.swapDay(record);
    if (!isOver) return;
    this.rebuilding = undefined;
    if (!record) return;
    // A power cut until now begins it again.
    this.store.append(layout.DAYS, record, this.midnight(day), 0);
    this.lookedUp = -1;
    this.storeDay(this.day as number);
  }

  private swapDay(other: Uint8Array): void {
    const { bytes } = this;
    const day = bytes.slice(DAY_AT, CELLS_AT);
    bytes.set(other, DAY_AT);
    other.set(day);
  }

  /** Takes ten minutes of the day that are in flash. */
  private absorb(record: Uint8Array, resting: number): void {
    const { bytes } = this;
    const charge = record[layout.FINE_CHARGE] as number;
    const spread = record[layout.FINE_SPREAD] as number;
    const lowest = wordAt(record, layout.FINE_LOWEST);
    const most = Math.max(
      wordAt(record, layout.FINE_MOST) - layout.ZERO_WORD,
      layout.ZERO_WORD - wordAt(record, layout.FINE_LEAST),
    );
    const rests =
      most * layout.POWER_MILLIWATTS <=
      (resting * wordAt(record, layout.FINE_VOLTAGE) * layout.VOLTAGE_MILLIVOLTS) / 1e3;
    this.leastByte(DAY_AT + layout.DAY_LEAST_CHARGE, charge);
    this.mostByte(DAY_AT + layout.DAY_MOST_CHARGE, charge);
    if (this.leastWord(DAY_AT + layout.DAY_LOWEST, lowest))
      bytes[DAY_AT + layout.DAY_LOWEST_CELL] = record[layout.FINE_CELL] as number;
    // The highest was at least so much above the lowest; its number is not recorded.
    const highest = lowest + spread * layout.SPREAD_MILLIVOLTS;
    if (spread !== UNKNOWN_BYTE && highest < UNKNOWN_WORD && this.mostWord(DAY_AT + layout.DAY_HIGHEST, highest))
      bytes[DAY_AT + layout.DAY_HIGHEST_CELL] = UNKNOWN_BYTE;
    this.mostByte(DAY_AT + (rests ? layout.DAY_REST_SPREAD : layout.DAY_LOAD_SPREAD), spread);
    this.leastByte(DAY_AT + layout.DAY_COOLEST, record[layout.FINE_COOLEST] as number);
    this.mostByte(DAY_AT + layout.DAY_WARMEST, record[layout.FINE_WARMEST] as number);
    const { address } = this.device.settings.bms;
    this.leastByte(DAY_AT + layout.DAY_PACKS, (address << 4) | address);
    if (((record[layout.FINE_STATE] as number) & layout.MINUTES) === 0) return;
    const covered = bytes[DAY_AT + layout.DAY_COVERED] as number;
    bytes[DAY_AT + layout.DAY_COVERED] = covered === UNKNOWN_BYTE ? 1 : toByte(covered + 1);
  }

  private storeDay(day: number): void {
    const { energy, storage } = this.device;
    if (energy) writeDayStart(storage, { day, ...this.beforeDay() });
  }

  /** What the counters showed when the day began, as far as this run has seen it. */
  private beforeDay(): { readonly charged: number; readonly discharged: number } {
    const { chargedJoules = 0, dischargedJoules = 0 } = this.device.energy ?? {};
    const isCounting = this.charged >= 0;
    return {
      charged: (isCounting ? this.charged : chargedJoules) - this.dayJoules(DAY_CHARGED_AT),
      discharged: (isCounting ? this.discharged : dischargedJoules) - this.dayJoules(DAY_DISCHARGED_AT),
    };
  }

  private countDay(slot: number): void {
    const { bytes, view } = this;
    if (slot === view.getUint32(DAY_SLOT_AT)) return;
    view.setUint32(DAY_SLOT_AT, slot);
    bytes[DAY_AT + layout.DAY_COVERED] = toByte((bytes[DAY_AT + layout.DAY_COVERED] as number) + 1);
  }

  private endDay(day: number): void {
    const { bytes, view } = this;
    setWattHours(bytes, DAY_AT + layout.DAY_CHARGED, view.getFloat64(DAY_CHARGED_AT));
    setWattHours(bytes, DAY_AT + layout.DAY_DISCHARGED, view.getFloat64(DAY_DISCHARGED_AT));
    this.append(layout.DAYS, DAY_AT, CELLS_AT, this.midnight(day));
    this.lookedUp = -1;
  }

  private turnWeek(week: number): void {
    const { bytes, view } = this;
    const kept = view.getUint32(WEEK_AT);
    if (kept === week) return;
    if (kept !== UNKNOWN_LONG)
      for (let start = CELLS_AT; start < FINE_SLOT_AT; start += layout.CELLS_BYTES)
        if (hasCells(bytes, start))
          this.append(layout.CELLS, start, start + layout.CELLS_BYTES, this.midnight(7 * kept - THURSDAY));
    // Those read before the time was known are of this week.
    if (kept !== UNKNOWN_LONG) bytes.fill(UNKNOWN_BYTE, CELLS_AT, FINE_SLOT_AT);
    view.setUint32(WEEK_AT, week);
  }

  /** UTC at the beginning of a day by the owner's time. */
  private midnight(day: number): number {
    const { device } = this;
    const about = day * DAY - device.offsetAt(day * DAY);
    return day * DAY - device.offsetAt(about);
  }

  /** `seconds`: since 1970, or since the start. */
  private append(ring: number, start: number, end: number, seconds: number): void {
    const time = seconds >= FIRST_TIME ? seconds : undefined;
    this.store.append(ring, this.bytes.subarray(start, end), time, seconds);
  }

  private raise(at: number, bits: number): void {
    this.bytes[at] = (this.bytes[at] as number) | bits;
  }

  private leastByte(at: number, value: number): void {
    if (value < (this.bytes[at] as number)) this.bytes[at] = value;
  }

  private mostByte(at: number, value: number): void {
    const known = this.bytes[at] as number;
    if (value !== UNKNOWN_BYTE && (known === UNKNOWN_BYTE || value > known)) this.bytes[at] = value;
  }

  /** Whether `value` is the new one. */
  private leastWord(at: number, value: number): boolean {
    if (value >= this.view.getUint16(at)) return false;
    this.view.setUint16(at, value);
    return true;
  }

  private mostWord(at: number, value: number): boolean {
    const known = this.view.getUint16(at);
    if (known !== UNKNOWN_WORD && value <= known) return false;
    this.view.setUint16(at, value);
    return true;
  }
}

/** What is not complete is forgotten, for a factory reset: call before the restart. */
export const forgetUnfinished = (): void => keep(new Uint8Array(HISTORY_BYTES), HISTORY_AT);

const wattHoursOf = (joules: number): number | undefined =>
  joules >= 0 ? Math.round(joules / JOULES_PER_WATT_HOUR) : undefined;

function setWattHours(bytes: Uint8Array, at: number, joules: number): void {
  const known = wattHoursOf(joules);
  if (known === undefined) return;
  const wattHours = Math.min(MAX_LONG_BYTES, known);
  for (let byte = 0; byte < 3; byte++) bytes[at + byte] = wattHours >> (16 - 8 * byte);
}

const wordAt = (record: Uint8Array, at: number): number => ((record[at] as number) << 8) | (record[at + 1] as number);

/** mA up to which a pack is at rest. */
const restingMilliamperes = (pack: Pack): number => Math.max(REST_MILLIAMPERES, (capacity(pack) ?? 0) / REST_SHARE);

const degreesOf = (tenths: number): number => toByte(tenths / 10 + layout.ZERO_DEGREES);

/** Whether the record has a cell. */
function hasCells(bytes: Uint8Array, start: number): boolean {
  for (let at = start + layout.CELLS_WIRE_EACH; at < start + layout.CELLS_CYCLES; at++)
    if (bytes[at] !== UNKNOWN_BYTE) return true;
  return false;
}
