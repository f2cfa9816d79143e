/**
 * npm run screenshots: takes screenshots of the page for the docs. Starts the simulator with a past (--history) and writes one PNG per screen at
 * phone size, plus page-first-start.png, page-cells.png and page-days.png (a year: all cells over time, day by day), page-wall.png (for a tablet
 * on the wall), page-bank.png (five packs), page-bank-odd.png (of which two are in trouble) and page-desktop.png, into
 * docs/images. Does nothing if the pictures are of this page already: no two of a running device are the same. `-- --all` takes them all the same. `-- --every` takes instead each state of the page
 * (test/support/web/page-states.ts) on phone, tablet and desktop, light, dark and with forced colours, into build/screenshots, which is not
 * committed; a second run changes nothing.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumPath } from "./chromium.mjs";
import { setUp, root } from "./setup.mjs";

await setUp();
if (process.argv[2] === "--every") {
  const { bundle } = await import("./bundle.mjs");
  const program = await bundle("test/screenshots/main.ts", "screenshots");
  // The page is built anew into a folder for temporary files, once in it.
  const own = mkdtempSync(join(tmpdir(), "screenshots-"));
  const { status } = spawnSync("node", [program], { stdio: "inherit", env: { ...process.env, TMPDIR: own } });
  rmSync(own, { recursive: true });
  process.exit(status ?? 1);
}
const { chromium } = await import("playwright-core");
const { withSimulator } = await import("./simulated.mjs");
const { buildPage } = await import("./page.mjs");

/** A current phone, one as tall as its first screen with the packs' rows, a tablet on the wall, and a desktop. */
const PHONE = { width: 390, height: 780 };
const TALL_PHONE = { width: 390, height: 1_200 };
const WALL = { width: 800, height: 480 };
const DESKTOP = { width: 1440, height: 900 };
const SCREENS = ["battery", "history", "control", "relay", "device"];
const FOLDER = `${root}docs/images`;
const PASSWORD = "a long password";
/** Of the desktop, whose picture would be too large. */
const SMALLER = 0.68;
/** Maximum size, bytes: the files are committed. */
const MAX_PICTURE = 130_000;
/** ms for charts to be drawn and values to arrive. */
const SETTLE = 1_500;
const PAST_DAYS = "400";

await buildPage();
/** What the pictures in the folder were taken of: the page's files and this script. */
const TAKEN_OF = `${FOLDER}/page.json`;
const facts = JSON.parse(await readFile("build/web/facts.json", "utf8"));
const files = facts.map(({ name, etag }) => [name, etag]);
const digest = createHash("sha256")
  .update(await readFile(import.meta.filename))
  .digest("hex")
  .slice(0, 16);
const subject = `${JSON.stringify(Object.fromEntries([...files, ["screenshots.mjs", digest]]), undefined, 2)}\n`;
const taken = await readFile(TAKEN_OF, "utf8").catch(() => "");
if (taken === subject && !process.argv[2]) {
  console.log("The pictures in docs/images are of this page.");
  process.exit();
}
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ["--no-sandbox"],
});

const open = async (url, viewport, colorScheme, deviceScaleFactor = 1) => {
  const page = await browser.newPage({
    viewport,
    colorScheme,
    deviceScaleFactor,
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  await page.goto(url);
  return page;
};

async function take(page, name) {
  await page.waitForTimeout(SETTLE);
  const path = `${FOLDER}/page-${name}.png`;
  await page.screenshot({ path });
  const { size } = await stat(path);
  console.log(`${path} ${size} bytes`);
  if (size > MAX_PICTURE) throw new Error(`${path} has ${size} bytes; the limit is ${MAX_PICTURE}.`);
}

const scrollTo = (page, title) =>
  page
    .locator(".card", { has: page.getByRole("heading", { name: title }) })
    .first()
    .evaluate((card) => card.scrollIntoView());

async function signIn(page) {
  await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator("nav").waitFor();
}

/** A low, unequal pack with an alarm, as the device would tell of it. */
async function fallIll(page) {
  const ill = (data) => ({ ...data, soc: 4, alarmCode: 1 << 11 });
  await page.route("**/web/status*", async (route) => {
    const response = await route.fetch();
    const document = await response.json();
    const cells = document.data.cells.map((cell) => (cell.number === 7 ? { ...cell, voltage: 2.61 } : cell));
    const cellsSummary = { ...document.data.cellsSummary, minVoltage: 2.61, minCell: 7, delta: 0.6 };
    await route.fulfill({ response, json: { ...document, data: { ...ill(document.data), cells, cellsSummary } } });
  });
  await page.route("**/web/packs", async (route) => {
    const response = await route.fetch();
    const document = await response.json();
    const { bank, packs } = document.data;
    packs[1] = { ...ill(packs[1]), online: true, well: false, concerns: ["alarm", "low-charge"] };
    packs[2] = { ...packs[2], online: false, well: false, concerns: ["offline"] };
    Object.assign(bank, { online: packs.length - 1, well: false, concerns: ["offline", "alarm", "low-charge"] });
    await route.fulfill({ response, json: document });
  });
}

async function takeAll() {
  await mkdir(FOLDER, { recursive: true });
  await withSimulator(["--network", "first-start"], 0.1, async (url) => {
    const page = await open(url, PHONE, "light");
    await page.locator("input[autocomplete=new-password]").first().waitFor();
    await take(page, "first-start");
    await page.close();
  });
  await withSimulator(["--password", PASSWORD, "--history", PAST_DAYS], 0.2, async (url) => {
    const page = await open(url, PHONE, "light");
    await page.locator("input[autocomplete=current-password]").waitFor();
    await signIn(page);
    for (const screen of SCREENS) {
      await page.locator(`nav a[href="#/${screen}"]`).click();
      await page.locator("main .card").first().waitFor();
      await take(page, screen);
      if (screen === "history") {
        await page.locator(".ranges button").nth(4).click();
        await scrollTo(page, /^Each cell/);
        await page.getByRole("button", { name: "Cell 3", exact: true }).click();
        await take(page, "cells");
        await scrollTo(page, "Day by day");
        await take(page, "days");
      }
    }
    await page.close();
    const desk = await open(url, DESKTOP, "dark", SMALLER);
    await signIn(desk);
    await desk.locator(".chart svg[role=slider]").nth(3).waitFor();
    await take(desk, "desktop");
  });
  await withSimulator(["--password", PASSWORD, "--packs", "5", "--history", "40"], 0.2, async (url) => {
    const page = await open(url, PHONE, "dark");
    await signIn(page);
    await page.locator(".packs a").nth(4).waitFor();
    await page.locator(".card", { has: page.locator(".packs") }).evaluate((card) => card.scrollIntoView());
    await take(page, "bank");
    await page.close();
    // With the odd packs on top.
    const odd = await open(url, TALL_PHONE, "light");
    await fallIll(odd);
    await signIn(odd);
    await odd.locator(".packs a").nth(4).waitFor();
    await take(odd, "bank-odd");
    // By day: at night it is dim.
    const wall = await open(url, WALL, "light");
    await wall.clock.install({ time: new Date().setHours(12, 0) });
    await signIn(wall);
    await wall.evaluate(`location.hash = "#/kiosk"`);
    await wall.locator(".wall .timeline").waitFor();
    await take(wall, "wall");
  });
  await writeFile(TAKEN_OF, subject);
}

try {
  await takeAll();
} finally {
  await browser.close();
}
