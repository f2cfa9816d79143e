/** What the pass `code` makes of bytecode; and the proof: whatever is changed behind it must not pass. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decode, encode } from "../../scripts/shrink/code/bytecode.mjs";
import { readOpcodes } from "../../scripts/shrink/code/opcodes.mjs";
import { proveCode } from "../../scripts/shrink/code/proof.mjs";
import { shortened, shorter } from "../../scripts/shrink/code/shorter.mjs";
import { assembled, OPCODES, row } from "../support/shrink/assembler";

const prove = (was: string, is: string): void => {
  proveCode(row(assembled(was)), row(assembled(is)), OPCODES);
};
const [RESERVE] = assembled("RESERVE_1 0");
/** So many bytes that do something to the value on the stack. */
const BYTES = (count: number): string => Array.from({ length: count }, () => "INCREMENT").join();

/** What xsc writes, and what is to become of it. */
const RULES = [
  [
    "a branch has the distance that it needs",
    "THIS, BRANCH_ELSE_4 >a, THIS, THROW, a: END",
    "THIS, BRANCH_ELSE_1 >a, THIS, THROW, a: END",
  ],
  [
    "127 bytes ahead are one byte's",
    `THIS, DUB, BRANCH_IF_2 >a, ${BYTES(127)}, a: THROW, END`,
    `THIS, DUB, BRANCH_IF_1 >a, ${BYTES(127)}, a: THROW, END`,
  ],
  [
    "128 bytes ahead are not",
    `THIS, DUB, BRANCH_IF_4 >a, ${BYTES(128)}, a: THROW, END`,
    `THIS, DUB, BRANCH_IF_2 >a, ${BYTES(128)}, a: THROW, END`,
  ],
  [
    "128 bytes back, with the branch itself, are one byte's",
    `THIS, a: ${BYTES(125)}, DUB, BRANCH_IF_2 >a, END`,
    `THIS, a: ${BYTES(125)}, DUB, BRANCH_IF_1 >a, END`,
  ],
  [
    "129 are not",
    `THIS, a: ${BYTES(126)}, DUB, BRANCH_IF_4 >a, END`,
    `THIS, a: ${BYTES(126)}, DUB, BRANCH_IF_2 >a, END`,
  ],
  [
    "a function inside has its length",
    "FUNCTION 0, CODE_2 >a, BEGIN_STRICT 0, END, a: SET_RESULT, END",
    "FUNCTION 0, CODE_1 >a, BEGIN_STRICT 0, END, a: SET_RESULT, END",
  ],
  ["zeros behind the end go", "BEGIN_STRICT 0, END, NO_CODE, NO_CODE", "BEGIN_STRICT 0, END"],
  ["what nothing leads to goes, but for the end", "THIS, THROW, UNDEFINED, SET_RESULT, END", "THIS, THROW, END"],
  [
    "true, false and undefined",
    "INTEGER_1 0, NOT, SET_RESULT, INTEGER_1 1, NOT, SET_RESULT, INTEGER_1 0, VOID, SET_RESULT, END",
    "TRUE, SET_RESULT, FALSE, SET_RESULT, UNDEFINED, SET_RESULT, END",
  ],
  [
    "not of a number that something leads behind",
    "THIS, DUB, BRANCH_IF_1 >a, POP, INTEGER_1 0, a: NOT, SET_RESULT, END",
    "THIS, DUB, BRANCH_IF_1 >a, POP, INTEGER_1 0, a: NOT, SET_RESULT, END",
  ],
  [
    "refreshing a variable that is no closure does nothing",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, POP, a: REFRESH_LOCAL_1 1, GET_LOCAL_1 1, SET_RESULT, BRANCH_1 >a",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, PULL_LOCAL_1 1, a: GET_LOCAL_1 1, SET_RESULT, BRANCH_1 >a",
  ],
  [
    "and, as a condition",
    "THIS, DUB, BRANCH_ELSE_1 >a, POP, OBJECT, a: BRANCH_ELSE_1 >b, THIS, SET_RESULT, b: END",
    "THIS, BRANCH_ELSE_1 >b, OBJECT, BRANCH_ELSE_1 >b, THIS, SET_RESULT, b: END",
  ],
  [
    "or, as a condition",
    "THIS, DUB, BRANCH_IF_1 >a, POP, OBJECT, a: BRANCH_ELSE_1 >b, THIS, SET_RESULT, b: END",
    "THIS, BRANCH_IF_1 >c, OBJECT, BRANCH_ELSE_1 >b, c: THIS, SET_RESULT, b: END",
  ],
  [
    "and, as a statement",
    "THIS, DUB, BRANCH_ELSE_1 >a, POP, OBJECT, SET_RESULT, FALSE, a: POP, THIS, SET_RESULT, END",
    "THIS, BRANCH_ELSE_1 >b, OBJECT, SET_RESULT, b: THIS, SET_RESULT, END",
  ],
  [
    "and, in an or, in a condition",
    "THIS, DUB, BRANCH_ELSE_1 >a, POP, OBJECT, a: DUB, BRANCH_IF_1 >b, POP, THIS, b: BRANCH_ELSE_1 >c, THIS, SET_RESULT, c: END",
    "THIS, BRANCH_ELSE_1 >a, OBJECT, BRANCH_IF_1 >b, a: THIS, BRANCH_ELSE_1 >c, b: THIS, SET_RESULT, c: END",
  ],
  [
    "and, of which the value is used",
    "THIS, DUB, BRANCH_ELSE_1 >a, POP, OBJECT, a: SET_RESULT, END",
    "THIS, DUB, BRANCH_ELSE_1 >a, POP, OBJECT, a: SET_RESULT, END",
  ],
  [
    "not, as a condition",
    "THIS, NOT, BRANCH_IF_1 >a, OBJECT, NOT, NOT, BRANCH_IF_1 >a, THIS, SET_RESULT, a: END",
    "THIS, BRANCH_ELSE_1 >a, OBJECT, BRANCH_IF_1 >a, THIS, SET_RESULT, a: END",
  ],
  [
    "a variable that has a value first needs no name",
    "RESERVE_1 2, NEW_LOCAL 9, OBJECT, VAR_LOCAL_1 1, POP, NEW_LOCAL 8, THIS, LET_LOCAL_1 2, POP, GET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 2, SET_RESULT, END",
    "RESERVE_1 2, NEW_TEMPORARY, OBJECT, PULL_LOCAL_1 1, NEW_TEMPORARY, THIS, PULL_LOCAL_1 2, GET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 2, SET_RESULT, END",
  ],
  [
    "one that is asked for on a way on which it has none does",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, BRANCH_IF_1 >a, THIS, LET_LOCAL_1 1, POP, a: GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, BRANCH_IF_1 >a, THIS, LET_LOCAL_1 1, POP, a: GET_LOCAL_1 1, SET_RESULT, END",
  ],
  [
    "one that is asked for where an error is caught, too",
    "RESERVE_1 1, NEW_LOCAL 9, CATCH_1 >a, THIS, LET_LOCAL_1 1, POP, UNCATCH, END, a: GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_LOCAL 9, CATCH_1 >a, THIS, LET_LOCAL_1 1, POP, UNCATCH, END, a: GET_LOCAL_1 1, SET_RESULT, END",
  ],
  [
    "one that is made anew in a loop has its value each time",
    "RESERVE_1 1, a: NEW_LOCAL 9, THIS, LET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, UNWIND_1 1, BRANCH_IF_1 >a, END",
    "RESERVE_1 1, a: NEW_TEMPORARY, THIS, SET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, UNWIND_1 1, BRANCH_IF_1 >a, END",
  ],
  ...["CONST_LOCAL_1", "STORE_1"].map(
    (name) =>
      [
        `${name} needs the name, or what comes with it`,
        `RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, ${name} 1, SET_RESULT, END`,
        `RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, ${name} 1, SET_RESULT, END`,
      ] as const,
  ),
  [
    "RESET_LOCAL_1 needs the name, too",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, SET_RESULT, RESET_LOCAL_1 1, END",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, SET_RESULT, RESET_LOCAL_1 1, END",
  ],
  [
    "one whose place another has later that needs its name does not",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, UNWIND_1 1, NEW_LOCAL 8, GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, UNWIND_1 1, NEW_LOCAL 8, GET_LOCAL_1 1, SET_RESULT, END",
  ],
  [
    "variables of a function inside are its own",
    "RESERVE_1 1, NEW_LOCAL 9, GET_LOCAL_1 1, SET_RESULT, FUNCTION 0, CODE_1 >a, RESERVE_1 2, RETRIEVE_1 1, NEW_LOCAL 8, THIS, LET_LOCAL_1 2, SET_RESULT, GET_LOCAL_1 2, SET_RESULT, END, a: SET_RESULT, END",
    "RESERVE_1 1, NEW_LOCAL 9, GET_LOCAL_1 1, SET_RESULT, FUNCTION 0, CODE_1 >a, RESERVE_1 2, RETRIEVE_1 1, NEW_TEMPORARY, THIS, SET_LOCAL_1 2, SET_RESULT, GET_LOCAL_1 2, SET_RESULT, END, a: SET_RESULT, END",
  ],
  [
    "what a debugger shows keeps its name",
    "BEGIN_STRICT 1, LINE 3, RESERVE_1 1, NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, GET_LOCAL_1 1, SET_RESULT, END",
    "BEGIN_STRICT 1, LINE 3, RESERVE_1 1, NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, GET_LOCAL_1 1, SET_RESULT, END",
  ],
  [
    "a parameter is read where it is",
    "BEGIN_STRICT 2, RESERVE_1 2, NEW_LOCAL 9, NEW_LOCAL 8, ARGUMENT 0, VAR_LOCAL_1 1, POP, ARGUMENT 1, VAR_LOCAL_1 2, POP, GET_LOCAL_1 2, SET_RESULT, GET_LOCAL_1 1, THROW, END",
    "BEGIN_STRICT 2, ARGUMENT 1, SET_RESULT, ARGUMENT 0, THROW, END",
  ],
  [
    "those behind one that is not copied move down",
    "BEGIN_STRICT 1, RESERVE_1 3, RETRIEVE_1 1, NEW_LOCAL 9, NEW_CLOSURE 8, ARGUMENT 0, VAR_LOCAL_1 2, POP, THIS, SET_CLOSURE_1 3, POP, GET_LOCAL_1 2, SET_RESULT, END",
    "BEGIN_STRICT 1, RESERVE_1 2, RETRIEVE_1 1, NEW_CLOSURE 8, THIS, PULL_CLOSURE_1 2, ARGUMENT 0, SET_RESULT, END",
  ],
  [
    "a parameter that is assigned to is copied",
    "BEGIN_STRICT 1, RESERVE_1 1, NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, a: GET_LOCAL_1 1, INCREMENT, SET_LOCAL_1 1, BRANCH_IF_1 >a, END",
    "BEGIN_STRICT 1, RESERVE_1 1, NEW_TEMPORARY, ARGUMENT 0, PULL_LOCAL_1 1, a: GET_LOCAL_1 1, INCREMENT, SET_LOCAL_1 1, BRANCH_IF_1 >a, END",
  ],
  [
    "so is one that has another value on a way",
    "BEGIN_STRICT 1, RESERVE_1 1, NEW_TEMPORARY, THIS, BRANCH_IF_1 >a, ARGUMENT 0, SET_LOCAL_1 1, POP, a: GET_LOCAL_1 1, SET_RESULT, END",
    "BEGIN_STRICT 1, RESERVE_1 1, NEW_TEMPORARY, THIS, BRANCH_IF_1 >a, ARGUMENT 0, PULL_LOCAL_1 1, a: GET_LOCAL_1 1, SET_RESULT, END",
  ],
  [
    "a value that is stored and needed again stays on the stack",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, POP, GET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, END",
  ],
  [
    "another's does not",
    "RESERVE_1 2, NEW_TEMPORARY, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, POP, GET_LOCAL_1 2, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 2, NEW_TEMPORARY, NEW_TEMPORARY, THIS, PULL_LOCAL_1 1, GET_LOCAL_1 2, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, END",
  ],
  [
    "a closure's goes off the stack",
    "RESERVE_1 1, NEW_CLOSURE 9, THIS, SET_CLOSURE_1 1, POP, GET_CLOSURE_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_CLOSURE 9, THIS, PULL_CLOSURE_1 1, GET_CLOSURE_1 1, SET_RESULT, END",
  ],
  [
    "what is on top of the stack already is doubled",
    "RESERVE_1 1, NEW_LOCAL 9, OBJECT, LET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, GET_LOCAL_1 1, SET_RESULT, THROW, END",
    "RESERVE_1 1, NEW_TEMPORARY, OBJECT, SET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, DUB, SET_RESULT, THROW, END",
  ],
  [
    "not if it is on one way only",
    "RESERVE_1 2, NEW_TEMPORARY, NEW_TEMPORARY, OBJECT, SET_LOCAL_1 1, SET_RESULT, THIS, SET_LOCAL_1 2, DUB, BRANCH_IF_1 >a, POP, GET_LOCAL_1 1, a: GET_LOCAL_1 2, SET_RESULT, THROW, END",
    "RESERVE_1 2, NEW_TEMPORARY, NEW_TEMPORARY, OBJECT, SET_LOCAL_1 1, SET_RESULT, THIS, SET_LOCAL_1 2, DUB, BRANCH_IF_1 >a, POP, GET_LOCAL_1 1, a: GET_LOCAL_1 2, SET_RESULT, THROW, END",
  ],
  [
    "not if something else is stored in between",
    "RESERVE_1 1, NEW_TEMPORARY, OBJECT, SET_LOCAL_1 1, THIS, SET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, OBJECT, SET_LOCAL_1 1, THIS, SET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, SET_RESULT, END",
  ],
  [
    "an object with members needs no variable",
    "RESERVE_1 1, NEW_TEMPORARY, OBJECT, SET_LOCAL_1 1, GET_LOCAL_1 1, THIS, NEW_PROPERTY 7, INTEGER_1 0, GET_LOCAL_1 1, OBJECT, NEW_PROPERTY 8, INTEGER_1 0, UNWIND_1 1, SET_RESULT, END",
    "OBJECT, DUB, THIS, NEW_PROPERTY 7, INTEGER_1 0, DUB, OBJECT, NEW_PROPERTY 8, INTEGER_1 0, SET_RESULT, END",
  ],
  [
    "one whose members are stored in variables does not either",
    "RESERVE_1 4, NEW_LOCAL 9, NEW_LOCAL 8, THIS, NEW_TEMPORARY, NEW_TEMPORARY, DUB, TO_INSTANCE, PULL_LOCAL_1 3, GET_LOCAL_1 3, GET_PROPERTY 9, LET_LOCAL_1 1, POP, GET_LOCAL_1 3, GET_PROPERTY 8, LET_LOCAL_1 2, POP, UNWIND_1 2, POP, OBJECT, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 2, THROW, END",
    "RESERVE_1 2, NEW_TEMPORARY, NEW_TEMPORARY, THIS, TO_INSTANCE, DUB, GET_PROPERTY 9, PULL_LOCAL_1 1, GET_PROPERTY 8, PULL_LOCAL_1 2, OBJECT, SET_RESULT, GET_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 2, THROW, END",
  ],
  [
    "but if it is used itself",
    "RESERVE_1 2, NEW_LOCAL 9, THIS, NEW_TEMPORARY, DUB, TO_INSTANCE, PULL_LOCAL_1 2, GET_LOCAL_1 2, GET_PROPERTY 9, LET_LOCAL_1 1, POP, UNWIND_1 1, SET_RESULT, GET_LOCAL_1 1, THROW, END",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, DUB, TO_INSTANCE, GET_PROPERTY 9, PULL_LOCAL_1 1, SET_RESULT, GET_LOCAL_1 1, THROW, END",
  ],
  [
    "nothing is taken off at the end, and a branch to it is one",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, BRANCH_IF_1 >a, GET_LOCAL_1 1, SET_RESULT, BRANCH_1 >b, a: OBJECT, UNWIND_1 1, POP, b: END",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, BRANCH_IF_1 >a, GET_LOCAL_1 1, SET_RESULT, END, a: OBJECT, END",
  ],
  [
    "a branch to a branch leads where that leads",
    "THIS, a: DUB, BRANCH_IF_1 >b, OBJECT, POP, BRANCH_1 >c, b: INCREMENT, BRANCH_1 >d, d: BRANCH_1 >c, c: BRANCH_1 >a",
    "THIS, a: DUB, BRANCH_IF_1 >b, OBJECT, POP, BRANCH_1 >a, b: INCREMENT, BRANCH_1 >a",
  ],
  [
    "a loop without an end stays one",
    "THIS, SET_RESULT, a: INTEGER_1 0, VOID, POP, BRANCH_4 >a",
    "THIS, SET_RESULT, a: BRANCH_1 >a",
  ],
  [
    "a function whose stack depends on values stays as it is",
    "RESERVE_1 1, NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, GET_LOCAL_1 1, RUN, SET_RESULT, END",
    "RESERVE_1 1, NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, GET_LOCAL_1 1, RUN, SET_RESULT, END",
  ],
  [
    "so does one that leaves more on the stack on a way",
    "THIS, BRANCH_IF_4 >a, THIS, a: OBJECT, SET_RESULT, END",
    "THIS, BRANCH_IF_4 >a, THIS, a: OBJECT, SET_RESULT, END",
  ],
] as const;

