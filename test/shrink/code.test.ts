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
const NOTHING = (count: number): string => Array.from({ length: count }, () => "ADD").join();

/** What xsc writes, and what is to become of it. */
const RULES = [
  ["a branch has the distance that it needs", "BRANCH_ELSE_4 >a, ADD, a: END", "BRANCH_ELSE_1 >a, ADD, a: END"],
  [
    "127 bytes ahead are one byte's",
    `BRANCH_IF_2 >a, ${NOTHING(127)}, a: END`,
    `BRANCH_IF_1 >a, ${NOTHING(127)}, a: END`,
  ],
  ["128 bytes ahead are not", `BRANCH_IF_4 >a, ${NOTHING(128)}, a: END`, `BRANCH_IF_2 >a, ${NOTHING(128)}, a: END`],
  [
    "128 bytes back, with the branch itself, are one byte's",
    `a: ${NOTHING(126)}, BRANCH_IF_2 >a, END`,
    `a: ${NOTHING(126)}, BRANCH_IF_1 >a, END`,
  ],
  ["129 are not", `a: ${NOTHING(127)}, BRANCH_IF_4 >a, END`, `a: ${NOTHING(127)}, BRANCH_IF_2 >a, END`],
  [
    "a function inside has its length",
    "FUNCTION 0, CODE_2 >a, BEGIN_STRICT 0, END, a: POP, END",
    "FUNCTION 0, CODE_1 >a, BEGIN_STRICT 0, END, a: POP, END",
  ],
  ["zeros behind the end go", "BEGIN_STRICT 0, END, NO_CODE, NO_CODE", "BEGIN_STRICT 0, END"],
  ["what nothing leads to goes, but for the end", "THROW, UNDEFINED, SET_RESULT, END", "THROW, END"],
  [
    "true, false and undefined",
    "INTEGER_1 0, NOT, INTEGER_1 1, NOT, INTEGER_1 0, VOID, END",
    "TRUE, FALSE, UNDEFINED, END",
  ],
  [
    "not of a number that something leads behind",
    "UNDEFINED, BRANCH_IF_1 >a, INTEGER_1 0, a: NOT, END",
    "UNDEFINED, BRANCH_IF_1 >a, INTEGER_1 0, a: NOT, END",
  ],
  [
    "refreshing a variable that is no closure does nothing",
    "NEW_TEMPORARY, a: REFRESH_LOCAL_1 1, BRANCH_1 >a",
    "NEW_TEMPORARY, a: BRANCH_1 >a",
  ],
  [
    "and, as a condition",
    "TRUE, DUB, BRANCH_ELSE_1 >a, POP, FALSE, a: BRANCH_ELSE_1 >b, ADD, b: END",
    "TRUE, BRANCH_ELSE_1 >b, FALSE, BRANCH_ELSE_1 >b, ADD, b: END",
  ],
  [
    "or, as a condition",
    "TRUE, DUB, BRANCH_IF_1 >a, POP, FALSE, a: BRANCH_ELSE_1 >b, ADD, b: END",
    "TRUE, BRANCH_IF_1 >c, FALSE, BRANCH_ELSE_1 >b, c: ADD, b: END",
  ],
  [
    "and, as a statement",
    "TRUE, DUB, BRANCH_ELSE_1 >a, POP, FALSE, a: POP, END",
    "TRUE, BRANCH_ELSE_1 >b, FALSE, POP, b: END",
  ],
  [
    "and, in an or, in a condition",
    "TRUE, DUB, BRANCH_ELSE_1 >a, POP, FALSE, a: DUB, BRANCH_IF_1 >b, POP, TRUE, b: BRANCH_ELSE_1 >c, ADD, c: END",
    "TRUE, BRANCH_ELSE_1 >a, FALSE, BRANCH_IF_1 >b, a: TRUE, BRANCH_ELSE_1 >c, b: ADD, c: END",
  ],
  [
    "and, of which the value is used",
    "TRUE, DUB, BRANCH_ELSE_1 >a, POP, FALSE, a: SET_RESULT, END",
    "TRUE, DUB, BRANCH_ELSE_1 >a, POP, FALSE, a: SET_RESULT, END",
  ],
  [
    "a variable that has a value first needs no name",
    "NEW_LOCAL 9, ARGUMENT 0, VAR_LOCAL_1 1, POP, NEW_LOCAL 8, TRUE, LET_LOCAL_1 2, POP, GET_LOCAL_1 1, END",
    "NEW_TEMPORARY, ARGUMENT 0, PULL_LOCAL_1 1, NEW_TEMPORARY, TRUE, PULL_LOCAL_1 2, GET_LOCAL_1 1, END",
  ],
  [
    "one that is asked for on a way on which it has none does",
    "NEW_LOCAL 9, TRUE, BRANCH_IF_1 >a, TRUE, LET_LOCAL_1 1, POP, a: GET_LOCAL_1 1, END",
    "NEW_LOCAL 9, TRUE, BRANCH_IF_1 >a, TRUE, LET_LOCAL_1 1, POP, a: GET_LOCAL_1 1, END",
  ],
  [
    "one that is asked for where an error is caught, too",
    "NEW_LOCAL 9, CATCH_1 >a, TRUE, LET_LOCAL_1 1, POP, END, a: GET_LOCAL_1 1, END",
    "NEW_LOCAL 9, CATCH_1 >a, TRUE, LET_LOCAL_1 1, POP, END, a: GET_LOCAL_1 1, END",
  ],
  [
    "one that is made anew in a loop has its value each time",
    "a: NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, POP, GET_LOCAL_1 1, UNWIND_1 1, BRANCH_IF_1 >a, END",
    "a: NEW_TEMPORARY, TRUE, SET_LOCAL_1 1, UNWIND_1 1, BRANCH_IF_1 >a, END",
  ],
  ...["CONST_LOCAL_1", "RESET_LOCAL_1", "STORE_1"].map(
    (name) =>
      [
        `${name} needs the name, or what comes with it`,
        `NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, POP, ${name} 1, END`,
        `NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, POP, ${name} 1, END`,
      ] as const,
  ),
  [
    "one whose place another has that needs its name keeps it",
    "NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, POP, UNWIND_1 1, NEW_LOCAL 8, GET_LOCAL_1 1, END",
    "NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, POP, UNWIND_1 1, NEW_LOCAL 8, GET_LOCAL_1 1, END",
  ],
  [
    "one that is gone is not asked for when the next at its place is",
    "NEW_LOCAL 9, UNWIND_1 1, NEW_TEMPORARY, GET_LOCAL_1 1, END",
    "NEW_TEMPORARY, UNWIND_1 1, NEW_TEMPORARY, GET_LOCAL_1 1, END",
  ],
  [
    "variables of a function inside are its own",
    "NEW_LOCAL 9, GET_LOCAL_1 1, FUNCTION 0, CODE_1 >a, RETRIEVE_1 1, NEW_LOCAL 8, TRUE, LET_LOCAL_1 2, POP, END, a: END",
    "NEW_LOCAL 9, GET_LOCAL_1 1, FUNCTION 0, CODE_1 >a, RETRIEVE_1 1, NEW_TEMPORARY, TRUE, PULL_LOCAL_1 2, END, a: END",
  ],
  [
    "what a debugger shows keeps its name",
    "LINE 3, NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, POP, END",
    "LINE 3, NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, POP, END",
  ],
  [
    "a value that is stored and needed again stays on the stack",
    "NEW_TEMPORARY, TRUE, SET_LOCAL_1 1, POP, GET_LOCAL_1 1, END",
    "NEW_TEMPORARY, TRUE, SET_LOCAL_1 1, END",
  ],
  [
    "another's does not",
    "NEW_TEMPORARY, NEW_TEMPORARY, TRUE, SET_LOCAL_1 1, POP, GET_LOCAL_1 2, END",
    "NEW_TEMPORARY, NEW_TEMPORARY, TRUE, PULL_LOCAL_1 1, GET_LOCAL_1 2, END",
  ],
  [
    "a closure's goes off the stack",
    "NEW_CLOSURE 9, TRUE, SET_CLOSURE_1 1, POP, END",
    "NEW_CLOSURE 9, TRUE, PULL_CLOSURE_1 1, END",
  ],
  [
    "a value stays where something leads behind its storing",
    "NEW_TEMPORARY, TRUE, DUB, BRANCH_IF_1 >a, SET_LOCAL_1 1, a: POP, END",
    "NEW_TEMPORARY, TRUE, DUB, BRANCH_IF_1 >a, SET_LOCAL_1 1, a: POP, END",
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
      const text = ["a: BRANCH_IF_4 >b", ...(count ? [NOTHING(count)] : []), "b: BRANCH_4 >a", "END"].join();
      const list = decode(assembled(text), OPCODES);
      const again = decode(encode(list, OPCODES), OPCODES);
      const shape = (from: typeof list): unknown[] => from.map(({ name, to }) => [name, to && from.indexOf(to)]);
      expect(shape(again)).toEqual(shape(list));
    }
  });
});

