/** What the page and the firmware's bundle take: seen where it is made, without the SDK, as a failing test. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BOARDS } from "../../scripts/moddable.mjs";
import { PARTS } from "../../scripts/parts.mjs";
import { BUDGETS, budgetOf, MAX_FIRST, withoutOf } from "../../scripts/size/budget.mjs";
import { grown, sizesOf, tooLarge, TOLERANCE, type Sizes } from "../../scripts/size/sizes.mjs";
import { sizesIn } from "../../scripts/size/table.mjs";
import { type Fact } from "../../web/build.mjs";
import { builtBundle } from "../support/boards/built-bundle";
import { builtPage } from "../support/web/built-page";

const LANGUAGES = ["en", "pt"];

describe("the page and the bundle", () => {
  it("stay within their limits, and within the tolerance of docs/sizes.md", async () => {
    const facts = JSON.parse(readFileSync(join(await builtPage(), "facts.json"), "utf8")) as Fact[];
    const code = (await builtBundle()).get("firmware.js")!;
    const sizes = await sizesOf(facts, code);
    const before = sizesIn();
    expect(Object.keys(before).sort()).toEqual(Object.keys(sizes).sort());
    // No board leaves anything of the page out, so that one page is every board's.
    const ofPage = (part: string): boolean => PARTS[part]!.some(([source]) => source.startsWith("web/"));
    expect(BOARDS.flatMap(withoutOf).filter(ofPage)).toEqual([]);
    const page = Math.min(...BOARDS.map((board) => budgetOf(board).page));
    expect([...tooLarge(sizes, before, { languages: LANGUAGES, page }), ...grown(sizes, before)]).toEqual([]);
    // Text that is added to either is seen.
    const text = `throw "${"t".repeat(TOLERANCE)}";\n`;
    const more = await sizesOf(facts, code + text);
    expect(grown(more, sizes)).toEqual([expect.stringMatching(/^the bundle: more than 4,000 bytes/)]);
  });
});

describe("what is too large", () => {
  const FIRST: Sizes = { "index.html": 1_000, "app.css": 5_000, "app.js": 29_056, "en.js": 10_000, "pt.js": 9_000 };
  const LATER: Sizes = { "device.js": 65_944, bundle: 450_000 };
  const judge = (sizes: Sizes, page: number = BUDGETS["4MB"].page): string[] =>
    tooLarge(sizes, { ...FIRST, ...LATER }, { languages: LANGUAGES, page });

  it("is one byte above 45,056 until the first values, in any language", () => {
    expect(MAX_FIRST).toBe(45_056);
    expect(judge({ ...FIRST, ...LATER })).toEqual([]);
    expect(judge({ ...FIRST, "app.css": 4_999, ...LATER })).toEqual([]);
    const smaller = { "device.js": 60_000 };
    expect(judge({ ...FIRST, "en.js": 10_001, ...smaller })).toEqual([
      "until the first values (en): 45,057 bytes, at most 45,056; grown since docs/sizes.md: en.js 10,001, +1",
    ]);
    expect(judge({ ...FIRST, "pt.js": 10_001, ...smaller })).toEqual([
      "until the first values (pt): 45,057 bytes, at most 45,056; grown since docs/sizes.md: pt.js 10,001, +1,001",
    ]);
  });

  it.each([
    ["120,000 with 4 MB of flash", BUDGETS["4MB"].page, 120_000],
    ["180,000 with more", BUDGETS.more.page, 180_000],
  ])("is one byte above %s, all files together", (_, page, limit) => {
    expect(page).toBe(limit);
    const filled = limit - 54_056;
    const by = (bytes: number): string[] => judge({ ...FIRST, ...LATER, "device.js": filled + bytes }, page);
    expect([by(0), by(-1)]).toEqual([[], []]);
    expect(by(1)).toEqual([expect.stringMatching(/^all files of the page: .* device\.js /)]);
  });

  it.each(["app.js", "bundle"])("is growth of %s by more than 4,000 bytes; less is no growth", (name) => {
    expect(TOLERANCE).toBe(4_000);
    const before = { ...FIRST, ...LATER };
    const by = (bytes: number): string[] => grown({ ...before, [name]: before[name]! + bytes }, before);
    expect([by(0), by(TOLERANCE), by(-2 * TOLERANCE)]).toEqual([[], [], []]);
    expect(by(TOLERANCE + 1)).toEqual([expect.stringContaining(`${name} `)]);
    expect(by(TOLERANCE + 1)[0]).toContain("+4,001; npm run size -- --write");
  });

  it("names a file that the table does not have, too", () => {
    const before = Object.fromEntries(Object.entries({ ...FIRST, ...LATER }).filter(([name]) => name !== "pt.js"));
    expect(grown({ ...FIRST, ...LATER }, before)).toEqual([expect.stringContaining("pt.js 9,000, +9,000")]);
  });
});

it("the table is read as it is written, and one without its section says what makes it", () => {
  const text =
    "## Page and bundle\n\n| File | Bytes |\n| --- | ---: |\n| app.js | 28,120 |\n| bundle | 9 |\n\n## Images\n\n| nodemcu | 5 |\n";
  expect(sizesIn(text)).toEqual({ "app.js": 28_120, bundle: 9 });
  expect(() => sizesIn("# Sizes\n")).toThrow("npm run size -- --write makes it");
});
