/**
 * CRC-16/MODBUS (Modbus over serial line V1.02, section 6.2.2): polynomial 0xA001 reflected, initial value 0xFFFF. Two bytes per step, one look-up
 * each; 1,024 bytes of flash (docs/decisions/crc-and-base64.md).
 */
const POLYNOMIAL = 0xa001;

/** CRC of each byte value followed by zeros: the state after `bits` shifts. */
const shifted = (bits: number): Uint16Array =>
  Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < bits; bit++) crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1;
    return crc;
  });
const LAST = shifted(8);
const FIRST = shifted(16);

/** The CRC of bytes[start, end). */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  const first = FIRST;
  const last = LAST;
  let crc = 0xffff;
  if (end - start >= 4) {
    // On XS one read of four bytes takes as many steps as two reads of one byte.
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const stop = end - 3;
    let four = 0;
    while (start < stop) {
      four = view.getUint32(start, true);
      crc ^= four & 0xffff;
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number) ^ (four >>> 16);
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number);
      start += 4;
    }
  }
  for (; start < end; start++) crc = (crc >> 8) ^ (last[(crc ^ (bytes[start] as number)) & 255] as number);
  return crc;
}

/** Appends the CRC of bytes[0, length), low byte first. Returns the new length. */
export function appendCrc(bytes: Uint8Array, length: number): number {
  const crc = crc16(bytes, 0, length);
  bytes[length] = crc & 0xff;
  bytes[length + 1] = crc >> 8;
  return length + 2;
}

/** Whether bytes[start, end) end with the CRC of the preceding bytes. */
export function hasValidCrc(bytes: Uint8Array, start: number, end: number): boolean {
  const crc = crc16(bytes, start, end - 2);
  return bytes[end - 2] === (crc & 0xff) && bytes[end - 1] === crc >> 8;
}
