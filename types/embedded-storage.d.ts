/** ECMA-419 key-value storage, as Moddable SDK 8.2 has it. On the ESP32 it is NVS. */
declare module "embedded:storage/key-value" {
  /**
   * A key is at most 15 characters and a text at most 4,000 bytes (NVS). `read` answers undefined for an absent key (its type
   * does not say so) and throws when the stored value has another format.
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
