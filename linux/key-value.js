import { environment, load, remove, store } from "native";
import { isTroubled } from "troubles";

/** NVS limits: characters of a domain or key, and bytes of a string with its NUL. */
const NAME_CHARACTERS = 15;
const TEXT_BYTES = 4000;

function name(text) {
  if (!text || text.length > NAME_CHARACTERS) throw new Error("ESP_ERR_NVS_INVALID_NAME");
  return text;
}

/** One file per value in the folder named by the environment. */
class Domain {
  #prefix;

  constructor(prefix) {
    this.#prefix = prefix;
  }

  get format() {
    return "string";
  }

  read(key) {
    return load(this.#prefix + name(key));
  }

  write(key, value) {
    if (typeof value !== "string") throw new TypeError("not a text");
    if (ArrayBuffer.fromString(value).byteLength + 1 > TEXT_BYTES) throw new Error("ESP_ERR_NVS_VALUE_TOO_LONG");
    if (isTroubled("storage-full")) throw new Error("ESP_ERR_NVS_NOT_ENOUGH_SPACE");
    store(this.#prefix + name(key), value);
  }

  delete(key) {
    remove(this.#prefix + name(key));
  }

  close() {
    this.#prefix = undefined;
  }
}

const KeyValueStorage = {
  open({ path, format }) {
    if (isTroubled("storage-closed")) throw new Error("ESP_ERR_NVS_NOT_INITIALIZED");
    if (format !== "string") throw new RangeError("unsupported");
    const folder = environment("BMS_STORAGE");
    if (!folder) throw new Error("no storage: BMS_STORAGE names no folder");
    return new Domain(`${folder}/${name(path)}.`);
  },
};
export default Object.freeze(KeyValueStorage, true);
