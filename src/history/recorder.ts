import { storedAt, write } from "flash-log/field";
import { MAX_CELLS } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import type { Pack } from "../catalogue/pack";
import type { BankSum } from "../packs/bank-sum";
import type { BusPack } from "../packs/types";
import { dayAt, midnightOf } from "./calendar";
import { CurrentDay, type DaySources } from "./current-day";
import { forgetCells, UnfinishedCells } from "./unfinished-cells";
import { FINE, HOURS } from "./layout";
import {
  BACK_SECONDS,
  CLOCK_JUMP,
  FINE_SECONDS,
  FIRST_TIME,
  FULL_CHARGE,
  SAVE_SECONDS,
  REST_SECONDS,
  SAMPLE_SECONDS,
  UNKNOWN_BYTE,
  UNKNOWN_LONG,
} from "./limits";
import { restingMilliamperes, takeBank, takePower, takeRanges, takeReply, takeSample } from "./readings";
import type { RecordStore } from "./record-store";
import { undatedDays, type UndatedDay } from "./undated-days";
import { CELLS_FIELDS, FINE_FIELDS, HOUR_FIELDS } from "./records";
import {
  CELLS_READ,
  DAY_AT,
  discardUnfinished,
  FINE_AT,
  FINE_MINUTES_AT,
  FINE_REPLIES_AT,
  FINE_SLOT_AT,
  FINE_SUM_AT,
  HOUR_SLOT_AT,
  PACK_BYTES,
  PACKS_AT,
  RANGE_BYTES,
  RANGES_AT,
  REPLIES,
  RESTING,
  SAMPLED,
  SUM,
  Unfinished,
} from "./unfinished";

export interface RecorderSources extends DaySources {
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  readonly relay: { readonly value: number };
  /** The retained memory was intact at start-up. */
  readonly start: { readonly intact: boolean };
  readonly monitor: { readonly packs: readonly { readonly identity: { readonly address: number } }[] };
}

const MINUTE = 60;
const HOUR = 3_600;
const MILLI = 1_000;

/**
 * Records the battery: ten minutes and days of the bank, hours and cells of each pack. What is not complete survives a restart. Without a known
 * time, days and weeks go on until it is known.
 */
export class Recorder {
  private readonly device: RecorderSources;
  private readonly store: RecordStore;
  private readonly open = new Unfinished();
  /** The day that is not over. */
  readonly today: CurrentDay;
  private readonly cells: UnfinishedCells;
  /** When the device started, as far as the retained memory knows, seconds since 1970; 0: it does not. */
  private started = 0;
  /** When it started by the clock as it was at the last turn; 0: that was not known. */
  private began = 0;
  /** Seconds since the start, of the last time all was saved. */
  private savedAt = 0;
  /** Minutes since 1970, or since the start, at the last turn. */
  private minute = -1;

  constructor(store: RecordStore, device: RecorderSources) {
    this.store = store;
    this.device = device;
    this.today = new CurrentDay(this.open, store, device);
    this.cells = new UnfinishedCells(store, device);
    this.restore();
  }

  /**
   * Call at each valid reply of the telemetry of a pack, once its energy has been counted.
   * @param bank what all are together, after this reply
   */
  update(pack: BusPack, bank: BankSum): void {
    const { index } = pack;
    const { isTurn } = bank;
    const { device, open } = this;
    const uptime = device.uptime();
    const seconds = this.now() ?? uptime;
    const minute = Math.floor(seconds / MINUTE);
    // All that ends and begins does so with a minute.
    if (isTurn && minute !== this.minute) {
      this.minute = minute;
      this.turn(seconds, uptime, pack);
    }
    if (index >= open.count) open.grow(index + 1);
    const at = PACKS_AT + index * PACK_BYTES;
    this.keepApart(pack, at);
    takeReply(open, at, pack, minute);
    if (isTurn) {
      takePower(open, bank.power);
      this.today.addEnergy(uptime);
    }
    const tensOfSeconds = Math.floor(uptime / SAMPLE_SECONDS) % UNKNOWN_BYTE;
    if (open.bytes[at + SAMPLED] !== tensOfSeconds) {
      open.bytes[at + SAMPLED] = tensOfSeconds;
      this.sample(pack, at, uptime);
      if (isTurn) {
        takeBank(open, pack, bank, device.relay.value);
        this.cells.work();
      }
    }
    if (!isTurn) return;
    if (this.today.isRebuilding) this.rebuild(pack);
    if (uptime - this.savedAt >= SAVE_SECONDS) this.save();
  }

