import { describe, expect, it } from "vitest";
import {
  brokenCommands,
  brokenComments,
  brokenLinks,
  brokenPaths,
  brokenPictures,
  platformCalls,
  platformModules,
  Repository,
  unnamed,
  withNumbers,
  wrongRegisters,
} from "../../scripts/docs/checks.mjs";

const repository = (files: Record<string, string>): Repository => new Repository(new Map(Object.entries(files)));

describe("checks links", () => {
  const check = (text: string): string[] =>
    brokenLinks(
      repository({ "docs/a.md": text, "docs/b.md": "# B\n\n## Two words, `code`\n", "src/c.ts": "" }),
      "docs/a.md",
    );

  it("to existing files, folders and headings", () => {
    expect(
      check("[b](b.md) [two](b.md#two-words-code) [c](../src/c.ts) [src](../src/) [web](https://x.org/y)"),
    ).toEqual([]);
    expect(check("## Here\n\n[here](#here)")).toEqual([]);
  });

  it("to a missing file or heading", () => {
    expect(check("[b](gone.md)")).toHaveLength(1);
    expect(check("[b](b.md#gone)")).toHaveLength(1);
    expect(check("[here](#gone)")).toHaveLength(1);
    expect(check('<img src="gone.png">')).toHaveLength(1);
  });

  it("but not in code blocks", () => {
    expect(check("```md\n[b](gone.md)\n```\n")).toEqual([]);
  });
});

describe("checks pictures", () => {
  const check = (text: string): string[] =>
    brokenPictures(repository({ "docs/a.md": text, "docs/images/b.png": "", "web/icon.svg": "" }));

  it("that a page shows, with words", () => {
    expect(check('<img width="3" alt="What it shows" src="images/b.png">')).toEqual([]);
    expect(check("![What it shows](images/b.png)")).toEqual([]);
  });

  it.each(["[a link alone](images/b.png)", '```md\n<img src="images/b.png" alt="x">\n```\n', ""])(
    "that no page shows: %j",
    (text) => {
      expect(check(text)).toEqual(["docs/images/b.png is in no page"]);
    },
  );

  it.each(['<img src="images/b.png">', '<img src="images/b.png" alt="">', "![](images/b.png)"])(
    "without words: %j",
    (text) => {
      expect(check(text)).toEqual(["docs/a.md: the picture images/b.png has no words"]);
    },
  );
});

describe("checks commands", () => {
  const check = (text: string): string[] =>
    brokenCommands(repository({ "a.md": text, "test/x/y.test.ts": "", "scripts/z.mjs": "" }), "a.md", {
      scripts: { check: "" },
      options: ["--port"],
    });

  it("that exist", () => {
    expect(
      check(
        "`npm run check`, `npm start -- --port 1`\n\n```sh\nnode scripts/z.mjs # --gone\nnpm test -- test/x\n```\n",
      ),
    ).toEqual([]);
  });

  it("that do not exist", () => {
    expect(check("`npm run gone`")).toHaveLength(1);
    expect(check("```sh\nnode scripts/gone.mjs\n```\n")).toHaveLength(1);
    expect(check("```sh\nnpm start -- --gone\n```\n")).toHaveLength(1);
    expect(check("```sh\nnpm test -- test/gone\n```\n")).toHaveLength(1);
  });
});

it("finds paths in code that do not exist", () => {
  const files = { "a.md": "`src/b.ts` `src/` `src/gone.ts` `modules/io/serial`", "src/b.ts": "" };
  expect(brokenPaths(repository(files), "a.md")).toEqual(["a.md: there is no src/gone.ts"]);
});

it("finds names of files that do not exist, without their folder", () => {
  const files = { "a.md": "`b.ts` `gone.ts` `gone.yaml` `idf.py` `x.port`", "src/b.ts": "" };
  expect(brokenPaths(repository(files), "a.md")).toEqual(["a.md: there is no gone.ts", "a.md: there is no gone.yaml"]);
});

