import { SimulatedBoard } from "../board";

export function restart(): void {
  SimulatedBoard.current.restart();
}
