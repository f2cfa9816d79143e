/** The site that `npm run site` builds, below a path as on GitHub Pages: its links, its search, and whether it is accessible. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampled } from "../support/property";
import { runProgram } from "../support/run-program";
import { standInRelease } from "../support/stand-in-release";
import { DESKTOP, openBrowser, PHONE, Visit } from "../support/web/browser";
import { fileAt, serveFolder, type StaticFiles } from "../../scripts/static-files.mjs";

const BASE = "/somebody/monitor";

let folder: string;
let browser: Browser;
let server: StaticFiles;

beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "site-")), "site");
  const parameters = ["--base", `${BASE}/`, "--to", folder, "--release", standInRelease()];
  const { code, output } = await runProgram(process.execPath, ["scripts/site.mjs", ...parameters]);
  expect(code, output).toBe(0);
  server = await serveFolder(folder, { below: BASE });
  browser = await openBrowser();
});
afterAll(() => server?.close());

const pages = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));

/** The attributes of a page's elements, without what its code blocks say. */
const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`<[^>]* ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value.replace(/&amp;/g, "&"));

it("has every page of the docs, and no link that leads nowhere", () => {
  const paths = pages();
  expect(paths).toEqual(
    expect.arrayContaining([
      "index.html",
      "docs/index.html",
      "docs/openapi.html",
      "flash/index.html",
      "demo/index.html",
    ]),
  );
  expect(paths.length).toBeGreaterThan(80);
  const ids = new Map<string, Set<string>>();
  const idsOf = (file: string): Set<string> => {
    const known = ids.get(file) ?? new Set(attributes(readFileSync(file, "utf8"), "id"));
    ids.set(file, known);
    return known;
  };
  const broken: string[] = [];
  for (const path of paths) {
    const html = readFileSync(join(folder, path), "utf8");
    for (const link of [...attributes(html, "href"), ...attributes(html, "src")]) {
      const { origin, pathname, hash } = new URL(link, `http://site${BASE}/${path}`);
      if (origin !== "http://site") continue;
      const file = pathname.startsWith(`${BASE}/`) ? fileAt(folder, pathname.slice(BASE.length)) : undefined;
      // Links of the docs have no ".html"; the page's script and GitHub Pages add it.
      const found = file ?? fileAt(folder, `${relative(BASE, pathname)}.html`);
      if (found === undefined) broken.push(`${path}: ${link}`);
      else if (hash && !idsOf(found).has(decodeURIComponent(hash.slice(1)))) broken.push(`${path}: ${link} (anchor)`);
    }
  }
  expect(broken).toEqual([]);
});

const WAYS = [
  ["Try it in the browser", "/demo/index.html", "#situation"],
  ["What do I buy?", "/docs/start/buy", "main h1"],
  ["Flash a board", "/flash/index.html", "#board"],
  ["Home Assistant", "/docs/recipes/home-assistant", "main h1"],
  ["Look at your pack by USB", "/docs/start/adapter", "main h1"],
  ["Nothing answers?", "/docs/fix/nothing-answers", "main h1"],
] as const;
it.each(sampled(WAYS))("on a phone its first page leads to %j in one tap", async (text, path, there) => {
  const visit = await Visit.open(browser, server.url, { view: PHONE });
  const { page } = visit;
  const link = page.locator(".landing").getByRole("link", { name: text, exact: true });
  await link.click();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`^${BASE}${path}(?:\\.html)?$`));
  await page.locator(there).first().waitFor();
  await visit.close();
});

it("its first page is for one who reads: the commands of a clone come last", async () => {
  const visit = await Visit.open(browser, server.url, { view: PHONE });
  const heads = await visit.page.locator("main h2").allInnerTexts();
  expect(heads.map((head) => head.replace(/\W+$/, "").trim()).slice(-2)).toEqual([
    "Try it in the browser",
    "Try it on a PC",
  ]);
  expect(heads.length).toBeGreaterThan(5);
  expect(heads.join("")).not.toContain("`");
  await visit.close();
});

const SEARCHED = [
  ["nothing answers", "/docs/fix/nothing-answers"],
  ["two packs", "/docs/start/two-packs"],
  ["which transceiver", "/docs/start/transceiver"],
  ["forgot password", "/docs/fix/forgot-password"],
] as const;
it.each(sampled(SEARCHED, 2))("its search finds %j", async (words, path) => {
  const visit = await Visit.open(browser, server.url, { view: DESKTOP });
  const { page } = visit;
  await page.locator("button.DocSearch-Button").click();
  await page.locator("input.search-input").fill(words);
  const first = page.locator(".results a.result").first();
  await first.waitFor();
  await expect.poll(() => first.getAttribute("href")).toContain(`${BASE}${path}`);
  await first.click();
  await expect.poll(() => new URL(page.url()).pathname).toContain(path);
  await page.locator("main h1").first().waitFor();
  expect(visit.defects).toEqual([]);
  await visit.close();
});

const LOOKS = [
  ["", "light", DESKTOP],
  ["docs/openapi.html", "light", DESKTOP],
  ["docs/", "light", DESKTOP],
  ["docs/fix/nothing-answers.html", "dark", DESKTOP],
  ["docs/start/first-start.html", "dark", PHONE],
  ["docs/boards.html", "light", PHONE],
  ["flash/index.html", "light", PHONE],
] as const;
it.each(sampled(LOOKS))("/%s is accessible (%s)", async (path, theme, view) => {
  const visit = await Visit.open(browser, server.url, { theme, view }, path);
  await visit.page.locator("h1").first().waitFor();
  expect(await visit.accessibility()).toEqual([]);
  expect(visit.defects).toEqual([]);
  await visit.close();
});

it("its pages are walked by the sidebar", async () => {
  const visit = await Visit.open(browser, server.url, { view: DESKTOP }, "docs/");
  const { page } = visit;
  const links = await page
    .locator(".VPSidebar a")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
  expect(links.length).toBeGreaterThan(25);
  for (const link of sampled([...new Set(links.map((one) => one.split("#")[0] ?? ""))])) {
    await page.locator(`.VPSidebar a[href="${link}"], .VPSidebar a[href^="${link}#"]`).first().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(link);
    await page.locator("main h1").first().waitFor();
  }
  expect(await page.locator(".NotFound").count()).toBe(0);
  expect(visit.defects).toEqual([]);
  await visit.close();
});
