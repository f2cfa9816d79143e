import { expect, it } from "vitest";
import { lowerCase, upperCase } from "../../modules/ascii/case";
import fc from "../support/property";

it("changes the letters of ASCII and nothing else", () => {
  expect(lowerCase("AZaz@[`{09 -_")).toBe("azaz@[`{09 -_");
  expect(upperCase("AZaz@[`{09 -_")).toBe("AZAZ@[`{09 -_");
  // The signs of Kelvin and Angstrom, dotted I, sharp s, a letter of two words.
  for (const text of ["\u212a", "\u212b", "\u0130", "\u00df", "\u00c9\u00e9", "\u{10400}", ""]) {
    expect(lowerCase(text)).toBe(text);
    expect(upperCase(text)).toBe(text);
  }
  expect(lowerCase("\u00c9A\u{10400}B")).toBe("\u00c9a\u{10400}b");
});

it("is the engine's for all texts of ASCII", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
      expect(lowerCase(text)).toBe(text.toLowerCase());
      expect(upperCase(text)).toBe(text.toUpperCase());
    }),
  );
});
