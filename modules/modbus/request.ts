/** Requests as a server receives them (Modbus Application Protocol V1.1b3, section 6). */
import { MAX_READ_QUANTITY } from "./limits";
import {
  EXCEPTION_BIT,
  ILLEGAL_ADDRESS,
  ILLEGAL_FUNCTION,
  ILLEGAL_VALUE,
  READ_HOLDING_REGISTERS,
  READ_INPUT_REGISTERS,
  SHORT_PDU_BYTES,
  WRITE_MULTIPLE_REGISTERS,
  WRITE_SINGLE_REGISTER,
} from "./pdu";
import { wordAt } from "./tcp";

/** Offsets in the PDU of a read request. */
export const REGISTER = 1;
export const QUANTITY = 3;
/** Offset of the data in the reply to a read: behind function and byte count. */
export const READ_DATA = 2;

/** 0: the PDU at `at`, of `length` bytes, reads registers; otherwise the exception that answers it. */
export function readProblem(bytes: Uint8Array, at: number, length: number): number {
  const code = bytes[at];
  if (code !== READ_HOLDING_REGISTERS && code !== READ_INPUT_REGISTERS) return ILLEGAL_FUNCTION;
  const quantity = wordAt(bytes, at + QUANTITY);
  if (length !== SHORT_PDU_BYTES || !quantity || quantity > MAX_READ_QUANTITY) return ILLEGAL_VALUE;
  return wordAt(bytes, at + REGISTER) + quantity > 0x10000 ? ILLEGAL_ADDRESS : 0;
}

export const isWrite = (code: number): boolean => code === WRITE_SINGLE_REGISTER || code === WRITE_MULTIPLE_REGISTERS;

/** Makes the request at `at` the reply that refuses it. Returns its length. */
export function encodeException(bytes: Uint8Array, at: number, exception: number): number {
  bytes[at] = (bytes[at] as number) | EXCEPTION_BIT;
  bytes[at + 1] = exception;
  return 2;
}

/** Begins the reply to a read of `quantity` registers, whose data follow at READ_DATA. Returns its length. */
export function encodeReadReply(bytes: Uint8Array, at: number, quantity: number): number {
  bytes[at + 1] = 2 * quantity;
  return READ_DATA + 2 * quantity;
}
