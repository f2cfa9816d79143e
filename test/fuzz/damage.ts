/** What becomes of the packs' replies on a wire that does not tell what is wrong with them. */
import { FRAME_BYTES, FRAME_PAYLOAD, hasValidSum } from "../../modules/jk-bms/frame";
import { withCrc } from "../../host-sim/bms/codec";
import type { Random } from "./random";

const SUM = FRAME_BYTES - 1;

export const isFrame = (bytes: Uint8Array): boolean => bytes.length >= FRAME_BYTES;

/** A bit of a frame's payload. */
export const payloadBit = (random: Random): number => 8 * FRAME_PAYLOAD + random.below(8 * (SUM - FRAME_PAYLOAD));

/** A frame with two wrong bits, in the payload, that its sum does not show. @param first chooses one of them */
export function spoilt(frame: Uint8Array, random: Random, first = payloadBit): Uint8Array {
  for (;;) {
    const bytes = frame.slice();
    for (const bit of [first(random), payloadBit(random)])
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    if (hasValidSum(bytes, 0) && !bytes.every((byte, at) => byte === frame[at])) return bytes;
  }
}

/** A reply of nothing but zeros, with the right sum or CRC. */
export function zeros(reply: Uint8Array): Uint8Array {
  const bytes = reply.slice();
  if (!isFrame(reply)) return withCrc(bytes.subarray(0, -2).fill(0, 3));
  bytes.fill(0, FRAME_PAYLOAD, SUM);
  bytes[SUM] = bytes.subarray(0, SUM).reduce((sum, byte) => sum + byte, 0) & 0xff;
  return bytes;
}
