import type FlashStorage from "embedded:storage/flash";
import { Cursor } from "flash-log/cursor";
import type { Ring } from "flash-log/ring";
import Timer from "timer";
import type { Monitor } from "../bms/types";
import type { BankSum } from "../packs/bank-sum";
import type { BusPack } from "../packs/types";
import { repeat, type Timed } from "../runtime/timers";
import { FINE, PARTITION } from "./layout";
import { REBUILD_SECTORS, TICK } from "./limits";
import { forgetUnfinished, Recorder, type RecorderSources } from "./recorder";
import { RecordStore } from "./record-store";

export interface HistoryDevice extends RecorderSources {
  readonly flash: typeof FlashStorage;
  readonly monitor: Pick<Monitor, "writes" | "packs"> & {
    /** A transaction is in progress on the bus. */
    readonly isBusy: boolean;
  };
  /** Those that go into the same flash. */
  readonly storedEvents: { tick(): void; flush(): void } | undefined;
  /** Learns that the flash fails. */
  readonly parts: { failed(part: "history", error: unknown): void };
}

/** The history in flash: records the battery, and keeps the flash ready for it. */
export class FlashHistory implements Timed {
  readonly store: RecordStore;
  readonly recorder: Recorder;
  /** Of the newest ten minutes when the device started without a clock, seconds since 1970: by then it was later. */
  readonly about: number | undefined;
  /** Answers of records as they are. */
  transfers = 0;
  private readonly device: HistoryDevice;
  private readonly timer: Timer;
  private hasFailed = false;

  /** @throws if the platform has no such flash, or no timer */
  constructor(device: HistoryDevice) {
    this.device = device;
    this.store = openStore(device.flash);
    if (device.time() === undefined) {
      const cursor = new Cursor(this.store.rings[FINE] as Ring, REBUILD_SECTORS);
      while (cursor.next()) this.about = cursor.time ?? this.about;
    }
    this.recorder = new Recorder(this.store, device);
    this.timer = repeat(this, TICK);
  }

  get part(): string {
    return "history";
  }

  /** Call at each valid reply of a pack, once its energy has been counted: nothing is expected on the bus then. */
  update(pack: BusPack, bank: BankSum): void {
    this.recorder.update(pack, bank);
    if (!this.device.monitor.writes.pending) this.store.work();
  }

  tick(): void {
    const { device, store } = this;
    device.storedEvents?.tick();
    const { startedAt } = this.recorder;
    if (startedAt !== undefined) store.stamp(startedAt);
    const { monitor } = device;
    // Without replies, too.
    if (!monitor.isBusy && !monitor.writes.pending) store.work();
    if (!store.lost || this.hasFailed) return;
    this.hasFailed = true;
    device.parts.failed("history", new Error("the flash fails"));
  }

  /** What is not complete is saved over the restart that follows. */
  save(): void {
    this.device.storedEvents?.flush();
    this.recorder.save();
  }

  close(): void {
    Timer.clear(this.timer);
  }
}

function openStore(flash: typeof FlashStorage): RecordStore {
  const area = flash.open({ path: PARTITION });
  return new RecordStore(area, area.status().blocks);
}

/**
 * Forgets all of the history, of a device that has none in this run too. The bytes are erased in steps after the restart that must follow.
 * @param store if the flash is open already
 */
export function discardHistory({ flash }: Pick<HistoryDevice, "flash">, store: RecordStore | undefined): void {
  forgetUnfinished();
  try {
    if (!(store ?? openStore(flash)).discard()) trace("reset: a part of the history cannot be erased\n");
  } catch {
    // There is none.
  }
}