describe("shorter bytecode", () => {
  it.each(RULES)("%s", (_, was, is) => {
    expect(shorter(assembled(was), OPCODES)).toEqual(assembled(is));
    prove(was, is);
  });

  it("is what it was when there is nothing to do", () => {
    for (const [, , is] of RULES) expect(shorter(assembled(is), OPCODES)).toEqual(assembled(is));
  });

  it("is not made of what is not understood", () => {
    expect(() => shorter(assembled("WITH, END"), OPCODES)).toThrow("bytecode has WITH");
    expect(() => shorter(assembled("ADD"), OPCODES)).toThrow("no end");
    expect(() => shorter([...assembled("ADD"), 245], OPCODES)).toThrow("no opcode 245");
    expect(() => shorter(assembled('STRING_1 "text"').slice(0, -1), OPCODES)).toThrow("lacks its end");
    expect(() => shorter(assembled("BRANCH_1 1, INTEGER_1 0, END"), OPCODES)).toThrow("leads to no instruction");
    expect(() => shorter(assembled("BRANCH_IF_1 >a, NEW_TEMPORARY, a: ADD, END"), OPCODES)).toThrow("or others");
  });

  it("stands in the file in place of the linker's", () => {
    const [was, is] = ["INTEGER_1 0, NOT, END", "TRUE, END"].map((text) => row(assembled(text)));
    expect(shortened(was!, OPCODES)).toBe(is);
    expect(() => shortened(was!.replace("\\x", "x"), OPCODES)).toThrow("function of unknown form");
  });

  it("is read and written with every distance", () => {
    for (const count of [0, 1, 127, 128, 32_767, 32_768]) {
      const text = ["a: BRANCH_IF_4 >b", ...(count ? [BYTES(count)] : []), "b: BRANCH_4 >a", "END"].join();
      const list = decode(assembled(text), OPCODES);
      const again = decode(encode(list, OPCODES), OPCODES);
      const shape = (from: typeof list): unknown[] => from.map(({ name, to }) => [name, to && from.indexOf(to)]);
      expect(shape(again)).toEqual(shape(list));
    }
  });
});

