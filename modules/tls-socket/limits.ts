/** Limits of the TLS socket. */

/** RFC 6066, section 4: the server is asked for no larger records, bytes. A power of two of 512 to 4096. */
export const MAX_FRAGMENT = 4_096;
/** What AES-GCM adds to a record in TLS 1.2 (RFC 5288): explicit nonce and tag, bytes. */
export const CIPHER_OVERHEAD = 8 + 16;
/** Largest record that is taken, without its header. */
export const MAX_RECORD = MAX_FRAGMENT + CIPHER_OVERHEAD;
/** Room in the TCP socket that is kept for a record's header and overhead, bytes: a write may take two records. */
export const RESERVE = 96;

/** Certificates in a chain, with the root if the server sends it. */
export const MAX_CHAIN = 4;
/** Certificates that a server may send, with those that nobody looks at: the SDK makes objects of each before it is known who sent it. */
export const MAX_CERTIFICATES = 8;
/** An RSA key, bits. Shorter ones are too weak, longer ones too slow. */
export const MIN_RSA_BITS = 2_048;
export const MAX_RSA_BITS = 4_096;
/** A smaller public exponent makes forgery easier. */
export const MIN_RSA_EXPONENT = 65_537n;
/** Extensions of a certificate. */
export const MAX_EXTENSIONS = 24;
/** An object identifier, bytes. None that is known here has more than 9. */
export const MAX_IDENTIFIER = 32;
/** An ECDSA signature on P-384, DER, bytes. A longer one is out of range, and working that out could take seconds. */
export const MAX_ECDSA_SIGNATURE = 104;
