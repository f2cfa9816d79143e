/** What becomes of the packs' replies on a wire that does not tell what is wrong with them. */
import { FRAME_BYTES } from "../../modules/jk-bms/frame";
import { withCrc } from "../../host-sim/bms/codec";
import type { Random } from "./random";

const SUM = FRAME_BYTES - 1;
/** Behind header, type and counter. */
const PAYLOAD = 6;

export const isFrame = (bytes: Uint8Array): boolean => bytes.length >= FRAME_BYTES;

const sumOf = (bytes: Uint8Array): number => bytes.subarray(0, SUM).reduce((sum, byte) => sum + byte, 0) & 0xff;

/** A frame with two wrong bits, in the payload, that its sum does not show. */
export function spoilt(frame: Uint8Array, random: Random): Uint8Array {
  for (;;) {
    const bytes = frame.slice();
    for (let wrong = 0; wrong < 2; wrong++) {
      const bit = 8 * PAYLOAD + random.below(8 * (SUM - PAYLOAD));
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    }
    if (sumOf(bytes) === bytes[SUM] && !bytes.every((byte, at) => byte === frame[at])) return bytes;
  }
}

/** A reply of nothing but zeros, with the right sum or CRC. */
export function zeros(reply: Uint8Array): Uint8Array {
  const bytes = reply.slice();
  if (!isFrame(reply)) return withCrc(bytes.subarray(0, -2).fill(0, 3));
  bytes.fill(0, PAYLOAD, SUM);
  bytes[SUM] = sumOf(bytes);
  return bytes;
}
