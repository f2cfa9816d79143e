/** The BMS's own log: frame type 5 (docs/jk-modbus.md, "System log"). */
import { FRAME_PAYLOAD } from "./frame";

/** Entries that the BMS keeps, each of a time and a code. */
const KEPT = 50;
const ENTRY_BYTES = 5;
/** Behind the number of entries so far, of 32 bits, is the place of the newest. */
const NEWEST = 4;
const FIRST_ENTRY = 5;

export interface LogEntry {
  /** Seconds of the BMS's running time. */
  readonly uptime: number;
  readonly code: number;
}

/**
 * The entries, the newest first, of a frame whose sum is valid. A ring whose newest entry is elsewhere than its count says is damaged: undefined.
 * What is older than an entry that is younger than its successor is left over from before an erase, and left out.
 */
export function logEntries(frame: Uint8Array, start: number): readonly LogEntry[] | undefined {
  const at = start + FRAME_PAYLOAD;
  const view = new DataView(frame.buffer, frame.byteOffset + at, FIRST_ENTRY + KEPT * ENTRY_BYTES);
  const count = view.getUint32(0, true);
  const newest = view.getUint8(NEWEST);
  if (count && newest !== (count - 1) % KEPT) return undefined;
  const entries: LogEntry[] = [];
  let later = Infinity;
  for (let back = 0; back < Math.min(count, KEPT); back++) {
    const place = FIRST_ENTRY + ((newest - back + KEPT) % KEPT) * ENTRY_BYTES;
    const uptime = view.getUint32(place, true);
    if (uptime > later) break;
    later = uptime;
    entries.push({ uptime, code: view.getUint8(place + 4) });
  }
  return entries;
}
