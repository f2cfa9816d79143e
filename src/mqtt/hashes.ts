/** Tells whether what is published now was published last. */
import { hashBlock, hashed, hashFrom } from "../bms/block-hash";
import { COMMANDS_TABLE, readSwitch } from "../catalogue/commands";
import type { Pack } from "../catalogue/pack";

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

/** Of all that the document of the configuration tells: it is looked through at each poll, and seldom another. */
export function hashConfiguration(pack: Pack): number {
  let hash = hashed(hashBlock(pack.setup), pack.configurationLoaded ? 1 : 0);
  for (const row of COMMANDS_TABLE) hash = hashed(hash, Number(readSwitch(row, pack) ?? -1));
  return hash;
}
