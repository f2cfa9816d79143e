/**
 * RTU framing (Modbus over serial line V1.02, section 2.5): an application data unit (ADU) is address, PDU and CRC. RTU delimits frames by
 * silence, which a script cannot measure precisely, so a frame is recognized by its expected length and CRC; silence only marks an
 * incomplete frame as final.
 */
import { appendCrc, hasValidCrc } from "./crc";
import { MAX_ADDRESS, MAX_READ_QUANTITY, MAX_WRITE_QUANTITY } from "./limits";
import { EXCEPTION_BIT, READ_HOLDING_REGISTERS, SHORT_PDU_BYTES, within, WRITE_MULTIPLE_REGISTERS } from "./pdu";

/** Offset of the PDU, after the address. */
export const PDU = 1;
/** Address and CRC. */
const OVERHEAD = 3;

/** A read request, and the reply to a write. */
export const SHORT_ADU_BYTES = SHORT_PDU_BYTES + OVERHEAD;
/** Address, function, exception code, CRC. */
export const EXCEPTION_ADU_BYTES = 5;
/** Application Protocol V1.1b3, section 7. */
const HIGHEST_EXCEPTION = 11;
/** Overhead of a read reply: address, function, byte count, CRC. */
export const READ_REPLY_OVERHEAD = 5;
/** Overhead of a write request: address, function, register, quantity, byte count, CRC. */
const WRITE_REQUEST_OVERHEAD = 9;

/** Offsets of the data in a read reply and a write request. */
export const READ_REPLY_DATA = 3;
export const WRITE_DATA = 7;

/** No known frame begins here. */
export const NO_FRAME = -1;
/** A frame may begin here: more bytes are needed. */
export const UNFINISHED = 0;

/**
 * Makes the PDU in `adu` a frame for `address`. Returns the frame's length.
 * @throws RangeError if the address is out of range
 */
export function seal(adu: Uint8Array, address: number, pduLength: number): number {
  within("address", address, 0, MAX_ADDRESS);
  adu[0] = address;
  return appendCrc(adu, PDU + pduLength);
}

/** `length` if the bytes from `start` are a frame of that length, UNFINISHED if they may become one, else NO_FRAME. */
function fits(bytes: Uint8Array, start: number, end: number, length: number): number {
  if (end - start < length) return UNFINISHED;
  return hasValidCrc(bytes, start, start + length) ? length : NO_FRAME;
}

/** A reply whose data repeat their own check begins with what fits as a request: the longer one is it. */
function fitsEither(bytes: Uint8Array, start: number, end: number, short: number, long: number): number {
  const verdict = fits(bytes, start, end, short);
  const longer = verdict === UNFINISHED ? UNFINISHED : fits(bytes, start, end, long);
  return verdict > 0 && longer <= 0 ? verdict : longer;
}

/**
 * Length of the valid frame at `start`, from any sender: a request or reply of function 03 or 16, or an exception;
 * UNFINISHED or NO_FRAME otherwise.
 */
export function frameAt(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 3) return UNFINISHED;
  const code = bytes[start + 1] as number;
  if (code & EXCEPTION_BIT) {
    const asked = code & ~EXCEPTION_BIT;
    // With any code, noise would pass for one too often, and take the first bytes of what follows with it.
    if (asked !== READ_HOLDING_REGISTERS && asked !== WRITE_MULTIPLE_REGISTERS)
      if ((bytes[start + 2] as number) > HIGHEST_EXCEPTION) return NO_FRAME;
    return fits(bytes, start, end, EXCEPTION_ADU_BYTES);
  }
  if (code === READ_HOLDING_REGISTERS) {
    const reply = READ_REPLY_OVERHEAD + (bytes[start + 2] as number);
    const long = reply > SHORT_ADU_BYTES;
    return fitsEither(bytes, start, end, long ? SHORT_ADU_BYTES : reply, long ? reply : SHORT_ADU_BYTES);
  }
  if (code === WRITE_MULTIPLE_REGISTERS)
    return fitsEither(bytes, start, end, SHORT_ADU_BYTES, WRITE_REQUEST_OVERHEAD + (bytes[start + 6] as number));
  return NO_FRAME;
}

/** Whether the valid frame at `start` is a request that the standard allows: its quantity is, which a CRC that fits noise rarely has as well. */
export function isRequest(bytes: Uint8Array, start: number, length: number): boolean {
  if (isReply(bytes, start, length) || length < SHORT_ADU_BYTES) return false;
  const quantity = quantityAt(bytes, start);
  if (bytes[start + 1] === READ_HOLDING_REGISTERS) return quantity > 0 && quantity <= MAX_READ_QUANTITY;
  return quantity > 0 && quantity <= MAX_WRITE_QUANTITY && bytes[start + 6] === 2 * quantity;
}

/** Whether the valid frame at `start` acknowledges a write. */
export function isAcknowledgement(bytes: Uint8Array, start: number, length: number): boolean {
  if (bytes[start + 1] !== WRITE_MULTIPLE_REGISTERS || length !== SHORT_ADU_BYTES) return false;
  const quantity = quantityAt(bytes, start);
  return quantity > 0 && quantity <= MAX_WRITE_QUANTITY;
}

const quantityAt = (bytes: Uint8Array, start: number): number =>
  ((bytes[start + 4] as number) << 8) | (bytes[start + 5] as number);

/** Distinguishes replies from requests by length: all are odd except read requests and write replies. */
export function isReply(bytes: Uint8Array, start: number, length: number): boolean {
  return (length === SHORT_ADU_BYTES) === (bytes[start + 1] === WRITE_MULTIPLE_REGISTERS);
}
