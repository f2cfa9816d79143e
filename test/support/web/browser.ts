/** A real browser on the page, with any server behind it. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { chromiumPath } from "../../../scripts/chromium.mjs";
import { PATIENCE } from "../patience.ts";

export type Theme = "light" | "dark";
export type Language = "en" | "pt";

export interface View {
  readonly width: number;
  readonly height: number;
}

/** The narrowest phone, a current one, and a desktop. */
export const NARROW_PHONE: View = { width: 320, height: 640 };
export const PHONE: View = { width: 390, height: 780 };
export const DESKTOP: View = { width: 1280, height: 900 };

export interface VisitOptions {
  readonly view?: View;
  readonly theme?: Theme;
  readonly language?: Language;
  /** The page's timers use Playwright's clock, which the test may advance; otherwise the real one. */
  readonly steered?: boolean;
  /** False: the browser runs no scripts. */
  readonly scripts?: boolean;
  /** The browser's time zone; default: the computer's. */
  readonly timeZone?: string;
  /** Value of the cookie of a session: the browser is signed in. */
  readonly session?: string;
  /** What the browser keeps of an earlier visit. */
  readonly kept?: Readonly<Record<string, string>>;
  /** The page's clock stands at this time, seconds since 1970; its timers run. With `steered` it begins there. */
  readonly now?: number;
}

/** As the device sets it: no script can read it. */
const SESSION_COOKIE = { name: "session", httpOnly: true, sameSite: "Strict" } as const;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page is shown for a second: each of the two compilers that optimize its functions took a tenth of the processor time of opening it. */
const BRIEF = ["--js-flags=--no-opt,--no-maglev"];

const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", ...BRIEF] });
let browser: Promise<Browser> | undefined;

/** The browser of all test files of this worker, with which it ends. Each visit has cookies, cache and window of its own. */
export async function openBrowser(): Promise<Browser> {
  const open = await (browser ??= launch());
  return open.isConnected() ? open : (browser = launch());
}

/** Stops the time of a page opened with `steered`, a second later. */
export async function stopTime(page: Page): Promise<void> {
  const stop = async (): Promise<void> => page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 1_000);
  // Refused if that second has passed meanwhile; the time stands even so.
  await stop().catch(stop);
}

