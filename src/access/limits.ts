/** Limits of letting people in. */

/** Addresses whose failures are remembered; the one not heard of for longest makes room. */
export const MAX_FAILING_ADDRESSES = 8;

/** Failures older than this are forgotten, ms. */
export const FAILURE_MEMORY = 60_000;

/** Characters of an address that a proxy tells: an IPv6 address with an IPv4 one in it. */
export const MAX_ADDRESS_LENGTH = 45;

/** Bits that remember who has guessed wrong: at least 256, for a network of 24 bits. */
export const SUSPECT_BITS = 512;
