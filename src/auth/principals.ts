/** Who asks over HTTP, from the least to the most: by rank, one never takes what a higher one has. */
export type Principal = typeof STRANGER | typeof LINK | typeof GUEST | typeof OWNER;

/** A program with a token, too: it needs no place of its own for longer than the few packets of its request take. */
export const STRANGER = 0;
/** A session by a read-only link. */
export const LINK = 1;
/** A session by the guest password. */
export const GUEST = 2;
/** A session by the owner's password. */
export const OWNER = 3;

/**
 * Whose request keeps its place until it is answered, however slowly it comes (`Exchange.trust`). Of anybody else's, eight would shut the owner
 * out.
 */
export const isTrusted = (who: Principal): boolean => who === OWNER;