  /** Call when a pack goes offline. */
  interrupt(index: number): void {
    const { open } = this;
    if (index < open.count) open.view.setUint32(PACKS_AT + index * PACK_BYTES + RESTING, UNKNOWN_LONG);
  }

  /** Saves what is not complete: call before a planned restart. */
  save(): void {
    this.savedAt = this.device.uptime();
    if (!this.today.isRebuilding) this.open.save(this.now() ?? UNKNOWN_LONG);
  }

  /** Lowest and highest voltage of each of MAX_CELLS cells of the first pack in the day that is not over, mV, big-endian words; all ones: unknown. Goes on changing. */
  get cellRanges(): Uint8Array {
    return this.open.bytes.subarray(RANGES_AT, RANGES_AT + RANGE_BYTES * MAX_CELLS);
  }

  /** Energy of the owner's days, Wh; NaN: unknown. 0: charged today, 1: discharged today, 2 and 3: yesterday. */
  energyOf(index: number): number {
    const now = this.now();
    return now === undefined ? NaN : this.today.energyOf(index, now);
  }

  /** When the device started, seconds since 1970; undefined: unknown. */
  get startedAt(): number | undefined {
    const now = this.now();
    return now === undefined ? undefined : now - this.device.uptime();
  }

  /** Seconds since 1970. After a restart from the retained memory, until the clock is set. */
  private now(): number | undefined {
    const { device, started } = this;
    return device.time() ?? (started ? started + device.uptime() : undefined);
  }

  /** How many packs there are. */
  private get packs(): number {
    return this.device.monitor.packs.length;
  }

  private restore(): void {
    const { open } = this;
    const utc = this.device.start.intact ? open.restore() : undefined;
    if (utc === undefined) {
      forgetUnfinished();
      return open.reset();
    }
    if (utc !== UNKNOWN_LONG) this.started = utc;
    // These are of the run before.
    for (let index = 0; index < open.count; index++) {
      this.interrupt(index);
      open.sampleNext(index);
    }
  }

  /** Closes finished slots and opens the next. */
  private turn(seconds: number, uptime: number, pack: Pack): void {
    const { view } = this.open;
    const fine = view.getUint32(FINE_SLOT_AT);
    const { began } = this;
    const isKnown = this.now() !== undefined;
    if (isKnown) this.began = seconds - uptime;
    const isSet = began > 0 && Math.abs(this.began - began) > CLOCK_JUMP;
    // The clock was set back a little, just after the turn: it does not turn twice.
    const back = fine * FINE_SECONDS - seconds;
    if (back > 0 && back <= BACK_SECONDS) seconds += back;
    const slot = Math.floor(seconds / FINE_SECONDS);
    if (slot !== fine) {
      // What began shortly before the time was known counts as of now.
      const isSame =
        isSet ||
        back > CLOCK_JUMP ||
        fine === UNKNOWN_LONG ||
        (fine * FINE_SECONDS < FIRST_TIME && uptime < FINE_SECONDS);
      if (isSame) view.setUint32(FINE_SLOT_AT, slot);
      else {
        this.endFine();
        this.open.beginFine(slot);
      }
      const hour = Math.floor(seconds / HOUR);
      if (isSame) view.setUint32(HOUR_SLOT_AT, hour);
      else if (hour !== view.getUint32(HOUR_SLOT_AT)) {
        this.endHour();
        view.setUint32(HOUR_SLOT_AT, hour);
      }
    }
    if (isKnown) {
      const { device, today } = this;
      const day = dayAt(seconds, device);
      if (today.number === undefined) today.resume(day, seconds, uptime, this.undated(day, seconds - uptime, pack));
      today.turn(day, isSet);
      this.cells.turn(day, this.packs, isSet);
      if (!began || isSet) {
        const wrong = isSet ? began + uptime : undefined;
        today.add(...this.store.takeBack(seconds, wrong, midnightOf(day, device), this.cells));
      }
    }
    this.today.count(slot);
    const minute = Math.floor(seconds / MINUTE) % (FINE_SECONDS / MINUTE);
    view.setUint16(FINE_MINUTES_AT, view.getUint16(FINE_MINUTES_AT) | (1 << minute));
  }

