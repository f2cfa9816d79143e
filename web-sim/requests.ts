/** What may pass to a BMS that nobody has allowed to be changed: reads, and the writes that ask for a frame (docs/jk-modbus.md, "Triggers"). */
import { appendCrc, hasValidCrc } from "modbus/crc";
import { EXCEPTION_BIT, ILLEGAL_FUNCTION, READ_HOLDING_REGISTERS, WRITE_MULTIPLE_REGISTERS } from "modbus/pdu";
import { SHORT_ADU_BYTES } from "modbus/rtu";
import { isWrite } from "modbus/request";

/** Address, function, register, quantity, byte count, a word, CRC. */
const TRIGGER_BYTES = 11;
/** Written out once more: what holds the firmware back does not ask the firmware. */
const TRIGGERS = [0x161c, 0x161e, 0x1620, 0x1624];
const SHORTEST = 4;

/** Whether these bytes, as a whole, are one request that changes nothing. */
export function onlyReads(bytes: Uint8Array): boolean {
  if (bytes.length < SHORTEST || !hasValidCrc(bytes, 0, bytes.length)) return false;
  if (bytes[1] === READ_HOLDING_REGISTERS) return bytes.length === SHORT_ADU_BYTES;
  if (bytes[1] !== WRITE_MULTIPLE_REGISTERS || bytes.length !== TRIGGER_BYTES) return false;
  const words = new DataView(bytes.buffer, bytes.byteOffset);
  return TRIGGERS.includes(words.getUint16(2)) && words.getUint16(4) === 1 && words.getUint16(7) === 0;
}

/** The refusal of a write; undefined: it is none. */
export function refusalOf(bytes: Uint8Array): Uint8Array | undefined {
  const [address = 0, code = 0] = bytes;
  if (bytes.length < SHORTEST || !isWrite(code) || !hasValidCrc(bytes, 0, bytes.length)) return undefined;
  const reply = Uint8Array.of(address, code | EXCEPTION_BIT, ILLEGAL_FUNCTION, 0, 0);
  appendCrc(reply, reply.length - 2);
  return reply;
}
