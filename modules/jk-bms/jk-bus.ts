import { Bus } from "modbus/bus";
import { MovingStation } from "modbus/moving-station";
import { Transaction } from "modbus/transaction";
import { zeroCounters, type BusOptions } from "modbus/types";
import { FrameSniffer } from "./frame-sniffer";
import { Images } from "./image";
import { HeldPack, PackedPack, type JkPack, type PackBus, type PackedBus } from "./jk-pack";
import { LongRead } from "./long-read";
import { PackedBlocks } from "./packed-blocks";
import { FRAMES, modeOf, ReadModeChoice } from "./read-mode";
import { BlockReader, type Link } from "./reader";
import { LOG_BYTES } from "./system-log";
import { Tails } from "./tails";
import { TriggerTransaction } from "./trigger";
import type { LinkStatistics, ReadMode, WriteResult } from "./types";
import { BmsWriter, WRITE_ADU_BYTES } from "./writer";
import type { WriteName } from "./writes";

export interface JkBusOptions extends Omit<BusOptions, "counters" | "sniffer"> {
  /** Of its packs, at least one: the DIP switches, 0 to 15. The bus runs at 115,200 baud, or at 9,600 with UART protocol 013. */
  readonly addresses: readonly number[];
  readonly readMode: "auto" | ReadMode;
}

/** Bit positions in JkPack.learned: LongRead.state, and whether the shorter read is next; below them ReadModeChoice.state. */
const LONG = 8;
const SHORT_IS_NEXT = 1 << 16;
const CHOICE = 0xff;

/**
 * The JK PB-series BMSs on an RS485 bus (docs/jk-modbus.md). One transaction at a time, on request; polling is up to the caller. The blocks
 * of one pack alone are held as they are read, those of several are packed.
 *
 * @throws RangeError from the constructor for an address over 15, Error if the port cannot be opened
 */
export class JkBus implements PackBus {
  /** The packs, in the order of their addresses in the options. */
  readonly links: readonly JkPack[];
  private readonly link: Link;
  private readonly reader: BlockReader;
  /** Exists only during a write. */
  private writer: BmsWriter | undefined;
  private readonly sniffer: FrameSniffer;
  readonly packed?: PackedBlocks;
  readonly logs: Uint8Array;
  readonly tails: Tails;
  /** The pack that was asked last, whose blocks are in the link. */
  private asked: JkPack;
  /** Exist only during a search. */
  private probeImages: Images | undefined;

  constructor({ addresses, readMode, ...options }: JkBusOptions) {
    const statistics: LinkStatistics = Object.assign(zeroCounters(), { wakeTriggers: 0, doubted: 0 });
    const adu = new Uint8Array(WRITE_ADU_BYTES);
    const choice = new ReadModeChoice(readMode);
    const { state } = choice;
    const packed = addresses.length > 1 ? new PackedBlocks(addresses.length, state) : undefined;
    const images = packed?.working ?? new Images();
    if (packed) this.packed = packed;
    this.logs = new Uint8Array(LOG_BYTES * addresses.length);
    this.tails = new Tails(addresses.length);
    this.links = addresses.map((address, place) =>
      packed ? new PackedPack(this as PackedBus, address, place) : new HeldPack(this, address, images, state),
    );
    this.asked = this.links[0] as JkPack;
    this.sniffer = new FrameSniffer(statistics, this.links);
    // Last: the port is free if anything above is refused.
    const bus = new Bus({ ...options, counters: statistics, sniffer: this.sniffer });
    this.link = {
      station: new MovingStation(bus, this.asked.address),
      images,
      choice,
      long: new LongRead(),
      transaction: new Transaction(adu),
      trigger: new TriggerTransaction(adu),
      statistics,
      tails: this.tails,
      place: 0,
      extra: 0,
    };
    this.reader = new BlockReader(this.link);
  }

  get statistics(): LinkStatistics {
    return this.link.statistics;
  }

  /** Nothing is sent: images are filled from what another master is answered. */
  get listening(): boolean {
    return this.link.station.bus.foreign.listening;
  }

  /** Another master has been heard, and nothing is sent because of it. */
  get masterPresent(): boolean {
    return this.link.station.bus.foreign.present;
  }

  /** When the bus was last in use, ticks: it was opened, a request ended, or a byte was heard, valid or not. */
  get lastActivity(): number {
    return this.link.station.bus.lastActivity;
  }

  /** Bit n: a pack at address n has been heard to answer another master. */
  get heard(): number {
    return this.sniffer.heard;
  }

  /** A read or write of a pack is in progress; another one throws, whichever pack it is of. */
  get busy(): boolean {
    return this.reader.done !== undefined || this.writer !== undefined;
  }

  /**
   * A pack beside the others, of which nothing is known: for a search. Its images are valid until the next one is opened.
   * @throws RangeError for an address over 15
   */
  openProbe(address: number, frames: boolean): JkPack {
    const images = (this.probeImages ??= new Images());
    images.invalidate();
    return new HeldPack(this, address, images, frames ? FRAMES : 0);
  }

  /** The search is over: what is asked for it ends without its callback. */
  closeProbes(): void {
    this.probeImages = undefined;
    if (this.links.includes(this.asked)) return;
    this.cancel();
    this.turnTo(this.links[0] as JkPack);
  }

  /** Cancels a read or write without its callback and closes the port. */
  close(): void {
    this.cancel();
    this.link.station.bus.close();
  }

  /** The rest is called by the packs. */
  turnTo(pack: JkPack): BlockReader {
    if (this.busy) throw new Error("the BMS link is busy with another read or write");
    // What is packed may have changed since the same pack was asked.
    if (pack !== this.asked || this.packed) this.resume(pack);
    return this.reader;
  }

  write(
    pack: JkPack,
    name: WriteName,
    value: number | string,
    timeout: number,
    done: (result: WriteResult) => void,
  ): void {
    this.turnTo(pack);
    const writer = new BmsWriter(this.link, name, value, (result) => {
      this.writer = undefined;
      done(result);
    });
    writer.start(timeout);
    // Only now: the above throws if the port is closed.
    this.writer = writer;
  }

  isReading(pack: JkPack): boolean {
    return pack === this.asked && this.reader.done !== undefined;
  }

  readModeOf(pack: JkPack): ReadMode {
    return pack === this.asked ? this.link.choice.active : modeOf(pack.learned);
  }

  /** Goes on with this pack where it was left. */
  private resume(pack: JkPack): void {
    const { asked, link, reader } = this;
    const { choice, long } = link;
    asked.learned = choice.state | (long.state << LONG) | (reader.shortIsNext ? SHORT_IS_NEXT : 0);
    asked.doubt = reader.doubt;
    asked.pending = reader.pending;
    const { address, learned } = pack;
    link.station.moveTo(address);
    choice.state = learned & CHOICE;
    long.state = (learned >> LONG) & CHOICE;
    reader.shortIsNext = learned >= SHORT_IS_NEXT;
    reader.doubt = pack.doubt;
    reader.pending = pack.pending;
    this.asked = pack;
    pack.load(link);
  }

  private cancel(): void {
    this.reader.cancel();
    this.writer?.cancel();
    this.writer = undefined;
    this.link.station.cancel();
  }
}
