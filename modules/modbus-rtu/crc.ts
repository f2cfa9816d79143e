/**
 * CRC-16/MODBUS (Modbus over serial line V1.02, section 6.2.2): polynomial 0xA001 reflected, start 0xFFFF. One table look-up a
 * byte; 512 bytes of flash (docs/decisions/crc-and-base64.md).
 */
const POLYNOMIAL = 0xa001;
const BYTES = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1;
  return crc;
});

/** The CRC of bytes[start, end). */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  const table = BYTES;
  let crc = 0xffff;
  for (; start < end; start++) crc = (crc >> 8) ^ (table[(crc ^ (bytes[start] as number)) & 255] as number);
  return crc;
}

/** Appends the CRC of bytes[0, length), low byte first. Returns the new length. */
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
