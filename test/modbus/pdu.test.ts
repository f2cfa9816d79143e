import { describe, expect, it } from "vitest";
import fc from "../support/property";
import { crc16, hasValidCrc } from "../../modules/modbus/crc";
import { encodeRead, encodeWriteInPlace, exceptionName } from "../../modules/modbus/pdu";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU, seal } from "../../modules/modbus/rtu";
import { hex, unhex } from "../support/hex";

/** The CRC as the serial line guide spells it out, bit by bit (V1.02, section 6.2.2). */
function crcByBit(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}

describe("CRC-16", () => {
  it("matches the serial line guide for any bytes", () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => crc16(bytes, 0, bytes.length) === crcByBit(bytes)));
  });

  it("can be computed for a range anywhere in memory", () => {
    const [some, place] = [fc.uint8Array({ maxLength: 256, size: "max" }), fc.nat({ max: 9 })];
    fc.assert(
      fc.property(some, place, place, place, (bytes, offset, before, after) => {
        const memory = new Uint8Array(offset + before + bytes.length + after).fill(0xa5);
        const view = memory.subarray(offset);
        view.set(bytes, before);
        return crc16(view, before, before + bytes.length) === crcByBit(bytes);
      }),
    );
  });

  it("has the check value 0x4B37", () => {
    expect(crc16(new TextEncoder().encode("123456789"), 0, 9)).toBe(0x4b37);
  });

  it("detects any single-bit error", () => {
    const frame = unhex("01 10 10 70 00 02 44 D3");
    expect(hasValidCrc(frame, 0, 8)).toBe(true);
    for (let bit = 0; bit < 64; bit++) {
      const wrong = Uint8Array.from(frame, (byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      expect(hasValidCrc(wrong, 0, 8)).toBe(false);
    }
  });
});

describe("requests", () => {
  const adu = new Uint8Array(256);
  const read = (address: number, register: number, quantity: number): string =>
    hex(adu.subarray(0, seal(adu, address, encodeRead(adu, PDU, register, quantity))));
  const write = (address: number, register: number, data: Uint8Array): string =>
    hex(adu.subarray(0, seal(adu, address, encodeWrite(adu, PDU, register, data))));

  it("are encoded like the Application Protocol's examples", () => {
    expect(read(0x11, 0x6b, 3)).toBe("11 03 00 6B 00 03 76 87");
    expect(write(0x11, 1, unhex("00 0A 01 02"))).toBe("11 10 00 01 00 02 04 00 0A 01 02 C6 F0");
  });

  it.each([
    ["quantity", () => read(1, 0, 0), () => read(1, 0, 1)],
    ["quantity", () => read(1, 0, 126), () => read(1, 0, 125)],
    ["quantity", () => write(1, 0, new Uint8Array(0)), () => write(1, 0, new Uint8Array(2))],
    ["quantity", () => write(1, 0, new Uint8Array(248)), () => write(1, 0, new Uint8Array(246))],
    ["quantity", () => write(1, 0, new Uint8Array(3)), () => write(1, 0, new Uint8Array(4))],
    ["address", () => read(248, 0, 1), () => read(247, 0, 1)],
    ["address", () => read(-1, 0, 1), () => read(0, 0, 1)],
    ["register", () => read(1, -1, 1), () => read(1, 0, 1)],
    ["register", () => read(1, 0x10000, 1), () => read(1, 0xffff, 1)],
    ["register", () => read(1, 0xffff, 2), () => read(1, 0xfffe, 2)],
    ["register", () => read(1, 1.5, 1), () => read(1, 1, 1)],
  ])("reject a %s out of range and accept the last one inside it", (what, wrong, right) => {
    expect(wrong).toThrow(new RegExp(`^${what}`));
    expect(right).not.toThrow();
  });

  it("reject a buffer that is too short", () => {
    expect(() => encodeWriteInPlace(new Uint8Array(10), PDU, 0, 2)).toThrow("request longer than its buffer");
    for (const length of [10, 8])
      expect(() => encodeWrite(new Uint8Array(length), PDU, 0, new Uint8Array(4))).toThrow(RangeError);
    expect(encodeWrite(new Uint8Array(11), PDU, 0, new Uint8Array(4))).toBe(10);
  });
});

it("exceptions have the names of section 7", () => {
  expect(exceptionName(2)).toBe("illegal data address");
  expect(exceptionName(11)).toBe("gateway target device failed to respond");
  expect(exceptionName(7)).toBe("unknown exception");
  expect(exceptionName(255)).toBe("unknown exception");
});

it("a request is written over whatever was in its buffer", () => {
  const used = new Uint8Array(8).fill(0xff);
  encodeRead(used, PDU, 0x1200, 2);
  expect(hex(used.subarray(0, seal(used, 1, 5)))).toBe("01 03 12 00 00 02 C1 73");
});
