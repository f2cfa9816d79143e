/**
 * Finds frames in a byte stream. RTU delimits frames by silence, which a script cannot measure precisely, so a frame is recognized by its
 * expected length and CRC; silence only marks an incomplete frame as final.
 */
import { hasValidCrc } from "./crc";
import {
  EXCEPTION_ADU_BYTES,
  EXCEPTION_BIT,
  READ_HOLDING_REGISTERS,
  READ_REPLY_OVERHEAD,
  SHORT_ADU_BYTES,
  WRITE_MULTIPLE_REGISTERS,
  WRITE_REQUEST_OVERHEAD,
} from "./pdu";

/** No known frame begins here. */
export const NO_FRAME = -1;
/** A frame may begin here: more bytes are needed. */
export const UNFINISHED = 0;

/** `length` if the bytes from `start` are a frame of that length, UNFINISHED if they may become one, else NO_FRAME. */
function fits(bytes: Uint8Array, start: number, end: number, length: number): number {
  if (end - start < length) return UNFINISHED;
  return hasValidCrc(bytes, start, start + length) ? length : NO_FRAME;
}

function fitsEither(bytes: Uint8Array, start: number, end: number, short: number, long: number): number {
  const verdict = fits(bytes, start, end, short);
  return verdict === NO_FRAME ? fits(bytes, start, end, long) : verdict;
}

/**
 * Length of the valid frame at `start`, from any sender: a request or reply of function 03 or 16, or an exception;
 * UNFINISHED or NO_FRAME otherwise.
 */
export function frameAt(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 3) return UNFINISHED;
  const code = bytes[start + 1] as number;
  if (code & EXCEPTION_BIT) return fits(bytes, start, end, EXCEPTION_ADU_BYTES);
  if (code === READ_HOLDING_REGISTERS) {
    const reply = READ_REPLY_OVERHEAD + (bytes[start + 2] as number);
    const long = reply > SHORT_ADU_BYTES;
    return fitsEither(bytes, start, end, long ? SHORT_ADU_BYTES : reply, long ? reply : SHORT_ADU_BYTES);
  }
  if (code === WRITE_MULTIPLE_REGISTERS)
    return fitsEither(bytes, start, end, SHORT_ADU_BYTES, WRITE_REQUEST_OVERHEAD + (bytes[start + 6] as number));
  return NO_FRAME;
}
