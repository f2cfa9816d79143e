/** Limits of the REST face. */

/** Longest request body, bytes (bms-monitor-api: Limits; the relay's by decisions.md). Beyond it, or without a body: 413. */
export const MAX_BODY_BYTES = 256;

/** Objects and arrays inside one another in a JSON body. A write needs one; the parser's C stack on the device bounds the rest. Beyond it: 400. */
export const MAX_JSON_DEPTH = 8;

/** Addresses whose wrong tokens are remembered; the one not heard of for longest makes room. */
export const MAX_FAILING_ADDRESSES = 8;

/** The second wrong token in a row is answered after this time, ms; each further one after twice the time of the one before. */
export const FIRST_FAILURE_DELAY = 250;

/** The longest time a 401 is held back, ms. */
export const MAX_FAILURE_DELAY = 2000;

/**
 * 401 answers held back at a time. Each holds a connection, so whoever tries tokens must not be able to take them all from the
 * others; beyond it they are answered at once. The token's 128 bits are what keeps guesses out.
 */
export const MAX_DELAYED_ANSWERS = 2;

/** Wrong tokens older than this are forgotten, ms. */
export const FAILURE_MEMORY = 60_000;
