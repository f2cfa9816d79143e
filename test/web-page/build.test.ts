import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { buildWeb, MAX_SIZE, type Fact } from "../../web/build.mjs";
import { tablesModule } from "../../web/generate-tables.mjs";

const folder = mkdtempSync(join(tmpdir(), "page-"));
/** As it was before a build could mend it. */
const committedTables = readFileSync(`${root}web/tables.ts`, "utf8");
let facts: Fact[];

beforeAll(async () => {
  facts = await buildWeb({ out: folder, log: () => {} });
});
afterAll(() => rmSync(folder, { recursive: true }));

const content = (name: string): string => gunzipSync(readFileSync(join(folder, `${name}.gz`))).toString();

it("is four files within their size", () => {
  expect(facts.map(({ name }) => name)).toEqual(["index.html", "app.js", "app.css", "icon.svg"]);
  for (const { file, size } of facts) expect(readFileSync(join(folder, file)).length).toBe(size);
  expect(facts.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MAX_SIZE);
});

it("is reproducible byte for byte", async () => {
  const before = facts.map(({ file }) => readFileSync(join(folder, file)));
  const again = await buildWeb({ out: folder, log: () => {} });
  expect(again).toEqual(facts);
  again.forEach(({ file }, index) =>
    expect(readFileSync(join(folder, file)).equals(before[index] as Buffer)).toBe(true),
  );
});

it("references its parts by content hash, so that they may be cached forever", () => {
  const html = content("index.html");
  for (const name of ["app.js", "app.css"]) expect(html).toMatch(new RegExp(`"/${name}\\?[0-9a-f]{16}"`));
});

it("has nothing inline and nothing from elsewhere", () => {
  const html = content("index.html");
  expect(html).not.toMatch(/style=|<style|<script>|javascript:| on\w+=/i);
  for (const { name } of facts) {
    const addresses = content(name).match(/https?:\/\/[^"'`\s]*/g) ?? [];
    // Names of XML vocabularies are no addresses, and the address that the wizard shows has no end yet.
    expect(addresses.filter((one) => !one.startsWith("http://www.w3.org/") && !one.startsWith("http://${"))).toEqual(
      [],
    );
  }
  expect(content("app.js")).not.toMatch(/\beval\(|new Function\(/);
});

it("matches the firmware's current tables", async () => {
  expect(committedTables).toBe(await tablesModule());
});
