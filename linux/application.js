import { keep as keepBytes, quit, recall as recallBytes, say } from "native";

/** Nothing is flashed here: there is one image, and it stays. */
export function confirm() {}

export function reject() {
  quit();
}

/** A program does not start itself again: it says so to whoever runs it. */
export function restart() {
  say("restart\n");
  quit();
}

/** ESP_RST_POWERON: each run of the program is one. */
export function resetReason() {
  return 1;
}

export function crash() {
  return "";
}

/** Each text is a file: there is nothing to set up. */
export function storeState() {
  return 0;
}

export function recall(bytes, at) {
  recallBytes(bytes.buffer, at);
}

export function keep(bytes, at) {
  keepBytes(bytes.buffer, at);
}

/** Nobody counts a Linux program's heap. */
export function heap() {}

export function release() {}

/** What the firmware traces goes to standard error already. */
export function openConsole() {}
