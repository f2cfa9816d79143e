/** Lines in the device's log; the oldest is overwritten. */
export const MAX_EVENTS = 32;
/** Maximum length of a line, characters; longer text is truncated. */
export const MAX_EVENT_TEXT = 80;
/** Bytes per line, and offset of the first line in the retained memory, after the start record. */
export const LINE_BYTES = 96;
export const LINES_AT = 16;
