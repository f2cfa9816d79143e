/** This project's own module: ESP-IDF functions for the running application (boards/esp32/application.js). */
declare module "application" {
  /** esp_ota_mark_app_valid_cancel_rollback. */
  export function confirm(): void;
  /** esp_ota_mark_app_invalid_rollback_and_reboot. */
  export function reject(): void;
  /** Place in flash of the running application: esp_ota_get_running_partition. */
  export function runningSlot(): number;
  export function restart(): void;
  /** Reason of the last reset: esp_reset_reason_t. */
  export function resetReason(): number;
  /** Seconds since 1970 by the chip's clock, which goes on over a restart; after power-on it counts from 0. */
  export function utc(): number;
  /** Location of the last crash, from the core dump; empty without one. */
  export function crash(): string;
  /** Erases the core dump, which `crash` leaves: on the chip the script stands still for about a third of a second. */
  export function forgetCrash(): void;
  /**
   * How the storage was initialized. 0: unchanged. 1: it could not be opened; copied aside and erased. 2: its flash is bad; another
   * partition stands in. 3: as 1, but it could not be copied.
   */
  export function storeState(): 0 | 1 | 2 | 3;
  /**
   * Erases the flash of the storage and of its copies: a deleted value leaves its bytes there. On the chip the script stands still for about
   * a second. False: a part of the flash cannot be erased.
   */
  export function eraseStore(): boolean;
  /** Fills `bytes`, a whole buffer, from byte `at` of the memory retained across a restart. Throws beyond its end. */
  export function recall(bytes: Uint8Array, at: number): void;
  /** Stores `bytes`, a whole buffer, at byte `at` of that memory. Throws beyond its end. */
  export function keep(bytes: Uint8Array, at: number): void;
  /** System heap, bytes. 0: free, 1: minimum ever free, 2: largest free block. Undefined on platforms that do not report it. */
  export function heap(what: 0 | 1 | 2): number | undefined;
  /** Whether XS has so many free slots and bytes of chunks: if not at once, then after a collection. */
  export function hasRoom(slots: number, bytes: number): boolean;
  /** Detaches a pin from its function after reset (the C3's GPIO 18 and 19: USB, which then stops). */
  export function release(pin: number): void;
  /** From now on the retained memory keeps why XS ended the script (src/runtime/retained.ts). */
  export function watchAborts(): void;
  /** Sends `trace` output to the console from now on: in a release build of the SDK it goes nowhere. */
  export function openConsole(): void;
}
