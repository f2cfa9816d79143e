/** Detects whether a message equals the last one published. */
import { FNV_PRIME, FOLD, hashFrom } from "../bms/block-hash";

const BYTES_A_WORD = 4;

/** Hash of the first `length` bytes; pads them with zeros to a whole word. */
export function hashBytes(bytes: Uint8Array<ArrayBuffer>, length: number): number {
  const count = Math.ceil(length / BYTES_A_WORD);
  bytes.fill(0, length, count * BYTES_A_WORD);
  const words = new Int32Array(bytes.buffer, 0, count);
  let hash = hashFrom(length);
  let at = 0;
  // As `hashed`, whose call would take as long as all else. Not a `for` with its own variable: XS recreates it in each iteration.
  while (at < count) {
    hash = Math.imul(hash ^ (words[at] as number), FNV_PRIME);
    hash ^= hash >>> FOLD;
    at++;
  }
  return hash;
}