  private sample(pack: BusPack, at: number, uptime: number): void {
    const { open } = this;
    takeSample(open, at, pack, pack.identity.address, uptime);
    const minute = Math.floor(uptime / MINUTE) % UNKNOWN_BYTE;
    if (open.bytes[at + CELLS_READ] !== minute) {
      open.bytes[at + CELLS_READ] = minute;
      this.readCells(pack, at, uptime);
    }
    if (pack.index === 0) takeRanges(open, pack);
  }

  /** The cells, if they have been at rest for long enough, or are full. */
  private readCells(pack: BusPack, at: number, uptime: number): void {
    const { identity, index, telemetry } = pack;
    const { address } = identity;
    const isFull = readRaw(telemetry, FIELDS.soc) >= FULL_CHARGE && readRaw(telemetry, FIELDS.packCurrent) >= 0;
    if (isFull) this.cells.read(index, address, pack, CELLS_FIELDS.meanFull, CELLS_FIELDS.full);
    else if (uptime - this.open.view.getUint32(at + RESTING) >= REST_SECONDS)
      this.cells.read(index, address, pack, CELLS_FIELDS.meanAtRest, CELLS_FIELDS.atRest);
  }

  /** Another pack than before has this place: what is there of the other one is a record of its own. */
  private keepApart({ identity, index }: BusPack, at: number): void {
    const { open } = this;
    const { address } = identity;
    const known = storedAt(open.bytes, at, HOUR_FIELDS.pack);
    if (known === address) return;
    if (known !== undefined) {
      this.endHourOf(index);
      this.interrupt(index);
      if (!index) open.bytes.fill(UNKNOWN_BYTE, RANGES_AT, RANGES_AT + RANGE_BYTES * MAX_CELLS);
    }
    write(open.bytes, at, HOUR_FIELDS.pack, address);
  }

  private rebuild(pack: Pack): void {
    const before = (this.startedAt ?? 0) - FINE_SECONDS;
    this.today.rebuild(before, this.packs * restingMilliamperes(pack), this.onlyAddress);
  }

  /** Of the one pack; undefined: there are several, and ten minutes do not say whose the extreme cells were. */
  private get onlyAddress(): number | undefined {
    const { packs } = this.device.monitor;
    return packs.length > 1 ? undefined : packs[0]?.identity.address;
  }

  /** The days of this run, if it has begun before today. */
  private undated(day: number, started: number, pack: Pack): readonly UndatedDay[] {
    const { device, store } = this;
    if (dayAt(started, device) >= day) return [];
    return undatedDays(store, device, started, this.packs * restingMilliamperes(pack), this.onlyAddress);
  }

  private endFine(): void {
    const { bytes, view } = this.open;
    write(bytes, FINE_AT, FINE_FIELDS.power, view.getFloat64(FINE_SUM_AT) / view.getUint32(FINE_REPLIES_AT) / MILLI);
    let minutes = 0;
    for (let rest = view.getUint16(FINE_MINUTES_AT); rest; rest >>= 1) minutes += rest & 1;
    write(bytes, FINE_AT, FINE_FIELDS.minutes, minutes);
    this.append(FINE, FINE_AT, DAY_AT, view.getUint32(FINE_SLOT_AT) * FINE_SECONDS);
  }

  /** The hour of each pack that has answered in it. */
  private endHour(): void {
    for (let index = 0; index < this.open.count; index++) this.endHourOf(index);
  }

  private endHourOf(index: number): void {
    const { open } = this;
    const { bytes, view } = open;
    const at = PACKS_AT + index * PACK_BYTES;
    const replies = view.getUint16(at + REPLIES);
    if (!replies) return;
    write(bytes, at, HOUR_FIELDS.current, view.getFloat64(at + SUM) / replies);
    this.append(HOURS, at, at + SUM, view.getUint32(HOUR_SLOT_AT) * HOUR);
    open.beginPack(index);
  }

  /** `seconds`: since 1970, or since the start. */
  private append(ring: number, start: number, end: number, seconds: number): void {
    const time = seconds >= FIRST_TIME ? seconds : undefined;
    this.store.append(ring, this.open.bytes.subarray(start, end), time, seconds);
  }
}

/** What is not complete is forgotten, for a factory reset: call before the restart. */
export function forgetUnfinished(): void {
  discardUnfinished();
  forgetCells();
}
