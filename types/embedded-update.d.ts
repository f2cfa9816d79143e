/** The SDK's modules/io/update and modules/io/flash (ECMA-419), as far as the firmware uses them. */
declare module "embedded:storage/flash" {
  export interface FlashStatus {
    /** Bytes of the partition and of an erase block. */
    size: number;
    blockLength: number;
    blocks: number;
  }

  export interface Flash {
    close(): void;
    status(): FlashStatus;
    /** Fills `buffer` with the bytes from `at` on; returns their number. Throws if the flash fails, like the others. */
    read(buffer: Uint8Array, at: number): number;
    /** Clears bits: a byte becomes what it was AND what is written. */
    write(bytes: Uint8Array, at: number): void;
    /** Erases blocks [first, end), or one: all bits become 1. */
    eraseBlock(first: number, end?: number): void;
  }

  const FlashStorage: {
    /** "nextota": the inactive application slot; else a data partition by its name. Throws if there is no such partition. */
    open(options: { path: string; mode?: "r" | "r+" }): Flash;
  };
  export default FlashStorage;
}

declare module "embedded:update" {
  import type { Flash } from "embedded:storage/flash";

  export interface Updater {
    write(bytes: ByteBuffer): void;
    complete(): void;
    close(): void;
  }

  const Update: {
    /** Mode "a": sequential writes from the first byte. Throws if that is not possible. */
    open(options: { partition: Flash; mode?: "a" | "w"; byteLength?: number }): Updater;
  };
  export default Update;
}
