import { keep, recall } from "application";
import type KeyValueStorage from "embedded:storage/key-value";
import type { Ring } from "flash-log/ring";
import { cellMask, cellVoltage, extremeCells, MAX_CELLS } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { appendCrc, hasValidCrc } from "modbus/crc";
import { alarmBits, faultsIn } from "../catalogue/alarms";
import { battery1Temperature, battery2Temperature, capacity, milliwatts } from "../catalogue/computed";
import type { Pack } from "../catalogue/pack";
import type { Energy } from "../energy/types";
import type { BankSum } from "../packs/bank-sum";
import { JOULES_PER_WATT_HOUR } from "../energy/limits";
import { HISTORY_AT, HISTORY_BYTES, HISTORY_PACKS } from "../runtime/retained";
import type { BmsSettings } from "../settings/types";
import { midnightOf, type Zone } from "./calendar";
import { energyOfDay } from "./day-energy";
import { type DayStart, readDayStart, writeDayStart } from "./day-start";
import { forgetCells, KeptCells } from "./kept-cells";
import * as layout from "./layout";
import { toByte, toSigned, toWord, UNKNOWN_BYTE, UNKNOWN_LONG, UNKNOWN_WORD } from "./layout";
import {
  BACK_SECONDS,
  FINE_SECONDS,
  FIRST_TIME,
  FULL_CHARGE,
  KEEP_SECONDS,
  REST_MILLIAMPERES,
  REST_SECONDS,
  REST_SHARE,
  SAMPLE_SECONDS,
} from "./limits";
import { RebuiltDay } from "./rebuilt-day";
import type { RecordStore } from "./record-store";
import {
  COUNT_AT,
  DAY_AT,
  DAY_CHARGED_AT,
  DAY_DISCHARGED_AT,
  DAY_NUMBER_AT,
  DAY_SLOT_AT,
  FINE_AT,
  FINE_MINUTES_AT,
  FINE_REPLIES_AT,
  FINE_SLOT_AT,
  FINE_SUM_AT,
  HOUR_SLOT_AT,
  LAST_MINUTE,
  leastByte,
  leastWord,
  LOOKED,
  mostByte,
  mostWord,
  PACK_BYTES,
  PACKS_AT,
  raise,
  RANGE_BYTES,
  RANGES_AT,
  REPLIES,
  RESTING,
  SAMPLED,
  SUM,
  UTC_AT,
} from "./unfinished";

export interface RecorderSources extends Zone {
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
  /** Undefined: there is the one pack of the settings. */
  readonly monitor?: { readonly packs?: readonly { readonly identity: { readonly address: number } }[] };
}

const CRC_BYTES = 2;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const NOTHING: readonly number[] = Object.freeze([NaN, NaN], true);

/**
 * Records the battery: ten minutes and days of the bank, hours and cells of each pack. What is not complete is kept over a restart; of a day that a power cut
 * interrupts, the extremes come from its ten minutes in flash. Without a known time, days and weeks go on until it is known.
 */
export class Recorder {
  private readonly device: RecorderSources;
  private readonly store: RecordStore;
  private readonly cells: KeptCells;
  private bytes!: Uint8Array;
  private view!: DataView;
  /** When the device started, as far as the retained memory tells, seconds since 1970; 0: it does not. */
  private started = 0;
  /** Seconds since the start, of the last time all was kept. */
  private keptAt = 0;
  /** Minutes since 1970, or since the start, at the last turn. */
  private minute = -1;
  /** Joules at the last reply; -1: there was none. */
  private charged = -1;
  private discharged = 0;
  /** The day whose day before has been looked up in flash, and what that had, Wh. */
  private lookedUp = -1;
  private yesterday: readonly number[] = NOTHING;
  private rebuilding: RebuiltDay | undefined;

  constructor(store: RecordStore, device: RecorderSources) {
    this.store = store;
    this.device = device;
    this.cells = new KeptCells(store, device);
    this.resize(1);
    this.restore();
  }

