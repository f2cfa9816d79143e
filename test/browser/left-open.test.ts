/**
 * A page that stays open for ten minutes, in `npm run soak` for hours, holds no more than after its first minutes: memory, elements and
 * listeners.
 */
import type { Request } from "playwright-core";
import { expect, it } from "vitest";
import { DESKTOP } from "../support/web/browser.ts";
import { runs, sampled } from "../support/property.ts";
import { STATES } from "../support/web/page-states.ts";
import { serve } from "./served.ts";

const served = serve();

/** ms. */
const SECOND = 1_000;
/** s: what is asked for least often comes once more. */
const OPEN = runs(600);
/** s between two changes of the status, each of which the page has fetched before the time goes on: shorter than its patience. */
const STEP = 12;
/** What is asked for least often, by all of these screens: every ten minutes. */
const RAREST = "series=fine&last=288";
/** Asked for so often, what came first is soon given up: it is held until the second has been drawn. */
const FIRST = 2;
/** Until it is asked for again, s: both counts are made there. */
const BETWEEN = 300;
/** Of each kind: what has been drawn for other values, and less than one for each change. */
const MAX_GROWTH = OPEN / STEP / 2;
/** The least of so many counts is what it held at first: what comes anew is there twice until it has been drawn. */
const COUNTS = 6;
const KINDS = ["Object", "Array", "Function", "Map", "Node"];

/** The screen, its state, and what comes last on it. */
const CASES = [
  ["battery", "all is well", ".last-night"],
  ["kiosk", "all is well", ".timeline"],
  ["battery", "three packs", ".last-night"],
  ["kiosk", "three packs", ".timeline"],
  ["history", "all is well", "figure svg"],
] as const;

/** The event stream stays open. */
const isAnswered = (request: Request): boolean => !request.url().endsWith("/web/events");

it.each(sampled(CASES, 2))("%s, %s", async (screen, state, last) => {
  const { device } = served;
  STATES.find(([name]) => name === state)?.[1](device);
  const { page, requests } = await served.open(
    { view: DESKTOP, steered: true, session: device.session() },
    `#/${screen}`,
  );
  await page.locator(last).first().waitFor();
  const session = await page.context().newCDPSession(page);
  /**
   * Live objects of each kind, after a collection. Bytes would count what the engine keeps compiled as well. Every kind is an Object, too, and
   * asked for as one: each question goes through the whole heap, which takes longer than ten minutes of the page.
   */
  const held = async (): Promise<number[]> => {
    const { result } = await session.send("Runtime.evaluate", { expression: "Object.prototype" });
    const { objects } = await session.send("Runtime.queryObjects", { prototypeObjectId: result.objectId ?? "" });
    const counts = await session.send("Runtime.callFunctionOn", {
      objectId: objects.objectId ?? "",
      functionDeclaration: `function () { return [${KINDS.join()}].map((kind) => this.filter((one) => one instanceof kind).length); }`,
      returnByValue: true,
    });
    await session.send("Runtime.releaseObject", { objectId: objects.objectId ?? "" });
    const { jsEventListeners } = await session.send("Memory.getDOMCounters");
    return [...(counts.result.value as number[]), jsEventListeners];
  };
  const open = new Set<Request>();
  page.on("request", (request) => isAnswered(request) && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  const live = async (seconds: number): Promise<void> => {
    for (let time = 0; time < seconds; time += STEP) {
      const { pack } = device.status;
      const change = (time / STEP) % 7;
      device.status = { ...device.status, pack: { ...pack, current: -20 - change, power: -1_000 - change } };
      device.touch("status");
      await page.clock.runFor(STEP * SECOND);
      await expect.poll(() => open.size, { interval: 5 }).toBe(0);
    }
  };
  while (requests.filter((url) => url.endsWith(RAREST)).length < FIRST) await live(STEP);
  await live(BETWEEN);
  let before = await held();
  for (let count = 1; count < COUNTS; count++) {
    await live(STEP);
    const next = await held();
    before = before.map((least, at) => Math.min(least, next[at]!));
  }
  await live(OPEN);
  const grown = async (): Promise<string[]> => {
    await live(STEP);
    const isMore = (count: number, at: number): boolean => count > before[at]! + MAX_GROWTH;
    const name = (at: number): string => KINDS[at] ?? "listeners";
    return (await held()).flatMap((count, at) => (isMore(count, at) ? [`${name(at)}: ${before[at]}, ${count}`] : []));
  };
  await expect.poll(grown).toEqual([]);
});
