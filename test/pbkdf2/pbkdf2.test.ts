import { pbkdf2Sync } from "node:crypto";
import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { KEY_BYTES, Pbkdf2 } from "pbkdf2/pbkdf2";
import { Digest } from "../../host-sim/io/crypt";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function derive(password: Uint8Array, salt: Uint8Array, iterations: number, step: number): string {
  const hash = new Pbkdf2({ digest: new Digest("SHA256"), password, salt, iterations });
  while (!hash.run(step));
  return Buffer.from(hash.key).toString("hex");
}

describe("PBKDF2 with HMAC-SHA256", () => {
  // RFC 7914 section 11, its first 32 bytes.
  it.each([
    ["passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"],
    ["Password", "NaCl", 80_000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"],
  ])("of %s, %s and %i iterations matches the RFC", (password, salt, iterations, key) => {
    expect(derive(bytes(password), bytes(salt), iterations, 1_000)).toBe(key);
  });

  it("matches Node's for any lengths and steps", () => {
    const some = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(
        some,
        some,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 50 }),
        (password, salt, count, step) => {
          expect(derive(password, salt, count, step)).toBe(
            pbkdf2Sync(password, salt, count, KEY_BYTES, "sha256").toString("hex"),
          );
        },
      ),
    );
  });

  it.each([63, 64, 65])("accepts a password of %i bytes, around SHA-256's block size", (length) => {
    const password = new Uint8Array(length).fill(0x61);
    expect(derive(password, bytes("salt"), 3, 1)).toBe(
      pbkdf2Sync(password, "salt", 3, KEY_BYTES, "sha256").toString("hex"),
    );
  });

  it("does no more per step than requested", () => {
    const hash = new Pbkdf2({ digest: new Digest("SHA256"), password: bytes("a"), salt: bytes("b"), iterations: 10 });
    expect([hash.run(4), hash.run(4), hash.run(1)]).toEqual([false, false, true]);
  });

  it.each([0, -1, 1.5, NaN])("refuses %s iterations", (iterations) => {
    expect(() => derive(bytes("a"), bytes("b"), iterations, 1)).toThrow(RangeError);
  });
});
