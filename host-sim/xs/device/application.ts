import { BOARD } from "../protocol";
import { invoke } from "./link";

export function restart(): void {
  invoke(BOARD, "restart");
}
