import type KeyValueStorage from "embedded:storage/key-value";
import type { Storage } from "embedded:storage/key-value";
import Timer from "timer";
import { STORE_INTERVAL } from "./limits";

/** The storage's domain and key (NVS: at most 15 characters). */
const PATH = "state";
const KEY = "relay";

/**
 * The relay's state across a restart. A change is stored at once, but never two within STORE_INTERVAL: the last one of a quick
 * succession is stored at its end. A power cut in between brings the state before back.
 */
export class StateStore {
  #storage: Storage | undefined;
  /** What the storage holds; undefined when that is nothing, or not known. */
  #stored: boolean | undefined;
  #wanted: boolean | undefined;
  #timer: Timer | undefined;

  constructor(storage: typeof KeyValueStorage) {
    try {
      this.#storage = storage.open({ path: PATH, format: "string" });
      const text = this.#storage.read(KEY);
      if (text === "1" || text === "0") this.#stored = text === "1";
    } catch {
      trace("relay: the stored state cannot be read\n");
    }
  }

  /** The state last stored; undefined when there is none. */
  get stored(): boolean | undefined {
    return this.#stored;
  }

  /** Has `on` stored, now or at the end of the interval. */
  store(on: boolean): void {
    this.#wanted = on;
    this.work();
  }

  /** What was not stored yet no longer has to be. */
  forget(): void {
    this.#wanted = undefined;
  }

  private work(): void {
    if (this.#timer || this.#wanted === undefined || this.#wanted === this.#stored || !this.#storage) return;
    // No timer runs, so the last write, if any, is at least an interval ago.
    try {
      this.#storage.write(KEY, this.#wanted ? "1" : "0");
      this.#stored = this.#wanted;
    } catch {
      this.#stored = undefined;
      trace("relay: the state cannot be stored\n");
    }
    this.#timer = Timer.set(() => {
      this.#timer = undefined;
      this.work();
    }, STORE_INTERVAL);
  }
}