  /**
   * Call at each valid reply of the telemetry of a pack, once its energy has been counted.
   * @param index place among the packs
   * @param bank what they are together; without it there is one pack alone
   */
  update(pack: Pack, power = milliwatts(pack), index = 0, bank?: BankSum): void {
    if (power === undefined) return;
    const uptime = this.device.uptime();
    const seconds = this.now() ?? uptime;
    const minute = Math.floor(seconds / MINUTE);
    const leads = bank?.isTurnOf(index) ?? true;
    // All that ends and begins does so with a minute.
    if (leads && minute !== this.minute) {
      this.minute = minute;
      this.turn(seconds, uptime);
    }
    if (index >= this.count) this.resize(index + 1);
    const at = PACKS_AT + index * PACK_BYTES;
    this.addReply(pack, at, minute);
    if (leads) {
      this.addPower(bank ? bank.power : power);
      this.addEnergy();
    }
    const tens = Math.floor(uptime / SAMPLE_SECONDS) % UNKNOWN_BYTE;
    if (this.bytes[at + SAMPLED] !== tens) {
      this.bytes[at + SAMPLED] = tens;
      this.sample(pack, index, uptime);
      if (leads) this.sampleBank(pack, bank);
    }
    if (!leads) return;
    if (this.rebuilding) this.rebuild(this.rebuilding, pack);
    if (uptime - this.keptAt >= KEEP_SECONDS) this.keep();
  }

  /** Call when a pack goes offline. */
  interrupt(index = 0): void {
    if (index < this.count) this.view.setUint32(PACKS_AT + index * PACK_BYTES + RESTING, UNKNOWN_LONG);
  }

  /** Keeps what is not complete: call before a planned restart. */
  keep(): void {
    this.keptAt = this.device.uptime();
    // What is half rebuilt is rebuilt again: a restart now is as a power cut.
    if (this.rebuilding) return;
    this.view.setUint32(UTC_AT, this.now() ?? UNKNOWN_LONG);
    appendCrc(this.bytes, this.bytes.length - CRC_BYTES);
    keep(this.bytes, HISTORY_AT);
  }

  /** The day that is not complete, by the owner's time since 1970; undefined: there is none. */
  get day(): number | undefined {
    const day = this.view.getUint32(DAY_NUMBER_AT);
    return day === UNKNOWN_LONG ? undefined : day;
  }

  /** Lowest and highest voltage of each of MAX_CELLS cells of the first pack in that day, mV, big-endian words; all ones: unknown. Goes on changing. */
  get cellRanges(): Uint8Array {
    return this.bytes.subarray(RANGES_AT, RANGES_AT + RANGE_BYTES * MAX_CELLS);
  }

  /** Energy of that day so far, Wh; undefined: unknown. */
  get dayCharged(): number | undefined {
    return layout.wattHoursOf(this.view.getFloat64(DAY_CHARGED_AT));
  }

