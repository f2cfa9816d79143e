/** Limits of the TLS socket. */

/** RFC 6066, section 4: the server is asked for no larger records, bytes; session.c refuses them. */
export const MAX_FRAGMENT = 4_096;
/** What AES-GCM adds to a record in TLS 1.2 (RFC 5288): explicit nonce and tag, bytes. */
export const CIPHER_OVERHEAD = 8 + 16;
/** Largest record that is taken, without its header. */
export const MAX_RECORD = MAX_FRAGMENT + CIPHER_OVERHEAD;
/** Room in the TCP socket that is kept for a record's header and overhead and for an alert, bytes. */
export const RESERVE = 96;
