/**
 * CRC-16/MODBUS: reflected polynomial 0xA001, initial value 0xFFFF (Modbus over serial line V1.02, section 2.5.1.2).
 */
export function crc16(bytes: Uint8Array, end = bytes.length): number {
  let crc = 0xffff;
  for (let index = 0; index < end; index++) {
    crc ^= bytes[index] as number;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}

/** The message with its CRC appended, low byte first. */
export function withCrc(message: readonly number[] | Uint8Array): Uint8Array {
  const adu = new Uint8Array(message.length + 2);
  adu.set(message);
  new DataView(adu.buffer).setUint16(message.length, crc16(adu, message.length), true);
  return adu;
}

export function crcHolds(adu: Uint8Array): boolean {
  if (adu.length < 4) return false;
  const end = adu.length - 2;
  return crc16(adu, end) === ((adu[end] as number) | ((adu[end + 1] as number) << 8));
}

/** Check byte of a 55AAEB90 frame: the sum of the preceding bytes. */
export function sum8(bytes: Uint8Array, end: number): number {
  let sum = 0;
  for (let index = 0; index < end; index++) sum += bytes[index] as number;
  return sum & 0xff;
}

export function concat(...parts: (Uint8Array | readonly number[])[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function fromHex(text: string): Uint8Array {
  const digits = text.replace(/\s+/g, "");
  if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) throw new Error("not a string of hexadecimal byte pairs");
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) => parseInt(digits.substr(index * 2, 2), 16));
}
