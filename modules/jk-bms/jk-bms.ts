import type { Station } from "modbus/station";
import { Transaction } from "modbus/transaction";
import { FRAME_PAYLOAD } from "./frame";
import { Images } from "./image";
import { BLOCK_BYTES, MAX_BMS_ADDRESS } from "./limits";
import { LongRead } from "./long-read";
import type { HeardPack, OverheardFrames } from "./overheard";
import { BlockReader, type Link } from "./reader";
import { Tails } from "./tails";
import { TriggerTransaction } from "./trigger";
import {
  DEVICE_INFO,
  SETUP,
  TELEMETRY,
  type BlockImage,
  type BlockType,
  type Effort,
  type LinkStatistics,
  type ReadMode,
  type ReadOutcome,
  type WriteResult,
} from "./types";
import { ReadModeChoice } from "./read-mode";
import { BmsWriter, WRITE_ADU_BYTES } from "./writer";
import type { WriteName } from "./writes";

/** Told when the image of a block has been filled from what another master was answered. */
export interface HeardListener {
  heard(block: BlockType): void;
}

export interface JkBmsOptions {
  /** Its address is the DIP switch, 0 to 15; its bus runs at 115,200 baud, or at 9,600 with UART protocol 013. */
  readonly station: Station;
  readonly readMode: "auto" | ReadMode;
  /** Shared by the packs on this bus. Default: this is the only one. */
  readonly tails?: Tails;
  /** The bus's, for frames that other masters are sent. */
  readonly overheard?: OverheardFrames;
}

/**
 * A JK PB-series BMS on RS485 (docs/jk-modbus.md). One transaction at a time, on request; polling is up to the caller.
 *
 * @throws RangeError from the constructor for an address over 15
 */
export class JkBms implements HeardPack {
  protected readonly link: Link;
  protected readonly reader: BlockReader;
  /** Exists only during a write. */
  private writer: BmsWriter | undefined;
  private readonly overheard: OverheardFrames | undefined;
  listener: HeardListener | undefined;
  readonly telemetry: BlockImage;
  readonly setup: BlockImage;
  readonly deviceInfo: BlockImage;

  constructor({ station, readMode, tails = new Tails(), overheard }: JkBmsOptions) {
    if (station.address > MAX_BMS_ADDRESS)
      throw new RangeError(`BMS address ${station.address} is not from 0 to ${MAX_BMS_ADDRESS}`);
    const statistics: LinkStatistics = Object.assign(station.counters, { wakeTriggers: 0 });
    const adu = new Uint8Array(WRITE_ADU_BYTES);
    const images = new Images();
    this.telemetry = images[TELEMETRY];
    this.setup = images[SETUP];
    this.deviceInfo = images[DEVICE_INFO];
    this.link = {
      station,
      images,
      choice: new ReadModeChoice(readMode),
      long: new LongRead(),
      transaction: new Transaction(adu),
      trigger: new TriggerTransaction(adu),
      statistics,
      tails,
      extra: 0,
    };
    this.reader = new BlockReader(this.link);
    this.overheard = overheard;
    overheard?.add(this);
  }

  get statistics(): LinkStatistics {
    return this.link.statistics;
  }

  get address(): number {
    return this.link.station.address;
  }

  /** Nothing is sent: images are filled from what another master is answered. */
  get listening(): boolean {
    return this.link.station.bus.foreign.listening;
  }

  /** Another master has been heard, and nothing is sent because of it. */
  get masterPresent(): boolean {
    return this.link.station.bus.foreign.present;
  }

  /** The read mode in use. */
  get activeReadMode(): ReadMode {
    return this.link.choice.active;
  }

  /** A read or write is in progress; another one throws. */
  get busy(): boolean {
    return this.reader.busy || this.writer !== undefined;
  }

  /**
   * Reads a block. Its image changes only when all of it has been read, and before `done` is called.
   * @param done called exactly once, never from inside `read`
   * @param effort what it may cost if the BMS is silent; default: all
   * @throws Error when busy, or when the bus is closed
   */
  read(block: BlockType, done: (outcome: ReadOutcome) => void, effort?: Effort): void {
    this.beFree();
    this.reader.read(block, done, effort);
  }

  /**
   * Writes a parameter or command and reads it back. A confirmed value is in its image when `done` is called.
   * @param value raw, in the resolution of its register (3650 for 3.650 V; a switch: 0 or 1), or a text of 1 to 16 characters
   * @param timeout ms that it may take, including retries and read-back
   * @param done called exactly once within `timeout`, never from inside `write`
   * @throws RangeError for a name, value or timeout that cannot be written; Error when busy or closed
   */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    this.beFree();
    const writer = new BmsWriter(this.link, name, value, (result) => {
      this.writer = undefined;
      done(result);
    });
    writer.start(timeout);
    // Only now: the above throws if the port is closed.
    this.writer = writer;
  }

  hear(block: BlockType, bytes: Uint8Array, start: number): void {
    // A read in progress replaces the image itself; it ends soon, withheld.
    if (this.reader.busy) return;
    const { images } = this.link;
    images.replace(block, true, 0, bytes, start + FRAME_PAYLOAD, BLOCK_BYTES);
    this.listener?.heard(block);
  }

  /** Cancels a read or write without its callback and leaves the bus. */
  close(): void {
    this.overheard?.remove(this);
    this.reader.cancel();
    this.writer?.cancel();
    this.writer = undefined;
    this.link.station.close();
  }

  private beFree(): void {
    if (this.busy) throw new Error("the BMS link is busy with another read or write");
  }
}
