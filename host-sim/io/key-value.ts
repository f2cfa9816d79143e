import type { Storage } from "embedded:storage/key-value";
import { SimulatedBoard } from "../board";
import { bytesOf } from "../bytes";
import type { StoredValue } from "../storage";

/** NVS: maximum length of a domain or key name, characters. */
const NAME_CHARACTERS = 15;
/** NVS: maximum size of a text including its terminating NUL, bytes. */
const TEXT_BYTES = 4000;

type Format = "buffer" | "string";

function name(text: string): string {
  if (!text) throw new Error("ESP_ERR_NVS_INVALID_NAME");
  if (text.length > NAME_CHARACTERS) throw new Error("ESP_ERR_NVS_KEY_TOO_LONG");
  return text;
}

function checked(format: string): Format {
  if (format !== "buffer" && format !== "string") throw new RangeError("unsupported");
  return format;
}

class Domain implements Storage {
  readonly #storage = SimulatedBoard.current.storage;
  readonly #refusals = SimulatedBoard.current.refusals;
  readonly #path: string;
  readonly #writable: boolean;
  readonly #detach: () => void;
  #format: Format;
  #open = true;

  constructor(path: string, format: Format, writable: boolean) {
    this.#path = path;
    this.#format = format;
    this.#writable = writable;
    this.#detach = SimulatedBoard.current.attach(() => this.close());
  }

  get format(): Format {
    return this.#format;
  }

  set format(format: Format) {
    this.#format = checked(format);
  }

  /** Undefined if absent, although the SDK's type does not say so. */
  read(key: string): string | ArrayBuffer {
    this.#check();
    const value = this.#storage.read(this.#path, name(key));
    if (!value) return undefined as unknown as string;
    if (this.#format === "string") {
      if (!("string" in value)) throw new TypeError("mismatch");
      return value.string;
    }
    if (!("buffer" in value)) throw new TypeError("mismatch");
    return Uint8Array.from(atob(value.buffer), (byte) => byte.charCodeAt(0)).buffer;
  }

  write(key: string, value: ByteBuffer | string): void {
    this.#check(true);
    if (this.#format === "string") {
      if (typeof value !== "string") throw new TypeError("not a text");
      if (new TextEncoder().encode(value).length + 1 > TEXT_BYTES) throw new Error("ESP_ERR_NVS_VALUE_TOO_LONG");
      this.#store(name(key), { string: value });
    } else {
      if (typeof value === "string") throw new TypeError("not a buffer");
      this.#store(name(key), { buffer: btoa(String.fromCharCode(...bytesOf(value))) });
    }
  }

  delete(key: string): void {
    this.#check(true);
    this.#storage.delete(this.#path, name(key));
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#detach();
  }

  [Symbol.iterator](): IterableIterator<string> {
    this.#check();
    return this.#storage.keys(this.#path)[Symbol.iterator]();
  }

  /** A full NVS still reads and erases. */
  #store(key: string, value: StoredValue): void {
    if (this.#refusals.storage === "full") throw new Error("ESP_ERR_NVS_NOT_ENOUGH_SPACE");
    const fails = this.#refusals.refusesWrite();
    this.#storage.write(this.#path, key, value);
    if (fails) throw new Error("ESP_ERR_NVS_REMOVE_FAILED");
  }

  #check(write = false): void {
    if (!this.#open) throw new TypeError("closed");
    if (write && !this.#writable) throw new Error("read-only");
  }
}

/** The SDK's key-value storage for the ESP32 (NVS), backed by the board's storage file. */
const KeyValueStorage = Object.freeze({
  open({ path, format = "buffer", mode = "r+" }: { path: string; format?: Format; mode?: "r" | "r+" }): Storage {
    const domain = name(path.replace(/\/$/, ""));
    const { refusals } = SimulatedBoard.current;
    if (refusals.storage === "closed") throw new Error("ESP_ERR_NVS_NOT_INITIALIZED");
    if (refusals.refusesAllocation()) throw new Error("ESP_ERR_NO_MEM");
    if (!["r", "r+"].includes(mode)) throw new Error("invalid mode");
    if (mode === "r" && !SimulatedBoard.current.storage.has(domain)) throw new Error("ESP_ERR_NVS_NOT_FOUND");
    return new Domain(domain, checked(format), mode === "r+");
  },
});
export default KeyValueStorage;
