/** ECMA-419 key-value storage of Moddable SDK 8.2; on the ESP32, NVS. */
declare module "embedded:storage/key-value" {
  /**
   * A key has at most 15 characters, a text at most 4,000 bytes (NVS). `read` returns undefined for an absent key (despite its
   * type) and throws if the stored value has another format.
   */
  export class Storage {
    format: "buffer" | "string";
    read(key: string): ArrayBuffer | string | number | bigint;
    write(key: string, value: ByteBuffer | string): void;
    delete(key: string): void;
    close(): void;
    [Symbol.iterator](): IterableIterator<string>;
  }

  const KeyValueStorage: {
    open(options: { path: string; format?: "buffer" | "string"; mode?: "r" | "r+" }): Storage;
  };
  export default KeyValueStorage;
}
