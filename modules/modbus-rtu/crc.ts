/**
 * CRC-16/MODBUS (Modbus over serial line V1.02, section 6.2.2): polynomial 0xA001 reflected, start 0xFFFF. Half a byte at a time: the
 * table of 16 is as good as free in flash, and the script does a quarter of the work of going bit by bit.
 */
const NIBBLES = Object.freeze(
  [
    0x0000, 0xcc01, 0xd801, 0x1400, 0xf001, 0x3c00, 0x2800, 0xe401, 0xa001, 0x6c00, 0x7800, 0xb401, 0x5000, 0x9c01,
    0x8801, 0x4400,
  ],
  true,
);

/** The CRC of bytes[start, end). */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffff;
  for (let at = start; at < end; at++) {
    crc ^= bytes[at] as number;
    crc = (crc >> 4) ^ (NIBBLES[crc & 15] as number);
    crc = (crc >> 4) ^ (NIBBLES[crc & 15] as number);
  }
  return crc;
}

/** Puts the CRC of bytes[0, length) behind them, low byte first, and answers the length with it. */
export function appendCrc(bytes: Uint8Array, length: number): number {
  const crc = crc16(bytes, 0, length);
  bytes[length] = crc & 0xff;
  bytes[length + 1] = crc >> 8;
  return length + 2;
}

/** Whether bytes[start, end) end with the CRC of what is before it. */
export function hasValidCrc(bytes: Uint8Array, start: number, end: number): boolean {
  const crc = crc16(bytes, start, end - 2);
  return bytes[end - 2] === (crc & 0xff) && bytes[end - 1] === crc >> 8;
}
