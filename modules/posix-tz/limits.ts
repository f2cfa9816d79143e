/** Limits of POSIX.1 and RFC 9636 section 3.3.1. */

/** Characters of a zone: the longest in the time zone database has 44. */
export const MAX_ZONE = 63;
/** Letters of a name, at least. */
export const MIN_NAME = 3;
/** Hours between UTC and local time. */
export const MAX_HOURS = 24;
/** Hours from midnight to a change, either way. */
export const MAX_RULE_HOURS = 167;
