import type { BlockImage } from "jk-bms/types";

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const BYTES_A_WORD = 4;

const FOLD = 15;

/**
 * `hash` with one more 32-bit word: FNV-1a by words, folded, because a product carries a word's high bits no further down. Tells
 * contents apart; not for security.
 */
export const hashed = (hash: number, word: number): number => {
  const product = Math.imul(hash ^ word, FNV_PRIME);
  return product ^ (product >>> FOLD);
};

/** Where a hash begins; `seed` tells apart what is as long and has the same words. */
export const hashFrom = (seed: number): number => FNV_OFFSET ^ seed;

/** A number of its own for nearly every content of a block; one that has not been read may have no bytes. */
export function hashBlock({ view, valid }: BlockImage): number {
  let hash = hashFrom(valid ? 1 : 0);
  let at = 0;
  for (; at + BYTES_A_WORD <= view.byteLength; at += BYTES_A_WORD) hash = hashed(hash, view.getInt32(at));
  // What is left when the block is no whole number of words.
  for (; at < view.byteLength; at++) hash = hashed(hash, view.getUint8(at));
  return hash;
}
