import { quit } from "native";

/** Nothing is flashed here: there is one image, and it stays. */
export function confirm() {}

export function reject() {
  quit();
}

export function restart() {
  quit();
}
