/** This project's own name for what ESP-IDF does for the running application (boards/esp32/application.js). */
declare module "application" {
  /** esp_ota_mark_app_valid_cancel_rollback. */
  export function confirm(): void;
  /** esp_ota_mark_app_invalid_rollback_and_reboot. */
  export function reject(): void;
  export function restart(): void;
  /** esp_reset_reason_t: what has started the chip. */
  export function resetReason(): number;
  /** Where the firmware was when it crashed last, as the core dump tells it; empty when there is none. It is forgotten with that. */
  export function crash(): string;
  /**
   * How the storage was set up: 0 as it was, 1 it would not open, was set aside and begun anew, 2 its place in the flash is broken and
   * another one stands in, 3 as 1, but it could not be set aside.
   */
  export function storeState(): 0 | 1 | 2 | 3;
  /** Fills `bytes`, a whole buffer, from the memory that outlives a restart. Throws beyond its end. */
  export function recall(bytes: Uint8Array, at: number): void;
  /** Puts `bytes`, a whole buffer, there. Throws beyond its end. */
  export function keep(bytes: Uint8Array, at: number): void;
  /** Bytes of the system's heap: 0 free now, 1 the least ever free, 2 the largest free block. Undefined where nobody counts. */
  export function heap(what: 0 | 1 | 2): number | undefined;
  /** Takes a pin from whatever the chip's reset has given it to (the C3's GPIO 18 and 19: USB). */
  export function release(pin: number): void;
  /** From now on what the firmware traces goes to the console: a release build of the SDK says nothing. */
  export function openConsole(): void;
}
