/** Requests of the Modbus Application Protocol V1.1b3, as RTU frames (ADU: address, function code, data, CRC). */
import { appendCrc } from "./crc";
import { MAX_ADDRESS, MAX_READ_QUANTITY, MAX_WRITE_QUANTITY } from "./limits";

/** Section 6.3. */
export const READ_HOLDING_REGISTERS = 0x03;
/** Section 6.12. */
export const WRITE_MULTIPLE_REGISTERS = 0x10;
/** Section 4.1: set in the function code of an exception reply. */
export const EXCEPTION_BIT = 0x80;

/** Address, function, register and quantity, and the CRC: a read request, and the reply to a write. */
export const SHORT_ADU_BYTES = 8;
/** Address, function, exception code, CRC. */
export const EXCEPTION_ADU_BYTES = 5;
/** Overhead of a read reply: address, function, byte count, CRC. */
export const READ_REPLY_OVERHEAD = 5;
/** Overhead of a write request: address, function, register, quantity, byte count, CRC. */
export const WRITE_REQUEST_OVERHEAD = 9;

/** Offsets of the data in a read reply and a write request. */
export const READ_REPLY_DATA = 3;
export const WRITE_DATA = 7;

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

function within(what: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high)
    throw new RangeError(`${what} ${value} is not an integer from ${low} to ${high}`);
}

function header(adu: Uint8Array, address: number, code: number, register: number, quantity: number): void {
  within("address", address, 0, MAX_ADDRESS);
  within("register", register, 0, 0x10000 - quantity);
  adu[0] = address;
  adu[1] = code;
  adu[2] = register >> 8;
  adu[3] = register & 0xff;
  adu[4] = 0;
  adu[5] = quantity;
}

/**
 * Writes a Read Holding Registers request into `adu`. Returns its length.
 * @param quantity of registers, 1 to 125
 * @throws RangeError if an argument is out of range
 */
export function encodeRead(adu: Uint8Array, address: number, register: number, quantity: number): number {
  within("quantity", quantity, 1, MAX_READ_QUANTITY);
  header(adu, address, READ_HOLDING_REGISTERS, register, quantity);
  return appendCrc(adu, SHORT_ADU_BYTES - 2);
}

/**
 * Writes a Write Multiple Registers request into `adu`. Returns its length.
 * @param data big-endian, two bytes per register, 1 to 123 registers
 * @throws RangeError if an argument is out of range or `adu` too short
 */
export function encodeWrite(adu: Uint8Array, address: number, register: number, data: Uint8Array): number {
  adu.set(data, WRITE_DATA);
  return encodeWriteInPlace(adu, address, register, data.length / 2);
}

/** The same for data already in `adu` at WRITE_DATA: saves an array. */
export function encodeWriteInPlace(adu: Uint8Array, address: number, register: number, quantity: number): number {
  within("quantity", quantity, 1, MAX_WRITE_QUANTITY);
  if (adu.length < WRITE_REQUEST_OVERHEAD + 2 * quantity) throw new RangeError("request longer than its buffer");
  header(adu, address, WRITE_MULTIPLE_REGISTERS, register, quantity);
  adu[6] = 2 * quantity;
  return appendCrc(adu, WRITE_REQUEST_OVERHEAD - 2 + 2 * quantity);
}
