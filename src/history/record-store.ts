import { Back } from "flash-log/back";
import { Cursor } from "flash-log/cursor";
import { valueOf } from "flash-log/field";
import { RECORD_OVERHEAD } from "flash-log/layout";
import { BLANK_CHECK_BYTES } from "flash-log/limits";
import { Ring } from "flash-log/ring";
import type { FlashArea } from "flash-log/types";
import { CELLS, DAYS, EVENTS, FINE, FIRST_SECTOR, RINGS, type RingShape, SECTORS, timesIn } from "./layout";
import { CLOCK_JUMP, FINE_SECONDS, LONGEST_BETWEEN, LONGEST_RUN, MAX_UNTIMED } from "./limits";
import { DAY_FIELDS } from "./records";

/**
 * Numbers of an entry, which is a run of records beside each other at equal intervals: ring, sector and place of its first in one; seconds from
 * the start to that; interval, s, and how many there are.
 */
const ENTRY = 3;
const STEP_SHIFT = 8;
const SECTOR_SHIFT = 8;
const RING_SHIFT = 16;
const BYTE = 0xff;

/** Of the cells' records. */
export interface Weeks {
  /** When one of this time was over, by the clock that recorded it. */
  endOf(time: number): number;
}

/** The rings of the history in their partition. Records of this run without a time get theirs once the clock is known. */
export class RecordStore {
  /** By FINE, HOURS and so on. */
  readonly rings: readonly Ring[];
  /** Records that could not be stored since the start. */
  lost = 0;
  /** `work` has nothing to do until the next record. */
  private isReady = false;
  /** The newest runs of records without a time; undefined: none. */
  private untimed: Uint32Array | undefined;
  private count = 0;
  private nextEntry = 0;
  private passed = 0;

  /**
   * @param sectors of the partition
   * @throws what the flash throws, if it cannot be used at all
   */
  constructor(flash: FlashArea, sectors = FIRST_SECTOR + SECTORS) {
    const buffer = new Uint8Array(BLANK_CHECK_BYTES);
    const times = timesIn(sectors);
    const spans = new Uint32Array(2 * (FIRST_SECTOR + times * SECTORS));
    let first = FIRST_SECTOR;
    this.rings = RINGS.map(({ sectors: share, record, kind }) => {
      const payload = record - RECORD_OVERHEAD;
      const ring = new Ring({ flash, first, sectors: times * share, kind, payload, buffer, spans });
      first += times * share;
      return ring;
    });
  }

  /** Since the start: records that could not be stored, and sectors that have failed. */
  get failures(): readonly number[] {
    let sectors = 0;
    for (const { failed } of this.rings) sectors += failed;
    return [this.lost, sectors];
  }

  /** Erases of the most worn sector since the first start or the last factory reset, as far as no sector has failed. */
  get wear(): number {
    let most = 0;
    for (const { sequence, sectors } of this.rings) most = Math.max(most, Math.ceil((sequence + 1) / sectors));
    return most;
  }

  /**
   * Appends a record.
   * @param time seconds since 1970; undefined: unknown
   * @param uptime seconds from the start to what is recorded, for a time that becomes known later
   */
  append(index: number, record: Uint8Array, time: number | undefined, uptime: number): void {
    const ring = this.rings[index] as Ring;
    this.isReady = false;
    if (!ring.append(record, time)) this.lost++;
    else if (time === undefined) this.remember(index, ring, uptime);
  }

  /** Appends an event. */
  appendEvent(record: Uint8Array, time: number | undefined, uptime: number): void {
    this.append(EVENTS, record, time, uptime);
  }

  /** Share of the stored events that have this byte at this place, 0 to 1. Reads them all. */
  shareOf(place: number, byte: number): number {
    const cursor = new Cursor(this.rings[EVENTS] as Ring);
    let all = 0;
    let found = 0;
    for (; cursor.next(); all++) if (cursor.record[place] === byte) found++;
    return all ? found / all : 0;
  }

  /**
   * Gives the oldest of the records without a time its time.
   * @param started when the device started, seconds since 1970
   * @returns false: all have one
   */
  stamp(started: number): boolean {
    const { untimed } = this;
    if (!untimed) return false;
    const entry = this.entryOf(this.count);
    const at = untimed[entry] as number;
    const steps = untimed[entry + 2] as number;
    const time = started + (untimed[entry + 1] as number);
    (this.rings[at >> RING_SHIFT] as Ring).stamp((at >> SECTOR_SHIFT) & BYTE, at & BYTE, time);
    if ((steps & BYTE) > 1) {
      untimed[entry] = at + 1;
      untimed[entry + 1] = time - started + (steps >>> STEP_SHIFT);
      untimed[entry + 2] = steps - 1;
    } else if (!--this.count) this.untimed = undefined;
    return true;
  }

  /** How many records of a ring have no time. */
  countUntimed(index: number): number {
    this.entryWith(index, Infinity);
    return this.passed;
  }

  /**
   * Reads one of the records of a ring without a time, 0 the oldest.
   * @returns seconds from the start; undefined: it is no longer there
   */
  readUntimed(index: number, nth: number, record: Uint8Array): number | undefined {
    const { untimed } = this;
    const entry = this.entryWith(index, nth);
    if (!untimed || entry < 0) return undefined;
    const at = untimed[entry] as number;
    const within = nth - this.passed;
    return (this.rings[index] as Ring).read(record, (at >> SECTOR_SHIFT) & BYTE, (at & BYTE) + within)
      ? (untimed[entry + 1] as number) + within * ((untimed[entry + 2] as number) >>> STEP_SHIFT)
      : undefined;
  }