  get dayDischarged(): number | undefined {
    return layout.wattHoursOf(this.view.getFloat64(DAY_DISCHARGED_AT));
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
    if (this.lookedUp !== today) {
      this.lookedUp = today;
      this.yesterday = energyOfDay(this.store.rings[layout.DAYS] as Ring, today - 1, device);
    }
    return this.yesterday[index - 2] as number;
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

  /** Packs of which there are numbers. */
  private get count(): number {
    return this.bytes[COUNT_AT] as number;
  }

  /** Packs of the settings. */
  private get packs(): number {
    return this.device.monitor?.packs?.length ?? 1;
  }

  private addressOf(index: number): number {
    const { monitor, settings } = this.device;
    return (index ? monitor?.packs?.[index]?.identity.address : undefined) ?? settings.bms.address;
  }

  /** More packs, or, without one before, all anew. */
  private resize(count: number): void {
    const old = this.bytes as Uint8Array | undefined;
    const bytes = new Uint8Array(PACKS_AT + count * PACK_BYTES + CRC_BYTES).fill(UNKNOWN_BYTE);
    if (old) bytes.set(old.subarray(0, old.length - CRC_BYTES));
    bytes[COUNT_AT] = count;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
    for (let index = old ? (old[COUNT_AT] as number) : 0; index < count; index++) this.beginPack(index);
  }

  private restore(): void {
    const { device } = this;
    recall(this.bytes, HISTORY_AT);
    const { count } = this;
    if (count && count <= HISTORY_PACKS) {
      this.bytes = new Uint8Array(PACKS_AT + count * PACK_BYTES + CRC_BYTES);
      this.view = new DataView(this.bytes.buffer);
      recall(this.bytes, HISTORY_AT);
    }
    const { bytes, view } = this;
    if (!device.start.kept || !hasValidCrc(bytes, 0, bytes.length)) {
      forgetUnfinished();
      return this.reset();
    }
    const utc = view.getUint32(UTC_AT);
    if (utc !== UNKNOWN_LONG) this.started = utc;
    // These are of the run before.
    for (let index = 0; index < count; index++) {
      this.interrupt(index);
      this.sampleNext(index);
    }
  }

  private reset(): void {
    this.bytes = undefined as never;
    this.resize(1);
    this.beginFine(UNKNOWN_LONG);
    this.view.setUint32(HOUR_SLOT_AT, UNKNOWN_LONG);
    this.beginDay(UNKNOWN_LONG);
  }

  /** The next reply is sampled. */
  private sampleNext(index: number): void {
    this.bytes[PACKS_AT + index * PACK_BYTES + SAMPLED] = UNKNOWN_BYTE;
  }

  /** Ends what is over, and begins what comes. */
  private turn(seconds: number, uptime: number): void {
    const { view } = this;
    const fine = view.getUint32(FINE_SLOT_AT);
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
        view.setUint32(HOUR_SLOT_AT, hour);
      }
    }
    if (this.now() !== undefined) this.turnDay(seconds);
    this.countDay(slot);
    const minute = Math.floor(seconds / MINUTE) % (FINE_SECONDS / MINUTE);
    view.setUint16(FINE_MINUTES_AT, view.getUint16(FINE_MINUTES_AT) | (1 << minute));
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
    this.cells.turn(day, this.packs);
  }

  private addReply(pack: Pack, at: number, minute: number): void {
    const { bytes, view } = this;
    const sum = at + SUM;
    view.setFloat64(sum, view.getFloat64(sum) + readRaw(pack.telemetry, FIELDS.packCurrent));
    view.setUint16(at + REPLIES, Math.min(view.getUint16(at + REPLIES) + 1, UNKNOWN_WORD));
    const minuteOfHour = minute % (HOUR / MINUTE);
    if (minuteOfHour !== bytes[at + LAST_MINUTE]) {
      bytes[at + LAST_MINUTE] = minuteOfHour;
      const state = bytes[at + layout.HOUR_STATE] as number;
      if ((state & ~layout.HOUR_ALARM) < HOUR / MINUTE) bytes[at + layout.HOUR_STATE] = state + 1;
    }
    const alarms = alarmBits(pack);
    if (alarms === undefined) return;
    if (faultsIn(alarms)) {
      raise(this.bytes, FINE_AT + layout.FINE_STATE, layout.HAD_ALARM);
      raise(this.bytes, at + layout.HOUR_STATE, layout.HOUR_ALARM);
    }
    const seen = view.getUint32(DAY_AT + layout.DAY_ALARMS);
    if (seen === UNKNOWN_LONG) view.setUint32(DAY_AT + layout.DAY_ALARMS, alarms);
    else if (alarms & ~seen) view.setUint32(DAY_AT + layout.DAY_ALARMS, seen | alarms);
  }

  /** Takes the power of the bank. */
  private addPower(power: number): void {
    const { view } = this;
    const units = toSigned(power / layout.POWER_MILLIWATTS);
    view.setFloat64(FINE_SUM_AT, view.getFloat64(FINE_SUM_AT) + power);
    view.setUint32(FINE_REPLIES_AT, view.getUint32(FINE_REPLIES_AT) + 1);
    leastWord(this.view, FINE_AT + layout.FINE_LEAST, units);
    mostWord(this.view, FINE_AT + layout.FINE_MOST, units);
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

  /** What changes slowly, of a pack. */
  private sample(pack: Pack, index: number, uptime: number): void {
    const { bytes, view } = this;
    const { telemetry } = pack;
    const at = PACKS_AT + index * PACK_BYTES;
    const address = this.addressOf(index);
    bytes[at + layout.HOUR_PACK] = address;
    bytes[at + layout.HOUR_CHARGE] = toByte(readRaw(telemetry, FIELDS.soc));
    view.setUint16(at + layout.HOUR_VOLTAGE, voltageOf(pack));
    mostWord(this.view, DAY_AT + layout.DAY_CYCLES, toWord(readRaw(telemetry, FIELDS.cycles)));
    this.sampleTemperatures(pack, at);
    this.sampleCells(pack, at, address, this.rests(pack, at, uptime));
    this.readCells(pack, index, address, uptime);
    if (index === 0) this.sampleRanges(pack);
  }

  private sampleRanges({ telemetry }: Pack): void {
    let rest = cellMask(telemetry);
    for (let at = RANGES_AT, cell = 0; rest; at += RANGE_BYTES, cell++) {
      if (rest & 1) {
        const voltage = toWord(cellVoltage(telemetry, cell));
        leastWord(this.view, at, voltage);
        mostWord(this.view, at + 2, voltage);
      }
      rest >>>= 1;
    }
  }

  /** The same of the bank, whose packs in parallel have one voltage. */
  private sampleBank(pack: Pack, bank: BankSum | undefined): void {
    const charge = toByte(bank ? bank.charge : readRaw(pack.telemetry, FIELDS.soc));
    this.bytes[FINE_AT + layout.FINE_CHARGE] = charge;
    this.view.setUint16(FINE_AT + layout.FINE_VOLTAGE, voltageOf(pack));
    if (this.device.relay.value) raise(this.bytes, FINE_AT + layout.FINE_STATE, layout.RELAY_ON);
    if (bank?.isComplete === false) raise(this.bytes, FINE_AT + layout.FINE_STATE, layout.INCOMPLETE);
    leastByte(this.bytes, DAY_AT + layout.DAY_LEAST_CHARGE, charge);
    mostByte(this.bytes, DAY_AT + layout.DAY_MOST_CHARGE, charge);
    this.cells.work();
  }

  private sampleTemperatures(pack: Pack, at: number): void {
    for (const tenths of [battery1Temperature(pack), battery2Temperature(pack)]) {
      if (tenths === undefined) continue;
      const degrees = degreesOf(tenths);
      leastByte(this.bytes, FINE_AT + layout.FINE_COOLEST, degrees);
      mostByte(this.bytes, FINE_AT + layout.FINE_WARMEST, degrees);
      mostByte(this.bytes, at + layout.HOUR_WARMEST, degrees);
      leastByte(this.bytes, DAY_AT + layout.DAY_COOLEST, degrees);
      mostByte(this.bytes, DAY_AT + layout.DAY_WARMEST, degrees);
    }
  }

  private sampleCells({ telemetry }: Pack, at: number, address: number, rests: boolean): void {
    const { bytes } = this;
    const extremes = extremeCells(telemetry);
    if (!extremes) return;
    const low = extremes & 0xff;
    const high = extremes >> 8;
    const lowest = toWord(cellVoltage(telemetry, low - 1));
    const highest = toWord(cellVoltage(telemetry, high - 1));
    const spread = toByte((highest - lowest) / layout.SPREAD_MILLIVOLTS);
    if (leastWord(this.view, FINE_AT + layout.FINE_LOWEST, lowest)) bytes[FINE_AT + layout.FINE_CELL] = low;
    mostByte(this.bytes, FINE_AT + layout.FINE_SPREAD, spread);
    mostWord(this.view, at + layout.HOUR_SPREAD, highest - lowest);
    if (leastWord(this.view, DAY_AT + layout.DAY_LOWEST, lowest)) {
      bytes[DAY_AT + layout.DAY_LOWEST_CELL] = low;
      bytes[DAY_AT + layout.DAY_PACKS] = (address << 4) | ((bytes[DAY_AT + layout.DAY_PACKS] as number) & 0x0f);
    }
    if (mostWord(this.view, DAY_AT + layout.DAY_HIGHEST, highest)) {
      bytes[DAY_AT + layout.DAY_HIGHEST_CELL] = high;
      bytes[DAY_AT + layout.DAY_PACKS] = ((bytes[DAY_AT + layout.DAY_PACKS] as number) & 0xf0) | address;
    }
    mostByte(this.bytes, DAY_AT + (rests ? layout.DAY_REST_SPREAD : layout.DAY_LOAD_SPREAD), spread);
  }

  /** Whether hardly any current flows. */
  private rests(pack: Pack, at: number, uptime: number): boolean {
    const current = Math.abs(readRaw(pack.telemetry, FIELDS.packCurrent));
    const rests = current <= restingMilliamperes(pack);
    this.view.setUint32(at + RESTING, rests ? Math.min(this.view.getUint32(at + RESTING), uptime) : UNKNOWN_LONG);
    return rests;
  }

  /** The cells, if they have been at rest for long enough, or are full. */
  private readCells(pack: Pack, index: number, address: number, uptime: number): void {
    const { telemetry } = pack;
    const at = PACKS_AT + index * PACK_BYTES;
    const minute = Math.floor(uptime / MINUTE) % UNKNOWN_BYTE;
    if (this.bytes[at + LOOKED] === minute) return;
    this.bytes[at + LOOKED] = minute;
    const isFull = readRaw(telemetry, FIELDS.soc) >= FULL_CHARGE && readRaw(telemetry, FIELDS.packCurrent) >= 0;
    if (isFull) this.cells.read(index, address, pack, layout.CELLS_FULL, layout.CELLS_FULL_EACH);
    else if (uptime - this.view.getUint32(at + RESTING) >= REST_SECONDS)
      this.cells.read(index, address, pack, layout.CELLS_REST, layout.CELLS_REST_EACH);
  }

  private beginFine(slot: number): void {
    const { bytes, view } = this;
    bytes.fill(UNKNOWN_BYTE, FINE_AT, DAY_AT);
    bytes[FINE_AT + layout.FINE_STATE] = 0;
    view.setUint32(FINE_SLOT_AT, slot);
    view.setUint32(FINE_REPLIES_AT, 0);
    view.setFloat64(FINE_SUM_AT, 0);
    view.setUint16(FINE_MINUTES_AT, 0);
    for (let index = 0; index < this.count; index++) this.sampleNext(index);
  }

  private endFine(): void {
    const { view } = this;
    const mean = view.getFloat64(FINE_SUM_AT) / view.getUint32(FINE_REPLIES_AT) / layout.POWER_MILLIWATTS;
    view.setUint16(FINE_AT + layout.FINE_MEAN, toSigned(mean));
    let minutes = 0;
    for (let rest = view.getUint16(FINE_MINUTES_AT); rest; rest >>= 1) minutes += rest & 1;
    raise(this.bytes, FINE_AT + layout.FINE_STATE, minutes);
    this.append(layout.FINE, FINE_AT, DAY_AT, view.getUint32(FINE_SLOT_AT) * FINE_SECONDS);
  }

  private beginPack(index: number): void {
    const { bytes, view } = this;
    const at = PACKS_AT + index * PACK_BYTES;
    bytes.fill(UNKNOWN_BYTE, at, at + SUM);
    bytes[at + layout.HOUR_STATE] = 0;
    view.setUint16(at + REPLIES, 0);
    view.setFloat64(at + SUM, 0);
  }

  /** The hour of each pack that has answered in it. */
  private endHour(): void {
    const { view } = this;
    for (let index = 0; index < this.count; index++) {
      const at = PACKS_AT + index * PACK_BYTES;
      const replies = view.getUint16(at + REPLIES);
      if (!replies) continue;
      view.setUint16(
        at + layout.HOUR_CURRENT,
        toSigned(view.getFloat64(at + SUM) / replies / layout.CURRENT_MILLIAMPERES),
      );
      this.append(layout.HOURS, at, at + SUM, view.getUint32(HOUR_SLOT_AT) * HOUR);
      this.beginPack(index);
    }
  }

  private beginDay(day: number): void {
    const { bytes, view } = this;
    bytes.fill(UNKNOWN_BYTE, DAY_AT, FINE_SLOT_AT);
    bytes.fill(UNKNOWN_BYTE, RANGES_AT, PACKS_AT);
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
    const ring = this.store.rings[layout.FINE] as Ring;
    this.rebuilding = isLost
      ? new RebuiltDay(ring, begun.day, device, this.lostDay(begun))
      : new RebuiltDay(ring, day, device);
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
    layout.setEnergy(record, layout.DAY_CHARGED, Math.max(0, before.charged - charged));
    layout.setEnergy(record, layout.DAY_DISCHARGED, Math.max(0, before.discharged - discharged));
    return record;
  }

  /** A few records further. */
  private rebuild(rebuilt: RebuiltDay, pack: Pack): void {
    const { bytes, device, packs, view } = this;
    const { day, record } = rebuilt;
    // Another day has begun: that one is recorded as it was.
    if (record || day === view.getUint32(DAY_NUMBER_AT)) {
      const today = bytes.subarray(DAY_AT, FINE_SLOT_AT);
      // What this run has recorded is in the day already.
      const before = (this.startedAt ?? 0) - FINE_SECONDS;
      const address = packs > 1 ? undefined : this.addressOf(0);
      if (rebuilt.advance(record ?? today, before, packs * restingMilliamperes(pack), address)) return;
    }
    this.rebuilding = undefined;
    if (!record) return;
    // A power cut until now begins it again.
    this.store.append(layout.DAYS, record, midnightOf(day, device), 0);
    this.lookedUp = -1;
    this.storeDay(this.day as number);
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
    layout.setEnergy(bytes, DAY_AT + layout.DAY_CHARGED, view.getFloat64(DAY_CHARGED_AT));
    layout.setEnergy(bytes, DAY_AT + layout.DAY_DISCHARGED, view.getFloat64(DAY_DISCHARGED_AT));
    this.append(layout.DAYS, DAY_AT, FINE_SLOT_AT, midnightOf(day, this.device));
    this.lookedUp = -1;
  }

  /** `seconds`: since 1970, or since the start. */
  private append(ring: number, start: number, end: number, seconds: number): void {
    const time = seconds >= FIRST_TIME ? seconds : undefined;
    this.store.append(ring, this.bytes.subarray(start, end), time, seconds);
  }
}

/** What is not complete is forgotten, for a factory reset: call before the restart. */
export function forgetUnfinished(): void {
  keep(new Uint8Array(HISTORY_BYTES), HISTORY_AT);
  forgetCells();
}

/** mA up to which a pack is at rest. */
const restingMilliamperes = (pack: Pack): number => Math.max(REST_MILLIAMPERES, (capacity(pack) ?? 0) / REST_SHARE);

/** In units of records. */
const voltageOf = ({ telemetry }: Pack): number =>
  toWord(readRaw(telemetry, FIELDS.packVoltage) / layout.VOLTAGE_MILLIVOLTS);

const degreesOf = (tenths: number): number => toByte(tenths / 10 + layout.ZERO_DEGREES);
