import { describe, expect, it, vi } from "vitest";
import { parseMembers } from "json/parse";

const NAMES = ["command", "state"];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the members of a request", () => {
  it("are parsed with the list of keys to keep, so that a client cannot exhaust XS's keys", () => {
    const parse = vi.spyOn(JSON, "parse");
    parseMembers(bytes('{"command":"a","invented":1}'), NAMES, 8);
    expect(parse.mock.calls[0]?.[1]).toBe(NAMES);
  });

  it("nested deeper than allowed do not reach the parser", () => {
    const nested = (depth: number): Uint8Array => bytes(`{"x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`);
    const parse = vi.spyOn(JSON, "parse");
    expect(parseMembers(nested(4), NAMES, 3)).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
    expect(parseMembers(nested(3), NAMES, 3)).toBeDefined();
    expect(parseMembers(nested(2), NAMES, 3)).toBeDefined();
  });

  it.each(["[]", "null", '"text"', "1", "true", "", "{"])("are none of %j", (text) => {
    expect(parseMembers(bytes(text), NAMES, 8)).toBeUndefined();
  });

  it("are none of invalid UTF-8", () => {
    expect(parseMembers(Uint8Array.from([...bytes('{"command":"'), 0xc3, ...bytes('"}')]), NAMES, 8)).toBeUndefined();
  });
});
