/** Limits and timing of syslog. */

/** Largest message, bytes: what every receiver takes over IPv4 (RFC 5426 section 3.2). Of a longer one the end of the sentence is left out. */
export const MAX_MESSAGE_BYTES = 480;
/** Interval at which queued events are sent, ms. */
export const TICK = 1_000;
/** A message seems older than the one before it, by less than this, s: it gets that one's time. By more: the clock was wrong. */
export const MAX_STEP_BACK = 60;
/** Messages sent at once: lwIP keeps few packets for a host whose hardware address it has yet to ask for. */
export const MAX_AT_ONCE = 2;
