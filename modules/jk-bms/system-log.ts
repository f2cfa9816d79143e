/** The BMS's own log: frame type 5 (docs/jk-modbus.md, "System log"). */

/** Entries that the BMS keeps, each of a time and a code. */
const KEPT = 50;
const ENTRY_BYTES = 5;
/** Behind the number of entries so far, of 32 bits, is the place of the newest. */
const NEWEST = 4;
const FIRST_ENTRY = 5;

/** What the block of the frame has before its zeros. */
export const LOG_BYTES = FIRST_ENTRY + KEPT * ENTRY_BYTES;

/** Of 32 bits. */
const numberAt = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0, true);

/** Entries so far, those that have been written over included. @param log LOG_BYTES of a block */
export const logTotal = (log: Uint8Array): number => numberAt(log, 0);

/** Whether the newest entry is where the number of entries says: else it is damaged. */
export function logHolds(log: Uint8Array): boolean {
  const total = logTotal(log);
  return !total || log[NEWEST] === (total - 1) % KEPT;
}

/**
 * Reports the entries, the newest first: seconds of the BMS's running time, and a code. What is older than an entry that is younger than its successor
 * is left over from before an erase, and left out.
 */
export function visitLog(log: Uint8Array, visit: (uptime: number, code: number) => void): void {
  let later = Infinity;
  for (let left = Math.min(logTotal(log), KEPT), place = log[NEWEST] as number; left; left--) {
    const at = FIRST_ENTRY + place * ENTRY_BYTES;
    const uptime = numberAt(log, at);
    if (uptime > later) break;
    later = uptime;
    visit(uptime, log[at + 4] as number);
    place = (place || KEPT) - 1;
  }
}
