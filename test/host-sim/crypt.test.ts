import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { Digest } from "../../host-sim/io/crypt";

const BYTE = 7;
const PIECE = 100;

it("digests are SHA-256, short ones and long ones, one after another, also after one that was given up", () => {
  const digest = new Digest("SHA256");
  for (const length of [0, 64, 256, 257, 5_000, 3]) {
    for (const given of [PIECE, 3 * PIECE]) {
      digest.reset();
      digest.write(new Uint8Array(given));
    }
    digest.reset();
    for (let at = 0; at < length; at += PIECE)
      digest.write(new Uint8Array(Math.min(PIECE, length - at)).fill(BYTE).buffer);
    const sum = createHash("sha256").update(Buffer.alloc(length, BYTE)).digest();
    expect([length, Buffer.from(digest.close())]).toEqual([length, sum]);
  }
});

it("text is hashed as UTF-8, a view without what is around it", () => {
  const digest = new Digest("SHA256");
  digest.write("Lítio");
  digest.write(Uint8Array.of(1, 2, 3, 4).subarray(1, 3));
  const sum = createHash("sha256").update("Lítio").update(Uint8Array.of(2, 3)).digest();
  expect(Buffer.from(digest.close())).toEqual(sum);
});