/** A browser window, with everything that went wrong in it. */
export class Visit {
  readonly page: Page;
  /** Console errors, exceptions and requests to other hosts; each is a defect. */
  readonly defects: string[] = [];
  /** Requested URLs. */
  readonly requests: string[] = [];
  /** URLs whose response has arrived in full. */
  readonly finished: string[] = [];
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page, base: string) {
    this.#context = context;
    this.page = page;
    page.on("pageerror", (error) => this.defects.push(`exception: ${error.message}`));
    page.on("console", (message) => {
      // The browser logs refusals (401, 503) itself; those are legitimate.
      const isAnswer = message.text().startsWith("Failed to load resource");
      if (["error", "warning"].includes(message.type()) && !isAnswer) this.defects.push(`console: ${message.text()}`);
    });
    page.on("requestfinished", (request) => this.finished.push(request.url()));
    page.on("request", (request) => {
      this.requests.push(request.url());
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== new URL(base).origin)
        this.defects.push(`request to ${request.url()}`);
    });
  }

  /** Opens the page at `base` (and `path`, `#/history` …). */
  static async open(
    browser: Browser,
    base: string,
    {
      view = NARROW_PHONE,
      theme = "light",
      language = "en",
      steered = false,
      scripts = true,
      timeZone,
      session,
      kept = {},
      now,
    }: VisitOptions = {},
    path = "",
  ): Promise<Visit> {
    const context = await browser.newContext({
      viewport: view,
      colorScheme: theme,
      locale: language === "pt" ? "pt-BR" : "en-GB",
      reducedMotion: "reduce",
      acceptDownloads: true,
      javaScriptEnabled: scripts,
      ...(timeZone !== undefined && { timezoneId: timeZone }),
    });
    context.setDefaultTimeout(PATIENCE);
    if (session !== undefined) await context.addCookies([{ ...SESSION_COOKIE, value: session, url: base }]);
    const page = await context.newPage();
    if (Object.keys(kept).length)
      await page.addInitScript((values) => {
        for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
      }, kept);
    if (steered) await page.clock.install(now === undefined ? {} : { time: now * 1_000 });
    else if (now !== undefined) await page.clock.setFixedTime(now * 1_000);
    const visit = new Visit(context, page, base);
    await page.goto(`${base}/${path}`);
    return visit;
  }

  /** Shows the same page in another window, which takes far less than to open it there. */
  async look(view: View, theme?: Theme): Promise<void> {
    await this.page.setViewportSize(view);
    if (theme) await this.page.emulateMedia({ colorScheme: theme });
    // The page hears of it, and the charts of their new width, before the second frame.
    await this.page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  }

  async signIn(password: string): Promise<void> {
    await this.page.locator("input[autocomplete=current-password]").fill(password);
    await this.page.keyboard.press("Enter");
    await this.signedIn();
  }

  /** Waits until the browser is signed in and the screen is loaded. */
  async signedIn(): Promise<void> {
    await this.page.locator("nav").waitFor();
    await this.loaded();
  }

  /** Opens a screen by clicking its link. */
  async go(screen: "battery" | "history" | "control" | "relay" | "device"): Promise<void> {
    const link = this.page.locator(`nav a[href="#/${screen}"]`);
    await link.click();
    await link.and(this.page.locator("[aria-current=page]")).waitFor();
    await this.page.locator("main .card").first().waitFor();
    await this.loaded();
  }

  /** Waits until no part of the screen shows that it is loading. */
  async loaded(): Promise<void> {
    const pending = this.page.locator(".pending");
    while (await pending.count()) await pending.last().waitFor({ state: "detached" });
  }

  /** Opens the row of the cells, which is closed at first where they have no column of their own. */
  async openCells(): Promise<void> {
    const row = this.page.locator("details", { has: this.page.locator("summary .spread") });
    await row.waitFor();
    if (!(await row.evaluate((details) => details.hasAttribute("open")))) await row.locator("summary").click();
    await row.locator(".cells button").first().waitFor();
  }

  /** Opens every collapsed part of the screen. */
  async unfold(): Promise<void> {
    // All at once: by mouse, one after another, it takes long on a screen that has dozens.
    const unfold = `[...document.querySelectorAll("details:not([open]) > summary")].map((one) => one.click()).length`;
    while (await this.page.evaluate<number>(unfold));
    await this.loaded();
  }

  /** Violated accessibility rules, with the elements. `more`: rules that are off by default. */
  async accessibility(more: readonly string[] = []): Promise<string[]> {
    // Half a megabyte, which stays until another page is loaded.
    if (!(await this.page.evaluate<boolean>('"axe" in window'))) await this.page.evaluate(axe);
    const rules = JSON.stringify(Object.fromEntries(more.map((rule) => [rule, { enabled: true }])));
    // What passes is not written out, and the style sheets are not fetched once more for a rule that is off.
    return this.page.evaluate<string[]>(
      `axe.run({ rules: ${rules}, resultTypes: ["violations"], preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html + " " + (node.any[0]?.message ?? "")).join(" | ")))`,
    );
  }

  /** Elements that overflow the window or their card horizontally. */
  async overflows(): Promise<string[]> {
    return this.page.evaluate<string[]>(`(() => {
      const right = (element) => element.getBoundingClientRect().right;
      const page = document.documentElement;
      const wide = page.scrollWidth > page.clientWidth ? ["page"] : [];
      for (const card of document.querySelectorAll(".card"))
        for (const part of card.querySelectorAll("*"))
          if (!part.closest(".hidden") && right(part) > right(card) - 1) wide.push(part.outerHTML.slice(0, 120));
      return wide;
    })()`);
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}
