import { within } from "modbus/pdu";
import { sumOf } from "./agreement";
import { judge, type Doubt } from "./doubt";
import { blockOf } from "./fields";
import { FRAME_PAYLOAD } from "./frame";
import type { FrameListener } from "./frame-sniffer";
import { Image, type Images } from "./image";
import { BLOCK_BYTES, MAX_BMS_ADDRESS } from "./limits";
import type { PackedBlocks } from "./packed-blocks";
import type { BlockReader, Link } from "./reader";
import {
  DEVICE_INFO,
  LOG,
  SETUP,
  TELEMETRY,
  type BlockImage,
  type BlockType,
  type Effort,
  type PackListener,
  type Readable,
  type ReadMode,
  type ReadOutcome,
  type WriteResult,
} from "./types";
import { LOG_BYTES } from "./system-log";
import type { Tails } from "./tails";
import { writableByName, type WriteName } from "./writes";

/** What a pack needs of its bus, a JkBus. */
export interface PackBus {
  /** Of several packs. */
  readonly packed?: PackedBlocks;
  /** LOG_BYTES of each pack, by its place. */
  readonly logs: Uint8Array;
  readonly tails: Tails;
  /** The next transaction is with this pack. @throws Error while busy */
  turnTo(pack: JkPack): BlockReader;
  /** See JkPack.write. */
  write(
    pack: JkPack,
    name: WriteName,
    value: number | string,
    timeout: number,
    done: (result: WriteResult) => void,
  ): void;
  isReading(pack: JkPack): boolean;
  readModeOf(pack: JkPack): ReadMode;
}

/**
 * One pack on a bus. Its images are valid until those of another pack are asked for.
 *
 * @throws RangeError from the constructor for an address over 15
 */
export abstract class JkPack implements FrameListener {
  readonly bus: PackBus;
  /** The DIP switch. */
  readonly address: number;
  listener: PackListener | undefined;
  abstract readonly telemetry: BlockImage;
  abstract readonly setup: BlockImage;
  abstract readonly deviceInfo: BlockImage;
  /** What the bus has learned about how it is read, while other packs are asked. */
  abstract learned: number;
  /** What it said last, if that was not shown. */
  doubt: Doubt | undefined;
  /** Of its settings or device information, if they have come once and differ from what is known: see sumOf. 0: none. */
  pending = 0;
  /** The same of the device information that was heard: masters ask for both in turn. */
  private pendingInfo = 0;

  protected readonly place: number;

  /** @param place 0 to the number of packs - 1, not another's; of a probe, which is not asked for its log, any */
  constructor(bus: PackBus, address: number, place = 0) {
    within("BMS address", address, 0, MAX_BMS_ADDRESS);
    this.bus = bus;
    this.address = address;
    this.place = place;
  }

  /** The log of the BMS as it was read last (system-log.ts); zeros before that. */
  get systemLog(): Uint8Array {
    const start = this.place * LOG_BYTES;
    return this.bus.logs.subarray(start, start + LOG_BYTES);
  }

  /** ms since the end of its telemetry was read, of a pack whose telemetry has been. A frame has all of it. */
  get tailAge(): number {
    return this.telemetry.littleEndian ? 0 : this.bus.tails.ageOf(this.place);
  }

  /** The read mode in use. */
  get activeReadMode(): ReadMode {
    return this.bus.readModeOf(this);
  }

  /**
   * Reads a block, the serial number alone, or the log. Its image, or the log, changes only when all of it has been read, and before `done` is called.
   * @param done called exactly once, never from inside `read`
   * @param effort what it may cost if the BMS is silent; default: all
   * @throws Error when the bus is busy or closed
   */
  read(what: Readable, done: (outcome: ReadOutcome) => void, effort?: Effort): void {
    const reader = this.bus.turnTo(this);
    if (what === LOG) reader.log = this.systemLog;
    reader.listener = this.listener;
    reader.read(what, done, effort);
  }

