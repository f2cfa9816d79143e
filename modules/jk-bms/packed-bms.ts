import type { HeardListener } from "./jk-bms";
import { MAX_BMS_ADDRESS } from "./limits";
import type { HeardPack } from "./overheard";
import type { SharedBms, Sharing } from "./shared-bms";
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
 * A pack that shares the buffers of one JkBms with others: it has an address, and a place in that one, which keeps its blocks and what has been
 * learned about how it is read. Its images are valid until those of another such pack are asked for.
 *
 * @throws RangeError from the constructor for an address over 15
 */
export class PackedBms implements HeardPack, Sharing {
  readonly address: number;
  readonly place: number;
  private readonly shared: SharedBms;
  listener: HeardListener | undefined;

  /** @param place 0 to the number of packs - 1, not another's */
  constructor(shared: SharedBms, address: number, place: number) {
    if (!(address >= 0 && address <= MAX_BMS_ADDRESS))
      throw new RangeError(`BMS address ${address} is not from 0 to ${MAX_BMS_ADDRESS}`);
    this.shared = shared;
    this.address = address;
    this.place = place;
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
    this.shared.take(this, block, bytes, start);
    this.listener?.heard(block);
  }

  /** Tells nobody of what it hears. What it asks ends with the SharedBms. */
  close(): void {
    this.listener = undefined;
  }
}
