import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { makeKey, publicKeyOf, readKey } from "../../scripts/image-signing.mjs";
import { BOARDS } from "../../scripts/moddable.mjs";
import verify from "../../host-sim/io/signature";
import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { ImageCheck, type ImageDemands } from "../../src/update/image";
import { hexBytes } from "../../src/runtime/hex";
import { MAX_SEGMENTS, MAX_VERSION, MIN_IMAGE, TRAILER_BYTES, TRAILER_MARK } from "../../src/update/limits";
import { isOlder } from "../../src/update/version";
import { image, MARK, sealed } from "../support/boards/image";

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

interface Options extends Partial<ImageDemands> {
  readonly piece?: number;
}

/** What is wrong with `bytes`, given in pieces; empty: it is taken. */
function problem(
  bytes: Uint8Array,
  { piece = bytes.length || 1, slot = SLOT, chip = 0, ...rest }: Options = {},
): string {
  const demands = { chip, mark: `${MARK}:`, slot, version: undefined, key: undefined, verify, ...rest };
  const check = new ImageCheck(demands, new Sha());
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
  it.each([1, 2, 3, 7, 16, 255, 256, 1436, 100_000])("is accepted in pieces of %i", (piece) => {
    expect(problem(image(), { piece })).toBe("");
  });

  it("of any size is accepted, however it is split", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 5000 }), fc.integer({ min: 1, max: 3000 }), (size, piece) => {
        expect(problem(image({ size }), { piece })).toBe("");
      }),
      { numRuns: runs(50) },
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
  ])("%s is rejected", (_, bytes, expected) => {
    expect(problem(bytes)).toBe(expected);
    expect(problem(bytes, { piece: 1 })).toBe(expected);
  });

  it("truncated anywhere is rejected", () => {
    const whole = image();
    for (let length = 0; length < whole.length; length += length < 64 ? 1 : 97)
      expect(problem(whole.subarray(0, length)), String(length)).not.toBe("");
    expect(problem(whole.subarray(0, -1))).toBe("image-incomplete");
  });

  it("with any single bit flipped is rejected", () => {
    const whole = image();
    for (let at = 0; at < whole.length; at += 31) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ (1 << (at & 7));
      expect(problem(damaged), String(at)).not.toBe("");
    }
  });

  it("fits its slot to the byte, but not with one byte less", () => {
    const whole = image();
    expect(problem(whole, { slot: whole.length })).toBe("");
    expect(problem(whole, { slot: whole.length - 32 })).toBe("image-too-large");
  });

  it("smaller than any firmware is rejected", () => {
    const small = (size: number): Buffer => image({ size });
    let size = 0;
    while (small(size).length < MIN_IMAGE) size++;
    expect(problem(small(size))).toBe("");
    expect(problem(small(size - 16))).toBe("image-too-small");
  });

  it("with the mark across two segments is not accepted", () => {
    expect(problem(image({ mark: "@jk-bms-monitor/host-si" }))).toBe("image-other-board");
  });
});

describe("the version of an image", () => {
  const version = "1.2.3";

  it.each(["1.2.3", "1.2.4", "1.10.0", "2", "1.2.3.1"])("%s is not older than 1.2.3", (given) => {
    expect(problem(image({ version: given }), { version })).toBe("");
  });

  it.each(["1.2.2", "1.1.9", "0.99.99", "1.2", "", ".", "x", "1.2.", "9".repeat(400)])(
    "%j counts as older",
    (given) => {
      const wrong = given.startsWith("9") ? "" : "image-older";
      expect(problem(image({ version: given.slice(0, 31) }), { version })).toBe(wrong);
      expect(problem(image({ version: given.slice(0, 31) }))).toBe("");
    },
  );

  it("is read however the image is split, up to a limit", () => {
    for (const piece of [1, 7, 1436]) {
      const long = "1.2.3.4.5.6.7.8.9.10";
      const check = new ImageCheck(
        { chip: 0, mark: `${MARK}:`, slot: SLOT, version: undefined, key: undefined, verify },
        new Sha(),
      );
      const bytes = image({ version: long });
      for (let at = 0; at < bytes.length; at += piece) check.take(bytes.subarray(at, at + piece));
      expect([check.end(), check.version]).toEqual([true, long.slice(0, MAX_VERSION)]);
    }
  });

  it("is compared number by number", () => {
    expect(isOlder("0.9", "0.10")).toBe(true);
    expect([isOlder("0.10", "0.9"), isOlder("1", "1.0.0"), isOlder("1.0.0", "1")]).toEqual([false, false, false]);
  });
});

/** Boards as their manifests have them. */
const boards = BOARDS.map(
  (board) =>
    (JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as { config: { image: string; chip: number } })
      .config,
);

describe.each(boards)("the image of $image", (given) => {
  const bytes = image({ chip: given.chip, mark: given.image });

  it("is taken by its board alone: each other board refuses it, one with the same chip too", () => {
    for (const { chip, image: mark } of boards) {
      const expected = mark === given.image ? "" : chip === given.chip ? "image-other-board" : "image-other-chip";
      expect([mark, problem(bytes, { chip, mark: `${mark}:` })]).toEqual([mark, expected]);
    }
  });
});

describe("a signature", () => {
  const own = readKey(makeKey());
  const other = readKey(makeKey());
  const key = hexBytes(publicKeyOf(own))!;

  it.each([1, 7, 64, 72, 1436, 100_000])(
    "is accepted if valid, in pieces of %i, and required only with a key",
    (piece) => {
      expect(problem(image({ key: own }), { key, piece })).toBe("");
      expect(problem(image({ key: own }), { piece })).toBe("");
      expect(problem(image(), { piece })).toBe("");
    },
  );

  it("is required", () => {
    expect(problem(image(), { key })).toBe("image-unsigned");
    expect(problem(image({ key: other }), { key })).toBe("image-signature");
    expect(problem(image({ key: own }), { key: new Uint8Array(0) })).toBe("image-signature");
    expect(problem(image({ key: own }), { key: hexBytes(publicKeyOf(other))! })).toBe("image-signature");
  });

  it("must be of this image", () => {
    const trailer = image({ key: own, size: 2_500 }).subarray(-TRAILER_BYTES);
    expect(problem(Buffer.concat([image(), trailer]), { key })).toBe("image-signature");
  });

  it("with any bit changed, or of another length, is rejected", () => {
    const signed = image({ key: own });
    for (let at = signed.length - TRAILER_BYTES; at < signed.length; at++) {
      const bytes = Buffer.from(signed);
      bytes[at] = (bytes[at] as number) ^ (1 << (at & 7));
      const inMark = at < signed.length - TRAILER_BYTES + TRAILER_MARK.length;
      expect(problem(bytes, { key })).toBe(inMark ? "image-too-long" : "image-signature");
    }
    for (let length = 1; length < TRAILER_BYTES; length++)
      expect(problem(signed.subarray(0, -length), { key })).toBe("image-incomplete");
    expect(problem(Buffer.concat([signed, Buffer.alloc(1)]), { key })).toBe("image-too-long");
  });

  it("of zeros, or of numbers beyond the curve's order, is invalid", () => {
    const signed = image({ key: own });
    for (const byte of [0, 0xff]) {
      const bytes = Buffer.from(signed);
      bytes.fill(byte, signed.length - 64);
      expect(problem(bytes, { key })).toBe("image-signature");
    }
  });
});
