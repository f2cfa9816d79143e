/**
 * CRC-16/MODBUS (Modbus over serial line V1.02, section 6.2.2): polynomial 0xA001 reflected, initial value 0xFFFF. Two bytes per step, one look-up
 * each, eight steps per turn; 1,024 bytes of flash (docs/decisions/crc-and-base64.md).
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

const BYTES_A_TURN = 16;

/** The CRC of bytes[start, end). */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  const first = FIRST;
  const last = LAST;
  let crc = 0xffff;
  const { buffer, byteOffset } = bytes;
  if (end - start > BYTES_A_TURN) {
    if ((byteOffset + start) & 1) crc = (crc >> 8) ^ (last[(crc ^ (bytes[start++] as number)) & 255] as number);
    // All platforms are little-endian, as the CRC is. On XS a word of an array takes a third of the steps of one of a DataView.
    const words = new Uint16Array(buffer, 0, buffer.byteLength >> 1);
    const stop = (byteOffset + end - BYTES_A_TURN) >> 1;
    let at = (byteOffset + start) >> 1;
    while (at <= stop) {
      crc ^= words[at] as number;
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number) ^ (words[at + 1] as number);
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number) ^ (words[at + 2] as number);
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number) ^ (words[at + 3] as number);
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number) ^ (words[at + 4] as number);
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number) ^ (words[at + 5] as number);
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number) ^ (words[at + 6] as number);
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number) ^ (words[at + 7] as number);
      crc = (first[crc & 255] as number) ^ (last[crc >> 8] as number);
      at += 8;
    }
    start = 2 * at - byteOffset;
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
