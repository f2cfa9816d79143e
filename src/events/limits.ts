/** Lines of the device's log; the oldest makes room. */
export const MAX_EVENTS = 32;
/** Characters of a line; what is beyond is cut off. */
export const MAX_EVENT_TEXT = 80;
/** In the memory that outlives a restart, behind the record of the start: bytes of a line, and where they begin. */
export const LINE_BYTES = 96;
export const LINES_AT = 16;
