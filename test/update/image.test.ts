import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImageCheck } from "../../src/update/image";
import { MAX_SEGMENTS, MIN_IMAGE } from "../../src/update/limits";
import { image, MARK, sealed } from "../support/image";

class Sha {
  readonly #hash = createHash("sha256");
  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }
  close(): ArrayBuffer {
    return Uint8Array.from(this.#hash.digest()).buffer;
  }
}

const SLOT = 100_000;

/** What is wrong with `bytes`, given in pieces; empty: it is taken. */
function problem(bytes: Uint8Array, { piece = bytes.length || 1, slot = SLOT, chip = 0, mark = MARK } = {}): string {
  const check = new ImageCheck({ chip, mark, slot }, new Sha());
  for (let at = 0; at < bytes.length; at += piece)
    if (!check.take(bytes.subarray(at, at + piece))) return check.problem;
  return check.end() ? "" : check.problem;
}

/** `image` with some bytes changed and the SHA-256 made right again. */
function changed(change: (body: Buffer) => void): Buffer {
  const body = image({}, false);
  change(body);
  return sealed(body);
}

describe("an image", () => {
  it.each([1, 2, 3, 7, 16, 255, 256, 1436, 100_000])("in pieces of %i is taken", (piece) => {
    expect(problem(image(), { piece })).toBe("");
  });

  it("of any size and cut in any way is taken", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 5000 }), fc.integer({ min: 1, max: 3000 }), (size, piece) => {
        expect(problem(image({ size }), { piece })).toBe("");
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["no image", Buffer.alloc(10_000, "<html>"), "not-firmware"],
    ["another chip's", image({ chip: 9 }), "image-other-chip"],
    ["another board's", image({ mark: "@jk-bms-monitor/nodemcu" }), "image-other-board"],
    ["no segments", changed((body) => (body[1] = 0)), "image-header"],
    ["too many segments", changed((body) => (body[1] = MAX_SEGMENTS + 1)), "image-header"],
    ["no SHA-256", changed((body) => (body[23] = 0)), "image-no-hash"],
    ["no description", changed((body) => (body[32] = 0)), "image-no-application"],
    ["a segment beyond the slot", changed((body) => body.writeUInt32LE(0xffff_ff00, 28)), "image-too-large"],
    ["an empty first segment", changed((body) => body.writeUInt32LE(0, 28)), "image-no-application"],
    ["an empty body", Buffer.alloc(0), "image-incomplete"],
    ["one byte more", Buffer.concat([image(), Buffer.alloc(1)]), "image-too-long"],
  ])("%s is refused", (_, bytes, expected) => {
    expect(problem(bytes)).toBe(expected);
    expect(problem(bytes, { piece: 1 })).toBe(expected);
  });

  it("cut short anywhere is refused", () => {
    const whole = image();
    for (let length = 0; length < whole.length; length += length < 64 ? 1 : 97)
      expect(problem(whole.subarray(0, length)), String(length)).not.toBe("");
    expect(problem(whole.subarray(0, -1))).toBe("image-incomplete");
  });

  it("with any one bit turned is refused", () => {
    const whole = image();
    for (let at = 0; at < whole.length; at += 31) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ (1 << (at & 7));
      expect(problem(damaged), String(at)).not.toBe("");
    }
  });

  it("fits its slot to the byte, and not with one byte less", () => {
    const whole = image();
    expect(problem(whole, { slot: whole.length })).toBe("");
    expect(problem(whole, { slot: whole.length - 32 })).toBe("image-too-large");
  });

  it("smaller than any firmware is refused", () => {
    const small = (size: number): Buffer => image({ size });
    let size = 0;
    while (small(size).length < MIN_IMAGE) size++;
    expect(problem(small(size))).toBe("");
    expect(problem(small(size - 16))).toBe("image-too-small");
  });

  it("with the mark across two segments' ends is not taken for one with it", () => {
    expect(problem(image({ mark: "@jk-bms-monitor/host-si" }))).toBe("image-other-board");
  });
});
