import type KeyValueStorage from "embedded:storage/key-value";
import type { Storage } from "embedded:storage/key-value";
import { countersOf, textOf, type StoredCounters } from "./stored-counters";

/** The storage's domain and key (NVS: at most 15 characters). */
const PATH = "state";
const KEY = "energy";

/** The counters in the key-value storage. */
export class EnergyStore {
  #storage: Storage | undefined;

  constructor(storage: typeof KeyValueStorage) {
    try {
      this.#storage = storage.open({ path: PATH, format: "string" });
    } catch {
      trace("energy: the storage cannot be opened\n");
    }
  }

  /** What is stored: zeros when that is nothing, or none of ours; undefined when it cannot be read, and may be whole. */
  read(): StoredCounters | undefined {
    if (!this.#storage) return undefined;
    let stored: unknown;
    try {
      stored = this.#storage.read(KEY);
    } catch {
      trace("energy: the stored counters cannot be read\n");
      return undefined;
    }
    const counters = stored === undefined ? undefined : countersOf(stored);
    if (stored !== undefined && !counters) trace("energy: the stored counters are corrupt, counting from 0\n");
    return counters ?? { charged: 0, discharged: 0 };
  }

  /** False: not stored. */
  write(charged: number, discharged: number): boolean {
    if (!this.#storage) return false;
    try {
      this.#storage.write(KEY, textOf(charged, discharged));
      return true;
    } catch {
      trace("energy: the counters cannot be stored\n");
      return false;
    }
  }
}
