/** The flashing page in Chromium, up to the choice of the serial port: there is no board. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BOARDS } from "../../scripts/moddable.mjs";
import { writeFlashPage } from "../../scripts/flash-page.mjs";
import { standInRelease } from "../support/stand-in-release";
import { openBrowser, Visit } from "../support/web/browser";
import { serveFolder, type StaticFiles } from "../../scripts/static-files.mjs";

let browser: Browser;
let server: StaticFiles;
let base: string;

beforeAll(async () => {
  const pages = join(mkdtempSync(join(tmpdir(), "pages-")), "pages");
  writeFlashPage(standInRelease(), pages);
  server = await serveFolder(pages);
  base = server.url;
  browser = await openBrowser();
});

afterAll(() => server?.close());

it("flashes nothing before a board is chosen, and names it", async () => {
  const visit = await Visit.open(browser, base);
  const { page } = visit;
  const [select, button] = [page.locator("#board"), page.locator("#start")];
  expect(await select.inputValue()).toBe("");
  expect(await button.isDisabled()).toBe(true);
  expect(await page.locator("#install").getAttribute("manifest")).toBe(null);
  const names = await page
    .locator("#board option")
    .evaluateAll((all) => all.slice(1).map((one) => (one.textContent ?? "").split(":")[0]?.trim()));
  for (const [at, board] of BOARDS.entries()) {
    await select.selectOption(board);
    await expect
      .poll(() => button.innerText())
      .toBe(`Choose the serial port and flash: JK BMS Monitor for ${names[at]}`);
    expect(await button.isEnabled()).toBe(true);
    const { name } = (await (await fetch(`${base}/manifest-${board}.json`)).json()) as { name: string };
    // What the dialog asks before it writes: "Install NAME".
    expect(name).toBe(`JK BMS Monitor for ${names[at]}`);
  }
  expect(new Set(names).size).toBe(BOARDS.length);
  await select.selectOption("");
  expect(await button.isDisabled()).toBe(true);
  expect(visit.defects).toEqual([]);
  await visit.close();
});

it("lists every board, and asks for the serial port with the image of the chosen one", async () => {
  const visit = await Visit.open(browser, base);
  const { page } = visit;
  // The browser's port picker is out of a page's reach: the request for it is recorded and answered as cancelled.
  await page.evaluate(() => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    Object.assign((navigator as unknown as { serial: object }).serial, {
      requestPort: () => {
        asked.push("port");
        return Promise.reject(new DOMException("No port selected by the user.", "NotFoundError"));
      },
    });
  });
  const values = await page.locator("#board option").evaluateAll((all) => all.map((one) => one.getAttribute("value")));
  expect(values).toEqual(["", ...BOARDS]);
  for (const board of BOARDS) {
    await page.locator("#board").selectOption(board);
    await expect.poll(() => page.locator("#install").getAttribute("manifest")).toBe(`manifest-${board}.json`);
  }
  expect(await page.locator("#version").textContent()).toBe("1.2.3");
  await page.getByRole("button", { name: "Choose the serial port" }).click();
  await expect.poll(() => page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)).toEqual(["port"]);
  // ESP Web Tools' own help when no port was chosen.
  await page.locator("ewt-no-port-picked-dialog").waitFor({ state: "attached" });
  expect(visit.defects).toEqual([]);
  await visit.close();
});

it.each(BOARDS)("points to existing release files for %s", async (board) => {
  const manifest = (await (await fetch(`${base}/manifest-${board}.json`)).json()) as {
    builds: { parts: { path: string }[] }[];
  };
  const paths = manifest.builds.flatMap(({ parts }) => parts.map(({ path }) => path));
  expect(paths).toHaveLength(4);
  for (const path of paths) expect(await (await fetch(`${base}/${path}`)).text()).toContain(board);
});

it("has the licences of the images and of itself beside it", async () => {
  const visit = await Visit.open(browser, base);
  const paths = await visit.page
    .locator("a:not([href^='../'])")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  expect(paths).toEqual(["SHA256SUMS", "LICENSE", "THIRD-PARTY-NOTICES"]);
  for (const path of paths) {
    const response = await fetch(`${base}/${path}`);
    expect([response.status, (await response.text()).length > 500]).toEqual([200, true]);
  }
  await visit.close();
});
