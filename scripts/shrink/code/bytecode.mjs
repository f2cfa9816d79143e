/** A function's bytecode as a list of instructions, and back. */

/** A distance from the end of the instruction, in one, two or four bytes: to where it may branch, or behind a function inside the function. */
const DISTANCE = /^(BRANCH|BRANCH_[A-Z]+|CATCH|CODE)_[124]$/;
const WIDTHS = [1, 2, 4];
/** Behind these stands a byte of flags, as the operand of an INTEGER_1 that is none. */
const FLAGGED = /^NEW_(?:PRIVATE_1|PROPERTY|PROPERTY_AT)$/;
const FLAGS = 2;

/** Of so many bytes, the least significant first. */
function signed(bytes) {
  const value = bytes.reduce((sum, byte, at) => sum + byte * 256 ** at, 0);
  const limit = 256 ** bytes.length;
  return value < limit / 2 ? value : value - limit;
}

function bytesOf(value, width) {
  return Array.from({ length: width }, (_, at) => Math.floor(value / 256 ** at) & 0xff);
}

const fits = (distance, width) => distance >= -(256 ** width) / 2 && distance < 256 ** width / 2;

/**
 * @param {readonly number[]} code
 * @param {readonly import("./opcodes.mjs").Opcode[]} opcodes
 * @returns {import("./bytecode.mjs").Instruction[]} those with a distance have no width in their names. Throws for what is no bytecode.
 */
export function decode(code, opcodes) {
  const places = new Map();
  const branches = [];
  for (let at = 0; at < code.length;) {
    const { name, size } = opcodes[code[at] ?? 0] ?? { name: "", size: 1 };
    let end = at + size;
    if (size < 0) {
      const length = code.slice(at + 1, at + 1 - size);
      end = at + 1 - size + length.reduce((sum, byte, index) => sum + byte * 256 ** index, 0);
    }
    if (FLAGGED.test(name)) end += FLAGS;
    if (!name || end > code.length) throw new Error(`there is no opcode ${code[at]}, or it lacks its end`);
    const operand = code.slice(at + 1, end);
    const instruction = /** @type {import("./bytecode.mjs").Instruction} */ ({ name, operand });
    places.set(at, instruction);
    const [, kind] = DISTANCE.exec(name) ?? [];
    if (kind !== undefined) {
      Object.assign(instruction, { name: kind, operand: [] });
      branches.push({ instruction, target: end + signed(operand) });
    }
    at = end;
  }
  for (const { instruction, target } of branches) {
    instruction.to = places.get(target);
    if (!instruction.to) throw new Error(`${instruction.name} leads to no instruction`);
  }
  return [...places.values()];
}

/**
 * @param {readonly import("./bytecode.mjs").Instruction[]} list
 * @param {readonly import("./opcodes.mjs").Opcode[]} opcodes
 * @returns {number[]} each distance in as few bytes as it takes
 */
export function encode(list, opcodes) {
  /** @type {Map<string, any>} */
  const numbers = new Map(opcodes.map(({ name }, number) => [name, number]));
  /**
   * By instruction with a distance; at first the narrowest. One that has grown stays so, as the others only move away.
   * @type {Map<unknown, any>}
   */
  const widths = new Map(list.flatMap((each) => (each.to ? [[each, 1]] : [])));
  const places = new Map();
  const distance = (each) => places.get(each.to) - places.get(each) - 1 - widths.get(each);
  for (let grown = true; grown;) {
    let at = 0;
    for (const each of list) {
      places.set(each, at);
      at += 1 + (widths.get(each) ?? each.operand.length);
    }
    const narrow = [...widths].filter(([each, width]) => !fits(distance(each), width));
    for (const [each] of narrow)
      widths.set(
        each,
        WIDTHS.find((width) => fits(distance(each), width)),
      );
    grown = narrow.length > 0;
  }
  return list.flatMap((each) => {
    const width = widths.get(each);
    return width === undefined
      ? [numbers.get(each.name), ...each.operand]
      : [numbers.get(`${each.name}_${width}`), ...bytesOf(distance(each), width)];
  });
}
