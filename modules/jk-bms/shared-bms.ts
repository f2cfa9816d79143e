import type { MovingStation } from "modbus/moving-station";
import { Images } from "./image";
import { JkBms, type JkBmsOptions } from "./jk-bms";
import type { PackedBlocks } from "./packed-blocks";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "./types";

export interface SharedBmsOptions extends Omit<JkBmsOptions, "station" | "overheard"> {
  readonly station: MovingStation;
}

/** A pack that shares the buffers: its address, its blocks, and what has been learned about how it is read. */
export interface SharingPack extends PackedBlocks {
  readonly address: number;
  /** ReadModeChoice.state, LongRead.state. */
  choice: number;
  long: number;
  /** Of BlockReader. */
  tailAt: number;
  shortIsNext: boolean;
}

/**
 * One JkBms, with its buffers, for several packs: before each transaction it turns to the pack, and after it what has been read is kept by
 * that pack. Images shown to readers are others, and are one pack's at a time.
 */
export class SharedBms extends JkBms {
  private readonly station: MovingStation;
  private readonly shown = new Images();
  /** By block: the pack whose image it is. */
  private readonly shownPacks: (SharingPack | undefined)[] = [undefined, undefined, undefined, undefined];

  constructor(options: SharedBmsOptions) {
    super(options);
    this.station = options.station;
  }

  /** How a pack is read of which nothing is known yet: see ReadModeChoice. */
  get firstChoice(): number {
    return this.link.choice.state;
  }

  /** The block of a pack, valid until that of another pack is asked for. */
  show(block: BlockType, pack: SharingPack): BlockImage {
    const image = this.shown[block];
    if (this.shownPacks[block] !== pack) {
      pack.show(block, image);
      this.shownPacks[block] = pack;
    }
    return image;
  }

  /** What is kept of it has changed. */
  changed(block: BlockType, pack: SharingPack): void {
    if (this.shownPacks[block] === pack) this.shownPacks[block] = undefined;
  }

  /** @throws Error while busy */
  turnTo(pack: SharingPack): void {
    if (this.busy) throw new Error("the BMS link is busy with another read or write");
    const { choice, long, images } = this.link;
    this.station.moveTo(pack.address);
    choice.state = pack.choice;
    long.state = pack.long;
    this.reader.tailAt = pack.tailAt;
    this.reader.shortIsNext = pack.shortIsNext;
    pack.show(TELEMETRY, images[TELEMETRY]);
    pack.show(SETUP, images[SETUP]);
    pack.show(DEVICE_INFO, images[DEVICE_INFO]);
  }

  /** A transaction with `pack` has ended: what has been learned is kept, and `block`, if it has been read or written. */
  turnFrom(pack: SharingPack, block: BlockType | undefined): void {
    const { choice, long, images } = this.link;
    pack.choice = choice.state;
    pack.long = long.state;
    pack.tailAt = this.reader.tailAt;
    pack.shortIsNext = this.reader.shortIsNext;
    if (block === undefined || !images[block].valid) return;
    const { view, littleEndian } = images[block];
    pack.keep(block, littleEndian, new Uint8Array(view.buffer, view.byteOffset, view.byteLength), 0);
    this.changed(block, pack);
  }
}
