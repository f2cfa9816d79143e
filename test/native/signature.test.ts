/** modules/signature with its C over Debian's mbedTLS against OpenSSL's signatures, and the simulator's stand-in for it. Under AddressSanitizer. */
import { randomBytes, sign } from "node:crypto";
import { expect, it } from "vitest";
import simulated from "../../host-sim/io/signature";
import { makeKey, publicKeyOf, readKey } from "../../scripts/image-signing.mjs";
import { hexBytes } from "../../src/runtime/hex";
import { NativeTests } from "../support/boards/native-tests";

const tests = new NativeTests({
  name: "signature",
  sources: ["modules/signature/verify.c", "test/native/signature/part.c"],
  libraries: ["-lmbedcrypto"],
  script: "test/native/signature/verify.js",
  modules: { signature: "modules/signature/verify.js" },
});

const own = readKey(makeKey());
const KEY = hexBytes(publicKeyOf(own))!;
const signed = (message: Uint8Array): Uint8Array => sign("sha256", message, { key: own, dsaEncoding: "ieee-p1363" });

/** The device's verdict, which must equal the simulator's. */
async function isRight(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<unknown> {
  const order = { key: [...key], message: [...message], signature: [...signature] };
  const { right } = await tests.program.ask(order, "a verdict", (said) => "right" in said);
  expect(simulated(key, message, signature)).toBe(right);
  return right;
}

const changed = (bytes: Uint8Array, at: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] as number) ^ 1;
  return copy;
};

it("is valid for what was signed, of any length", async () => {
  for (const length of [0, 1, 31, 32, 33, 1_000]) {
    const message = randomBytes(length);
    expect(await isRight(KEY, message, signed(message))).toBe(true);
  }
});

it("is invalid for anything else", async () => {
  const message = randomBytes(32);
  const signature = signed(message);
  const other = hexBytes(publicKeyOf(readKey(makeKey())))!;
  expect(await isRight(other, message, signature)).toBe(false);
  for (const at of [0, 31]) expect(await isRight(KEY, changed(message, at), signature)).toBe(false);
  for (const at of [0, 31, 32, 63]) expect(await isRight(KEY, message, changed(signature, at))).toBe(false);
});

it("is invalid with a malformed key, and with r and s out of range", async () => {
  const message = randomBytes(32);
  const signature = signed(message);
  const keys = [
    KEY.slice(1),
    KEY.slice(0, 33),
    changed(KEY, 0),
    changed(KEY, 64),
    new Uint8Array(65),
    new Uint8Array(0),
  ];
  for (const key of keys) expect(await isRight(key, message, signature)).toBe(false);
  const zero = new Uint8Array(32);
  // The order of the group (SEC 2, section 2.4.2).
  const order = hexBytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")!;
  const r = signature.slice(0, 32);
  const s = signature.slice(32);
  const pairs = [[zero, s], [r, zero], [zero, zero], [order, s], [r, order], [r, s, zero], [r], []];
  for (const pair of pairs) expect(await isRight(KEY, message, Buffer.concat(pair))).toBe(false);
});
