/** Limits of the TLS socket. */

/** Record size requested from the server (RFC 6066, section 4), bytes; session.c rejects larger records once the handshake is over. */
export const MAX_FRAGMENT = 4_096;
/** Largest record of a handshake, bytes: servers that ignore the request send their whole chain in one. boards/esp32/sdkconfig has it too. */
export const MAX_HANDSHAKE = 8_192;
/** Space kept free in the TCP socket for a record's header and overhead, and for an alert, bytes. */
export const RESERVE = 96;
