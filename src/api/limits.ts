/** Limits of the REST interface. */

/** Delay of the answer to the second wrong token in a row, ms; it doubles with each further one. */
export const FIRST_FAILURE_DELAY = 250;

/** Retry-After in safe mode, s. */
export const SAFE_MODE_RETRY = 60;

/** Longest delay of a 401, ms. */
export const MAX_FAILURE_DELAY = 2000;

/**
 * Delayed 401 answers at a time. Each holds a connection, and an attacker must not be able to take them all; beyond the limit 401 is sent
 * at once. The protection against guessing is the token's 128 bits.
 */
export const MAX_DELAYED_ANSWERS = 2;
