/**
 * Pictures of the page for the documents: node scripts/screenshots.mjs [--url URL] [--password PASSWORD], with the simulator running
 * (npm start). Writes docs/images/page-<screen>.png.
 */
import { mkdir, stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { root } from "./setup.mjs";

/** A phone of today. */
const VIEW = { width: 390, height: 780 };
const SCREENS = ["battery", "history", "control", "relay", "device"];
/** Bytes: they go into the repository. */
const MAX_PICTURE = 100_000;
/** ms: charts are drawn, values have come. */
const SETTLE = 1_500;

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    password: { type: "string", default: process.env.BMS_PASSWORD ?? "" },
    out: { type: "string", default: `${root}docs/images` },
  },
});

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  await mkdir(values.out, { recursive: true });
  const page = await browser.newPage({
    viewport: VIEW,
    colorScheme: "light",
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  const take = async (name) => {
    const path = `${values.out}/page-${name}.png`;
    await page.screenshot({ path });
    const { size } = await stat(path);
    console.log(`${path} ${size} bytes`);
    if (size > MAX_PICTURE) throw new Error(`${path} has ${size} bytes; it may have ${MAX_PICTURE}.`);
  };
  await page.goto(values.url);
  const password = page.locator("input[autocomplete=current-password]");
  const signIn = await Promise.race([
    password.waitFor().then(() => true),
    page
      .locator("input[autocomplete=new-password]")
      .first()
      .waitFor()
      .then(() => false),
  ]);
  if (!signIn) {
    await take("first-start");
    throw new Error("The device waits for its first start: choose a password there, then give it with --password.");
  }
  await take("sign-in");
  await password.fill(values.password);
  await page.keyboard.press("Enter");
  await page.locator("nav").waitFor();
  for (const screen of SCREENS) {
    await page.locator(`nav a[href="#/${screen}"]`).click();
    await page.locator("main .card").first().waitFor();
    await page.waitForTimeout(SETTLE);
    await take(screen);
  }
} finally {
  await browser.close();
}
