import { say } from "native";

/** A program does not start itself again: it says so to whoever runs it. */
export function restart() {
  say("restart\n");
}
