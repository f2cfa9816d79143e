/** Compares the register tables of a page with the firmware's. */

/** @param {Record<string, { register: number, type: string, length: number }>} fields */
export function wrongRegisters(path, text, fields) {
  const types = new Map(
    [...text.matchAll(/^\| 0x([0-9A-F]{4}) +\| (?:32 × )?(ASCII \d+|[uif]\d+) /gm)].map(([, register, type]) => [
      parseInt(register, 16),
      type,
    ]),
  );
  return Object.entries(fields).flatMap(([name, { register, type, length }]) => {
    const wanted = type === "ascii" ? `ASCII ${length}` : type;
    const told = types.get(register);
    const where = `0x${register.toString(16).toUpperCase()} (${name})`;
    return told === wanted ? [] : [`${path}: ${where} is ${wanted}, the page has ${told ?? "none"}`];
  });
}
