/** What is in the partition "history", read by docs/history.md alone: it shares no code with the firmware. */

const SECTOR = 4_096;
const HEADER = 16;

export const RINGS = {
  fine: { first: 1, sectors: 10, record: 22, kind: 0x11 },
  hours: { first: 11, sectors: 5, record: 16, kind: 0x21 },
  days: { first: 16, sectors: 8, record: 32, kind: 0x31 },
  cells: { first: 24, sectors: 4, record: 64, kind: 0x41 },
  events: { first: 28, sectors: 4, record: 80, kind: 0x51 },
} as const;
export type RingName = keyof typeof RINGS;

export interface FlashRecord {
  /** Undefined: it has none. */
  readonly time: number | undefined;
  readonly bytes: Buffer;
}

/** CRC-8, x^8 + x^2 + x + 1 from 0xff; 0 in place of 0xff. */
function crc(bytes: Buffer): number {
  let crc = 0xff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : (crc << 1) & 0xff;
  }
  return crc === 0xff ? 0 : crc;
}

/** The records of a ring that are whole, in the order in which they were written. */
export function recordsIn(flash: Uint8Array, name: RingName): FlashRecord[] {
  const { first, sectors, record, kind } = RINGS[name];
  const bytes = Buffer.from(flash);
  const alive: { sequence: number; start: number }[] = [];
  for (let sector = first; sector < first + sectors; sector++) {
    const start = sector * SECTOR;
    const header = bytes.subarray(start, start + HEADER);
    if (header.toString("latin1", 0, 2) !== "FL" || header[3] !== kind || header[4] !== record) continue;
    if (header[9] !== crc(header.subarray(0, 9)) || header[10] !== 0xff) continue;
    alive.push({ sequence: header.readUInt32BE(5), start });
  }
  alive.sort((one, other) => one.sequence - other.sequence);
  return alive.flatMap(({ start }) => {
    const records: FlashRecord[] = [];
    for (let at = start + HEADER; at + record <= start + SECTOR; at += record) {
      const one = bytes.subarray(at, at + record);
      if (one[record - 1] !== crc(one.subarray(5, record - 1))) continue;
      records.push({ time: one[4] === crc(one.subarray(0, 4)) ? one.readUInt32BE(0) : undefined, bytes: one });
    }
    return records;
  });
}

/**
 * Programs a sector of a ring, counted from its first, as if it had been filled: each record is its time, undefined for none, and the bytes
 * behind the time's check.
 */
export function plant(
  flash: Uint8Array,
  name: RingName,
  sector: number,
  sequence: number,
  records: readonly (readonly [time: number | undefined, payload: readonly number[]])[],
): void {
  const { first, record, kind } = RINGS[name];
  const bytes = Buffer.alloc(SECTOR, 0xff);
  bytes.write("FL");
  bytes.set([1, kind, record], 2);
  bytes.writeUInt32BE(sequence, 5);
  bytes[9] = crc(bytes.subarray(0, 9));
  records.forEach(([time, payload], index) => bytes.set(recordOf(name, time, payload), HEADER + index * record));
  flash.set(bytes, (first + sector) * SECTOR);
}

/** A record as it is in flash: its time, undefined for none, and the bytes behind the time's check. */
export function recordOf(name: RingName, time: number | undefined, payload: readonly number[]): Buffer {
  const { record } = RINGS[name];
  if (payload.length > record - 6) throw new RangeError("does not fit");
  const bytes = Buffer.alloc(record, 0xff);
  bytes.set(payload, 5);
  bytes[record - 1] = crc(bytes.subarray(5, record - 1));
  if (time === undefined) return bytes;
  bytes.writeUInt32BE(time);
  bytes[4] = crc(bytes.subarray(0, 4));
  return bytes;
}

export const CODES =
  "started crashed safe-mode stopped button bms-online bms-offline other-master other-master-gone alarm-raised alarm-cleared write settings-changed older-update password-lost start-reason sign-in-refused pack-online pack-offline pack-swapped all-packs-ended clock-set no-reply condition-raised condition-cleared setting-changed".split(
    " ",
  );

/** The events as texts: a code and its parameters. */
export const eventsIn = (flash: Uint8Array): string[] =>
  recordsIn(flash, "events").map(({ bytes }) =>
    [CODES[bytes[5]!], bytes.toString("latin1", 15, 15 + bytes[14]!)].filter(Boolean).join("\t"),
  );

/** Of all rings, where the flash is not erased: the first place, or -1. */
export const usedAt = (flash: Uint8Array): number =>
  flash.findIndex((byte, at) => at >= RINGS.fine.first * SECTOR && byte !== 0xff);
