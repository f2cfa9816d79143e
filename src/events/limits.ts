/** Lines of the device's log; the oldest makes room. */
export const MAX_EVENTS = 32;
/** Characters of a line; what is beyond is cut off. With all lines full the log takes 2.6 KB. */
export const MAX_EVENT_TEXT = 80;
