import type { Opcode } from "./opcodes.mjs";
export interface Instruction {
  name: string;
  operand: readonly number[];
  /** Where it leads besides, or instead of, the next one. */
  to?: Instruction;
}
export function decode(code: readonly number[], opcodes: readonly Opcode[]): Instruction[];
export function encode(list: readonly Instruction[], opcodes: readonly Opcode[]): number[];
