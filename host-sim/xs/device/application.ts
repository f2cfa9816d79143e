import { BOARD } from "../protocol";
import { invoke } from "./link";

export function confirm(): void {
  invoke(BOARD, "confirm");
}

export function reject(): void {
  invoke(BOARD, "reject");
}

export function restart(): void {
  invoke(BOARD, "restart");
}
