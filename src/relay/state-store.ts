import type KeyValueStorage from "embedded:storage/key-value";
import Timer from "timer";
import { readState, writeState } from "../parts/state";
import { STORE_INTERVAL } from "./limits";

/** The key in the device's state. */
const KEY = "relay";

/**
 * The relay's state across a restart. A change is stored at once, but never two within STORE_INTERVAL: the last one of a quick
 * succession is stored at its end. A power cut in between brings the state before back.
 */
export class StateStore {
  private readonly storage: typeof KeyValueStorage;
  /** What the storage holds; undefined when that is nothing, or not known. */
  private _stored: boolean | undefined;
  private wanted: boolean | undefined;
  private timer: Timer | undefined;

  constructor(storage: typeof KeyValueStorage) {
    this.storage = storage;
    try {
      const text = readState(storage, KEY);
      if (text === "1" || text === "0") this._stored = text === "1";
    } catch {
      trace("relay: the stored state cannot be read\n");
    }
  }

  /** The state last stored; undefined when there is none. */
  get stored(): boolean | undefined {
    return this._stored;
  }

  /** Has `on` stored, now or at the end of the interval. */
  store(on: boolean): void {
    this.wanted = on;
    this.work();
  }

  /** What was not stored yet no longer has to be. */
  forget(): void {
    this.wanted = undefined;
  }

  private work(): void {
    if (this.timer || this.wanted === undefined || this.wanted === this._stored) return;
    // No timer runs, so the last write, if any, is at least an interval ago.
    try {
      writeState(this.storage, KEY, this.wanted ? "1" : "0");
      this._stored = this.wanted;
    } catch {
      this._stored = undefined;
      trace("relay: the state cannot be stored\n");
    }
    this.timer = Timer.set(() => {
      this.timer = undefined;
      this.work();
    }, STORE_INTERVAL);
  }
}
