import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { isSecret } from "../../src/access/secret";
import { TOKEN } from "../support/fake-parts";

describe("isSecret", () => {
  it("is true for the token alone", () => {
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
  ])("is false for %j where %j is asked", (given, token) => {
    expect(isSecret(given, token)).toBe(false);
  });

  it("looks at every character that was given, however early the first difference is", () => {
    for (const given of ["x".repeat(40), TOKEN, `${TOKEN.slice(0, -1)}x`, "x"]) {
      const charCodeAt = vi.fn((index: number) => given.charCodeAt(index));
      isSecret({ length: given.length, charCodeAt } as unknown as string, TOKEN);
      expect(charCodeAt).toHaveBeenCalledTimes(given.length);
    }
  });
});
