import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIVEN, shortenPrivates } from "../../scripts/shrink/privates.mjs";

describe("shortenPrivates", () => {
  it.each([
    ["looked for in another object", "class A { private a = 1; b(c) { return c.a; } }"],
    ["taken out of another object", "class A { private a = 1; b({ a }) { return a; } }"],
    ["taken out of itself by an assignment", "class A { private a = 1; b(a) { ({ a } = this); } }"],
    ["used where this is another object", "class A { private a = 1; b() { return { c() { return this.a; } }; } }"],
    [
      "used in a function with a this of its own",
      "class A { private a = 1; b() { return function() { return this.a; }; } }",
    ],
    ["named by a text", 'class A { private a = 1; b() { return this["a"]; } }'],
    ["of a class that extends another, whose names may be the same", "class A extends B { private a = 1; }"],
    ["a parameter of its constructor", "class A { constructor(private a) { a++; } }"],
    ["seen by others", "class A { a = 1; protected b = this.a; }"],
  ])("leaves the name of a member that is %s", (_, code) => {
    expect(shortenPrivates(code)).toBe(code);
  });
});

describe("the names that private members are given", () => {
  it.each(["class A { private a = 1; $0 = 2; }", "const b = (c) => c.$12;", 'class A { b(c) { return c["$1"]; } }'])(
    "are refused in a source: %s",
    (code) => expect(() => shortenPrivates(code)).toThrow(/^\$\d+ is a name that private members are given/),
  );

  it("are none of the platform's: of its declarations, of the C of this repository, of the engine's objects", () => {
    const under = (folder: string, ...endings: string[]): string[] =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => endings.some((ending) => path.endsWith(ending)))
        .map((path) => readFileSync(join(folder, path), "utf8"));
    const declared = [
      ...under("node_modules/@moddable/typings", ".d.ts"),
      ...under("types", ".d.ts"),
      ...under("boards", ".c", ".js"),
      ...under("modules", ".c", ".js"),
    ].flatMap((text) => text.match(/[\w$]+/g) ?? []);
    const builtIn = Object.getOwnPropertyNames(globalThis).flatMap((name) => {
      const value: unknown = Reflect.get(globalThis, name);
      const prototype: unknown = typeof value === "function" ? value.prototype : undefined;
      return [name, ...(prototype instanceof Object ? Object.getOwnPropertyNames(prototype) : [])];
    });
    const names = new Set([...declared, ...builtIn]);
    // The search works.
    expect(["onReadable", "setMilliseconds", "xsmcSetInteger"].filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => GIVEN.test(name))).toEqual([]);
  });
});
