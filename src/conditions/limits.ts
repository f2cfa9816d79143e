/** Limits of conditions: how long each must last is in its row (table.ts). Seconds. */

/** A condition that has begun more often than this … */
export const MOST_BEGINNINGS = 3;
/** … each time within so long of the last one, is over only once it has been gone for as long. */
export const FLAPPING = 600;

/** In the first minutes after a start, s, what takes time to be found, and was there before, is not known to be gone. */
export const LEARNING = 600;

/** dBm: a Wi-Fi weaker than this loses packets. */
export const WEAK_SIGNAL = -80;