describe("the proof of shorter bytecode", () => {
  it("sees each other byte at each place of what the rules make", () => {
    for (const [, was, is] of RULES.filter(([, , made]) => made.length < 300)) {
      const code = assembled(is);
      const input = row(assembled(was));
      // An end that nothing leads to may be another.
      const end = is.startsWith("THROW") ? code.length - 1 : code.length;
      for (let at = 0; at < end; at++)
        for (const by of [1, 2, 255]) {
          const other = code.with(at, (code[at]! + by) & 0xff);
          expect(() => proveCode(input, row(other), OPCODES), `${is}: ${at} by ${by}`).toThrow("not the same");
        }
    }
  });

  it.each([
    [
      "a variable without a name that is asked for first",
      "NEW_LOCAL 9, GET_LOCAL_1 1, END",
      "NEW_TEMPORARY, GET_LOCAL_1 1, END",
    ],
    [
      "one that is asked for on a way on which it has no value",
      "NEW_LOCAL 9, TRUE, BRANCH_IF_1 >a, TRUE, LET_LOCAL_1 1, a: GET_LOCAL_1 1, END",
      "NEW_TEMPORARY, TRUE, BRANCH_IF_1 >a, TRUE, LET_LOCAL_1 1, a: GET_LOCAL_1 1, END",
    ],
    [
      "one that another way has given a value, and this one has not",
      "NEW_LOCAL 9, TRUE, BRANCH_IF_1 >b, a: GET_LOCAL_1 1, END, b: TRUE, LET_LOCAL_1 1, BRANCH_1 >a",
      "NEW_TEMPORARY, TRUE, BRANCH_IF_1 >b, a: GET_LOCAL_1 1, END, b: TRUE, LET_LOCAL_1 1, BRANCH_1 >a",
    ],
    [
      "one that a way back finds without a value",
      "NEW_LOCAL 9, BRANCH_1 >b, a: GET_LOCAL_1 1, b: TRUE, BRANCH_IF_1 >a, TRUE, LET_LOCAL_1 1, BRANCH_1 >a",
      "NEW_TEMPORARY, BRANCH_1 >b, a: GET_LOCAL_1 1, b: TRUE, BRANCH_IF_1 >a, TRUE, LET_LOCAL_1 1, BRANCH_1 >a",
    ],
    [
      "a constant without a name",
      "NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, CONST_LOCAL_1 1, END",
      "NEW_TEMPORARY, TRUE, LET_LOCAL_1 1, CONST_LOCAL_1 1, END",
    ],
    [
      "a value that another need not be",
      "NEW_TEMPORARY, NEW_TEMPORARY, TRUE, SET_LOCAL_1 1, POP, GET_LOCAL_1 2, END",
      "NEW_TEMPORARY, NEW_TEMPORARY, TRUE, SET_LOCAL_1 1, END",
    ],
    [
      "something else than the end of a value that is not kept",
      "TRUE, DUB, BRANCH_ELSE_1 >a, ADD, a: POP, END",
      "TRUE, BRANCH_ELSE_1 >b, a: POP, b: END",
    ],
    [
      "a first value that is stored as if there were one",
      "NEW_LOCAL 9, TRUE, LET_LOCAL_1 1, POP, END",
      "NEW_LOCAL 9, TRUE, PULL_LOCAL_1 1, END",
    ],
    [
      "a value that is gone where it is used",
      "TRUE, DUB, BRANCH_ELSE_1 >a, POP, FALSE, a: SET_RESULT, END",
      "TRUE, BRANCH_ELSE_1 >a, FALSE, a: SET_RESULT, END",
    ],
    ["a branch of the other sense", "TRUE, BRANCH_ELSE_1 >a, ADD, a: END", "TRUE, BRANCH_IF_1 >a, ADD, a: END"],
    ["a function inside that lacks its end", "CODE_1 >a, TRUE, END, a: END", "CODE_1 >a, TRUE, a: END, END"],
    ["a function inside that is another", "CODE_1 >a, TRUE, END, a: END", "CODE_1 >a, FALSE, END, a: END"],
    [
      "a scope that depends on the way",
      "BRANCH_IF_1 >a, NEW_TEMPORARY, a: ADD, END",
      "BRANCH_IF_1 >a, NEW_TEMPORARY, a: ADD, END",
    ],
    ["a function that ends early", "TRUE, POP, END", "TRUE, END"],
    ["one without an end", "TRUE, END", "TRUE"],
  ])("sees %s", (_, was, is) => {
    expect(() => {
      prove(was, is);
    }).toThrow("not the same");
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