/** What the proof says of what is not the same. */
const FAULTS = [
  [
    "a variable without a name that is asked for first",
    "RESERVE_1 1, NEW_LOCAL 9, GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, GET_LOCAL_1 1, SET_RESULT, END",
    "GET_LOCAL_1 of variable 1, which has no value",
  ],
  [
    "one that is asked for on a way on which it has no value",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, BRANCH_IF_1 >a, THIS, LET_LOCAL_1 1, POP, a: GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, BRANCH_IF_1 >a, THIS, PULL_LOCAL_1 1, a: GET_LOCAL_1 1, SET_RESULT, END",
    "which has no value",
  ],
  [
    "one that a way back finds without a value",
    "RESERVE_1 1, NEW_LOCAL 9, BRANCH_1 >b, a: GET_LOCAL_1 1, SET_RESULT, b: THIS, BRANCH_IF_1 >a, THIS, LET_LOCAL_1 1, POP, BRANCH_1 >a",
    "RESERVE_1 1, NEW_TEMPORARY, BRANCH_1 >b, a: GET_LOCAL_1 1, SET_RESULT, b: THIS, BRANCH_IF_1 >a, THIS, PULL_LOCAL_1 1, BRANCH_1 >a",
    "which has no value",
  ],
  [
    "one that an error finds without a value",
    "RESERVE_1 1, NEW_LOCAL 9, CATCH_1 >a, THIS, LET_LOCAL_1 1, POP, UNCATCH, END, a: GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, CATCH_1 >a, THIS, PULL_LOCAL_1 1, UNCATCH, END, a: GET_LOCAL_1 1, SET_RESULT, END",
    "which has no value",
  ],
  [
    "a constant without a name",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, CONST_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, CONST_LOCAL_1 1, SET_RESULT, END",
    "of another variable",
  ],
  [
    "a first value that is stored as if there were one",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, LET_LOCAL_1 1, POP, END",
    "RESERVE_1 1, NEW_LOCAL 9, THIS, PULL_LOCAL_1 1, END",
    "LET_LOCAL_1 01 at 6, PULL_LOCAL_1 01 at 6",
  ],
  [
    "a variable in place of another",
    "RESERVE_1 2, NEW_LOCAL 9, NEW_LOCAL 8, GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 2, NEW_LOCAL 9, NEW_LOCAL 8, GET_LOCAL_1 2, SET_RESULT, END",
    "of another variable",
  ],
  [
    "a closure in place of another",
    "RESERVE_1 2, RETRIEVE_1 2, GET_CLOSURE_1 1, SET_RESULT, END",
    "RESERVE_1 2, RETRIEVE_1 2, GET_CLOSURE_1 2, SET_RESULT, END",
    "of another variable",
  ],
  [
    "a closure that is another since",
    "RESERVE_1 1, RETRIEVE_1 1, REFRESH_CLOSURE_1 1, GET_CLOSURE_1 1, SET_RESULT, END",
    "RESERVE_1 1, RETRIEVE_1 1, GET_CLOSURE_1 1, SET_RESULT, END",
    "REFRESH_CLOSURE_1 01 at 4, GET_CLOSURE_1 01 at 4",
  ],
  [
    "a value in place of another",
    "RESERVE_1 2, NEW_TEMPORARY, NEW_TEMPORARY, THIS, PULL_LOCAL_1 1, OBJECT, PULL_LOCAL_1 2, GET_LOCAL_1 2, SET_RESULT, END",
    "RESERVE_1 2, NEW_TEMPORARY, NEW_TEMPORARY, THIS, PULL_LOCAL_1 1, OBJECT, PULL_LOCAL_1 2, GET_LOCAL_1 1, SET_RESULT, END",
    "with other values",
  ],
  [
    "two values the other way round",
    "THIS, OBJECT, ADD, SET_RESULT, END",
    "THIS, OBJECT, SWAP, ADD, SET_RESULT, END",
    "with other values",
  ],
  [
    "a value that only one way leaves",
    "RESERVE_1 2, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, BRANCH_IF_1 >a, OBJECT, PULL_LOCAL_1 1, a: GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, DUB, BRANCH_IF_1 >a, OBJECT, PULL_LOCAL_1 1, a: SET_RESULT, END",
    "with other values",
  ],
  [
    "a value that an error leaves",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, SET_LOCAL_1 1, CATCH_1 >a, OBJECT, PULL_LOCAL_1 1, THIS, THROW, a: GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, DUB, PULL_LOCAL_1 1, CATCH_1 >a, OBJECT, POP, THIS, THROW, a: GET_LOCAL_1 1, SET_RESULT, END",
    "with other values",
  ],
  [
    "a parameter in place of another",
    "RESERVE_1 1, NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, GET_LOCAL_1 1, SET_RESULT, END",
    "ARGUMENT 1, SET_RESULT, END",
    "with other values",
  ],
  [
    "a parameter that has become another",
    "RESERVE_1 1, NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, THIS, SET_LOCAL_1 1, POP, GET_LOCAL_1 1, SET_RESULT, END",
    "THIS, POP, ARGUMENT 0, SET_RESULT, END",
    "with other values",
  ],
  [
    "a parameter that has become another on a way back",
    "RESERVE_1 1, NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, a: GET_LOCAL_1 1, INCREMENT, SET_LOCAL_1 1, BRANCH_IF_1 >a, END",
    "a: ARGUMENT 0, INCREMENT, BRANCH_IF_1 >a, END",
    "with other values",
  ],
  [
    "an object in place of what it was made of",
    "THIS, DUB, TO_INSTANCE, GET_PROPERTY 9, SET_RESULT, THROW, END",
    "THIS, TO_INSTANCE, DUB, GET_PROPERTY 9, SET_RESULT, THROW, END",
    "with other values",
  ],
  [
    "another property",
    "THIS, GET_PROPERTY 9, SET_RESULT, END",
    "THIS, GET_PROPERTY 8, SET_RESULT, END",
    "GET_PROPERTY 0900 at 1, GET_PROPERTY 0800 at 1",
  ],
  [
    "other flags of a property",
    "OBJECT, DUB, THIS, NEW_PROPERTY 7, INTEGER_1 0, SET_RESULT, END",
    "OBJECT, DUB, THIS, NEW_PROPERTY 7, INTEGER_1 1, SET_RESULT, END",
    "NEW_PROPERTY 07007200",
  ],
  [
    "other flags of a private member",
    "RESERVE_1 1, RETRIEVE_1 1, THIS, OBJECT, NEW_PRIVATE_1 1, INTEGER_1 0, END",
    "RESERVE_1 1, RETRIEVE_1 1, THIS, OBJECT, NEW_PRIVATE_1 1, INTEGER_1 1, END",
    "with other flags",
  ],
  [
    "something else than the end of a value that is not kept",
    "THIS, DUB, BRANCH_ELSE_1 >a, INCREMENT, a: POP, END",
    "THIS, BRANCH_ELSE_1 >b, b: END",
    "INCREMENT  at 4, END",
  ],
  [
    "a value that is gone where it is used",
    "THIS, DUB, BRANCH_ELSE_1 >a, POP, FALSE, a: SET_RESULT, END",
    "THIS, BRANCH_ELSE_1 >a, FALSE, a: SET_RESULT, END",
    "fewer values",
  ],
  [
    "a branch of the other sense",
    "THIS, BRANCH_ELSE_1 >a, OBJECT, SET_RESULT, a: END",
    "THIS, BRANCH_IF_1 >a, OBJECT, SET_RESULT, a: END",
    "OBJECT",
  ],
  [
    "a branch on another value",
    "THIS, OBJECT, BRANCH_ELSE_1 >a, INCREMENT, a: THROW, END",
    "THIS, OBJECT, SWAP, BRANCH_ELSE_1 >a, INCREMENT, a: THROW, END",
    "BRANCH_ELSE",
  ],
  ["a negation too few", "THIS, NOT, NOT, SET_RESULT, END", "THIS, SET_RESULT, END", "with other values"],
  [
    "an error that is not caught any more",
    "CATCH_1 >a, THIS, SET_RESULT, UNCATCH, a: END",
    "THIS, SET_RESULT, END",
    "CATCH",
  ],
  [
    "an error that leads elsewhere",
    "CATCH_1 >a, THIS, SET_RESULT, UNCATCH, END, a: EXCEPTION, SET_RESULT, END",
    "CATCH_1 >a, THIS, SET_RESULT, UNCATCH, a: END, EXCEPTION, SET_RESULT, END",
    "EXCEPTION",
  ],
  [
    "a value below those that an error leaves that is gone",
    "THIS, CATCH_1 >a, OBJECT, SET_RESULT, UNCATCH, a: THROW, END",
    "THIS, CATCH_1 >a, POP, OBJECT, SET_RESULT, UNCATCH, a: THROW, END",
    "more than there is",
  ],
  [
    "what goes on with the engine's place in a list",
    "RESERVE_1 2, RETRIEVE_1 1, RETRIEVE_THIS, NEW_TEMPORARY, END",
    "RESERVE_1 2, RETRIEVE_1 1, NEW_TEMPORARY, RETRIEVE_THIS, END",
    "RETRIEVE_THIS at 5 does not follow",
  ],
  [
    "less room than there are variables",
    "RESERVE_1 1, NEW_LOCAL 9, GET_LOCAL_1 1, SET_RESULT, END",
    "NEW_LOCAL 9, GET_LOCAL_1 1, SET_RESULT, END",
    "no room",
  ],
  [
    "more room than there was",
    "RESERVE_1 1, NEW_LOCAL 9, GET_LOCAL_1 1, SET_RESULT, END",
    "RESERVE_1 2, NEW_LOCAL 9, GET_LOCAL_1 1, SET_RESULT, END",
    "has more on the stack",
  ],
  [
    "room that is made late",
    "RESERVE_1 1, NEW_TEMPORARY, THIS, SET_RESULT, END",
    "THIS, RESERVE_1 1, SET_RESULT, END",
    "not at the beginning",
  ],
  [
    "a function inside that lacks its end",
    "FUNCTION 0, CODE_1 >a, THIS, SET_RESULT, END, a: SET_RESULT, END",
    "FUNCTION 0, CODE_1 >a, THIS, SET_RESULT, a: SET_RESULT, END, END",
    "outside of it",
  ],
  [
    "a function inside that is another",
    "FUNCTION 0, CODE_1 >a, THIS, SET_RESULT, END, a: SET_RESULT, END",
    "FUNCTION 0, CODE_1 >a, OBJECT, SET_RESULT, END, a: SET_RESULT, END",
    "THIS  at 5, OBJECT  at 5",
  ],
  [
    "a stack that depends on the way",
    "THIS, BRANCH_IF_4 >a, THIS, a: OBJECT, SET_RESULT, END",
    "THIS, BRANCH_IF_1 >a, THIS, a: OBJECT, SET_RESULT, END",
    "other values on the stack",
  ],
  ["what is not understood", "RUN, BRANCH_4 >a, a: END", "RUN, END", "RUN is not understood"],
  ["a function that ends early", "THIS, SET_RESULT, END", "THIS, END", "SET_RESULT  at 1, END"],
  ["one that does not end", "THIS, SET_RESULT, END", "THIS, SET_RESULT, a: BRANCH_1 >a", "END at 2, FOREVER at 2"],
  ["one without an end", "THIS, SET_RESULT, END", "THIS, SET_RESULT", "nothing at 2"],
  ["another end", "THIS, SET_RESULT, END", "THIS, SET_RESULT, END_ARROW", "END  at 2, END_ARROW"],
] as const;

