import { BOARD } from "../protocol";
import { invoke } from "./link";

export function setNameServer(over: "ethernet" | "station", index: 0 | 1, address: string): void {
  invoke(BOARD, "setNameServer", over, index, address);
}
