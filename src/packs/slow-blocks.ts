import { DEVICE_INFO, SETUP, type BlockType } from "jk-bms/types";
import { BlockSchedule, type BlockTimes } from "./block-schedule";
import { DEVICE_INFO_PAUSE, DEVICE_INFO_PERIOD, SETUP_PAUSE, SETUP_PERIOD } from "./limits";

const SETUP_TIMES: BlockTimes = Object.freeze({ period: SETUP_PERIOD, pause: SETUP_PAUSE }, true);
const DEVICE_INFO_TIMES: BlockTimes = Object.freeze({ period: DEVICE_INFO_PERIOD, pause: DEVICE_INFO_PAUSE }, true);

/**
 * The slow blocks, setup and device information, which rarely change: which one to read next, and which have been read.
 */
export class SlowBlocks {
  private readonly setupSchedule = new BlockSchedule(SETUP_TIMES);
  private readonly deviceInfoSchedule = new BlockSchedule(DEVICE_INFO_TIMES);
  private _loaded = false;
  private _setupRead = false;
  private _deviceInfoRead = false;
  /** Slow blocks are read only after a successful transaction; after a failure, not before the next good poll. */
  private mayRead = false;
  /** The last read of one of them failed. */
  hasFailed = false;

  /** The setup has been read since the BMS came online. */
  get loaded(): boolean {
    return this._loaded;
  }

  /** The block has been read in full since the BMS came online, so it belongs to the same pack as the telemetry. */
  get setupRead(): boolean {
    return this._setupRead;
  }

  get deviceInfoRead(): boolean {
    return this._deviceInfoRead;
  }

  /** The block to read now. */
  get due(): BlockType | undefined {
    if (!this.mayRead) return undefined;
    if (this.deviceInfoSchedule.due) return DEVICE_INFO;
    return this.setupSchedule.due ? SETUP : undefined;
  }

  /** `block` changed or may have changed: marks it due. */
  request(block: BlockType | undefined): void {
    this.scheduleOf(block).request();
  }

  /** A telemetry poll succeeded or failed. */
  polled(ok: boolean): void {
    this.mayRead = ok;
  }

  /** A read of `block` succeeded or failed. */
  ended(block: BlockType, ok: boolean): void {
    this.mayRead = ok;
    const schedule = this.scheduleOf(block);
    this.hasFailed = !ok;
    if (!ok) return schedule.failed();
    schedule.succeeded();
    if (block === SETUP) this._loaded = this._setupRead = true;
    else this._deviceInfoRead = true;
  }

  /** The BMS came online; it may be a different pack. */
  wentOnline(): void {
    this._setupRead = this._deviceInfoRead = false;
    this.deviceInfoSchedule.request();
    this.setupSchedule.request();
  }

  wentOffline(): void {
    this._loaded = this.mayRead = false;
  }

  /** The link has been closed, and its images discarded. */
  forget(): void {
    this.mayRead = this._setupRead = this._deviceInfoRead = false;
  }

  private scheduleOf(block: BlockType | undefined): BlockSchedule {
    return block === DEVICE_INFO ? this.deviceInfoSchedule : this.setupSchedule;
  }
}
