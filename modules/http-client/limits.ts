/** Limits of the client: what a service sends can neither hold it up nor make it grow. */

/** From the connection's opening to the end of the answer, ms: also for a service that sends a byte now and then. */
export const TIMEOUT_MS = 15_000;
/** Largest head of an answer with all its fields, interim answers included, bytes. A longer one is malformed. */
export const MAX_HEAD_BYTES = 8_192;
/** Bytes kept of a line of the head; the rest of a longer line is skipped. */
export const MAX_LINE_BYTES = 64;
/** Bytes of a body that are kept: what a service says in words. */
export const MAX_BODY_BYTES = 160;
/** Bytes of a body after which the connection is closed: the answer is complete then. */
export const MAX_BODY_READ = 4_096;
/** Bytes read from the socket at a time. */
export const READ_BYTES = 128;
/** Largest Retry-After that is believed, seconds. */
export const MAX_RETRY_AFTER = 86_400;
/** Largest request, head and body, bytes. */
export const MAX_REQUEST_BYTES = 2_048;
