/** npm run keygen, npm run sign: what they make is right by OpenSSL's own program, and by the firmware. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import verify from "../../host-sim/io/signature";
import { hexBytes } from "../../src/runtime/hex";
import { SIGNATURE_BYTES, TRAILER_BYTES } from "../../src/update/limits";
import { image } from "../support/boards/image";

let folder: string;
let key: string;
let said: string;

const script = (name: string, ...parameters: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync("node", [`scripts/${name}.mjs`, ...parameters], { encoding: "utf8" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signing-"));
  key = join(folder, "key.pem");
  const { status, stdout } = script("keygen", key);
  expect(status).toBe(0);
  said = /"updateKey": "(04[0-9a-f]{128})"/.exec(stdout)?.[1] as string;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** DER of r and s, as OpenSSL wants it. */
function derOf(signature: Buffer): Buffer {
  const integer = (bytes: Buffer): Buffer => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const number = Buffer.concat([Buffer.alloc((bytes[start] as number) & 0x80 ? 1 : 0), bytes.subarray(start)]);
    return Buffer.concat([Buffer.from([2, number.length]), number]);
  };
  const both = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, both.length]), both]);
}

it("a key is readable by its owner only, and never replaced", () => {
  expect(statSync(key).mode & 0o077).toBe(0);
  const before = readFileSync(key, "utf8");
  expect(script("keygen", key)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("exists already") as string,
  });
  expect(readFileSync(key, "utf8")).toBe(before);
});

it("an image can be signed repeatedly, and OpenSSL and the firmware verify it", () => {
  const path = join(folder, "image.bin");
  const plain = image();
  writeFileSync(path, plain);
  for (let round = 0; round < 2; round++) {
    expect(script("sign", path, key)).toMatchObject({ status: 0, stdout: expect.stringContaining(said) as string });
    const signed = readFileSync(path);
    expect(signed.length).toBe(plain.length + TRAILER_BYTES);
    expect(signed.subarray(0, plain.length).equals(plain)).toBe(true);
    const signature = signed.subarray(-SIGNATURE_BYTES);
    const message = plain.subarray(-32);
    expect(verify(hexBytes(said)!, message, signature)).toBe(true);
    writeFileSync(join(folder, "message"), message);
    writeFileSync(join(folder, "signature"), derOf(signature));
    const parameters = ["dgst", "-sha256", "-prverify", key, "-signature", join(folder, "signature")];
    const { stdout } = spawnSync("openssl", [...parameters, join(folder, "message")], { encoding: "utf8" });
    expect(stdout).toContain("Verified OK");
  }
});

it.each([
  ["no image", Buffer.alloc(5_000), "not a firmware image"],
  ["damaged", image().fill(1, 100, 101), "damaged"],
  ["cut off", image().subarray(0, 3_000), "damaged"],
  ["longer than it says", Buffer.concat([image(), Buffer.alloc(9)]), "longer"],
])("%s: stays unchanged", (_, bytes, reason) => {
  const path = join(folder, "wrong.bin");
  writeFileSync(path, bytes);
  expect(script("sign", path, key)).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) as string });
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

it("a key of another curve, or none, is refused", () => {
  const other = join(folder, "other.pem");
  spawnSync("openssl", ["ecparam", "-name", "secp384r1", "-genkey", "-noout", "-out", other]);
  expect(existsSync(other)).toBe(true);
  const path = join(folder, "image.bin");
  expect(script("sign", path, other)).toMatchObject({ status: 1, stderr: expect.stringContaining("P-256") as string });
  expect(script("sign", path, path).status).toBe(1);
  expect([script("sign", path).status, script("keygen").status]).toEqual([2, 2]);
});
