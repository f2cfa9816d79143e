/** Codes of addresses, compared with those of uqr. */
import { encode } from "uqr";
import { expect, it } from "vitest";
import { qrCode } from "../../web/device/qr";
import fc from "../support/property";

/** Of the longest text: version 5, level L, but for its mode and length. */
const MAX_BYTES = 106;

const peer = (text: string): boolean[][] =>
  encode(text, { ecc: "L", boostEcc: false, maskPattern: 0, border: 0, minVersion: 1 }).data;

it.each([1, 17, 18, 32, 33, 53, 54, 78, 79, MAX_BYTES])(
  "a text of %i bytes is the code that uqr makes of it",
  (length) => {
    const text = "http://jk-bms-100001.local/".repeat(5).slice(0, length);
    expect(qrCode(text)).toEqual(peer(text));
  },
);

it("one byte more has none", () => {
  expect(qrCode("x".repeat(MAX_BYTES))).toHaveLength(37);
  expect(qrCode("x".repeat(MAX_BYTES + 1))).toBeUndefined();
  // Bytes count, not characters.
  expect(qrCode("é".repeat(MAX_BYTES / 2 + 1))).toBeUndefined();
});

it("any text that fits is the code that uqr makes of it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."abcz019-./:"), minLength: 1, maxLength: MAX_BYTES - 1 }),
      (text) => {
        // Lower case: of digits or capitals alone uqr makes a shorter code.
        expect(qrCode(`a${text}`)).toEqual(peer(`a${text}`));
      },
    ),
  );
});
