import FFI from "mc/ffi";

// Created on use: natives created at preload cannot be linked.
export function confirm() {
  new FFI().esp_ota_mark_app_valid_cancel_rollback();
}

export function reject() {
  new FFI().esp_ota_mark_app_invalid_rollback_and_reboot();
}

export function restart() {
  new FFI().esp_restart();
}

export function resetReason() {
  return new FFI().esp_reset_reason();
}

export function crash() {
  return new FFI().lifeCrash();
}

export function forgetCrash() {
  new FFI().lifeForgetCrash();
}

export function storeState() {
  return new FFI().storeState();
}

export function recall(bytes, at) {
  if (!new FFI().lifeRecall(bytes.buffer, at, bytes.length)) throw new RangeError("beyond the end");
}

export function keep(bytes, at) {
  if (!new FFI().lifeKeep(bytes.buffer, at, bytes.length)) throw new RangeError("beyond the end");
}

export function heap(what) {
  return new FFI().lifeHeap(what);
}

export function release(pin) {
  new FFI().gpio_reset_pin(pin);
}

export function openConsole() {
  const platform = new FFI();
  globalThis.trace = (...texts) => {
    for (const text of texts) platform.lifeSay(String(text));
  };
}
