/** Protocol data units of the Modbus Application Protocol V1.1b3: function code and data, whatever carries them. */
import { MAX_READ_QUANTITY, MAX_WRITE_QUANTITY } from "./limits";

/** Section 6.3. */
export const READ_HOLDING_REGISTERS = 0x03;
/** Section 6.4. */
export const READ_INPUT_REGISTERS = 0x04;
/** Section 6.6. */
export const WRITE_SINGLE_REGISTER = 0x06;
/** Section 6.12. */
export const WRITE_MULTIPLE_REGISTERS = 0x10;
/** Section 4.1: set in the function code of an exception reply. */
export const EXCEPTION_BIT = 0x80;

/** Function, register and quantity: a read request, and the reply to a write. */
export const SHORT_PDU_BYTES = 5;
/** Offset of a write request's data: after function, register, quantity and byte count. */
const WRITE_DATA = 6;

/** Exceptions, section 7. */
export const ILLEGAL_FUNCTION = 1;
export const ILLEGAL_ADDRESS = 2;
export const ILLEGAL_VALUE = 3;
export const SERVER_FAILURE = 4;
export const NO_RESPONSE = 11;

/** Section 7. */
const EXCEPTION_NAMES = Object.freeze(
  {
    1: "illegal function",
    2: "illegal data address",
    3: "illegal data value",
    4: "server device failure",
    5: "acknowledge",
    6: "server device busy",
    8: "memory parity error",
    10: "gateway path unavailable",
    11: "gateway target device failed to respond",
  } as Readonly<Record<number, string>>,
  true,
);

export function exceptionName(code: number): string {
  return EXCEPTION_NAMES[code] ?? "unknown exception";
}

export function within(what: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high)
    throw new RangeError(`${what} ${value} is not an integer from ${low} to ${high}`);
}

function header(bytes: Uint8Array, at: number, code: number, register: number, quantity: number): void {
  within("register", register, 0, 0x10000 - quantity);
  bytes[at] = code;
  bytes[at + 1] = register >> 8;
  bytes[at + 2] = register & 0xff;
  bytes[at + 3] = 0;
  bytes[at + 4] = quantity;
}

/**
 * Writes a Read Holding Registers request into `bytes` from `at` on. Returns its length.
 * @param quantity of registers, 1 to 125
 * @throws RangeError if an argument is out of range
 */
export function encodeRead(bytes: Uint8Array, at: number, register: number, quantity: number): number {
  within("quantity", quantity, 1, MAX_READ_QUANTITY);
  header(bytes, at, READ_HOLDING_REGISTERS, register, quantity);
  return SHORT_PDU_BYTES;
}

/**
 * Writes a Write Multiple Registers request into `bytes` from `at` on, around its data, which is in place already: big-endian, two bytes per
 * register, from `at + WRITE_DATA` on. Returns its length.
 * @param quantity of registers, 1 to 123
 * @throws RangeError if an argument is out of range or `bytes` too short
 */
export function encodeWriteInPlace(bytes: Uint8Array, at: number, register: number, quantity: number): number {
  within("quantity", quantity, 1, MAX_WRITE_QUANTITY);
  if (bytes.length < at + WRITE_DATA + 2 * quantity) throw new RangeError("request longer than its buffer");
  header(bytes, at, WRITE_MULTIPLE_REGISTERS, register, quantity);
  bytes[at + WRITE_DATA - 1] = 2 * quantity;
  return WRITE_DATA + 2 * quantity;
}
