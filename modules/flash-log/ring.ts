import {
  BLANK,
  BLANK_LONG,
  DEAD,
  encodeHeader,
  HEADER_BYTES,
  HEADER_CHECK,
  checkOf,
  isBlank,
  isPrepared,
  PAYLOAD,
  PREPARED,
  PREPARED_MARK,
  RECORD_OVERHEAD,
  recordsIn,
  sequenceOf,
  TIME_CHECK,
  writeLong,
} from "./layout";
import { BLANK_CHECK_BYTES, MAX_PAYLOAD, MAX_SECTORS, MAX_TIME, MIN_SECTORS, SECTOR_BYTES } from "./limits";
import type { FlashArea, RingOptions } from "./types";

/** What is known of the sector after the newest: it must be erased, has been erased and must be checked, is ready. */
type Next = "old" | "erased" | "ready";

const FAILED_SECTOR = 1;
const DEAD_SECTOR = 2;

const within = (name: string, value: number, least: number, most: number): void => {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} ${value} is not from ${least} to ${most}`);
};

/**
 * Records of one size in raw sectors of NOR flash, the oldest of which give way. A power cut loses at most the record that is being written.
 *
 * Sectors are used in turn. The one after the newest is erased ahead, in steps of `prepare`. A sector that fails is passed over until the next
 * start, and counted.
 */
export class Ring {
  /** Size of a record, bytes. */
  readonly recordBytes: number;
  /** Records in a sector. */
  readonly perSector: number;
  readonly sectors: number;
  /** Failed erases, writes and blankness checks since the start. */
  failures = 0;
  /** Sectors that have failed since the start, and are passed over. */
  failed = 0;
  /** Changes when a sector is erased: what a cursor has read of it is no longer there. */
  erased = 0;
  /** Sequence number of the newest sector: sectors that have been begun since the first use, or since the last `discard`. */
  sequence = 0;

  private readonly flash: FlashArea;
  private readonly first: number;
  private readonly kind: number;
  private readonly buffer: Uint8Array;
  /** By sector of the area: earliest and latest time of its records; 0 and all ones until they are known. */
  private readonly spans: Uint32Array;

  /** Sector with the newest records, counted from `first`; -1: none has any. */
  head = -1;
  /** Place of the next record in it. */
  private place = 0;
  /** The sector that follows the newest, and what is known of it. */
  private following = 0;
  private next: Next = "old";
  /** Bytes of it that have been found blank. */
  private checked = 0;
  /** Of each sector FAILED_SECTOR and DEAD_SECTOR. */
  private readonly flags: Uint8Array;
  /** Sectors that were marked as dead and may still have their bytes. */
  private dead = 0;

  /**
   * Finds the newest record: reads the headers and bisects the newest sector.
   * @throws RangeError if an option is out of range
   */
  constructor({ flash, first, sectors, payload, kind, buffer, spans }: RingOptions) {
    within("sectors", sectors, MIN_SECTORS, MAX_SECTORS);
    within("payload", payload, 1, MAX_PAYLOAD);
    within("kind", kind, 0, BLANK);
    this.flash = flash;
    this.first = first;
    this.sectors = sectors;
    this.kind = kind;
    this.recordBytes = payload + RECORD_OVERHEAD;
    this.perSector = recordsIn(this.recordBytes);
    this.buffer = buffer ?? new Uint8Array(BLANK_CHECK_BYTES);
    this.spans = spans ?? new Uint32Array(2 * (first + sectors));
    this.flags = new Uint8Array(sectors);
    for (let sector = 0; sector < sectors; sector++) {
      this.span(sector, 0, BLANK_LONG);
      const sequence = this.inspect(sector);
      if (sequence <= this.sequence) continue;
      this.sequence = sequence;
      this.head = sector;
    }
    if (this.head < 0) return;
    this.place = this.findEnd(this.head);
    // What was cut while its header was written may read otherwise later: written once more, it is whole.
    if (!this.place) this.mark(this.head, this.sequence);
    this.follow(this.head);
  }

  /** Whether `prepare` has something to do. */
  get isUnprepared(): boolean {
    return this.next !== "ready" && this.following >= 0;
  }

  /** Does one step of erasing ahead: an erase, which takes some 50 ms, or a check of some bytes. */
  prepare(): void {
    if (!this.isUnprepared) return;
    try {
      if (this.next === "old") this.eraseFollowing();
      else this.checkFollowing();
    } catch {
      this.pass();
    }
  }

  /**
   * Appends a record. If no sector is erased ahead, this takes the time of an erase.
   * @param record `recordBytes` bytes with the payload from PAYLOAD on; the rest is filled in here
   * @param time seconds since 1970, or undefined as long as it is not known: a cursor can add it
   * @returns false: it could not be stored, because the flash fails
   */
  append(record: Uint8Array, time?: number): boolean {
    const { recordBytes } = this;
    const last = recordBytes - 1;
    encodeTime(record, time);
    record[last] = checkOf(record, PAYLOAD, last);
    // Once more in another sector, if the first fails.
    for (let tries = 0; tries < 2; tries++) {
      if (!this.open()) return false;
      this.widen(this.head, time);
      const at = this.addressOf(this.head, this.place++);
      try {
        this.flash.write(record.subarray(0, last), at);
        this.flash.write(record.subarray(last, recordBytes), at + last);
        if (this.holds(record, at)) return true;
      } catch {
        // Counted below.
      }
      this.fail(this.head);
      this.place = this.perSector;
    }
    return false;
  }

  /**
   * Forgets all records at once, for a factory reset: each sector is marked as dead. Their bytes go with `sweep`, after a restart too.
   * @returns false: the flash fails, and records of some sector are still there
   */
  discard(): boolean {
    const header = this.buffer.subarray(0, HEADER_BYTES);
    let isDone = true;
    for (let sector = 0; sector < this.sectors; sector++) {
      const at = this.addressOf(sector, -1);
      if (!this.load(header, at)) isDone = false;
      else if (!isBlank(header, 0, HEADER_BYTES) && !isPrepared(header)) isDone = this.kill(sector) && isDone;
    }
    this.head = -1;
    this.sequence = this.place = this.following = 0;
    this.next = "old";
    return isDone;
  }

  /** Erases one sector that is marked as dead, which takes some 50 ms. False: there is none. */
  sweep(): boolean {
    if (!this.dead) return false;
    const sector = this.flags.findIndex((flags) => (flags & DEAD_SECTOR) !== 0);
    try {
      this.eraseSector(sector);
    } catch {
      this.setDead(sector, false);
      this.failures++;
    }
    return true;
  }

  /** The rest is for cursors. */

  /** Whether a sector may have records of a time from `from` to `to`. */
  mayHave(sector: number, from: number, to: number): boolean {
    return this.earliest(sector) <= to && (this.spans[2 * (this.first + sector) + 1] as number) >= from;
  }

  /** No record of the sector with a time is earlier. */
  earliest(sector: number): number {
    return this.spans[2 * (this.first + sector)] as number;
  }

  /** Whether nothing is known of the times in a sector: it was begun before this start, and has not been scanned since. */
  isUnknown(sector: number): boolean {
    return this.mayHave(sector, BLANK_LONG, 0);
  }

  /** Notes that the times in a sector are from `earliest` to `latest`. */
  span(sector: number, earliest: number, latest: number): void {
    const at = 2 * (this.first + sector);
    this.spans[at] = earliest;
    this.spans[at + 1] = latest;
  }

  private widen(sector: number, time: number | undefined): void {
    if (time === undefined) return;
    const { spans } = this;
    const at = 2 * (this.first + sector);
    if (time < (spans[at] as number)) spans[at] = time;
    if (time > (spans[at + 1] as number)) spans[at + 1] = time;
  }

  /** Place of the record last appended, in that sector. */
  get last(): number {
    return this.place - 1;
  }

  /** Sequence number of a sector; 0: it holds no records of this ring, or cannot be read. */
  sequenceAt(sector: number): number {
    const header = this.buffer.subarray(0, HEADER_BYTES);
    return this.load(header, this.addressOf(sector, -1)) ? sequenceOf(header, this.kind, this.recordBytes) : 0;
  }

  /** As `sequenceAt`, and notes whether the sector is dead. */
  private inspect(sector: number): number {
    // What cannot be read is not dead.
    this.buffer[DEAD] = BLANK;
    const sequence = this.sequenceAt(sector);
    if (this.buffer[DEAD] !== BLANK) this.setDead(sector, true);
    return sequence;
  }

  private setDead(sector: number, isDead: boolean): void {
    const flags = this.flags[sector] as number;
    if (((flags & DEAD_SECTOR) !== 0) === isDead) return;
    this.flags[sector] = flags ^ DEAD_SECTOR;
    this.dead += isDead ? 1 : -1;
  }

  /** Marks a sector as dead. False: it cannot be. */
  private kill(sector: number): boolean {
    try {
      this.flash.write(DEAD_MARKS, this.addressOf(sector, -1) + DEAD);
      this.setDead(sector, true);
      return !this.sequenceAt(sector);
    } catch {
      this.failures++;
      return false;
    }
  }

  private eraseSector(sector: number): void {
    this.flash.eraseBlock(this.first + sector, this.first + sector + 1);
    this.setDead(sector, false);
    this.erased++;
  }

  /** The sector with the lowest sequence number above `sequence`; -1: there is none. */
  after(sequence: number): number {
    // Where it is as long as no sector has failed.
    const { sectors } = this;
    const next = (this.head + sectors - ((this.sequence - sequence - 1) % sectors)) % sectors;
    if (this.sequenceAt(next) === sequence + 1) return next;
    let lowest = Infinity;
    let found = -1;
    for (let sector = 0; sector < sectors; sector++) {
      const other = this.sequenceAt(sector);
      if (other <= sequence || other >= lowest) continue;
      lowest = other;
      found = sector;
    }
    return found;
  }

  /** Reads a record, or as many records or bytes of one as `record` has room for. False: it cannot be read. */
  read(record: Uint8Array, sector: number, place: number): boolean {
    return this.load(record, this.addressOf(sector, place));
  }

  /** Adds the time to a record that has none. False: it has one, or the flash fails. */
  stamp(sector: number, place: number, time: number): boolean {
    const record = this.buffer.subarray(0, this.recordBytes);
    if (!this.read(record, sector, place) || !isBlank(record, 0, PAYLOAD) || !isWhole(record)) return false;
    encodeTime(record, time);
    this.widen(sector, time);
    const at = this.addressOf(sector, place);
    try {
      this.flash.write(record.subarray(0, TIME_CHECK), at);
      this.flash.write(record.subarray(TIME_CHECK, PAYLOAD), at + TIME_CHECK);
      return true;
    } catch {
      this.failures++;
      return false;
    }
  }

  /** Takes a record out: it is never whole again. */
  takeOut(sector: number, place: number): void {
    try {
      this.flash.write(new Uint8Array(this.recordBytes), this.addressOf(sector, place));
    } catch {
      this.failures++;
    }
  }

  private load(bytes: Uint8Array, at: number): boolean {
    try {
      this.flash.read(bytes, at);
      return true;
    } catch {
      this.failures++;
      return false;
    }
  }

  /** Address of a place in a sector; -1: of its header. */
  private addressOf(sector: number, place: number): number {
    const start = (this.first + sector) * SECTOR_BYTES;
    return place < 0 ? start : start + HEADER_BYTES + place * this.recordBytes;
  }

  /** The first place of a sector behind which nothing is written: records are written in order, so it can be bisected. */
  private findEnd(sector: number): number {
    let low = 0;
    let high = this.perSector;
    const record = this.buffer.subarray(0, this.recordBytes);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.read(record, sector, middle) && isBlank(record, 0, this.recordBytes)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Makes sure that the newest sector has room. False: no sector can be used. */
  private open(): boolean {
    while (this.head < 0 || this.place >= this.perSector) {
      while (this.isUnprepared) this.prepare();
      if (this.next !== "ready" || this.following < 0) return false;
      this.begin();
    }
    return true;
  }

  /** Begins the sector that is ready. */
  private begin(): void {
    const sector = this.following;
    if (!this.mark(sector, this.sequence + 1)) return this.pass();
    this.sequence++;
    this.head = sector;
    this.place = 0;
    this.span(sector, BLANK_LONG, 0);
    this.follow(sector);
  }

  /** Writes the header of a sector. False: it does not read back. */
  private mark(sector: number, sequence: number): boolean {
    const header = this.buffer.subarray(0, HEADER_CHECK + 1);
    const at = this.addressOf(sector, -1);
    encodeHeader(header, this.kind, this.recordBytes, sequence);
    header[HEADER_CHECK] = checkOf(header, 0, HEADER_CHECK);
    try {
      this.flash.write(header.subarray(0, HEADER_CHECK), at);
      this.flash.write(header.subarray(HEADER_CHECK), at + HEADER_CHECK);
    } catch {
      return false;
    }
    return this.sequenceAt(sector) === sequence;
  }

  /** Chooses the sector that follows `sector`; none if all others have failed. */
  private follow(sector: number): void {
    this.next = "old";
    this.following = -1;
    for (let step = 1; step < this.sectors; step++) {
      const candidate = (sector + step) % this.sectors;
      if ((this.flags[candidate] as number) & FAILED_SECTOR || candidate === this.head) continue;
      this.following = candidate;
      return;
    }
  }

  private eraseFollowing(): void {
    const sector = this.following;
    const at = this.addressOf(sector, -1);
    const header = this.buffer.subarray(0, HEADER_BYTES);
    if (!this.load(header, at) || !isPrepared(header)) {
      this.flash.write(DEAD_MARKS, at + DEAD);
      this.eraseSector(sector);
    }
    this.next = "erased";
    this.checked = 0;
  }

  /** A few bytes further. */
  private checkFollowing(): void {
    const { buffer } = this;
    const start = this.addressOf(this.following, -1);
    if (!this.isBlankAt(start, this.checked)) return this.pass();
    this.checked += BLANK_CHECK_BYTES;
    if (this.checked < SECTOR_BYTES) return;
    buffer[0] = PREPARED_MARK;
    this.flash.write(buffer.subarray(0, 1), start + PREPARED);
    this.next = "ready";
  }

  /** Whether BLANK_CHECK_BYTES of a sector are blank, but for the mark of one that is prepared. */
  private isBlankAt(start: number, offset: number): boolean {
    const { buffer } = this;
    if (!this.load(buffer, start + offset)) return false;
    if (!offset && buffer[PREPARED] === PREPARED_MARK) buffer[PREPARED] = BLANK;
    return isBlank(buffer, 0, BLANK_CHECK_BYTES);
  }

  /** The sector that follows has failed: another one follows. */
  private pass(): void {
    this.fail(this.following);
    this.follow(this.following);
  }

  private fail(sector: number): void {
    const flags = this.flags[sector] as number;
    if (!(flags & FAILED_SECTOR)) this.failed++;
    this.flags[sector] = flags | FAILED_SECTOR;
    this.failures++;
  }

  /** Whether `record` reads back. */
  private holds(record: Uint8Array, at: number): boolean {
    const { buffer, recordBytes } = this;
    if (!this.load(buffer.subarray(0, recordBytes), at)) return false;
    for (let index = 0; index < recordBytes; index++) if (buffer[index] !== record[index]) return false;
    return true;
  }
}

/** DEAD and PREPARED. */
const DEAD_MARKS = new Uint8Array(2);

/** Whether the payload of a record is as it was written. */
export const isWhole = (record: Uint8Array): boolean =>
  record[record.length - 1] === checkOf(record, PAYLOAD, record.length - 1);

function encodeTime(record: Uint8Array, time: number | undefined): void {
  if (time === undefined) {
    record.fill(BLANK, 0, PAYLOAD);
    return;
  }
  within("time", time, 0, MAX_TIME);
  writeLong(record, 0, time);
  record[TIME_CHECK] = checkOf(record, 0, TIME_CHECK);
}
