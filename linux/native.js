/** The natives of main.c, clock.c and census.c, and setHeap of life.c. */
export function environment(name) {
  return native("xs_linux_environment").call(this, name);
}

export function random(length) {
  return native("xs_linux_random").call(this, length);
}

export function load(path) {
  return native("xs_linux_load").call(this, path);
}

export function store(path, text) {
  return native("xs_linux_store").call(this, path, text);
}

export function remove(path) {
  return native("xs_linux_remove").call(this, path);
}

export function say(text) {
  return native("xs_linux_say").call(this, text);
}

export function onLine(callback) {
  return native("xs_linux_onLine").call(this, callback);
}

export function level(pin) {
  return native("xs_linux_level").call(this, pin);
}

export function setLevel(pin, value) {
  return native("xs_linux_setLevel").call(this, pin, value);
}

export function counts(pin) {
  return native("xs_linux_counts").call(this, pin);
}

export function setCounts(pin, value) {
  return native("xs_linux_setCounts").call(this, pin, value);
}

export function slots() {
  return native("xs_linux_slots").call(this);
}

export function chunks() {
  return native("xs_linux_chunks").call(this);
}

export function stack() {
  return native("xs_linux_stack").call(this);
}

export function cpu() {
  return native("xs_linux_cpu").call(this);
}

export function census() {
  return native("xs_linux_census").call(this);
}

export function setHeap(free, least, block) {
  return native("xs_linux_setHeap").call(this, free, least, block);
}

export function serialWritten(bytes) {
  return native("xs_linux_serialWritten").call(this, bytes);
}

export function serialRead(bytes) {
  return native("xs_linux_serialRead").call(this, bytes);
}
