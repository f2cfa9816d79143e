import type { Opcode } from "./opcodes.mjs";
export function proveCode(input: string, output: string, opcodes: readonly Opcode[]): void;
