/** Limits of requests shared by several interfaces. */

/** Longest body of a write, bytes (docs/api.md, "Limits"). Beyond it, or without a body: 413. */
export const MAX_BODY_BYTES = 256;

/**
 * Maximum nesting depth of objects and arrays in a JSON request, over HTTP or MQTT. A write needs one; the limit protects the parser's C
 * stack on the device.
 */
export const MAX_JSON_DEPTH = 8;
