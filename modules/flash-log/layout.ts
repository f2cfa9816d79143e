/**
 * Bytes in a sector. A header, then records without a gap:
 *
 *     header  0 "FL"  2 version  3 kind  4 bytes of a record  5 sequence number (4)  9 check of 0 to 8  10 dead  11 prepared
 *             12 to 15 unused
 *     record  0 time (4)  4 check of the time  5 payload  last: check of the payload
 *
 * Numbers are big-endian. Whatever has a check byte is written before it, in a write of its own: what a power cut tears has no check. An erased
 * byte, 0xff, is never a check.
 */
import { SECTOR_BYTES } from "./limits";

export const HEADER_BYTES = 16;
export const HEADER_CHECK = 9;
/** Erased while the sector is alive. Cleared before the sector is erased, since an erase that is cut short may leave a valid header. */
export const DEAD = 10;
/**
 * PREPARED_MARK once an erase is complete and the sector was found blank. What an erase that was cut short leaves may look blank, and read otherwise
 * later: without the mark it is erased again. Cleared with DEAD.
 */
export const PREPARED = 11;
export const PREPARED_MARK = 0x5a;
const VERSION = 1;
const MAGIC = 0x464c;

export const TIME_CHECK = 4;
export const PAYLOAD = 5;
/** Bytes of a record besides its payload. */
export const RECORD_OVERHEAD = PAYLOAD + 1;

/** Value of an erased byte. */
export const BLANK = 0xff;
/** Value of four of them. */
export const BLANK_LONG = 0xffff_ffff;

/** Records in a sector. */
export const recordsIn = (recordBytes: number): number => Math.floor((SECTOR_BYTES - HEADER_BYTES) / recordBytes);

/** x^8 + x^2 + x + 1, most significant bit first: the remainder of each value of 4 bits. */
const REMAINDERS: readonly number[] = Object.freeze([
  0x00, 0x07, 0x0e, 0x09, 0x1c, 0x1b, 0x12, 0x15, 0x38, 0x3f, 0x36, 0x31, 0x24, 0x23, 0x2a, 0x2d,
]);

/** CRC-8 of bytes[start, end) with initial value 0xff; 0 in place of 0xff, which is an erased byte. */
export function checkOf(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xff;
  for (; start < end; start++) {
    crc ^= bytes[start] as number;
    crc = ((crc << 4) & 0xff) ^ (REMAINDERS[crc >> 4] as number);
    crc = ((crc << 4) & 0xff) ^ (REMAINDERS[crc >> 4] as number);
  }
  return crc === BLANK ? 0 : crc;
}

export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (; start < end; start++) if (bytes[start] !== BLANK) return false;
  return true;
}

/** Unsigned. */
export function readLong(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) * 0x100_0000 +
    (((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number))
  );
}

export function writeLong(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** Whether a header is that of a sector erased ahead: nothing but its mark. */
export const isPrepared = (header: Uint8Array): boolean =>
  header[PREPARED] === PREPARED_MARK && isBlank(header, 0, PREPARED) && isBlank(header, PREPARED + 1, HEADER_BYTES);

/** Writes a header without its check into `bytes`. */
export function encodeHeader(bytes: Uint8Array, kind: number, recordBytes: number, sequence: number): void {
  bytes[0] = MAGIC >> 8;
  bytes[1] = MAGIC & 0xff;
  bytes[2] = VERSION;
  bytes[3] = kind;
  bytes[4] = recordBytes;
  writeLong(bytes, 5, sequence);
}

/** The sequence number of a sector in use, from its header; 0: it is not in use, or by other records. */
export function sequenceOf(bytes: Uint8Array, kind: number, recordBytes: number): number {
  if (bytes[0] !== MAGIC >> 8 || bytes[1] !== (MAGIC & 0xff) || bytes[2] !== VERSION) return 0;
  if (bytes[3] !== kind || bytes[4] !== recordBytes || bytes[DEAD] !== BLANK) return 0;
  return bytes[HEADER_CHECK] === checkOf(bytes, 0, HEADER_CHECK) ? readLong(bytes, 5) : 0;
}