describe("checks numbers", () => {
  const limits = { web: { ITERATIONS: 5_000, LIFE: 90_000 } };

  it("that match the code", () => {
    const text = "5,000<!--= web.ITERATIONS --> and 1.5<!--= web.LIFE / 60_000 --> and 2<!--= web.LIFE / 60_000, 0 -->";
    expect(withNumbers("a.md", text, limits)).toEqual({ fresh: text, problems: [] });
  });

  it("and updates stale ones", () => {
    const { fresh, problems } = withNumbers("a.md", "10,000<!--= web.ITERATIONS --> iterations", limits);
    expect(problems).toHaveLength(1);
    expect(fresh).toBe("5,000<!--= web.ITERATIONS --> iterations");
  });

  it("whose limit is missing or not a number", () => {
    expect(withNumbers("a.md", "5<!--= web.GONE -->", limits).problems).toHaveLength(1);
    expect(withNumbers("a.md", "5<!--= gone.ITERATIONS -->", limits).problems).toHaveLength(1);
    expect(withNumbers("a.md", "some<!--= web.ITERATIONS -->", limits).problems).toHaveLength(1);
  });
});

describe("checks comments", () => {
  const check = (comment: string): string[] =>
    brokenComments(
      repository({
        "src/a/b.ts": `import { other } from "../c/d";\n${comment}\nexport const MY_LIMIT = other;\n`,
        "src/c/d.ts": "export const other = 1; Timer.clear(0);\n",
        "docs/e.md": "# E\n\n## One heading\n",
      }),
      ["src/a/b.ts", "src/c/d.ts"],
    );

  it("that cite existing documents", () => {
    expect(check("// MY_LIMIT, `other`, src/c/d.ts, d.ts, docs/e.md")).toEqual([]);
    expect(check('/**\n * As in docs/e.md,\n * "One heading".\n */')).toEqual([]);
  });

  it.each([
    "// src/c/gone.ts",
    "// gone.md",
    '// docs/e.md, "Gone"',
    "// GONE_LIMIT",
    "// GoneParser",
    "// `gone`",
    "// until `clear` is called",
  ])("that cite missing ones: %s", (comment) => {
    expect(check(comment)).toHaveLength(1);
    expect(check(comment)[0]).toMatch(/^src\/a\/b\.ts:2: /);
  });
});

it("finds registers whose row is wrong or missing", () => {
  const table = "| 0x1000   | u32  | a |\n| 0x1400   | ASCII 15 | b |\n";
  const field = (register: number, type: string, length = 4): { register: number; type: string; length: number } => ({
    register,
    type,
    length,
  });
  expect(wrongRegisters("a.md", table, { a: field(0x1000, "u32"), b: field(0x1400, "ascii", 15) })).toEqual([]);
  expect(wrongRegisters("a.md", table, { a: field(0x1000, "i32") })).toHaveLength(1);
  expect(wrongRegisters("a.md", table, { a: field(0x1004, "u32") })).toHaveLength(1);
});

describe("checks that the page of the platform names what the firmware asks of it", () => {
  const C = `
/* not_called() */
static bool own(const char *text, size_t length)
{
	if (defined(HAS) && sizeof(text) > length)
		return MACRO(text);
	memcpy(text, "not_called()", 3); // nor_this()
	return ESP_OK == esp_one(text) && lwip_two (other->three(length));
}
void xs_native(xsMachine* the) { xsmcSetInteger(xsResult, own("", 1)); c_free(the); mbedtls_thing_free(the); }
`;

  it("the calls of its C", () => {
    expect(platformCalls([C])).toEqual(["esp_one", "lwip_two", "three"]);
    expect(platformCalls([C, "int esp_one(int x)\n{\n\treturn x;\n}\n"])).toEqual(["lwip_two", "three"]);
  });

  it("the modules that its scripts import", () => {
    const script = `import Timer from "timer";
import type Digital from "embedded:io/digital";
import { read, write } from "application";
import { Own } from "./own";
import { Crc } from "modbus/crc";
`;
    expect(platformModules([script], ["modbus"])).toEqual(["application", "timer"]);
  });

  it("by name, in code", () => {
    expect(unnamed("p.md", "`esp_one`, two, `three`", ["esp_one", "two", "three", "four"])).toEqual([
      "p.md does not name two",
      "p.md does not name four",
    ]);
  });
});
