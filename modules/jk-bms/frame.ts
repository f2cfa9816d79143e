/** The 300-byte frames (docs/jk-modbus.md, "Frames"). They carry no slave address: only the acknowledgement that follows names the sender. */

export const FRAME_BYTES = 300;
/** 55 AA EB 90. */
export const FRAME_HEADER = Object.freeze([0x55, 0xaa, 0xeb, 0x90], true);
export const FRAME_TYPE = 4;
/** Block byte k is frame byte FRAME_PAYLOAD + k. Byte 5, before it, is a counter over Bluetooth and has no meaning here. */
export const FRAME_PAYLOAD = 6;

/** Number of bytes in [start, end) that match the header: 4 if complete, fewer if cut off by `end`, -1 on a mismatch. */
export function headerAt(bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  while (length < FRAME_HEADER.length && start + length < end) {
    if (bytes[start + length] !== FRAME_HEADER[length]) return -1;
    length++;
  }
  return length;
}

/** Whether the sum of the 299 bytes from `start` on is the 300th. */
export function hasValidSum(bytes: Uint8Array, start: number): boolean {
  const last = start + FRAME_BYTES - 1;
  let sum = 0;
  let at = start;
  if (!((bytes.byteOffset + start) & 3)) {
    // Four bytes a step, in two halves of a word that 74 bytes each cannot overflow.
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, FRAME_BYTES >> 2);
    const count = words.length - 1;
    let even = 0;
    let odd = 0;
    let four = 0;
    for (at = 0; at < count; at++) {
      four = words[at] as number;
      even += four & 0xff00ff;
      odd += (four >>> 8) & 0xff00ff;
    }
    sum = even + odd;
    sum += sum >>> 16;
    at = start + 4 * count;
  }
  for (; at < last; at++) sum += bytes[at] as number;
  return (sum & 0xff) === bytes[last];
}
