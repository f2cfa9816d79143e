import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { isUtf8 } from "json/utf8";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("isUtf8", () => {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const decodes = (bytes: Uint8Array): boolean => {
    try {
      strict.decode(bytes);
      return true;
    } catch {
      return false;
    }
  };

  it("agrees with a strict decoder on every sequence of the bytes that matter", () => {
    const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf];
    const leads = [0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff, ...edges];
    for (const a of leads)
      for (const b of [...edges, undefined])
        for (const c of [0x61, 0x80, 0xbf, 0xc2, undefined])
          for (const d of [0x61, 0x80, 0xbf, undefined]) {
            const sequence = Uint8Array.from([a, b, c, d].filter((byte) => byte !== undefined));
            expect(isUtf8(sequence), Buffer.from(sequence).toString("hex")).toBe(decodes(sequence));
          }
  });

  it("agrees with a strict decoder on anything", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: "binary" }), fc.nat(60), (noise, text, cut) => {
        const whole = bytes(text);
        for (const sample of [noise, whole, whole.subarray(0, cut), Uint8Array.from([...whole, ...noise])])
          expect(isUtf8(sample)).toBe(decodes(sample));
      }),
    );
  });
});
