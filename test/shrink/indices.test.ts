import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shrinkSources } from "../../scripts/shrink/shrink.mjs";

/** Each function is run as it is written and as the device has it. */
const SOURCE = `
interface Point { readonly x: number; readonly y: number }
const points: readonly Point[] = [{ x: 1, y: 2 }, { x: 3, y: 4 }];
const pairs: readonly (readonly [string, number])[] = [["a", 1], ["b", 2]];

  export function loops(): unknown {
  const seen: unknown[] = [];
  for (const one of [1, 2, 3]) {
    if (one === 2) continue;
    seen.push(one);
  }
  for (const byte of new Uint8Array([4, 5])) seen.push(byte);
  outer: for (const one of points) for (const other of points) {
    if (other.x === 3) continue outer;
    if (one.x === 3) break outer;
    seen.push(one.x + other.y);
  }
  return seen;
}
  export function growing(): unknown {
  const list = [1, 2];
  for (const one of list) if (list.length < 5) list.push(one * 10);
  return list;
}
  export function captured(): unknown {
  const later: (() => number)[] = [];
  for (let one of [1, 2, 3]) later.push(() => one++);
  return [...later, ...later].map((call) => call());
}
  export function patterns(): unknown {
  const seen: unknown[] = [];
  for (const [name, value] of pairs) seen.push(name, value);
  for (const { x, y: height } of points) seen.push(x, height);
  const [, second] = points;
  const [
    first,
    { y } = { x: 0, y: 9 },
  ] = points;
  const [most, ...rest] = [1, 2, 3];
  const { length } = points;
  const { x: left, y: top } = points.length ? (points[0] as Point) : { x: 0, y: 0 };
  return [seen, second, first, y, most, rest, length, left, top];
}
  export function iterators(): unknown {
  const seen: unknown[] = [];
  for (const [key, value] of new Map([["k", 1]])) seen.push(key, value);
  for (const letter of "aé😀") seen.push(letter);
  const [only] = new Set([7]);
  const [character] = "😀";
  return [seen, only, character];
}
  export class Holder {
  private readonly kept = 5;
  readonly open = 6;
  both(): number[] {
    const { kept, open } = this;
    return [kept, open];
  }
}
let asked = 0;
const once = (): Point => { asked++; return { x: asked, y: asked }; };
  export function evaluated(): unknown {
  const { x, y } = once();
  return [x, y, asked];
}
`;

type Functions = Record<string, () => unknown> & { readonly Holder: new () => { both(): number[] } };

describe("indices in place of iterators and patterns", () => {
  const folder = mkdtempSync(join(tmpdir(), "iteration-"));
  const path = join(folder, "source.ts");
  let text: string;
  let written: Functions;
  let device: Functions;
  beforeAll(async () => {
    writeFileSync(path, SOURCE);
    const bundle = async (plugins: Parameters<typeof build>[0]["plugins"]): Promise<string> =>
      (await build({ entryPoints: [path], bundle: true, format: "esm", write: false, plugins: plugins ?? [] }))
        .outputFiles[0]!.text;
    const load = async (name: string, code: string): Promise<Functions> => {
      writeFileSync(join(folder, name), code);
      return (await import(/* @vite-ignore */ join(folder, name))) as Functions;
    };
    text = await bundle(shrinkSources(path, ["privates", "indices"]));
    written = await load("written.mjs", await bundle([]));
    device = await load("device.mjs", text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(["loops", "growing", "captured", "patterns", "iterators", "evaluated"])("%s give the same", (name) =>
    expect(device[name]!()).toEqual(written[name]!()),
  );

  it("an object's own members, renamed or not, are read", () => expect(new device.Holder().both()).toEqual([5, 6]));

  it("only what is no array, or not known to be one, is iterated", () => {
    expect(text.match(/for \(.* of .*\) /g)).toEqual([
      expect.stringContaining("of /* @__PURE__ */ new Map"),
      expect.stringContaining('of "a'),
    ]);
    // Defaults and a rest, a set, a text.
    expect(text.match(/(?:const|let) \[/g)).toHaveLength(5);
    expect(text).not.toMatch(/const \{/);
  });
});
