/** The simulator's own copy of boards/esp32/abort.c and retained.h: what is left of a script that XS ended. */

export const KEPT_BYTES = 6550;
const ABORT_AT = 16;
const ABORT_BYTES = 128;
const MAX_TEXT = ABORT_BYTES - 3;

export function keepAbort(kept: Uint8Array, why: string): void {
  const record = kept.subarray(ABORT_AT, ABORT_AT + ABORT_BYTES).fill(0);
  const text = why
    .replace(/\s+/g, " ")
    .replace(/[^ -~]/g, "?")
    .slice(0, MAX_TEXT);
  record[0] = text.length;
  record.set(new TextEncoder().encode(text), 1);
  let crc = 0xffff;
  for (const byte of record.subarray(0, -2)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  record[ABORT_BYTES - 2] = crc & 0xff;
  record[ABORT_BYTES - 1] = crc >> 8;
}
