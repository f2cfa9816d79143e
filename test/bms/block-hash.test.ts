import { BLOCK_BYTES } from "jk-bms/limits";
import { describe, expect, it } from "vitest";
import { hashBlock } from "../../src/bms/block-hash.ts";

const bytes = (): Uint8Array => Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (at * 7) & 255);
const hashOf = (content: Uint8Array, valid = true): number =>
  hashBlock({ view: new DataView(content.buffer), littleEndian: false, valid });

describe("the hash of a block", () => {
  it("is the same for the same bytes at any offset", () => {
    expect(hashOf(bytes())).toBe(hashOf(bytes()));
  });

  it("changes with any byte, including those after the last whole word", () => {
    for (let at = 0; at < BLOCK_BYTES; at++) {
      const other = bytes();
      other[at] = (other[at] as number) ^ 1;
      expect(hashOf(other), `byte ${at}`).not.toBe(hashOf(bytes()));
    }
  });

  it("changes with any bit, including the top bits of two words", () => {
    const flipped = (...places: number[]): number => {
      const other = bytes();
      for (const at of places) other[at] = (other[at] as number) ^ 0x80;
      return hashOf(other);
    };
    const hashes = Array.from({ length: BLOCK_BYTES }, (_, at) => flipped(at));
    expect(new Set(hashes).size).toBe(BLOCK_BYTES);
    for (let at = 4; at + 4 <= BLOCK_BYTES; at += 4)
      expect(flipped(0, at), `bytes 0 and ${at}`).not.toBe(hashOf(bytes()));
  });

  it("differs before the block is read, and is defined for zero bytes", () => {
    expect(hashOf(bytes(), false)).not.toBe(hashOf(bytes()));
    expect(hashOf(new Uint8Array(0), false)).not.toBe(hashOf(new Uint8Array(0)));
  });

  it("covers the last bytes too", () => {
    expect(hashOf(bytes().slice(0, -1))).not.toBe(hashOf(bytes()));
    expect(hashOf(bytes().slice(0, -2))).not.toBe(hashOf(bytes().slice(0, -1)));
  });
});
