import { DEVICE_INFO, FURTHER, LOG, SETUP, type BlockType } from "jk-bms/types";
import Time from "time";
import { READS_LOG } from "../catalogue/bms-log";
import {
  BLOCK_ATTEMPTS,
  DEVICE_INFO_PAUSE,
  DEVICE_INFO_PERIOD,
  LONE_SETUP_PERIOD,
  SETUP_PAUSE,
  SETUP_PAUSE_AFTER_CHANGE,
  SETUP_PERIOD,
} from "./limits";

// Bits of the state: the setup has been read since the BMS came online, and each block; a slow block may be read; the last read failed.
const LOADED = 1;
const SETUP_READ = 2;
const DEVICE_INFO_READ = 4;
const MAY_READ = 8;
const FAILED = 16;
/** So far above its READ bit: the block has been heard since the BMS went offline. */
const HEARD = 8;
/** So far above its READ bit: the block has been heard a single time, and not been read. */
const ONCE = 12;
/** Where the failures in a row of each block begin, which fit two bits. */
const SETUP_FAILURES = 5;
const DEVICE_INFO_FAILURES = 11;
/** The further settings are to be read. */
const FURTHER_DUE = 1 << 15;
const FAILURES = 3;

/**
 * The slow blocks, setup and device information, which rarely change, and the log: which one to read next, and which have been read. Each is read
 * immediately on request, then periodically; a failed read of a block is retried a few times. Each pack of a bank has one of these: its state is one number.
 */
export class SlowBlocks {
  private state = 0;
  /** When each is due, ticks. */
  private setupAt = Time.ticks;
  private deviceInfoAt = Time.ticks;
  private logAt = Time.ticks;
  /** When the setup was read last, ticks. */
  private readAt = Time.ticks;

  /** The setup has been read since the BMS came online. */
  get loaded(): boolean {
    return (this.state & LOADED) > 0;
  }

  /** The block has been read in full since the BMS came online, so it belongs to the same pack as the telemetry. */
  get setupRead(): boolean {
    return (this.state & SETUP_READ) > 0;
  }

  /** Whole seconds since it was. */
  get setupAge(): number {
    return Math.floor(((Time.ticks - this.readAt) >>> 0) / 1000);
  }

  get deviceInfoRead(): boolean {
    return (this.state & DEVICE_INFO_READ) > 0;
  }

  /** The setup, or the device information, is known from a single frame that another master was answered. */
  get setupOnce(): boolean {
    return (this.state & (SETUP_READ << ONCE)) > 0;
  }

  get deviceInfoOnce(): boolean {
    return (this.state & (DEVICE_INFO_READ << ONCE)) > 0;
  }

  /** The last read of one of them failed. */
  get hasFailed(): boolean {
    return (this.state & FAILED) > 0;
  }

  /** The block to read now: only after a successful transaction; after a failure, not before the next good poll. */
  get due(): BlockType | typeof FURTHER | typeof LOG | undefined {
    if (!(this.state & MAY_READ)) return undefined;
    const now = Time.ticks;
    if (((this.deviceInfoAt - now) | 0) <= 0) return DEVICE_INFO;
    if (((this.setupAt - now) | 0) <= 0) return SETUP;
    if (this.state & FURTHER_DUE) return FURTHER;
    return READS_LOG && ((this.logAt - now) | 0) <= 0 ? LOG : undefined;
  }

  /** `block` changed or may have changed: marks it due. */
  request(block: BlockType | undefined): void {
    this.plan(block, 0, 0);
  }

  /** The log is to be read after the blocks, in so many ms. */
  requestLog(delay: number): void {
    this.logAt = (Time.ticks + delay) | 0;
  }

  /** A telemetry poll succeeded or failed. */
  polled(ok: boolean): void {
    this.state = ok ? this.state | MAY_READ : this.state & ~MAY_READ;
  }

  /** A MOSFET or the capacity has changed: the setup may have, too. */
  suspect(): void {
    const now = Time.ticks;
    if (((now - this.readAt) | 0) >= SETUP_PAUSE_AFTER_CHANGE) return this.request(SETUP);
    this.plan(SETUP, (SETUP_PAUSE_AFTER_CHANGE + this.readAt - now) | 0, 0);
  }

  /** A read of `block` succeeded or failed. @param setupPeriod ms until the setup is read again @param once it was heard, for the first time */
  ended(block: BlockType, ok: boolean, setupPeriod = SETUP_PERIOD, once = false): void {
    const isInfo = block === DEVICE_INFO;
    this.polled(ok);
    if (ok) {
      this.note(block, once);
      if (!isInfo) {
        // Not after each of several changes; and at first only of several packs, whose device information is without them.
        const isDue = this.setupRead || setupPeriod < SETUP_PERIOD ? this.setupAge * 1000 >= LONE_SETUP_PERIOD : true;
        if (isDue) this.state |= FURTHER_DUE;
        this.readAt = Time.ticks;
      }
      this.state = (this.state & ~FAILED) | (isInfo ? DEVICE_INFO_READ : LOADED | SETUP_READ);
      return this.plan(block, isInfo ? DEVICE_INFO_PERIOD : setupPeriod, 0);
    }
    this.state |= FAILED;
    const failures = ((this.state >> (isInfo ? DEVICE_INFO_FAILURES : SETUP_FAILURES)) & FAILURES) + 1;
    if (failures < BLOCK_ATTEMPTS) this.plan(block, 0, failures);
    else this.plan(block, isInfo ? DEVICE_INFO_PAUSE : SETUP_PAUSE, 0);
  }

  /** The further settings have been read, or could not be: again after the next settings. */
  furtherEnded(ok: boolean): void {
    this.polled(ok);
    this.state &= ~FURTHER_DUE;
  }

  /** The BMS, which is offline, has sent another master the block: it is what is known once the BMS is online. */
  heard(block: BlockType, once = false): void {
    this.note(block, once);
    if (block === SETUP) this.readAt = Time.ticks;
    this.state |= (block === SETUP ? SETUP_READ : DEVICE_INFO_READ) << HEARD;
  }

  /** The BMS came online; it may be a different pack. @param listening what was heard before counts */
  wentOnline(listening: boolean): void {
    const heard = listening ? (this.state >> HEARD) & (SETUP_READ | DEVICE_INFO_READ) : 0;
    this.state = (this.state & ~(SETUP_READ | DEVICE_INFO_READ)) | heard | (heard & SETUP_READ ? LOADED : 0);
    this.request(DEVICE_INFO);
    this.request(SETUP);
    this.requestLog(0);
  }

  wentOffline(): void {
    this.state &= ~(LOADED | MAY_READ | ((SETUP_READ | DEVICE_INFO_READ) << HEARD));
  }

  /** The link has been closed, and its images discarded. */
  forget(): void {
    this.state &= ~(MAY_READ | SETUP_READ | DEVICE_INFO_READ | ((SETUP_READ | DEVICE_INFO_READ) << HEARD));
  }

  private note(block: BlockType, once: boolean): void {
    const bit = (block === DEVICE_INFO ? DEVICE_INFO_READ : SETUP_READ) << ONCE;
    this.state = once ? this.state | bit : this.state & ~bit;
  }

  private plan(block: BlockType | undefined, delay: number, failures: number): void {
    const at = (Time.ticks + delay) | 0;
    const shift = block === DEVICE_INFO ? DEVICE_INFO_FAILURES : SETUP_FAILURES;
    this.state = (this.state & ~(FAILURES << shift)) | (failures << shift);
    if (block === DEVICE_INFO) this.deviceInfoAt = at;
    else this.setupAt = at;
  }
}
