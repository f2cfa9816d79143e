/** Tells whether what is published now was published last. */
import { hashBlock, hashed, hashFrom } from "../bms/block-hash";
import { commandState } from "../bms/command-state";
import { COMMANDS_TABLE } from "../bms/commands-table";
import type { Monitor } from "../bms/types";

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
export function hashConfiguration(monitor: Monitor): number {
  let hash = hashed(hashBlock(monitor.setup), monitor.configurationLoaded ? 1 : 0);
  for (const row of COMMANDS_TABLE) hash = hashed(hash, commandState(monitor, row) ? 1 : 0);
  return hash;
}
