import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { MAX_PASSWORD_HASH } from "../../src/settings/limits";
import { ITERATIONS, MAX_ITERATIONS, MAX_PASSWORD, MIN_PASSWORD } from "../../src/web/limits";
import { hexOf } from "../../src/runtime/hex";
import { isPassword, formatHash, parseHash, utf8Of } from "../../src/web/password";

describe("isPassword", () => {
  it.each([
    ["x".repeat(MIN_PASSWORD - 1), false],
    ["x".repeat(MIN_PASSWORD), true],
    ["x".repeat(MAX_PASSWORD), true],
    ["x".repeat(MAX_PASSWORD + 1), false],
    ["🔋".repeat(MIN_PASSWORD - 1), false],
    ["🔋".repeat(MAX_PASSWORD), true],
    ["🔋".repeat(MAX_PASSWORD + 1), false],
    ["com acentuação", true],
    ["        ", true],
    ["tab\tinside", false],
    ["line\nbreak", false],
    ["deleted\x7f!", false],
    ["lone \ud83d surrogate", false],
  ])("of %j is %s", (password, is) => {
    expect(isPassword(password)).toBe(is);
  });
});

it("utf8Of matches TextEncoder", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(utf8Of(text)).toEqual(new TextEncoder().encode(text));
    }),
  );
  expect(utf8Of("\udc00")).toBeUndefined();
});

describe("the stored hash", () => {
  const HASH = hashPassword("correct horse", 7);

  it("fits its setting", () => {
    expect(hashPassword("correct horse", MAX_ITERATIONS).length).toBeLessThanOrEqual(MAX_PASSWORD_HASH);
    expect(hashPassword("correct horse").split("$")[1]).toBe(String(ITERATIONS));
  });

  it("differs each time, and does not contain the password", () => {
    expect(HASH).not.toContain("horse");
    expect(hashPassword("correct horse", 7)).not.toBe(HASH);
  });

  it("verifies after a round trip", () => {
    const { iterations, salt, key } = parseHash(HASH)!;
    expect(formatHash(iterations, salt, Uint8Array.from(Buffer.from(key, "hex")))).toBe(HASH);
    expect(hexOf(Uint8Array.of(0, 1, 0x9f, 255))).toBe("00019fff");
  });

  it.each([
    "",
    "correct horse",
    HASH.replace("sha256", "sha1"),
    HASH.replace("$7$", "$0$"),
    HASH.replace("$7$", `$${MAX_ITERATIONS + 1}$`),
    HASH.replace("$7$", "$7.5$"),
    HASH.replace("$7$", "$$"),
    HASH.slice(0, -1),
    HASH.slice(0, -2),
    `${HASH}$`,
    `${HASH.slice(0, -1)}g`,
    HASH.split("$").slice(0, 3).join("$"),
  ])("cannot be %j", (text) => {
    expect(parseHash(text)).toBeUndefined();
  });
});
