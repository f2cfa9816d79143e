/**
 * The passes that make the firmware smaller, in the order in which they run (README.md). A build runs all of them, or none: `--plain`; or all
 * but some: `--plain=names,heap`.
 */
export const PASSES = Object.freeze(
  /** @type {const} */ (["privates", "indices", "arrows", "folding", "names", "code", "heap"]),
);

/** Folder that stands in the PATH before the SDK's linker, for `code` and `heap`. */
export const LINKER = `${import.meta.dirname}/linker/bin`;

/** @typedef {import("./passes.mjs").Pass} Pass */

const OPTION = /^--plain(?:=(.*))?$/;

/**
 * @param {readonly string[]} words of a command line
 * @returns {{ passes: readonly Pass[], rest: string[] }} those to run, and the other words. Throws for a pass that does not exist.
 */
export function passesIn(words) {
  /** @type {readonly Pass[]} */
  let passes = PASSES;
  const rest = words.filter((word) => {
    const found = OPTION.exec(word);
    if (!found) return true;
    const without = found[1] === undefined ? PASSES : found[1].split(",");
    const unknown = without.find((name) => !PASSES.some((pass) => pass === name));
    if (unknown !== undefined) throw new Error(`--plain=${unknown}: the passes are ${PASSES.join(", ")}`);
    passes = passes.filter((pass) => !without.includes(pass));
    return false;
  });
  return { passes, rest };
}
