import type { MovingStation } from "modbus/moving-station";
import { FRAME_PAYLOAD } from "./frame";
import { Images } from "./image";
import { JkBms, type JkBmsOptions } from "./jk-bms";
import { PackedBlocks } from "./packed-blocks";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType, type ReadMode } from "./types";

export interface SharedBmsOptions extends Omit<JkBmsOptions, "station" | "overheard"> {
  readonly station: MovingStation;
  /** How many packs share it. */
  readonly packs: number;
}

/** Whose buffers these are for the moment: an address, and a place among all of them. */
export interface Sharing {
  readonly address: number;
  readonly place: number;
}

/** Where the state of a pack keeps LongRead.state, and whether the shorter read is next; below them ReadModeChoice.state. */
const LONG = 8;
const SHORT_IS_NEXT = 1 << 16;
const CHOICE = 0xff;

/**
 * One JkBms, with its buffers, for several packs: before each transaction it turns to the pack, and after it what has been read is kept for
 * that pack. Images shown to readers are others, and are one pack's at a time.
 */
export class SharedBms extends JkBms {
  private readonly station: MovingStation;
  private readonly blocks: PackedBlocks;
  /** What has been learned about how each pack is read, by place, then when the end of its telemetry was read. */
  private readonly learned: Int32Array;
  private readonly shown = new Images();
  /** By block: the place of the pack whose image it is. */
  private readonly shownPlaces = new Int8Array(4).fill(-1);

  constructor({ packs, ...options }: SharedBmsOptions) {
    super(options);
    this.station = options.station;
    this.blocks = new PackedBlocks(packs);
    this.learned = new Int32Array(2 * packs).fill(this.link.choice.state, 0, packs);
  }

  /** The first pack's. */
  override get activeReadMode(): ReadMode {
    return (this.learned[0] as number) & 1 ? "frames" : "registers";
  }

  /** The block of a pack, valid until that of another pack is asked for. */
  show(block: BlockType, { place }: Sharing): BlockImage {
    const image = this.shown[block];
    if (this.shownPlaces[block] !== place) {
      this.blocks.show(place, block, image);
      this.shownPlaces[block] = place;
    }
    return image;
  }

  /** Forgets what has been read of and learned about this place: another pack takes it, asked in frames or by registers. */
  begin(place: number, frames: boolean): void {
    this.blocks.clear(place);
    this.shownPlaces.fill(-1);
    this.learned[place] = frames ? 1 : 0;
  }

  /** @throws Error while busy */
  turnTo({ address, place }: Sharing): void {
    if (this.busy) throw new Error("the BMS link is busy with another read or write");
    const { blocks, learned } = this;
    const { choice, long, images } = this.link;
    const state = learned[place] as number;
    this.station.moveTo(address);
    choice.state = state & CHOICE;
    long.state = (state >> LONG) & CHOICE;
    this.reader.shortIsNext = state >= SHORT_IS_NEXT;
    this.reader.tailAt = learned[learned.length / 2 + place] as number;
    blocks.show(place, TELEMETRY, images[TELEMETRY]);
    blocks.show(place, SETUP, images[SETUP]);
    blocks.show(place, DEVICE_INFO, images[DEVICE_INFO]);
  }

  /** A transaction with a pack has ended: what has been learned is kept, and `block`, if it has been read or written. */
  turnFrom({ place }: Sharing, block: BlockType | undefined): void {
    const { learned, reader } = this;
    const { choice, long, images } = this.link;
    learned[place] = choice.state | (long.state << LONG) | (reader.shortIsNext ? SHORT_IS_NEXT : 0);
    learned[learned.length / 2 + place] = reader.tailAt;
    if (block === undefined || !images[block].valid) return;
    const { view, littleEndian } = images[block];
    this.keep(place, block, littleEndian, new Uint8Array(view.buffer, view.byteOffset, view.byteLength), 0);
  }

  /** A frame of a pack has been heard. */
  take({ place }: Sharing, block: BlockType, bytes: Uint8Array, start: number): void {
    this.keep(place, block, true, bytes, start + FRAME_PAYLOAD);
  }

  private keep(place: number, block: BlockType, littleEndian: boolean, from: Uint8Array, start: number): void {
    this.blocks.keep(place, block, littleEndian, from, start);
    if (this.shownPlaces[block] === place) this.shownPlaces[block] = -1;
  }
}
