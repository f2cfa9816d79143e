/** The SDK's modules/io/update and modules/io/flash (ECMA-419), which have no typings. */
declare module "embedded:storage/flash" {
  export interface Partition {
    /** Bytes of the partition and of an erase block. */
    status(): { readonly size: number; readonly blocks: number; readonly blockLength: number };
    close(): void;
  }
  const flash: {
    /** "nextota": the application slot that is not running. Throws when there is no such partition. */
    open(options: { readonly path: string; readonly mode?: "r" | "r+" }): Partition;
  };
  export default flash;
}

declare module "embedded:update" {
  import type { Partition } from "embedded:storage/flash";
  export interface Updating {
    write(bytes: ByteBuffer): void;
    complete(): void;
    close(): void;
  }
  const update: {
    /** Mode "a": written from its first byte on. Throws when it cannot be. */
    open(options: { readonly partition: Partition; readonly mode?: "a" | "w"; readonly byteLength?: number }): Updating;
  };
  export default update;
}

/** This project's own name for what ESP-IDF does with the running application (boards/esp32/application.js). */
declare module "application" {
  /** esp_ota_mark_app_valid_cancel_rollback. */
  export function confirm(): void;
  /** esp_ota_mark_app_invalid_rollback_and_reboot. */
  export function reject(): void;
  export function restart(): void;
}

/** The digests of the SDK's modules/crypt/digest, which has no typing of its own. */
declare module "crypt" {
  export class Digest {
    constructor(type: "SHA256");
    write(bytes: ByteBuffer): void;
    close(): ArrayBuffer;
  }
}
