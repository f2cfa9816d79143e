import { describe, expect, it } from "vitest";
import { reuseNames } from "../../scripts/shrink/names.mjs";

describe("reuseNames", () => {
  it("uses no name that is visible inside, and no reserved word", () => {
    const code = "const a = (x) => x.y + x.Object + x.delete, b = (y) => Object.keys(y, a);\n";
    expect(reuseNames(code)).toBe("const keys = (x) => x.y + x.Object + x.delete, $0 = (y) => Object.keys(y, keys);\n");
  });

  it("writes shorthand properties out in full, and renames their defaults", () => {
    expect(reuseNames("const all = 1, f = ({ y = all, x: [z = all] }, w) => ({ all, y, z, w });\n")).toBe(
      "const x = 1, $0 = ({ y = x, x: [z = x] }, w) => ({ all: x, y, z, w });\n",
    );
  });

  it("creates new names when there are none left", () => {
    expect(reuseNames("const a = 1, b = a + ((x) => x.$0 + $1);\n")).toBe(
      "const $0 = 1, $2 = $0 + ((x) => x.$0 + $1);\n",
    );
  });

  it.each(["const a = (a) => a;", "const a = () => {\n  let a;\n};", "const a = 1;\nfor (const a of []) ;"])(
    "refuses a name redeclared inside: %s",
    (code) => {
      expect(() => reuseNames(code)).toThrow("a is declared twice");
    },
  );
});
