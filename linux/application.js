import { keep as keepBytes, quit, recall as recallBytes, restarts, say } from "native";

export { crash, forgetCrash, heap, resetReason } from "native";

/** No updates here: there is a single image. */
export function confirm() {}

export function reject() {
  restart();
}

/** The program cannot restart itself: it reports the restart to its parent. */
export function restart() {
  say("restart\n");
  restarts();
  quit();
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

export function release() {}

/** The firmware's trace already goes to standard error. */
export function openConsole() {}
