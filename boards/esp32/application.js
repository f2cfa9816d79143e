/**
 * The functions of types/application.d.ts, on the chip by life.c and in the Linux build by linux/life.c. Natives are part of the preloaded heap:
 * nothing is created at run time.
 */
export function confirm() {
  return native("xs_life_confirm").call(this);
}

export function reject() {
  return native("xs_life_reject").call(this);
}

export function runningSlot() {
  return native("xs_life_runningSlot").call(this);
}

export function restart() {
  return native("xs_life_restart").call(this);
}

export function resetReason() {
  return native("xs_life_resetReason").call(this);
}

export function utc() {
  return native("xs_life_utc").call(this);
}

export function crash() {
  return native("xs_life_crash").call(this);
}

export function forgetCrash() {
  return native("xs_life_forgetCrash").call(this);
}

export function storeState() {
  return native("xs_life_storeState").call(this);
}

export function eraseStore() {
  return native("xs_life_eraseStore").call(this);
}

export function recall(bytes, at) {
  return native("xs_life_recall").call(this, bytes, at);
}

export function keep(bytes, at) {
  return native("xs_life_keep").call(this, bytes, at);
}

export function heap(what) {
  return native("xs_life_heap").call(this, what);
}

export function hasRoom(slots, bytes) {
  return native("xs_room_has").call(this, slots, bytes);
}

export function release(pin) {
  return native("xs_life_release").call(this, pin);
}

function watch() {
  return native("xs_life_watch").call(this);
}

function begin() {
  return native("xs_abort_begin").call(this);
}

function end(reason, exception) {
  return native("xs_abort_end").call(this, reason, exception);
}

/** The SDK's abort hook: see abort.c. */
const HOOK = Object.freeze({
  get: () => {
    begin();
    return end;
  },
});

export function watchAborts() {
  watch();
  Object.defineProperty(globalThis, "abort", HOOK);
}

function say(text) {
  return native("xs_life_say").call(this, text);
}

export function openConsole() {
  globalThis.trace = (...texts) => {
    // The SDK's MQTT client, which does not know why: the firmware says it.
    if (texts[0] === "mqttClient error: " && texts[1] === "unknown") return;
    for (const text of texts) say(String(text));
  };
}
