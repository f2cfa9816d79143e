import { quit, say } from "native";

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
