/** Timing and size limits of the monitor. All times in milliseconds. */

/** The longest a write may stay pending, from acceptance to result (docs/api.md, "Write queue"). */
export const WRITE_TIMEOUT = 5000;
/**
 * The backstop timer fires this much early, so that a briefly busy script cannot delay the result beyond WRITE_TIMEOUT.
 */
export const BACKSTOP_RESERVE = 100;
/**
 * The link's time limit is this much shorter than WRITE_TIMEOUT: the link knows how a write ended, the backstop only
 * that it did not end.
 */
export const LINK_RESERVE = 500;

/** A transaction that has not called back by now is stuck: the link is reopened. */
export const LINK_STUCK = 30_000;

/** Maximum length of `lastCommand`, characters. */
export const MAX_SENTENCE = 120;
