/** Writes and reads bytecode by the names of its instructions, without the code under test. */
import type { Opcode } from "../../../scripts/shrink/code/opcodes.mjs";

/** Numbers and sizes as in xs/sources/xsCommon.h and xs/sources/xsCommon.c; of the others nothing is tested. */
const NAMES: Readonly<Record<string, readonly [number: number, size: number]>> = {
  NO_CODE: [0, 1],
  ADD: [1, 1],
  ARGUMENT: [2, 2],
  BEGIN_STRICT: [12, 2],
  BRANCH_1: [22, 2],
  BRANCH_2: [23, 3],
  BRANCH_4: [24, 5],
  BRANCH_ELSE_1: [31, 2],
  BRANCH_ELSE_2: [32, 3],
  BRANCH_ELSE_4: [33, 5],
  BRANCH_IF_1: [34, 2],
  BRANCH_IF_2: [35, 3],
  BRANCH_IF_4: [36, 5],
  CATCH_1: [41, 2],
  CATCH_2: [42, 3],
  CATCH_4: [43, 5],
  CODE_1: [46, 2],
  CODE_2: [47, 3],
  CODE_4: [48, 5],
  CONST_LOCAL_1: [54, 2],
  DUB: [66, 1],
  END: [68, 1],
  END_ARROW: [69, 1],
  EXCEPTION: [79, 1],
  FALSE: [82, 1],
  FUNCTION: [87, 3],
  GET_CLOSURE_1: [90, 2],
  GET_LOCAL_1: [92, 2],
  GET_PROPERTY: [96, 3],
  INCREMENT: [111, 1],
  INTEGER_1: [114, 2],
  LET_LOCAL_1: [122, 2],
  LINE: [124, 3],
  NEW_CLOSURE: [133, 3],
  NEW_LOCAL: [134, 3],
  NEW_PRIVATE_1: [135, 2],
  NEW_PROPERTY: [137, 3],
  NEW_TEMPORARY: [139, 1],
  NOT: [140, 1],
  OBJECT: [144, 1],
  POP: [146, 1],
  PULL_CLOSURE_1: [149, 2],
  PULL_LOCAL_1: [151, 2],
  REFRESH_CLOSURE_1: [153, 2],
  REFRESH_LOCAL_1: [155, 2],
  RESERVE_1: [158, 2],
  RESET_LOCAL_1: [162, 2],
  RETRIEVE_1: [165, 2],
  RETRIEVE_THIS: [168, 1],
  RUN: [170, 1],
  SET_CLOSURE_1: [178, 2],
  SET_LOCAL_1: [181, 2],
  SET_RESULT: [187, 1],
  STORE_1: [196, 2],
  STRICT_NOT_EQUAL: [200, 1],
  STRING_1: [201, -1],
  SWAP: [209, 1],
  THIS: [214, 1],
  THROW: [215, 1],
  TO_INSTANCE: [217, 1],
  TRUE: [221, 1],
  UNCATCH: [223, 1],
  UNDEFINED: [224, 1],
  UNWIND_1: [226, 2],
  VAR_LOCAL_1: [230, 2],
  VOID: [232, 1],
  WITH: [233, 1],
};

export const OPCODES: readonly Opcode[] = Array.from({ length: 246 }, (_, number) => {
  const [name, [, size]] = Object.entries(NAMES).find(([, [its]]) => its === number) ?? ["", [0, 1] as const];
  return { name, size };
});

const little = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) & 0xff);

/**
 * Bytes of a function: its instructions, separated by commas. An operand is a number, a text is in quotes, `>name` the distance to `name:`, which
 * stands before an instruction.
 */
export function assembled(text: string): number[] {
  const labels = new Map<string, number>();
  let length = 0;
  const lines = text.split(",").map((line) => {
    const [, label, name = "", operand = ""] = /^\s*(?:(\w+):\s*)?(\w+)\s*(.*?)\s*$/.exec(line)!;
    if (label !== undefined) labels.set(label, length);
    const [number, size] = NAMES[name] ?? [];
    if (number === undefined || size === undefined) throw new Error(`${name} is not in the table`);
    const quoted = operand.startsWith('"') ? [...Buffer.from(`${operand.slice(1, -1)}\0`)] : undefined;
    length += quoted ? 2 + quoted.length : size;
    return { number, size, operand, quoted, end: length };
  });
  return lines.flatMap(({ number, size, operand, quoted, end }) => {
    if (quoted) return [number, quoted.length, ...quoted];
    const value = operand.startsWith(">") ? labels.get(operand.slice(1))! - end : Number(operand || 0);
    return [number, ...little(value, size - 1)];
  });
}

/** A row of `mc.xs.c` with the function. */
export const row = (code: readonly number[]): string =>
  `/* 0001 */\t{ NULL, {.ID = XS_NO_ID, .flag = 0x8b, .kind = XS_CODE_X_KIND}, .value = { .code = { (txByte*)"${code
    .map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`)
    .join("")}", NULL } } },`;
