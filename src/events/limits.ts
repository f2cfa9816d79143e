import { LINES } from "../runtime/retained";

/** Lines in the device's log; the oldest is overwritten. */
export const MAX_EVENTS = LINES;
/** Maximum length of a line, characters; longer text is truncated. */
export const MAX_EVENT_TEXT = 80;

/** Records of the same code in flash within an hour; what is more is counted in one. */
export const EVENTS_EACH_HOUR = 10;
