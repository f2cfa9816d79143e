export interface Opcode {
  /** Without `XS_CODE_`. */
  readonly name: string;
  /** Bytes of an instruction. Below 0: the bytes of a length that follows the opcode, and as many as it says follow that. */
  readonly size: number;
}
export function readOpcodes(sdk: string): Opcode[];
