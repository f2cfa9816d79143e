/** The drawings of docs/start as Chromium draws them: nothing is cut off or covered, in the light and in the dark. */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/web/browser";
import { serveFolder, type StaticFiles } from "../../scripts/static-files.mjs";

const FOLDER = "docs/images";

let browser: Browser;
let server: StaticFiles;
let page: Page;

beforeAll(async () => {
  server = await serveFolder(FOLDER);
  browser = await openBrowser();
  page = await browser.newPage();
});
afterAll(async () => {
  await page?.close();
  await server?.close();
});

/** What of a drawing cannot be read: a text over its edge, that of a box, or another text. */
function unreadable(): string[] {
  const svg = document.querySelector("svg")!;
  const { width, height } = svg.viewBox.baseVal;
  const boxOf = (element: SVGGraphicsElement): { left: number; top: number; right: number; bottom: number } => {
    const { x, y, width: wide, height: high } = element.getBBox();
    return { left: x, top: y, right: x + wide, bottom: y + high };
  };
  const texts = [...svg.querySelectorAll("text")].map((text) => ({ words: text.textContent, ...boxOf(text) }));
  const boxes = [...svg.querySelectorAll<SVGRectElement>("rect[x]")].map(boxOf);
  type Box = (typeof boxes)[number];
  // Ascent and descent are part of a text's box.
  const meet = (a: Box, b: Box): boolean =>
    a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top < a.bottom - 3;
  const within = (a: Box, b: Box): boolean =>
    a.left >= b.left && a.right <= b.right && a.top >= b.top - 3 && a.bottom <= b.bottom + 3;
  const paper = { left: 4, top: 4, right: width - 4, bottom: height - 4 };
  return texts.flatMap((text) => [
    ...[paper, ...boxes.filter((box) => meet(text, box))].filter((box) => !within(text, box)).map(() => text.words),
    ...texts.filter((other) => other !== text && meet(text, other)).map((other) => `${text.words} / ${other.words}`),
  ]);
}

it("their texts are whole, and their paper is the reader's", async () => {
  const drawings = readdirSync(FOLDER).filter((file) => /^(?:buy|wiring)-/.test(file));
  expect(drawings.length).toBeGreaterThan(8);
  for (const name of drawings) {
    await page.goto(`${server.url}/${name}`);
    expect(await page.evaluate(unreadable), name).toEqual([]);
    const papers = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      papers.push(await page.evaluate(() => getComputedStyle(document.querySelector("rect")!).fill));
    }
    expect(papers, name).toEqual(["rgb(255, 255, 255)", "rgb(18, 23, 29)"]);
  }
});
