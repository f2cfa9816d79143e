import type KeyValueStorage from "embedded:storage/key-value";
import Timer from "timer";
import { readState, writeState } from "../runtime/state";
import { later } from "../runtime/timers";
import type { Settings } from "../settings/types";
import { STORE_INTERVAL } from "./limits";

/** The key in the device's state. */
const KEY = "relay";

/**
 * The relay's state across a restart. A change is stored at once, but at most one per STORE_INTERVAL: the last of a quick
 * series is stored at the end of the interval, or by `flush`. A power cut before that restores the previous state.
 */
export class StateStore {
  private readonly storage: typeof KeyValueStorage;
  private readonly settings: Pick<Settings, "noteStored">;
  /** The stored state; undefined if there is none or it cannot be read. */
  stored: boolean | undefined;
  private wanted: boolean | undefined;
  private timer: Timer | undefined;

  constructor(storage: typeof KeyValueStorage, settings: Pick<Settings, "noteStored">) {
    this.storage = storage;
    this.settings = settings;
    try {
      const text = readState(storage, KEY);
      if (text === "1" || text === "0") this.stored = text === "1";
    } catch {
      trace("relay: cannot read the stored state\n");
    }
  }

  /** Stores `on`, now or at the end of the interval. */
  store(on: boolean): void {
    this.wanted = on;
    this.work();
  }

  /** Cancels a pending store. */
  forget(): void {
    this.wanted = undefined;
  }

  /** Stores a pending state now: call before a planned restart. */
  flush(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
    this.work();
  }

  private work(): void {
    if (this.timer || this.wanted === undefined || this.wanted === this.stored) return;
    // No timer is running: unless flushed, any earlier write is at least an interval ago.
    try {
      writeState(this.storage, KEY, this.wanted ? "1" : "0");
      this.stored = this.wanted;
      this.settings.noteStored("unwritable-relay", true);
    } catch {
      this.stored = undefined;
      this.settings.noteStored("unwritable-relay", false);
      trace("relay: cannot store the state\n");
    }
    try {
      this.timer = later(
        "relay",
        () => {
          this.timer = undefined;
          this.work();
        },
        STORE_INTERVAL,
      );
    } catch {
      trace("relay: no timer: the next state is stored at once\n");
    }
  }
}
