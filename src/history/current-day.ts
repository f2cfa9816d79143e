import { type Field, storedAt, valueOf, write } from "flash-log/field";
import type KeyValueStorage from "embedded:storage/key-value";
import type { Ring } from "flash-log/ring";
import { JOULES_PER_WATT_HOUR } from "../energy/limits";
import type { Energy } from "../energy/types";
import { dayAt, midnightOf, type Zone } from "./calendar";
import { CounterMarks } from "./counter-marks";
import { energyOfDay } from "./day-energy";
import { type DayStart, readDayStart, writeDayStart } from "./day-start";
import { DAYS, FINE } from "./layout";
import { MARK_INTERVAL, UNKNOWN_BYTE, UNKNOWN_LONG } from "./limits";
import { RebuiltDay } from "./rebuilt-day";
import type { RecordStore } from "./record-store";
import { DAY_FIELDS, DAY_RECORD } from "./records";
import type { UndatedDay } from "./undated-days";
import {
  DAY_AT,
  DAY_CHARGED_AT,
  DAY_DISCHARGED_AT,
  DAY_NUMBER_AT,
  DAY_SLOT_AT,
  FINE_SLOT_AT,
  type Unfinished,
} from "./unfinished";

export interface DaySources extends Zone {
  /** Joules since the device's first start. */
  readonly energy: (Energy & { readonly chargedJoules: number; readonly dischargedJoules: number }) | undefined;
  readonly storage: typeof KeyValueStorage;
}

const NOTHING: readonly number[] = Object.freeze([NaN, NaN], true);

/**
 * The day that is not over, of the bank. Of one that a power cut interrupts, the extremes come from its ten minutes in flash, and the energy from
 * what the counters showed when it began, which is stored.
 */
export class CurrentDay {
  private readonly open: Unfinished;
  private readonly store: RecordStore;
  private readonly device: DaySources;
  /** Joules at the last reply; -1: there was none. */
  private charged = -1;
  private discharged = 0;
  /** The day whose day before has been looked up in flash, and what that had, Wh. */
  private lookedUp = -1;
  private yesterday: readonly number[] = NOTHING;
  private rebuilding: RebuiltDay | undefined;
  /** While the clock is unknown. */
  private marks: CounterMarks | undefined;

  constructor(open: Unfinished, store: RecordStore, device: DaySources) {
    this.open = open;
    this.store = store;
    this.device = device;
  }

  /** Its number since 1970 by the owner's time; undefined: there is none. */
  get number(): number | undefined {
    const day = this.open.view.getUint32(DAY_NUMBER_AT);
    return day === UNKNOWN_LONG ? undefined : day;
  }

  /** Energy so far, Wh; undefined: unknown. */
  get chargedWattHours(): number | undefined {
    return wattHoursOf(this.open.view.getFloat64(DAY_CHARGED_AT));
  }

  get dischargedWattHours(): number | undefined {
    return wattHoursOf(this.open.view.getFloat64(DAY_DISCHARGED_AT));
  }
  /** An unfinished rebuild starts over after a restart, as after a power cut. */
  get isRebuilding(): boolean {
    return this.rebuilding !== undefined;
  }

