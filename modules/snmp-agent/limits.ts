/** Limits of the agent. */

/** Largest message received and sent, bytes: an Ethernet MTU of 1,500 less the IPv4 and UDP headers. RFC 3417 requires 484. */
export const MAX_MESSAGE_BYTES = 1_472;
/** RFC 3416, section 4.1: sub-identifiers in a name. */
export const MAX_OID_LENGTH = 128;
/** Sub-identifiers of a name that are kept. No object's name may be longer: then the rest of a longer name never affects a comparison. */
export const MAX_OID_KEPT = 24;
/** Largest sub-identifier in the name of an object: a character below the surrogates. */
export const MAX_ARC = 0xd7ff;
/** Variable bindings in a request, and in the response to a GETBULK: bounds the time spent on one response. */
export const MAX_VARBINDS = 64;
/** Longest GETBULK response as a multiple of the request's bytes: the source address may be spoofed. */
export const MAX_AMPLIFICATION = 8;
/** Length of a community, characters (bytes). */
export const MAX_COMMUNITY = 32;
/** Length of a DisplayString (RFC 2579). Longer strings are truncated. */
export const MAX_DISPLAY_STRING = 255;
/** Requests answered in one go; any others waiting are dropped, as UDP permits: their senders retry. */
export const MAX_REQUESTS_AT_ONCE = 4;
/** Waiting requests dropped in one go. */
export const MAX_DROPPED_AT_ONCE = 60;
