/** Texts of a block. */
import { textAt } from "jk-bms/fields";
import { expect, it } from "vitest";
import fc from "../support/property";

it("a text ends at a NUL or its length, and shows ? for anything but printable ASCII", () => {
  fc.assert(
    // With two bytes more than the text may have.
    fc.property(fc.uint8Array({ minLength: 2, maxLength: 20 }), (bytes) => {
      const length = bytes.length - 2;
      const nul = bytes.indexOf(0);
      const shown = Array.from(bytes.subarray(0, nul < 0 ? length : Math.min(nul, length)), (code) =>
        code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : "?",
      );
      expect(textAt(new DataView(bytes.buffer, bytes.byteOffset), 0, length)).toBe(shown.join(""));
    }),
    { examples: [[Uint8Array.of(0x22, 0x5c, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0xff, 0, 1)]] },
  );
});
