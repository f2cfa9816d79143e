/** Limits of the requests that several interfaces take. */

/** Longest body of a write, bytes (docs/api.md, "Limits"). Beyond it, or without a body: 413. */
export const MAX_BODY_BYTES = 256;

/** Objects and arrays inside one another in a JSON body. A write needs one; the parser's C stack on the device bounds the rest. Beyond it: 400. */
export const MAX_JSON_DEPTH = 8;
