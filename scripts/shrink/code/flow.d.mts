import type { Instruction } from "./bytecode.mjs";
export interface Flow {
  /** By instruction: those that may follow it. */
  next: number[][];
  /** By instruction: how many variables its function has there; undefined: nothing leads there. */
  variables: (number | undefined)[];
}
export function flowOf(list: readonly Instruction[]): Flow;