  /**
   * Energy of the owner's days, Wh; NaN: unknown. 0: charged today, 1: discharged today, 2 and 3: yesterday. Of the day that is not over as last
   * stored, like the counters: a power cut takes nothing back.
   * @param now seconds since 1970
   */
  energyOf(index: number, now: number): number {
    const { device } = this;
    const { view } = this.open;
    const { energy } = device;
    if (!energy?.stored) return NaN;
    const today = dayAt(now, device);
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
      this.yesterday = energyOfDay(this.store.rings[DAYS] as Ring, today - 1, device);
    }
    return this.yesterday[index - 2] as number;
  }

  /**
   * It is this day, and there is one that is not over.
   * @param isSet the clock was wrong: this is the same day
   */
  turn(day: number, isSet: boolean): void {
    const { number } = this;
    if (number === undefined || day === number) return;
    if (isSet || day < number) this.open.view.setUint32(DAY_NUMBER_AT, day);
    else {
      this.end(number);
      this.open.beginDay(day);
    }
    this.storeStart(day);
  }

  /** What the day had before, Wh: it has been recorded, or days of a wrong time have. */
  add(charged: number, discharged: number): void {
    if (!charged && !discharged) return;
    const { number, open } = this;
    open.view.setFloat64(DAY_CHARGED_AT, this.joulesAt(DAY_CHARGED_AT) + charged * JOULES_PER_WATT_HOUR);
    open.view.setFloat64(DAY_DISCHARGED_AT, this.joulesAt(DAY_DISCHARGED_AT) + discharged * JOULES_PER_WATT_HOUR);
    this.storeStart(number as number);
    this.lookedUp = -1;
  }

  /** Counts ten minutes with replies. */
  count(slot: number): void {
    const { bytes, view } = this.open;
    if (slot === view.getUint32(DAY_SLOT_AT)) return;
    view.setUint32(DAY_SLOT_AT, slot);
    write(bytes, DAY_AT, DAY_FIELDS.tenMinutes, (storedAt(bytes, DAY_AT, DAY_FIELDS.tenMinutes) ?? 0) + 1);
  }

  /**
   * Takes what the counters show.
   * @param uptime seconds since the start
   */
  addEnergy(uptime: number): void {
    const { energy } = this.device;
    if (!energy) return;
    const { view } = this.open;
    const { chargedJoules, dischargedJoules } = energy;
    if (this.charged >= 0) {
      view.setFloat64(DAY_CHARGED_AT, this.joulesAt(DAY_CHARGED_AT) + chargedJoules - this.charged);
      view.setFloat64(DAY_DISCHARGED_AT, this.joulesAt(DAY_DISCHARGED_AT) + dischargedJoules - this.discharged);
    }
    this.charged = chargedJoules;
    this.discharged = dischargedJoules;
    if (this.number !== undefined || uptime < MARK_INTERVAL) return;
    this.marks ??= new CounterMarks();
    this.marks.note(uptime, this.joulesAt(DAY_CHARGED_AT), this.joulesAt(DAY_DISCHARGED_AT));
  }

  /**
   * A few records further, if there is a day to be rebuilt.
   * @param before of what this run has recorded nothing is taken again: only records of until then, seconds since 1970
   * @param resting mA up to which the packs are at rest
   * @param address of the one pack; undefined: there are several
   */
  rebuild(before: number, resting: number, address: number | undefined): void {
    const { open, rebuilding } = this;
    if (!rebuilding) return;
    const { day, record } = rebuilding;
    // Another day has begun: that one is recorded as it was.
    if (record || day === this.number) {
      const today = open.bytes.subarray(DAY_AT, FINE_SLOT_AT);
      if (rebuilding.advance(record ?? today, before, resting, address)) return;
    }
    this.rebuilding = undefined;
    if (!record) return;
    // A power cut until now begins it again.
    this.append(day, record);
    this.storeStart(this.number as number);
  }

  /**
   * The day of a start without retained memory. What the counters showed when the day began is stored: its energy goes on from there. If that
   * was another day, it ends as far as it is known. The rest of either is read back from flash, at the replies that follow.
   * @param seconds since 1970
   * @param uptime seconds since the start
   * @param undated days of this run, of which today is not the first
   */
  resume(day: number, seconds: number, uptime: number, undated: readonly UndatedDay[]): void {
    const { device } = this;
    const { view } = this.open;
    const { energy } = device;
    const begun = energy && readDayStart(device.storage);
    const { marks } = this;
    this.marks = undefined;
    if (undated.length) return this.date(day, begun, undated, marks, seconds, uptime);
    view.setUint32(DAY_NUMBER_AT, day);
    const isLost = begun !== undefined && begun.day < day;
    const ring = this.store.rings[FINE] as Ring;
    this.rebuilding = isLost
      ? new RebuiltDay(ring, begun.day, device, this.lostDay(begun))
      : new RebuiltDay(ring, day, device);
    // A day to come was of a wrong time, and is today.
    if (begun && begun.day >= day) {
      // A power cut takes the counters back a little.
      view.setFloat64(DAY_CHARGED_AT, Math.max(0, Number(energy?.chargedJoules) - begun.charged));
      view.setFloat64(DAY_DISCHARGED_AT, Math.max(0, Number(energy?.dischargedJoules) - begun.discharged));
      // What is in there already is not added again.
      this.charged = -1;
    } else if (!isLost) this.storeStart(day);
  }

  /** The clock has become known after midnight: the days of this run have what was counted in them. */
  private date(
    day: number,
    begun: DayStart | undefined,
    undated: readonly UndatedDay[],
    marks: CounterMarks | undefined,
    seconds: number,
    uptime: number,
  ): void {
    const { device, open } = this;
    const { view } = open;
    const charged = view.getFloat64(DAY_CHARGED_AT);
    const discharged = view.getFloat64(DAY_DISCHARGED_AT);
    /** Until a day begins. */
    const until = (other: number, way: 0 | 1): number => {
      const total = way ? discharged : charged;
      return marks?.at(midnightOf(other, device) - seconds + uptime, way, uptime, total) ?? 0 * total;
    };
    // Until the power failed; the day may have gone on since.
    const lost = begun && begun.day < day ? this.lostDay(begun) : undefined;
    if (lost && !undated.some((one) => one.day === begun?.day)) this.append(Number(begun?.day), lost);
    open.beginDay(day);
    view.setFloat64(DAY_CHARGED_AT, charged - until(day, 0));
    view.setFloat64(DAY_DISCHARGED_AT, discharged - until(day, 1));
    for (const one of undated) {
      const { record } = one;
      if (one.day === day) {
        open.bytes.set(record, DAY_AT);
        continue;
      }
      // What the day had until the power failed is in it too.
      const before = one.day === begun?.day ? lost : undefined;
      writeEnergy(
        record,
        0,
        until(one.day + 1, 0) - until(one.day, 0) + hadBefore(before, DAY_FIELDS.charged),
        until(one.day + 1, 1) - until(one.day, 1) + hadBefore(before, DAY_FIELDS.discharged),
      );
      this.append(one.day, record);
    }
    this.storeStart(day);
  }

  /** A day whose end was not seen has the energy of all that was counted before this start. */
  private lostDay({ charged, discharged }: DayStart): Uint8Array {
    const before = this.counted();
    const record = new Uint8Array(DAY_RECORD.bytes).fill(UNKNOWN_BYTE);
    writeEnergy(record, 0, Math.max(0, before.charged - charged), Math.max(0, before.discharged - discharged));
    return record;
  }

  private end(day: number): void {
    const { bytes, view } = this.open;
    writeEnergy(bytes, DAY_AT, view.getFloat64(DAY_CHARGED_AT), view.getFloat64(DAY_DISCHARGED_AT));
    this.append(day, bytes.subarray(DAY_AT, FINE_SLOT_AT));
  }

  private append(day: number, record: Uint8Array): void {
    this.store.append(DAYS, record, midnightOf(day, this.device), 0);
    this.lookedUp = -1;
  }

  private storeStart(day: number): void {
    const { energy, storage } = this.device;
    if (energy) writeDayStart(storage, { day, ...this.counted() });
  }

  /** What the counters showed when the day began, as far as this run has seen it. */
  private counted(): { readonly charged: number; readonly discharged: number } {
    const { chargedJoules = 0, dischargedJoules = 0 } = this.device.energy ?? {};
    const isCounting = this.charged >= 0;
    return {
      // A record that was taken back has whole watt-hours.
      charged: Math.max(0, (isCounting ? this.charged : chargedJoules) - this.joulesAt(DAY_CHARGED_AT)),
      discharged: Math.max(0, (isCounting ? this.discharged : dischargedJoules) - this.joulesAt(DAY_DISCHARGED_AT)),
    };
  }

  private joulesAt(at: number): number {
    return this.open.view.getFloat64(at) || 0;
  }
}

/** undefined: unknown. */
const wattHoursOf = (joules: number): number | undefined =>
  joules >= 0 ? Math.round(joules / JOULES_PER_WATT_HOUR) : undefined;

/** Joules in the record of a day. */
const hadBefore = (record: Uint8Array | undefined, field: Field): number =>
  JOULES_PER_WATT_HOUR * ((record && valueOf(record, field)) ?? 0);

/** Unknown energy leaves the record as it is. */
function writeEnergy(record: Uint8Array, start: number, charged: number, discharged: number): void {
  if (charged >= 0) write(record, start, DAY_FIELDS.charged, charged / JOULES_PER_WATT_HOUR);
  if (discharged >= 0) write(record, start, DAY_FIELDS.discharged, discharged / JOULES_PER_WATT_HOUR);
}
