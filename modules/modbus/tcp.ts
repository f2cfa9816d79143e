/** The frame on TCP (Modbus Messaging on TCP/IP Implementation Guide V1.0b, section 3.1.3): the MBAP header, then the PDU. */
import { MAX_PDU_BYTES } from "./limits";

/** Transaction, protocol, length and unit. */
export const MBAP_BYTES = 7;
/** The header and a function code. */
export const SHORTEST_ADU_BYTES = MBAP_BYTES + 1;
export const LONGEST_ADU_BYTES = MBAP_BYTES + MAX_PDU_BYTES;
/** Offsets. */
const PROTOCOL = 2;
const LENGTH = 4;
export const UNIT = 6;

export const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

export function putWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >> 8;
  bytes[at + 1] = word;
}

/** Bytes of the PDU behind the header at the beginning of `bytes`; 0: it is no such header, so nobody knows where the next one begins. */
export function pduBytes(bytes: Uint8Array): number {
  const length = wordAt(bytes, LENGTH) - 1;
  return wordAt(bytes, PROTOCOL) || length < 1 || length > MAX_PDU_BYTES ? 0 : length;
}

/** Completes the header, which has transaction and unit, before a PDU. Returns the frame's length. */
export function sealFrame(bytes: Uint8Array, pduLength: number): number {
  putWord(bytes, PROTOCOL, 0);
  putWord(bytes, LENGTH, pduLength + 1);
  return MBAP_BYTES + pduLength;
}
