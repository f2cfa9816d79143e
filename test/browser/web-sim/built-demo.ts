import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveFolder } from "../../../scripts/static-files.mjs";
import { buildDemo } from "../../../web-sim/build.mjs";
import type { BrowserContext, FrameLocator, Page } from "playwright-core";
import { PATIENCE } from "../../support/patience.ts";
import { openBrowser } from "../../support/web/browser.ts";
import { builtPage } from "../../support/web/built-page.ts";

export interface ServedDemo {
  /** Ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Folders by entry point, of all files that share this process. */
const builds = new Map<string | undefined, Promise<string>>();

async function build(worker: string | undefined): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), "demo-"));
  await buildDemo({ out, page: await builtPage(), ...(worker !== undefined && { worker }) });
  return out;
}

/** The demonstration as static files below `path`; `worker`: another entry point of the dedicated worker. */
export async function serveDemo(path: string, worker?: string): Promise<ServedDemo> {
  const built = builds.get(worker) ?? build(worker);
  builds.set(worker, built);
  const { url, close } = await serveFolder(await built, { below: path.slice(0, -1) });
  return { url: `${url}/`, close: async () => void (await close()) };
}

export interface DemoVisit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The firmware's own page. */
  readonly device: FrameLocator;
}

export const ready = (page: Page): Promise<void> => page.locator("#state", { hasText: "Ready" }).waitFor();

/** Opens it and waits until it is ready. `watch` gets the page before it loads. */
export async function visitDemo(url: string, watch: (page: Page) => void): Promise<DemoVisit> {
  const context = await (await openBrowser()).newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  watch(page);
  await page.goto(url);
  await ready(page);
  return { context, page, device: page.frameLocator("#device") };
}
