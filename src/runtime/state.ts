import type KeyValueStorage from "embedded:storage/key-value";

/** Domain in the storage (NVS: at most 15 characters, like a key). */
const PATH = "state";

/**
 * Reads the text under `key` from the state kept across restarts; undefined if absent. Throws the storage's errors. The
 * storage is opened for each access: accesses are rare, and keeping it open would take memory.
 */
export function readState(storage: typeof KeyValueStorage, key: string): unknown {
  const state = storage.open({ path: PATH, format: "string" });
  try {
    return state.read(key);
  } finally {
    state.close();
  }
}

/** Stores `text` under `key`. Throws the storage's errors. */
export function writeState(storage: typeof KeyValueStorage, key: string, text: string): void {
  const state = storage.open({ path: PATH, format: "string" });
  try {
    state.write(key, text);
  } finally {
    state.close();
  }
}
