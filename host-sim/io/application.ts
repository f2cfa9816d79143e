import { SimulatedBoard } from "../board";

export function confirm(): void {
  SimulatedBoard.current.slots.confirm();
}

export function reject(): void {
  const board = SimulatedBoard.current;
  board.slots.reject();
  board.restart();
}

export function restart(): void {
  SimulatedBoard.current.restart();
}
