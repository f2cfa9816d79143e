import FFI from "mc/ffi";

// Made where it is used: a native made at preload could not be linked.
export function confirm() {
  new FFI().esp_ota_mark_app_valid_cancel_rollback();
}

export function reject() {
  new FFI().esp_ota_mark_app_invalid_rollback_and_reboot();
}

export function restart() {
  new FFI().esp_restart();
}
