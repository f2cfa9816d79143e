/** Limits and timing of notifications. Times in seconds, unless noted otherwise. */

/** Messages that wait; full, one goes that a target has got, else the oldest that is no alarm, else the oldest. */
export const MAX_MESSAGES = 8;
/** Of so many causes that have been reported and are not over, the packs are known after a restart; further ones are reported again. */
export const MAX_KEPT_PACKS = 9;
/** Messages within DAY, and how many of them are reserved for causes not reported before. */
export const MAX_DAILY = 40;
export const RESERVED_DAILY = 10;
export const DAY = 86_400;
/** Interval at which the day's time is kept over a restart. */
export const KEEP = 60;

/** Pauses of a cause: it is reported at once, after 5 minutes, 30 minutes after the first, and then hourly at most. */
export const PAUSES: readonly number[] = Object.freeze([0, 300, 1_500, 3_600], true);
/** Quiet time after which a cause is over, by the number of messages sent; after the last of them it counts as new. */
export const CALMS: readonly number[] = Object.freeze([0, 0, 300, 3_600], true);
/** After a restart what was reported before it is not over earlier than this: the values have to be read first. */
export const CALM_AFTER_START = 60;

/** What happens to several packs within this is one message. */
export const GATHER = 30;

/** What could not be judged for a while is not over earlier than so long after its own time. */
export const FOUND_AGAIN = 30;

/** A message sent later than this says when it happened. */
export const LATE = 60;

/** Back-off of a service that fails: doubles from the first number to the second. */
export const FIRST_BACK_OFF = 30;
export const MAX_BACK_OFF = 3_600;

/** Interval of the rules, ms. */
export const TICK = 1_000;
/** Longest time until a test is answered, ms: finding the name, another request, its own. The page waits 15 s. */
export const TEST_TIME = 12_000;