  /**
   * Writes a parameter or command and reads it back. A confirmed value is in its image when `done` is called.
   * @param value raw, in the resolution of its register (3650 for 3.650 V; a switch: 0 or 1), or a text of 1 to 16 characters
   * @param timeout ms that it may take, including retries and read-back
   * @param done called exactly once within `timeout`, never from inside `write`
   * @throws RangeError for a name, value or timeout that cannot be written; Error when the bus is busy or closed
   */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    this.bus.write(this, name, value, timeout, done);
  }

  answeredTwice(): void {
    this.listener?.onSecondReply();
  }

  answeredLate(): void {
    this.listener?.onLateReply();
  }

  onForeignFrame(block: BlockType, bytes: Uint8Array, start: number): void {
    const at = start + FRAME_PAYLOAD;
    const reply = new Image(new DataView(bytes.buffer, bytes.byteOffset + at, BLOCK_BYTES));
    reply.renewed(true);
    // Telemetry cannot be asked again: the first is shown, of others the next one decides.
    const { telemetry } = this;
    if (block === TELEMETRY ? judge(reply, telemetry, telemetry.valid, this) !== "take" : this.isNews(block, bytes, at))
      return;
    const once = block !== TELEMETRY && !this.known(block).valid;
    if (this.takeForeign(block, bytes, at, reply)) this.listener?.onForeignBlock(block, once);
  }

  private known(block: BlockType): BlockImage {
    return block === DEVICE_INFO ? this.deviceInfo : this.setup;
  }

  /** Other settings, or another pack, than is known have to be heard twice. */
  private isNews(block: BlockType, bytes: Uint8Array, at: number): boolean {
    const { littleEndian, valid, view } = this.known(block);
    const sum = sumOf(block, bytes, at);
    const isInfo = block === DEVICE_INFO;
    const pending = isInfo ? this.pendingInfo : this.pending;
    const isKnown =
      !valid ||
      sum === pending ||
      (littleEndian && sum === sumOf(block, new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
    const now = isKnown ? 0 : sum;
    if (isInfo) this.pendingInfo = now;
    else this.pending = now;
    return !isKnown;
  }

  /** What was heard is about to be stored. */
  protected compare(block: BlockType, reply: BlockImage): void {
    const known = this.known(block);
    if (block !== TELEMETRY && known.valid) this.listener?.onNewSettings(known, reply, block);
  }

  /** Stores what it replied to another master, at byte `at`. False: it cannot now. */
  protected abstract takeForeign(block: BlockType, bytes: Uint8Array, at: number, reply: Image): boolean;

  /** Puts its blocks where they are read and written. */
  abstract load(link: Link): void;
}

/** A pack whose blocks are held as they are read. */
export class HeldPack extends JkPack {
  readonly telemetry: BlockImage;
  readonly setup: BlockImage;
  readonly deviceInfo: BlockImage;
  learned: number;
  private readonly images: Images;

  constructor(bus: PackBus, address: number, images: Images, learned: number) {
    super(bus, address);
    this.images = images;
    this.telemetry = images[TELEMETRY];
    this.setup = images[SETUP];
    this.deviceInfo = images[DEVICE_INFO];
    this.learned = learned;
  }

  protected takeForeign(block: BlockType, bytes: Uint8Array, at: number, reply: Image): boolean {
    // A read in progress replaces the image itself; it ends soon, withheld.
    if (this.bus.isReading(this)) return false;
    this.compare(block, reply);
    this.images.replace(block, true, 0, bytes, at, BLOCK_BYTES);
    this.images[block].contradicts = reply.contradicts;
    return true;
  }

  load(link: Link): void {
    link.images = this.images;
  }
}

/** A bus with several packs. */
export type PackedBus = PackBus & { readonly packed: PackedBlocks };

/** One of several packs: its blocks are packed but for the time of a transaction with it. */
export class PackedPack extends JkPack {
  declare readonly bus: PackedBus;
  get telemetry(): BlockImage {
    return this.bus.packed.show(this.place, TELEMETRY);
  }

  get setup(): BlockImage {
    return this.bus.packed.show(this.place, SETUP);
  }

  get deviceInfo(): BlockImage {
    return this.bus.packed.show(this.place, DEVICE_INFO);
  }

  get learned(): number {
    return this.bus.packed.learned[this.place] as number;
  }

  set learned(learned: number) {
    this.bus.packed.learned[this.place] = learned;
  }

  override read(what: Readable, done: (outcome: ReadOutcome) => void, effort?: Effort): void {
    super.read(
      what,
      (outcome) => {
        if (outcome === "ok" && what !== LOG)
          this.bus.packed.storeWorking(this.place, what > DEVICE_INFO ? DEVICE_INFO : (what as BlockType));
        done(outcome);
      },
      effort,
    );
  }

  override write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    super.write(name, value, timeout, (result) => {
      this.bus.packed.storeWorking(this.place, blockOf(writableByName(name).field));
      done(result);
    });
  }

  protected takeForeign(block: BlockType, bytes: Uint8Array, at: number, reply: Image): boolean {
    this.compare(block, reply);
    this.bus.packed.store(this.place, block, true, bytes, at, reply.contradicts);
    return true;
  }

  load(link: Link): void {
    const { packed } = this.bus;
    link.images = packed.working;
    link.place = this.place;
    packed.load(this.place);
  }
}
