/** Limits of requests shared by several interfaces. */

/** Longest body of a write, bytes (docs/api.md, "Limits"). Beyond it, or without a body: 413. */
export const MAX_BODY_BYTES = 256;

/**
 * Maximum nesting depth of objects and arrays in a JSON request, over HTTP or MQTT. A write needs one; the limit protects the parser's C
 * stack on the device.
 */
export const MAX_JSON_DEPTH = 8;

/** Rows of one answer of the history. */
export const HISTORY_ROWS = 500;
/** Answers of the history at a time, and of the metrics. One more waits, at most so long, ms. Then: 503. */
export const MAX_HISTORY_ANSWERS = 1;
export const MAX_SCRAPES = 2;
export const MAX_TURN_WAIT = 20_000;
/** Interval at which those that wait are looked at, ms. */
export const TURN_STEP = 20;
/** Answers of records as they are, for the page, at a time: as many as there are sessions of the owner. One more: 503. */
export const MAX_TRANSFERS = 4;
/** Records read in one step, and the pause between two steps, ms: a poll may come between. */
export const RECORDS_A_STEP = 64;
export const HISTORY_STEP = 5;
/** Longest row of an answer, or line of CSV, bytes: 48 cells with their names. */
export const MAX_PIECE = 768;
/** Room for a condition in a pack's document, and for what follows them, bytes. */
export const CONDITION_BYTES = 192;
/** Highest address of a pack. */
export const MAX_PACK = 15;

/** Differences from a reference in an answer: as many as it has room for. */
export const MOST_DIFFERENCES = 24;
