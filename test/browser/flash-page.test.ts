/** The flashing page in Chromium, up to the choice of the serial port: there is no board. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BOARDS } from "../../scripts/moddable.mjs";
import { writeFlashPage } from "../../scripts/flash-page.mjs";
import { writeRelease } from "../../scripts/release/images.mjs";
import { openBrowser, Visit } from "../support/web/browser";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

let browser: Browser;
let server: Server;
let base: string;

function release(): string {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  const boards = BOARDS.map((board) => {
    const build = join(folder, "build", board);
    mkdirSync(build, { recursive: true });
    for (const name of ["bootloader.bin", "partition-table.bin", "ota_data_initial.bin", "xs_esp32.bin"])
      writeFileSync(join(build, name), `${board} ${name}`);
    const { config } = JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as {
      config: { chip: number };
    };
    return { board, chip: config.chip, folder: build, budget: 1_000 };
  });
  const to = join(folder, "release");
  const table = readFileSync("boards/esp32/partitions.csv", "utf8");
  writeRelease({ version: "1.2.3", boards, table, texts: ["LICENSE", "THIRD-PARTY-NOTICES"], to });
  return to;
}

beforeAll(async () => {
  const pages = join(mkdtempSync(join(tmpdir(), "pages-")), "pages");
  writeFlashPage(release(), pages);
  server = createServer(({ url = "/" }, response) => {
    const path = new URL(url, "http://x").pathname;
    try {
      const name = path === "/" ? "/index.html" : path;
      response.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream");
      response.end(readFileSync(join(pages, name)));
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});

afterAll(() => server?.close());

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
  expect(values).toEqual(BOARDS);
  await expect.poll(() => page.locator("#version").textContent()).toBe("1.2.3");
  for (const board of BOARDS) {
    await page.locator("#board").selectOption(board);
    expect(await page.locator("#install").getAttribute("manifest")).toBe(`manifest-${board}.json`);
  }
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
