import { LINES } from "../runtime/retained";

/** Lines in the device's log; the oldest is overwritten. */
export const MAX_EVENTS = LINES;
/** Maximum length of a line, characters; longer text is truncated. */
export const MAX_EVENT_TEXT = 80;

/** Of so many conditions of each pack, and of the device, in one pool, it is known when they changed: 16 bytes each. */
export const EDGES_EACH = 7;

/** Refused sign-ins are stored while they are less than one in so many of the stored events: others may cause them as often as they like. */
export const SECURITY_SHARE = 4;
/** That often, or more, a condition has begun today. */
export const MOST_TODAY = 65_535;
/** Further counted ones share one entry. */
export const MAX_NOT_STORED = 65_535;

/** Records of the same code in flash within an hour; what is more is counted in one. */
export const EVENTS_EACH_HOUR = 10;
