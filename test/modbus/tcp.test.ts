import { describe, expect, it, test } from "vitest";
import fc from "../support/property";
import { unhex } from "../support/hex";
import { MAX_PDU_BYTES, MAX_READ_QUANTITY } from "../../modules/modbus/limits";
import { encodeException, encodeReadReply, isWrite, readProblem } from "../../modules/modbus/request";
import { LONGEST_ADU_BYTES, MBAP_BYTES, pduBytes, sealFrame } from "../../modules/modbus/tcp";

/** The guide's example (V1.0b, section 3.1.3): transaction 0x1501, unit 0xFF, function 03 of one register at 4. */
const EXAMPLE = unhex("15 01 00 00 00 06 FF 03 00 04 00 01");

describe("the MBAP header", () => {
  it("tells how long the PDU is", () => {
    expect(pduBytes(EXAMPLE)).toBe(5);
  });

  test.each([
    ["without a function code", 1, 0],
    ["with a function code only", 2, 1],
    ["of the longest PDU", 254, MAX_PDU_BYTES],
    ["of one byte more", 255, 0],
    ["of 64 KB", 0xffff, 0],
    ["of nothing", 0, 0],
  ])("%s", (_, length, expected) => {
    const frame = EXAMPLE.slice();
    frame[4] = length >> 8;
    frame[5] = length & 0xff;
    expect(pduBytes(frame)).toBe(expected);
  });

  test.each([2, 3])("of another protocol (byte %i) is none", (at) => {
    const frame = EXAMPLE.slice();
    frame[at] = 1;
    expect(pduBytes(frame)).toBe(0);
  });

  it("of a reply keeps transaction and unit, whatever was there", () => {
    const frame = new Uint8Array(LONGEST_ADU_BYTES).fill(0xa5);
    frame.set([0x15, 0x01], 0);
    frame[6] = 0xff;
    frame.set([0x83, 2], MBAP_BYTES);
    expect(frame.subarray(0, sealFrame(frame, 2))).toEqual(unhex("15 01 00 00 00 03 FF 83 02"));
    expect(sealFrame(frame, MAX_PDU_BYTES)).toBe(LONGEST_ADU_BYTES);
    expect(pduBytes(frame)).toBe(MAX_PDU_BYTES);
  });
});

const problem = (pdu: string): number => {
  const bytes = unhex(pdu);
  return readProblem(new Uint8Array([0xff, 0xff, ...bytes]), 2, bytes.length);
};

describe("a request", () => {
  test.each([
    ["03 9C 40 00 01", 0],
    ["04 9C 40 00 7D", 0],
    ["03 00 00 00 01", 0],
    ["03 FF FF 00 01", 0],
    ["03 FF FF 00 02", 2],
    ["03 9C 40 00 00", 3],
    ["03 9C 40 00 7E", 3],
    ["03 9C 40 80 01", 3],
    ["03 9C 40 00 01 00", 3],
    ["03 9C 40 00", 3],
    ["03", 3],
    ["01 9C 40 00 01", 1],
    ["06 9C 40 00 01", 1],
    ["10 9C 40 00 01 02 00 00", 1],
    ["00 9C 40 00 01", 1],
    ["2B 0E 01 00", 1],
    ["83 9C 40 00 01", 1],
  ])("%s has exception %i", (pdu, exception) => {
    expect(problem(pdu)).toBe(exception);
  });

  it("that writes is told from others", () => {
    for (let code = 0; code < 256; code++) expect(isWrite(code)).toBe(code === 6 || code === 16);
  });

  it("is read only if it is one of 03 and 04 within the limits, whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 5, maxLength: 7 }), (bytes) => {
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        const quantity = view.getUint16(3);
        const valid =
          (bytes[0] === 3 || bytes[0] === 4) &&
          bytes.length === 5 &&
          quantity > 0 &&
          quantity <= MAX_READ_QUANTITY &&
          view.getUint16(1) + quantity <= 65_536;
        return (readProblem(bytes, 0, bytes.length) === 0) === valid;
      }),
    );
  });

  it("is refused by its own function code with the bit of exceptions", () => {
    const bytes = unhex("00 10 9C 40 00 01 02 00 00");
    expect(encodeException(bytes, 1, 1)).toBe(2);
    expect(bytes.subarray(0, 3)).toEqual(unhex("00 90 01"));
    expect(encodeException(bytes, 1, 11)).toBe(2);
    expect(bytes.subarray(1, 3)).toEqual(unhex("90 0B"));
  });

  it("for 125 registers gets the longest reply, which fits", () => {
    const bytes = new Uint8Array(LONGEST_ADU_BYTES);
    expect(MBAP_BYTES + encodeReadReply(bytes, MBAP_BYTES, MAX_READ_QUANTITY)).toBe(LONGEST_ADU_BYTES - 1);
    expect(bytes[MBAP_BYTES + 1]).toBe(250);
  });
});
