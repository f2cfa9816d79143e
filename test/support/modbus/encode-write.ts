import { encodeWriteInPlace } from "../../../modules/modbus/pdu";

/** Bytes before the data of a request: function, register, quantity, byte count. */
const WRITE_DATA = 6;

/** A Write Multiple Registers request with `data`, big-endian, two bytes per register, into `bytes` from `at` on. Returns its length. */
export function encodeWrite(bytes: Uint8Array, at: number, register: number, data: Uint8Array): number {
  bytes.set(data, at + WRITE_DATA);
  return encodeWriteInPlace(bytes, at, register, data.length / 2);
}
