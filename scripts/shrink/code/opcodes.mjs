/** The opcodes of the engine in the SDK that links: its sources are their only list. */
import { readFileSync } from "node:fs";

/** An opcode and a property's ID, of 16 bits (`txID`): xs/sources/xsCommon.c has 0 for these. */
const WITH_ID = 3;

/**
 * @param {string} sdk folder of the SDK
 * @returns {import("./opcodes.mjs").Opcode[]} by number
 */
export function readOpcodes(sdk) {
  const read = (/** @type {string} */ name) => readFileSync(`${sdk}/xs/sources/${name}`, "utf8");
  const [, list = ""] = /enum \{\s*(XS_NO_CODE = 0,[^}]*)\bXS_CODE_COUNT\b/.exec(read("xsCommon.h")) ?? [];
  const [, table = ""] = /gxCodeSizes\[XS_CODE_COUNT\][^{]*\{([^}]*)\}/.exec(read("xsCommon.c")) ?? [];
  const names = [...list.matchAll(/^\s*XS_(?:CODE_)?(\w+)/gm)].map(([, name = ""]) => name);
  const sizes = table.replace(/#ifdef mx32bitID[^#]*#else/, "").matchAll(/^\s*(-?\d+) \/\*/gm);
  const opcodes = [...sizes].map(([, size], at) => ({ name: names[at] ?? "", size: Number(size) || WITH_ID }));
  if (opcodes.length === 0 || opcodes.length !== names.length)
    throw new Error(`${sdk}/xs/sources has ${names.length} opcodes and the sizes of ${opcodes.length}`);
  return opcodes;
}
