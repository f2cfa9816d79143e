import { describe, expect, it } from "vitest";
import { isShallow } from "json/shallow";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("isShallow", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  it("counts arrays and objects", () => {
    expect(isShallow(bytes(nested(3)), 3)).toBe(true);
    expect(isShallow(bytes(nested(4)), 3)).toBe(false);
    expect(isShallow(bytes('{"a":[{"b":1}]}'), 3)).toBe(true);
    expect(isShallow(bytes('{"a":[{"b":1}]}'), 2)).toBe(false);
    expect(isShallow(bytes("[[],[],{},{},{}]"), 2)).toBe(true);
  });

  it("ignores brackets in strings, however they end", () => {
    expect(isShallow(bytes('["[[[[","\\"[[[[","\\\\"]'), 1)).toBe(true);
    expect(isShallow(bytes('["\\\\",[]]'), 1)).toBe(false);
  });
});
