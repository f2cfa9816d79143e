/**
 * `npm run screenshots -- --every`: each state of the page on each screen where it is seen, on phone, tablet and desktop, in light, dark and
 * forced colours, one language after the other. Time stands still, so that a second run changes nothing.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser, Visit } from "../support/web/browser";
import { builtPage } from "../support/web/built-page";
import { past } from "../support/web/past-data";
import { SCREENS, STATES } from "../support/web/page-states";
import { WebMock } from "../support/web/web-mock";

const VIEWS = {
  phone: { width: 390, height: 780 },
  tablet: { width: 820, height: 1_180 },
  desktop: { width: 1_280, height: 860 },
} as const;
const COLOURS = ["light", "dark", "forced"] as const;
const LANGUAGES = ["en", "pt"] as const;
/** Seconds since 1970: that of the mock device. */
const NOW = 1_780_000_000;

/** Once two pictures in a row are the same: what arrives late is there, and nothing moves. */
async function still({ page }: Visit): Promise<Buffer> {
  await page.waitForLoadState("networkidle");
  for (let before: Buffer = Buffer.alloc(0); ;) {
    const picture = await page.screenshot({ fullPage: true, animations: "disabled" });
    if (picture.equals(before)) return picture;
    before = picture;
  }
}

/** Largest difference of a colour that nobody sees: Chromium rounds the pixels of round corners now this way, now that. */
const UNSEEN = 2;

/** Whether somebody would see a difference between two pictures (PNG). `page`: to decode them. */
async function differs(page: Page, ...pictures: readonly [Buffer, Buffer]): Promise<boolean> {
  const texts = JSON.stringify(pictures.map((picture) => picture.toString("base64")));
  return page.evaluate<boolean>(`(async () => {
    const pixels = async (text) => {
      const image = await createImageBitmap(await (await fetch("data:image/png;base64," + text)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return [image.width, image.height, ...[context.getImageData(0, 0, image.width, image.height).data]];
    };
    const [[width, height, one], [otherWidth, otherHeight, other]] = await Promise.all(${texts}.map(pixels));
    return width !== otherWidth || height !== otherHeight || one.some((value, at) => Math.abs(value - other[at]) > ${UNSEEN});
  })()`);
}

const [, , folder = "build/screenshots"] = process.argv;
mkdirSync(folder, { recursive: true });
const page = await builtPage();
const browser = await openBrowser();
const judge = await browser.newPage();
let taken = 0;
let changed = 0;
for (const [name, prepare, screens = SCREENS, looked] of STATES)
  for (const [view, size] of Object.entries(VIEWS))
    for (const colours of COLOURS) {
      const device = await WebMock.start(page);
      device.records = past(NOW);
      prepare(device);
      const language = LANGUAGES[taken % LANGUAGES.length]!;
      const visit = await Visit.open(
        browser,
        device.url,
        { view: size, theme: colours === "dark" ? "dark" : "light", language, session: device.session(), now: NOW },
        `#/${screens[0]}`,
      );
      await visit.page.emulateMedia({ forcedColors: colours === "forced" ? "active" : "none" });
      if (looked !== undefined) {
        await visit.page.addInitScript(`localStorage.setItem("looked", "${NOW - looked}")`);
        await visit.page.reload();
      }
      await visit.signedIn();
      for (const screen of screens) {
        if (screen !== screens[0]) await visit.go(screen);
        await visit.page.locator("main .card").first().waitFor();
        await visit.loaded();
        const file = `${name}-${screen}-${view}-${colours}-${language}`.replaceAll(/[^a-z0-9]+/gi, "-");
        const path = join(folder, `${file}.png`);
        const picture = await still(visit);
        if (!existsSync(path) || (await differs(judge, readFileSync(path), picture))) {
          writeFileSync(path, picture);
          changed++;
        }
        taken++;
      }
      await visit.close();
      await device.close();
    }
await browser.close();
const digest = createHash("sha256");
for (const file of readdirSync(folder).sort()) digest.update(file).update(readFileSync(join(folder, file)));
console.log(`${taken} pictures in ${folder}, ${changed} of them new or changed, ${digest.digest("hex").slice(0, 16)}`);
