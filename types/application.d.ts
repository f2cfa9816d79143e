/** This project's own name for what ESP-IDF does with the running application (boards/esp32/application.js). */
declare module "application" {
  /** esp_ota_mark_app_valid_cancel_rollback. */
  export function confirm(): void;
  /** esp_ota_mark_app_invalid_rollback_and_reboot. */
  export function reject(): void;
  export function restart(): void;
}
