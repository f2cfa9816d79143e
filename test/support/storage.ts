import type { Storage } from "embedded:storage/key-value";
import type { SimulatedBoard } from "../../host-sim/board";
import KeyValueStorage from "../../host-sim/io/key-value";
import { poweredBoard } from "./simulated-board";

type OpenOptions = Parameters<typeof KeyValueStorage.open>[0];

/** The key-value storage of a board, which counts what is written to it and fails when a test says so. */
export class FaultyStorage {
  readonly board: SimulatedBoard;
  writes = 0;
  failsToOpen = false;
  failsToRead: string[] = [];
  failsToDelete = false;
  /** Writes left until the power goes: each later one throws and stores nothing. */
  writesLeft = Infinity;
  /** What no text is and the class hands out all the same, by domain and key. */
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
      // The type is the SDK's: it forgets what is no text.
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

  /** What is stored as text. */
  get(domain: string, key: string): string | undefined {
    const value = this.board.storage.read(domain, key);
    return value && "string" in value ? value.string : undefined;
  }

  /** Stores past the firmware. */
  put(domain: string, key: string, value: unknown): void {
    const place = `${domain}/${key}`;
    if (typeof value === "string") {
      this.#strange.delete(place);
      this.board.storage.write(domain, key, { string: value });
    } else this.#strange.set(place, value);
  }
}
