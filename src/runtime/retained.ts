import { keep, recall } from "application";
import { appendCrc, hasValidCrc } from "modbus/crc";

/**
 * Map of the memory that survives a restart but not a power cut (the chip's RTC memory), bytes. boards/esp32/retained.h has the same for C;
 * test/boards/retained.test.ts compares them. Each area checks its own content. A change of the map takes another VERSION.
 */
export const VERSION = 10;

/** The map's mark: magic u32, version u16, CRC. */
export const HEADER_BYTES = 8;
/** Causes and counts of restarts (src/health/start.ts). */
export const START_AT = HEADER_BYTES;
export const START_BYTES = 8;
/** Why XS ended the script: length u8, printable ASCII, CRC; written by boards/esp32/abort.c. */
export const ABORT_AT = START_AT + START_BYTES;
export const ABORT_BYTES = 128;
/** The log (src/events/event-ring.ts). */
export const LINES_AT = ABORT_AT + ABORT_BYTES;
export const LINE_BYTES = 96;
export const LINES = 32;

/** What the history has not recorded yet (src/history/unfinished.ts): of the bank, then HISTORY_PACK_BYTES of each pack, with a CRC. */
export const HISTORY_AT = LINES_AT + LINES * LINE_BYTES;
export const HISTORY_BANK_BYTES = 234;
export const HISTORY_PACK_BYTES = 28;
export const HISTORY_PACKS = 16;
export const HISTORY_BYTES = HISTORY_BANK_BYTES + HISTORY_PACKS * HISTORY_PACK_BYTES + 2;

/** The cells of each pack, in the order of the settings, each with a CRC (src/history/unfinished-cells.ts). */
export const CELLS_AT = HISTORY_AT + HISTORY_BYTES;
export const CELLS_BYTES = 130;

/** Notifications that wait (src/notify/message-queue.ts), with a CRC. */
export const NOTIFY_AT = CELLS_AT + HISTORY_PACKS * CELLS_BYTES;
export const NOTIFY_BYTES = 168;

/** What is wrong with the device and each pack (src/events/condition-words.ts): alarms and a set of each, times of so many conditions, what has begun today, and a CRC. */
export const CONDITIONS_AT = NOTIFY_AT + NOTIFY_BYTES;
export const CONDITIONS_SUBJECTS = 17;
export const CONDITIONS_TIMES = 26;
export const TODAY_ROWS = 31;
export const CONDITIONS_BYTES = 10 * CONDITIONS_SUBJECTS + 4 * CONDITIONS_TIMES + 2 * (1 + 2 * TODAY_ROWS) + 2;

export const KEPT_BYTES = CONDITIONS_AT + CONDITIONS_BYTES;

const MAGIC = 0x4a4b_524d;
const VERSION_AT = 4;
const CRC_AT = HEADER_BYTES - 2;

/**
 * Marks the retained memory as having this map.
 * @returns whether it had it already; otherwise its content, of another version or noise, counts as empty
 */
export function claimRetained(): boolean {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  recall(header, 0);
  if (hasValidCrc(header, 0, HEADER_BYTES) && view.getUint32(0) === MAGIC && view.getUint16(VERSION_AT) === VERSION)
    return true;
  view.setUint32(0, MAGIC);
  view.setUint16(VERSION_AT, VERSION);
  appendCrc(header, CRC_AT);
  keep(header, 0);
  return false;
}
