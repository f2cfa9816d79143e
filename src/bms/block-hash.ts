import type { BlockImage } from "jk-bms/types";

const FNV_OFFSET = 0x811c9dc5 | 0;
export const FNV_PRIME = 0x01000193;
const BYTES_A_WORD = 4;

export const FOLD = 15;

/**
 * Adds one 32-bit word to `hash`: FNV-1a on words, folded because multiplication never carries high bits downwards.
 * Detects changes; not for security.
 */
const hashed = (hash: number, word: number): number => {
  const product = Math.imul(hash ^ word, FNV_PRIME);
  return product ^ (product >>> FOLD);
};

/** Initial hash; `seed` distinguishes inputs that have the same words. */
export const hashFrom = (seed: number): number => FNV_OFFSET ^ seed;

/** Hash of a block's content and validity; the image of an unread block may be empty. */
export function hashBlock({ view, valid }: BlockImage): number {
  let hash = hashFrom(valid ? 1 : 0);
  let at = 0;
  for (; at + BYTES_A_WORD <= view.byteLength; at += BYTES_A_WORD) hash = hashed(hash, view.getInt32(at));
  // Trailing bytes of a block that is not a whole number of words.
  for (; at < view.byteLength; at++) hash = hashed(hash, view.getUint8(at));
  return hash;
}
