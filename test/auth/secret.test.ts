import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { isSecret } from "../../src/auth/secret";
import { TOKEN } from "../support/fakes/fake-parts";

describe("isSecret", () => {
  it("matches the token only", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (given, token) => {
        expect(isSecret(given, token)).toBe(token !== "" && given === token);
      }),
    );
    fc.assert(fc.property(fc.string({ minLength: 1 }), (token) => isSecret(token, token)));
  });

  it.each([
    ["", ""],
    ["", "abc"],
    ["abcabc", "abc"],
    ["abcd", "abc"],
    ["ab", "abc"],
    ["abd", "abc"],
    ["Abc", "abc"],
    // Code units whose low bytes agree.
    ["ab\u0163", "abc"],
  ])("does not match %j against %j", (given, token) => {
    expect(isSecret(given, token)).toBe(false);
  });

  it("compares every character, wherever the first difference is", () => {
    for (const given of ["x".repeat(40), TOKEN, `${TOKEN.slice(0, -1)}x`, "x"]) {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- it is only called with a text for `this`
      const { charCodeAt } = String.prototype;
      const places: (number | undefined)[] = [];
      String.prototype.charCodeAt = function (index) {
        if (String(this) === given) places.push(index);
        return charCodeAt.call(this, index);
      };
      try {
        isSecret(given, given === TOKEN ? "y".repeat(TOKEN.length) : TOKEN);
      } finally {
        String.prototype.charCodeAt = charCodeAt;
      }
      expect(places).toEqual([...given].map((_, index) => index));
    }
  });
});
