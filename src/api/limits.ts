/** Limits of the REST interface. */

/** The second wrong token in a row is answered after this time, ms; each further one after twice the time of the one before. */
export const FIRST_FAILURE_DELAY = 250;

/** The longest time a 401 is held back, ms. */
export const MAX_FAILURE_DELAY = 2000;

/**
 * 401 answers held back at a time. Each holds a connection, so whoever tries tokens must not be able to take them all from the
 * others; beyond it they are answered at once. The token's 128 bits are what keeps guesses out.
 */
export const MAX_DELAYED_ANSWERS = 2;
