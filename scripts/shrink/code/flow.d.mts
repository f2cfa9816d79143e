import type { Instruction } from "./bytecode.mjs";
export interface Flow {
  /** By instruction: those that may follow it. */
  next: number[][];
  /** By instruction: the variables that its function has there, each by what has made it; undefined: nothing leads there. */
  scopes: (readonly Instruction[] | undefined)[];
}
export function flowOf(list: readonly Instruction[]): Flow;
