/** FNV-1a over words: tells whether what is published now was published last. */
import { commandState } from "../bms/command-state";
import { COMMANDS_TABLE } from "../bms/commands-table";
import type { Monitor } from "../bms/types";

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const BYTES_A_WORD = 4;

/** Of the first `length` bytes; zeros are put behind them, up to the end of the word. */
export function hashBytes(bytes: Uint8Array<ArrayBuffer>, length: number): number {
  const count = Math.ceil(length / BYTES_A_WORD);
  bytes.fill(0, length, count * BYTES_A_WORD);
  const words = new Int32Array(bytes.buffer, 0, count);
  let hash = FNV_OFFSET ^ length;
  for (let at = 0; at < count; at++) hash = Math.imul(hash ^ (words[at] as number), FNV_PRIME);
  return hash;
}

/** Of all that the document of the configuration tells: it is looked through at each poll, and seldom another. */
export function hashConfiguration(monitor: Monitor): number {
  const { view } = monitor.setup;
  const last = view.byteLength - BYTES_A_WORD;
  let hash = FNV_OFFSET ^ (monitor.configurationLoaded ? 1 : 0);
  for (let at = 0; at <= last; at += BYTES_A_WORD) hash = Math.imul(hash ^ view.getInt32(at), FNV_PRIME);
  // What is left when the block is no whole number of words.
  hash = Math.imul(hash ^ view.getInt32(last), FNV_PRIME);
  for (const row of COMMANDS_TABLE) hash = Math.imul(hash ^ (commandState(monitor, row) ? 1 : 0), FNV_PRIME);
  return hash;
}
