/** Limits of authentication. */

/** Addresses whose failures are remembered; a further one evicts the least recently seen. */
export const MAX_FAILING_ADDRESSES = 8;

/** Age after which failures are forgotten, ms. */
export const FAILURE_MEMORY = 60_000;

/** Longest address accepted from a proxy, characters: IPv6 with an embedded IPv4 address. */
export const MAX_ADDRESS_LENGTH = 45;

/** Bits of the set of suspect addresses: at least 256, one per host of a /24 network. */
export const SUSPECT_BITS = 512;
