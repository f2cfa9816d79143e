import { FRAME_PAYLOAD } from "./frame";
import type { HeardListener } from "./jk-bms";
import { MAX_BMS_ADDRESS } from "./limits";
import type { HeardPack, OverheardFrames } from "./overheard";
import { PackedBlocks } from "./packed-blocks";
import type { SharedBms, SharingPack } from "./shared-bms";
import {
  DEVICE_INFO,
  SETUP,
  TELEMETRY,
  type BlockImage,
  type BlockType,
  type Effort,
  type ReadOutcome,
  type WriteResult,
} from "./types";
import { writableByName, type WriteName } from "./writes";

/**
 * A pack that shares the buffers of one JkBms with others: it has its address, its blocks, packed, and what has been learned about how it is
 * read. Its images are valid until those of another such pack are asked for.
 *
 * @throws RangeError from the constructor for an address over 15
 */
export class PackedBms extends PackedBlocks implements HeardPack, SharingPack {
  readonly address: number;
  private readonly shared: SharedBms;
  private readonly overheard: OverheardFrames | undefined;
  listener: HeardListener | undefined;
  // Set by the SharedBms after each transaction.
  choice: number;
  long = 0;
  tailAt = 0;
  shortIsNext = false;

  /** @param overheard the bus's, for frames that other masters are sent */
  constructor(shared: SharedBms, address: number, overheard?: OverheardFrames) {
    super();
    if (!(address >= 0 && address <= MAX_BMS_ADDRESS))
      throw new RangeError(`BMS address ${address} is not from 0 to ${MAX_BMS_ADDRESS}`);
    this.shared = shared;
    this.address = address;
    this.choice = shared.firstChoice;
    this.overheard = overheard;
    overheard?.add(this);
  }

  get telemetry(): BlockImage {
    return this.shared.show(TELEMETRY, this);
  }

  get setup(): BlockImage {
    return this.shared.show(SETUP, this);
  }

  get deviceInfo(): BlockImage {
    return this.shared.show(DEVICE_INFO, this);
  }

  /** A read or write of this pack or of another that shares the buffers is in progress; another one throws. */
  get busy(): boolean {
    return this.shared.busy;
  }

  get listening(): boolean {
    return this.shared.listening;
  }

  get masterPresent(): boolean {
    return this.shared.masterPresent;
  }

  /** See JkBms. */
  read(block: BlockType, done: (outcome: ReadOutcome) => void, effort?: Effort): void {
    this.shared.turnTo(this);
    this.shared.read(
      block,
      (outcome) => {
        this.shared.turnFrom(this, outcome === "ok" ? block : undefined);
        done(outcome);
      },
      effort,
    );
  }

  /** See JkBms. */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    this.shared.turnTo(this);
    this.shared.write(name, value, timeout, (result) => {
      this.shared.turnFrom(this, writableByName(name).field.block);
      done(result);
    });
  }

  hear(block: BlockType, bytes: Uint8Array, start: number): void {
    this.keep(block, true, bytes, start + FRAME_PAYLOAD);
    this.shared.changed(block, this);
    this.listener?.heard(block);
  }

  /** No longer hears what other masters are answered. What it asks ends with the SharedBms. */
  close(): void {
    this.overheard?.remove(this);
  }
}
