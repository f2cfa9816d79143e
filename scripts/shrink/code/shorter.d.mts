import type { Opcode } from "./opcodes.mjs";
export function shorter(code: readonly number[], opcodes: readonly Opcode[]): number[];
/** Throws for a file that is not as xsl writes it. */
export function shortened(source: string, opcodes: readonly Opcode[]): string;
/** Without the proof. */
export function withShorterCode(source: string, opcodes: readonly Opcode[]): string;