describe("the proof of shorter bytecode", () => {
  it("sees each other byte at each place of what the rules make", () => {
    for (const [, was, is] of RULES.filter(([, , made]) => made.length < 500)) {
      const code = assembled(is);
      const input = row(assembled(was));
      // An end that nothing leads to may be another.
      const end = is.includes("THROW, END") ? code.length - 1 : code.length;
      for (let at = 0; at < end; at++)
        for (const by of [1, 2, 255]) {
          const other = code.with(at, (code[at]! + by) & 0xff);
          // There may be as much room for variables as before.
          if (by < 255 && code[at - 1] === RESERVE) continue;
          expect(() => {
            proveCode(input, row(other), OPCODES);
          }, `${is}: ${at} by ${by}`).toThrow("not the same");
        }
    }
  });

  it.each(FAULTS)("sees %s", (_, was, is, what) => {
    expect(() => {
      prove(was, is);
    }).toThrow(what);
  });

  it("sees what is not bytecode", () => {
    const text = row(assembled("TRUE, END"));
    expect(() => {
      proveCode(text, text.replace("0x8b", "0x8a"), OPCODES);
    }).toThrow("what is not bytecode");
  });
});

describe("the opcodes", () => {
  const HEADER = "enum {\n\tXS_NO_CODE = 0,\n\tXS_CODE_ADD,\n\tXS_CODE_NAME,\n\tXS_CODE_PROFILE,\n\tXS_CODE_COUNT\n};";
  const SIZES = [
    "const txS1 gxCodeSizes[XS_CODE_COUNT] ICACHE_FLASH_ATTR = {\n\t1 /* XS_NO_CODE */,\n\t1 /* XS_CODE_ADD */,",
    "\t0 /* XS_CODE_NAME */,\n#ifdef mx32bitID\n\t5 /* XS_CODE_PROFILE */,\n#else\n\t3 /* XS_CODE_PROFILE */,\n#endif\n};",
  ].join("\n");

  function read(header: string, sizes: string): ReturnType<typeof readOpcodes> {
    const sdk = mkdtempSync(join(tmpdir(), "sdk-"));
    try {
      mkdirSync(join(sdk, "xs/sources"), { recursive: true });
      writeFileSync(join(sdk, "xs/sources/xsCommon.h"), header);
      writeFileSync(join(sdk, "xs/sources/xsCommon.c"), sizes);
      return readOpcodes(sdk);
    } finally {
      rmSync(sdk, { recursive: true });
    }
  }

  it("are those of the SDK", () => {
    expect(read(HEADER, SIZES)).toEqual([
      { name: "NO_CODE", size: 1 },
      { name: "ADD", size: 1 },
      { name: "NAME", size: 3 },
      { name: "PROFILE", size: 3 },
    ]);
  });

  it("have to have a size each", () => {
    expect(() => read(HEADER.replace("\tXS_CODE_ADD,\n", ""), SIZES)).toThrow("3 opcodes and the sizes of 4");
    expect(() => read("", "")).toThrow("0 opcodes");
  });
});
