import type { Storage } from "embedded:storage/key-value";
import { bytesOf } from "../../bytes";
import { invoke, Port } from "./link";

type Format = "buffer" | "string";
type Value = { readonly text: string } | { readonly bytes: readonly number[] };

class Domain extends Port implements Storage {
  get format(): Format {
    return invoke(this.id, "format") as Format;
  }

  set format(format: Format) {
    invoke(this.id, "setFormat", format);
  }

  /** The SDK's type omits undefined. */
  read(key: string): ArrayBuffer | string {
    const value = invoke(this.id, "read", key) as Value | undefined;
    if (!value) return undefined as unknown as string;
    return "text" in value ? value.text : Uint8Array.from(value.bytes).buffer;
  }

  write(key: string, value: ByteBuffer | string): void {
    invoke(this.id, "write", key, typeof value === "string" ? { text: value } : { bytes: [...bytesOf(value)] });
  }

  delete(key: string): void {
    invoke(this.id, "delete", key);
  }

  [Symbol.iterator](): IterableIterator<string> {
    return (invoke(this.id, "keys") as string[])[Symbol.iterator]();
  }
}

const KeyValueStorage = Object.freeze({
  open(options: { path: string; format?: Format; mode?: "r" | "r+" }): Storage {
    return new Domain("key-value", options);
  },
});
export default KeyValueStorage;
