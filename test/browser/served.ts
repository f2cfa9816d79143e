/** Shared by the browser suites: the built page, a mock device and a browser. */
import type { Browser } from "playwright-core";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { openBrowser, Visit, type VisitOptions } from "../support/web/browser.ts";
import { builtPage } from "../support/web/built-page.ts";
import { WebMock } from "../support/web/web-mock.ts";

export interface Served {
  /** A fresh one for each test. */
  readonly device: WebMock;
  /** Opens the page; closed after the test. */
  open(options?: VisitOptions, path?: string): Promise<Visit>;
  /** Opens it with a session: a sign-in, which has its own tests, loads everything once more. */
  enter(options?: VisitOptions, path?: string): Promise<Visit>;
}

export function serve(): Served {
  let folder: string;
  let browser: Browser;
  let device: WebMock;
  const visits: Visit[] = [];

  beforeAll(async () => {
    folder = await builtPage();
    browser = await openBrowser();
  });
  beforeEach(async () => {
    device = await WebMock.start(folder);
  });
  afterEach(async () => {
    for (const visit of visits.splice(0)) await visit.close();
    await device.close();
  });

  const open = async (options: VisitOptions = {}, path = ""): Promise<Visit> => {
    const visit = await Visit.open(browser, device.url, options, path);
    visits.push(visit);
    return visit;
  };
  return {
    get device() {
      return device;
    },
    open,
    enter: async (options, path) => {
      const visit = await open({ ...options, session: device.session() }, path);
      await visit.signedIn();
      return visit;
    },
  };
}

/** One of several cases that share a page: whatever fails in it names it. */
export async function trying(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
}
