import type { Storage } from "embedded:storage/key-value";

/** A key-value storage in memory with NVS's limits, that counts its writes and can be told to fail. What it holds outlives those who opened it. */
export class MemoryStorage {
  readonly domains = new Map<string, Map<string, unknown>>();
  writes = 0;
  failsToOpen = false;
  failsToRead: string[] = [];
  /** Writes left until the power goes: each later one throws and stores nothing. */
  writesLeft = Infinity;

  open(options: { path: string; format?: "buffer" | "string"; mode?: "r" | "r+" }): Storage {
    if (this.failsToOpen) throw new Error("NVS_NOT_INITIALIZED");
    if (options.path.length > 15) throw new Error("NVS_INVALID_NAME");
    const entries = this.domain(options.path);
    return {
      format: options.format ?? "buffer",
      read: (key) => {
        if (this.failsToRead.includes(key)) throw new Error("NVS_CORRUPT_KEY");
        // The type is the SDK's: it forgets that there may be none.
        return entries.get(key) as string;
      },
      write: (key, value) => {
        if (this.writesLeft-- <= 0) throw new Error("NVS_NOT_ENOUGH_SPACE");
        if (key.length > 15) throw new Error("NVS_KEY_TOO_LONG");
        if (typeof value !== "string") throw new TypeError("mismatch");
        if (new TextEncoder().encode(value).length >= 4000) throw new Error("NVS_VALUE_TOO_LONG");
        this.writes++;
        entries.set(key, value);
      },
      delete: (key) => void entries.delete(key),
      close: () => undefined,
      [Symbol.iterator]: () => entries.keys(),
    };
  }

  domain(path: string): Map<string, unknown> {
    let entries = this.domains.get(path);
    if (!entries) this.domains.set(path, (entries = new Map<string, unknown>()));
    return entries;
  }
}
