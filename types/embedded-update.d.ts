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
  }

  const FlashStorage: {
    /** "nextota": the inactive application slot. Throws if there is no such partition. */
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
