/**
 * `npm run screenshots -- --every`: each state of the page on each screen where it is seen, on phone, tablet and desktop, in light, dark and
 * forced colours, one language after the other. Time stands still, so that a second run changes nothing.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

const [, , folder = "build/screenshots"] = process.argv;
mkdirSync(folder, { recursive: true });
const page = await builtPage();
const browser = await openBrowser();
let taken = 0;
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
        writeFileSync(join(folder, `${file}.png`), await still(visit));
        taken++;
      }
      await visit.close();
      await device.close();
    }
await browser.close();
const digest = createHash("sha256");
for (const file of readdirSync(folder).sort()) digest.update(file).update(readFileSync(join(folder, file)));
console.log(`${taken} pictures in ${folder}, ${digest.digest("hex").slice(0, 16)}`);
