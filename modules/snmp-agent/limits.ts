/** Every limit of the agent. */

/** The largest message taken and sent, bytes: what Ethernet's 1,500 leave beside the heads of IPv4 and UDP. RFC 3417 asks for 484. */
export const MAX_MESSAGE_BYTES = 1_472;
/** RFC 3416, section 4.1: sub-identifiers of a name. */
export const MAX_OID_LENGTH = 128;
/** Sub-identifiers of a name that are kept. No object may have more: then the rest of a longer name changes no comparison. */
export const MAX_OID_KEPT = 24;
/** Variable bindings of a request, and those that a GETBULK is answered with: it bounds the time that one answer takes. */
export const MAX_VARBINDS = 64;
/** A GETBULK is answered with at most so many times its bytes: who sends it may have borrowed somebody else's address. */
export const MAX_AMPLIFICATION = 8;
/** Characters (bytes) of a community. */
export const MAX_COMMUNITY = 32;
/** RFC 2579: a DisplayString. Longer texts are cut. */
export const MAX_DISPLAY_STRING = 255;
/** Requests answered in one go; those that wait beside them are thrown away, as UDP may: their senders ask again. */
export const MAX_REQUESTS_AT_ONCE = 4;
/** Waiting requests thrown away in one go. */
export const MAX_DROPPED_AT_ONCE = 60;
