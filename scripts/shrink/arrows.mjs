/**
 * A function that can be called with `new` takes three more slots of flash than an arrow function: its prototype, and that object
 * with its constructor. Functions that use `this` are left alone.
 */

/** A top-level function of esbuild's output, from its first to its last line. */
const FUNCTION = /^function ([\w$]+\(.*\)) \{\n([\s\S]*?)^\}$/gm;
const NEEDS_FUNCTION = /\b(?:this|arguments|new\.target)\b/;

/** Calling one above its definition fails in the linker: reorder the source. Lines stay where they are. */
export const withArrows = (code) =>
  code.replace(FUNCTION, (whole, head, body) =>
    NEEDS_FUNCTION.test(body) ? whole : `const ${head.replace("(", " = (")} => {\n${body}};`,
  );
