/** Limits of conditions: how long each must last is in its row (table.ts). Seconds. */

/** Rows of the table, as many as are kept over a restart (src/events/condition-words.ts); integers are exact up to 53 of them. */
export const MOST_ROWS = 48;
/** Of the device: the causes of messages have so many places for them (src/notify/causes.ts). */
export const MOST_DEVICE_ROWS = 8;

/** A pack is judged once in so long, s, and when an alarm changes: none of what has to last needs less. */
export const LOOK_EVERY = 2;

/** A condition that has begun more often than this … */
export const MOST_BEGINNINGS = 3;
/** … each time within so long of the last one, is over only once it has been gone for as long. */
export const FLAPPING = 600;

/** In the first minutes after a start, s, what takes time to be found, and was there before, is not known to be gone. */
export const LEARNING = 600;

/** dBm: a Wi-Fi weaker than this loses packets. */
export const WEAK_SIGNAL = -80;
