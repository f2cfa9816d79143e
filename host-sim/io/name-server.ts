import { SimulatedBoard } from "../board";

export function setNameServer(over: "ethernet" | "station", index: 0 | 1, address: string): void {
  SimulatedBoard.current.setNameServer(over, index, address);
}
