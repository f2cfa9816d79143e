import { describe, expect, it } from "vitest";
import { Der, Malformed, positive } from "tls-socket/der";

describe("DER", () => {
  const element = (...bytes: number[]): number => new Der(Uint8Array.from(bytes)).element().length;

  it("has a length of one or two bytes when it does not fit the short form, and only then", () => {
    const long = Array<number>(0x80).fill(0);
    expect(element(4, 0)).toBe(2);
    expect(element(4, 0x81, 0x80, ...long)).toBe(0x83);
    expect(element(4, 0x82, 1, 0, ...long, ...long)).toBe(0x104);
    for (const bytes of [
      [],
      [4],
      [4, 0x80],
      [4, 0x81],
      [4, 0x81, 0x7f, ...long],
      [4, 0x82, 0],
      [4, 0x83, 0, 0, 0x80, ...long],
    ])
      expect(() => element(...bytes), String(bytes)).toThrow(Malformed);
  });

  it("has positive numbers in as few bytes as they take", () => {
    expect([...positive(Uint8Array.of(0x7f))]).toEqual([0x7f]);
    expect([...positive(Uint8Array.of(0, 0x80))]).toEqual([0x80]);
    for (const bytes of [[], [0], [0x80], [0, 0x7f], [0, 0, 0x80]])
      expect(() => positive(Uint8Array.from(bytes)), String(bytes)).toThrow(Malformed);
  });
});