  /**
   * Takes out what was recorded by a clock that was wrong, and today's day, which goes on.
   * @param now seconds since 1970
   * @param wrong what the clock showed until now; undefined: it was not known, and was wrong if the newest record is in the future
   * @param midnight with which today began
   * @param weeks when the cells that are recorded of a time were
   * @returns Wh charged and discharged of the days among them
   */
  takeBack(now: number, wrong: number | undefined, midnight: number, weeks: Weeks): readonly [number, number] {
    const fine = new Back(this.rings[FINE] as Ring);
    const newest = fine.next() ? fine.time : 0;
    const isWrong = wrong === undefined ? newest > now + CLOCK_JUMP : newest <= wrong && wrong - newest <= CLOCK_JUMP;
    // As long as that was too short for ten minutes only events are of it.
    let from = wrong === undefined ? now + CLOCK_JUMP : wrong - FINE_SECONDS;
    const until = wrong ?? (isWrong ? newest + CLOCK_JUMP : Infinity);
    if (isWrong) {
      from = newest;
      let longest = LONGEST_RUN;
      while (newest - from <= LONGEST_BETWEEN && fine.next()) {
        const { time } = fine;
        if (time > from || from - time > CLOCK_JUMP) {
          // It goes on where it was before.
          if (Math.abs(now - time - newest + from) <= CLOCK_JUMP) longest = LONGEST_BETWEEN;
          break;
        }
        from = time;
      }
      if (newest - from > longest) from = Infinity;
    }
    let charged = 0;
    let discharged = 0;
    for (let index = FINE; index <= EVENTS; index++) {
      const back = new Back(this.rings[index] as Ring);
      // Events may have been there before the first ten minutes were full.
      const seconds = (RINGS[index] as RingShape).seconds ?? (isWrong ? CLOCK_JUMP : 0);
      let last = Infinity;
      while (back.next()) {
        const { record, time } = back;
        // It is of the right time already.
        if (index === EVENTS && Math.abs(time - now) <= CLOCK_JUMP) continue;
        const isToday = index === DAYS && time === midnight;
        const recorded = index === CELLS && isWrong ? weeks.endOf(time) : time;
        // By a clock that was behind, older ones are later.
        if (!isToday && (recorded + seconds <= from || recorded > Math.min(until, last))) break;
        last = recorded;
        if (index === DAYS) {
          charged += valueOf(record, DAY_FIELDS.charged) ?? 0;
          discharged += valueOf(record, DAY_FIELDS.discharged) ?? 0;
        }
        back.takeOut();
      }
    }
    return [charged, discharged];
  }

  /** The entry with one of the records of a ring without a time, 0 the oldest; -1: there are not so many. Notes those in the entries before it. */
  private entryWith(index: number, nth: number): number {
    const { untimed } = this;
    this.passed = 0;
    for (let back = this.count; untimed && back; back--) {
      const entry = this.entryOf(back);
      if ((untimed[entry] as number) >> RING_SHIFT !== index) continue;
      const length = (untimed[entry + 2] as number) & BYTE;
      if (nth < this.passed + length) return entry;
      this.passed += length;
    }
    return -1;
  }

  /** Place of the entry that is so many from the end, 1 the newest. */
  private entryOf(back: number): number {
    return ENTRY * ((this.nextEntry + MAX_UNTIMED - back) % MAX_UNTIMED);
  }

  /**
   * One step of erasing: what a factory reset has left, then ahead. It takes some 50 ms at most: only while nothing is expected on the bus.
   * @returns false: nothing was to be done
   */
  work(): boolean {
    if (this.isReady) return false;
    for (const ring of this.rings) if (ring.sweep()) return true;
    for (const ring of this.rings) {
      if (!ring.isUnprepared) continue;
      ring.prepare();
      return true;
    }
    this.isReady = true;
    return false;
  }

  /** Forgets all records at once, for a factory reset; their bytes go with `work`. False: the flash fails. */
  discard(): boolean {
    this.untimed = undefined;
    this.count = 0;
    this.isReady = false;
    let isDone = true;
    for (const ring of this.rings) isDone = ring.discard() && isDone;
    return isDone;
  }

  private remember(index: number, ring: Ring, uptime: number): void {
    const untimed = (this.untimed ??= new Uint32Array(ENTRY * MAX_UNTIMED));
    const at = (index << RING_SHIFT) | (ring.head << SECTOR_SHIFT) | ring.last;
    let back = 1;
    while (back <= this.count && (untimed[this.entryOf(back)] as number) >> RING_SHIFT !== index) back++;
    let entry = this.entryOf(back);
    const steps = untimed[entry + 2] as number;
    const length = steps & BYTE;
    if (back <= this.count && length < BYTE && (untimed[entry] as number) + length === at) {
      const step = uptime - (untimed[entry + 1] as number) - (length - 1) * (steps >>> STEP_SHIFT);
      if (length === 1 || step === steps >>> STEP_SHIFT) {
        untimed[entry + 2] = (step << STEP_SHIFT) | (length + 1);
        return;
      }
    }
    entry = ENTRY * this.nextEntry;
    untimed[entry] = at;
    untimed[entry + 1] = uptime;
    untimed[entry + 2] = 1;
    this.nextEntry = (this.nextEntry + 1) % MAX_UNTIMED;
    // Beyond that the oldest stay without.
    this.count = Math.min(this.count + 1, MAX_UNTIMED);
  }
}
