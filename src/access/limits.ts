/** Limits of letting people in. */

/** Addresses whose failures are remembered; the one not heard of for longest makes room. */
export const MAX_FAILING_ADDRESSES = 8;

/** Failures older than this are forgotten, ms. */
export const FAILURE_MEMORY = 60_000;
