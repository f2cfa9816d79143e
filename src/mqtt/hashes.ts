/** Tells whether what is published now was published last. */
import { hashed, hashFrom } from "../bms/block-hash";

const BYTES_A_WORD = 4;

/** Of the first `length` bytes; zeros are put behind them, up to the end of the word. */
export function hashBytes(bytes: Uint8Array<ArrayBuffer>, length: number): number {
  const count = Math.ceil(length / BYTES_A_WORD);
  bytes.fill(0, length, count * BYTES_A_WORD);
  const words = new Int32Array(bytes.buffer, 0, count);
  let hash = hashFrom(length);
  for (let at = 0; at < count; at++) hash = hashed(hash, words[at] as number);
  return hash;
}
