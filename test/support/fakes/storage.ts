import type { Storage } from "embedded:storage/key-value";
import type { SimulatedBoard } from "../../../host-sim/board";
import KeyValueStorage from "../../../host-sim/io/key-value";
import { poweredBoard } from "../system/simulated-board";

type OpenOptions = Parameters<typeof KeyValueStorage.open>[0];

/** A board's key-value storage that counts writes and fails on demand. */
export class FaultyStorage {
  readonly board: SimulatedBoard;
  writes = 0;
  failsToOpen = false;
  failsToRead: string[] = [];
  failsToDelete = false;
  /** Writes left before the power fails: later ones throw and store nothing. */
  writesLeft = Infinity;
  /** Non-string values that the class returns all the same, by domain and key. */
  readonly #strange = new Map<string, unknown>();

  constructor(board: SimulatedBoard = poweredBoard()) {
    this.board = board;
  }

  open(options: OpenOptions): Storage {
    if (this.failsToOpen) throw new Error("ESP_ERR_NVS_NOT_INITIALIZED");
    const storage = KeyValueStorage.open(options);
    const read = storage.read.bind(storage);
    const write = storage.write.bind(storage);
    storage.read = (key) => {
      if (this.failsToRead.includes(key)) throw new Error("ESP_ERR_NVS_NOT_FOUND");
      const strange = this.#strange.get(`${options.path}/${key}`);
      // The SDK's type ignores values that are not strings.
      return strange === undefined ? read(key) : (strange as string);
    };
    storage.write = (key, value) => {
      if (this.writesLeft-- <= 0) throw new Error("ESP_ERR_NVS_NOT_ENOUGH_SPACE");
      write(key, value);
      this.#strange.delete(`${options.path}/${key}`);
      this.writes++;
    };
    const remove = storage.delete.bind(storage);
    storage.delete = (key) => {
      if (this.failsToDelete) throw new Error("ESP_ERR_NVS_INVALID_STATE");
      remove(key);
    };
    return storage;
  }

  /** The stored value if it is a string. */
  get(domain: string, key: string): string | undefined {
    const value = this.board.storage.read(domain, key);
    return value && "string" in value ? value.string : undefined;
  }

  /** Stores a value behind the firmware's back. */
  put(domain: string, key: string, value: unknown): void {
    const place = `${domain}/${key}`;
    if (typeof value === "string") {
      this.#strange.delete(place);
      this.board.storage.write(domain, key, { string: value });
    } else this.#strange.set(place, value);
  }
}
