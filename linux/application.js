import { keep as keepBytes, quit, recall as recallBytes, say } from "native";

/** No updates here: there is a single image. */
export function confirm() {}

export function reject() {
  quit();
}

/** The program cannot restart itself: it reports the restart to its parent. */
export function restart() {
  say("restart\n");
  quit();
}

/** ESP_RST_POWERON: each run counts as a power-on. */
export function resetReason() {
  return 1;
}

export function crash() {
  return "";
}

/** Each value is a file: no set-up needed. */
export function storeState() {
  return 0;
}

export function recall(bytes, at) {
  recallBytes(bytes.buffer, at);
}

export function keep(bytes, at) {
  keepBytes(bytes.buffer, at);
}

/** Heap figures are not available on Linux. */
export function heap() {}

export function release() {}

/** The firmware's trace already goes to standard error. */
export function openConsole() {}
