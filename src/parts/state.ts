import type KeyValueStorage from "embedded:storage/key-value";

/** The storage's domain (NVS: at most 15 characters, as a key). */
const PATH = "state";

/**
 * The text under `key` of what the device keeps across a restart; undefined when there is none. Throws what the storage throws. The
 * storage is opened for the moment only: kept open it takes memory, and it is asked for seldom.
 */
export function readState(storage: typeof KeyValueStorage, key: string): unknown {
  const state = storage.open({ path: PATH, format: "string" });
  try {
    return state.read(key);
  } finally {
    state.close();
  }
}

/** Stores `text` under `key`. Throws what the storage throws. */
export function writeState(storage: typeof KeyValueStorage, key: string, text: string): void {
  const state = storage.open({ path: PATH, format: "string" });
  try {
    state.write(key, text);
  } finally {
    state.close();
  }
}
