/** The monitor's numbers, each with its source. All times in milliseconds. */

/** The longest time a write may stay pending, from acceptance to its result (docs/api.md, "Write queue"). */
export const WRITE_TIMEOUT = 5000;
/**
 * The backstop acts this much earlier, so that a script busy for a moment does not push the result beyond
 * WRITE_TIMEOUT.
 */
export const BACKSTOP_RESERVE = 100;
/**
 * The link gets this much less than WRITE_TIMEOUT: it can tell how a write ended, the backstop only that it did not
 * end.
 */
export const LINK_RESERVE = 500;
/**
 * A write is not started with less than this left: one attempt needs the 400 ms of the first-byte timeout and the gap
 * before it.
 */
export const WRITE_MINIMUM = 600;

/** Offline after this many telemetry polls in a row without a valid reply … */
export const OFFLINE_POLLS = 3;
/** … or this long without one, whichever is later (docs/api.md, "Online and configurationLoaded"). */
export const OFFLINE_TIME = 5000;

/** The setup is read again this often: somebody may change it with the vendor's app. */
export const SETUP_PERIOD = 5 * 60_000;
/** The device information hardly ever changes; its counters move slowly. */
export const DEVICE_INFO_PERIOD = 60 * 60_000;
/** A block that could not be read is tried again after each of the following good polls, this many attempts in all … */
export const BLOCK_ATTEMPTS = 3;
/** … and then only after a pause, so that a pack that never gives it loses few telemetry polls. */
export const SETUP_PAUSE = 30_000;
export const DEVICE_INFO_PAUSE = 5 * 60_000;

/** A transaction that has not called back for this long never will: the link is opened anew. */
export const LINK_STUCK = 30_000;

/** Characters of `lastCommand`. */
export const MAX_SENTENCE = 120;
