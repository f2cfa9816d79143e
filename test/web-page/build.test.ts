import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { ASSETS } from "../../src/web/assets";
import { POLICY } from "../../src/web/policy";
import { buildWeb, firstFiles, type Fact } from "../../web/build.mjs";
import { recordsModule, setupModule, tablesModule } from "../../web/generate-tables.mjs";

const folder = mkdtempSync(join(tmpdir(), "page-"));
/** As it was before a build could mend it. */
const committedTables = readFileSync(`${root}web/tables.ts`, "utf8");
let facts: Fact[];

beforeAll(async () => {
  facts = await buildWeb({ out: folder, log: () => {} });
});
afterAll(() => rmSync(folder, { recursive: true }));

const content = (name: string): string => gunzipSync(readFileSync(join(folder, `${name}.gz`))).toString();

const LANGUAGES = ["en", "pt"];

it("has the sizes that the build returns, which test/size compares with their limits", () => {
  for (const { file, size } of facts) expect(readFileSync(join(folder, file)).length).toBe(size);
  for (const language of LANGUAGES)
    expect(facts.filter(({ name }) => firstFiles(language).includes(name))).toHaveLength(4);
});

it("is the files that the firmware serves and its image has", () => {
  const names = facts.map(({ name }) => name);
  expect(["index.html", ...ASSETS].sort()).toEqual([...names].sort());
  const { data } = JSON.parse(readFileSync(`${root}manifest.json`, "utf8")) as { data: { "*": string[] } };
  expect([...data["*"]].sort()).toEqual([...names.map((name) => `./build/web/${name}`), "./src/notify/roots"].sort());
});

it("is reproducible byte for byte", async () => {
  const before = facts.map(({ file }) => readFileSync(join(folder, file)));
  const again = await buildWeb({ out: folder, log: () => {} });
  expect(again).toEqual(facts);
  again.forEach(({ file }, index) =>
    expect(readFileSync(join(folder, file)).equals(before[index] as Buffer)).toBe(true),
  );
});

it("references its parts by their digest, so that they may be cached forever", () => {
  const html = content("index.html");
  const app = content("app.js");
  const referenced = facts.filter(({ name, etag }) => `${html}${app}`.includes(`"${name}?${etag}"`));
  // For these browsers ask by names of their own.
  const named = ["icon.svg", "touch-icon.png", "manifest.webmanifest"];
  expect(referenced.map(({ name }) => name).sort()).toEqual(ASSETS.filter((name) => !named.includes(name)).sort());
});

it("has one language in each language's file, and none in the others", () => {
  const words = { en: "Balancing starts when", pt: "O balanceamento começa" };
  for (const { name } of facts)
    for (const language of LANGUAGES)
      expect(content(name).includes(words[language as keyof typeof words]), name).toBe(name === `${language}.js`);
});

it("has nothing inline but the script that the policy names, and nothing from elsewhere", () => {
  const html = content("index.html");
  const inline = [...html.matchAll(/<script[^>]*>([^]+?)<\/script>/g)].map(([, script]) => script ?? "");
  expect(inline).toHaveLength(1);
  expect(POLICY).toContain(
    `'sha256-${createHash("sha256")
      .update(inline[0] ?? "")
      .digest("base64")}'`,
  );
  expect(html).not.toMatch(/ style=|<style|javascript:|<[^>]* on\w+=/i);
  for (const { name } of facts) {
    const addresses = content(name).match(/https?:\/\/[^"'`\s]*/g) ?? [];
    // Names of XML vocabularies are no addresses, and the address that the wizard shows has no end yet.
    expect(addresses.filter((one) => !one.startsWith("http://www.w3.org/") && !one.startsWith("http://${"))).toEqual(
      [],
    );
    expect(content(name)).not.toMatch(/\beval\(|new Function\(/);
  }
});

it("matches the firmware's current tables", async () => {
  expect(committedTables).toBe(await tablesModule());
  expect(readFileSync(`${root}web/past/tables.ts`, "utf8")).toBe(await recordsModule());
  expect(readFileSync(`${root}web/setup-table.ts`, "utf8")).toBe(await setupModule());
});
