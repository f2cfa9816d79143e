import type { IncomingMessage } from "node:http";
import type { Page } from "playwright-core";
import { afterEach, expect, it, vi } from "vitest";
import { MAX_LISTENERS } from "../../../src/web/limits";
import { EventStreams } from "../../../src/web/streams";
import { sampled } from "../../support/property";
import { stopTime, type Visit } from "../../support/web/browser";
import type { System } from "../../support/system/system";
import { WebClient } from "../../support/web/web-client";
import { PASSWORD, serve } from "./served";

const served = serve();
const listening: IncomingMessage[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const stream of listening.splice(0)) stream.destroy();
});

/** Bytes a second, heads and events included. */
const MOST = 850;
/** Seconds over which they are counted: several of the page's longest pauses between two looks at the status. */
const SECONDS = 40;
const SCREENS = ["battery", "history", "control", "relay", "device"] as const;
type Screen = (typeof SCREENS)[number];

interface Traffic {
  bytes: number;
  events: number;
  /** Requests for the status. */
  looks: number;
  /** What has been asked for. */
  readonly urls: Set<string>;
  /** Requests under way, except for the event stream. */
  readonly open: Set<string>;
}

/** Counts what comes over the network, as the browser's own tools do. */
async function traffic(page: Page): Promise<Traffic> {
  const seen: Traffic = { bytes: 0, events: 0, looks: 0, urls: new Set(), open: new Set() };
  const tools = await page.context().newCDPSession(page);
  await tools.send("Network.enable");
  tools.on("Network.requestWillBeSent", ({ requestId, request }) => {
    seen.urls.add(request.url);
    if (!request.url.endsWith("/web/events")) seen.open.add(requestId);
    if (request.url.endsWith("/web/status")) seen.looks++;
  });
  tools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    seen.open.delete(requestId);
    seen.bytes += encodedDataLength;
  });
  tools.on("Network.loadingFailed", ({ requestId }) => seen.open.delete(requestId));
  tools.on("Network.eventSourceMessageReceived", ({ data }) => {
    seen.events++;
    seen.bytes += data.length + "data: \n\n".length;
  });
  return seen;
}

interface Still {
  readonly system: System;
  readonly visit: Visit;
  readonly page: Page;
  readonly seen: Traffic;
  /** Events that the device has sent. */
  readonly sent: () => number;
}

/** Opens the screen, while so many others listen, then stops the time of both the device and the page. */
async function still(screen: string, others = 0): Promise<Still> {
  const system = await served.start();
  for (let other = 0; other < others; other++) listening.push(await listen(system));
  const write = vi.spyOn(EventStreams.prototype, "write");
  const sent = (): number => (others ? 0 : write.mock.results.filter(({ value }) => Number(value) > 0).length);
  const visit = await served.open(system, { steered: true }, `#/${screen}`);
  const { page } = visit;
  const seen = await traffic(page);
  await visit.signIn(PASSWORD);
  const still = { system, visit, page, seen, sent };
  await stop(still);
  return still;
}

async function listen(system: System): Promise<IncomingMessage> {
  const client = new WebClient(system);
  await client.signIn(PASSWORD);
  const stream = await client.open("GET", "/web/events");
  expect(stream.statusCode).toBe(200);
  return stream.on("error", () => undefined).resume();
}

async function stop(still: Still): Promise<void> {
  still.system.stand(true);
  await stopTime(still.page);
  await second(still);
}

/** Opens another screen, which loads in real time, then stops the time again. */
async function change(still: Still, screen: Screen): Promise<void> {
  await still.page.clock.resume();
  still.system.stand(false);
  await still.visit.go(screen);
  await stop(still);
}

/** Lets a second pass on both, with all that is sent in it. */
async function second({ system, page, seen, sent }: Still): Promise<void> {
  await system.pass(1_000);
  // A second may have no event: polls vary by some ms, so one may miss the sample that the poll before it met.
  await expect.poll(() => sent() - seen.events, { interval: 5 }).toBe(0);
  await page.clock.runFor(1_000);
  await expect.poll(answered, { interval: 5 }).toBe(0);

  /** Requests not yet answered. Some answers take the device's time: records are read in steps. */
  async function answered(): Promise<number> {
    if (seen.open.size) await system.pass(1);
    return seen.open.size;
  }
}

/** Until just after a look at the status, since whose predecessor nothing has been asked for that is new: all has come that loads later. */
async function quiet(device: Still): Promise<void> {
  const { seen } = device;
  let known: number;
  do {
    known = seen.urls.size;
    const { looks } = seen;
    while (seen.looks === looks) await second(device);
  } while (seen.urls.size > known);
}

it("open connections cause little traffic, on every screen", async () => {
  const device = await still(SCREENS[0]);
  const { seen } = device;
  for (const screen of SCREENS) {
    if (screen !== SCREENS[0]) await change(device, screen);
    await quiet(device);
    const before = { ...seen };
    for (let passed = 0; passed < SECONDS; passed++) await second(device);
    expect(seen.looks, screen).toBeGreaterThan(before.looks + 2);
    expect((seen.bytes - before.bytes) / SECONDS, screen).toBeLessThan(MOST);
  }
});

/** ms from a load's step until it is on the screen, at most, of a page with events and of one without; and of them a step of both clocks. */
const MOST_DELAY = 1_500;
const MOST_POLLED = 2_500;
const TIME_STEP = 50;
const STEPS = [
  [0, 40],
  [350, 80],
  [700, 20],
  [900, 120],
] as const;

/** ms from a step of the load to `amperes`, `phase` ms after a poll, until it is shown; more than `most`: it is not. */
async function delayOf(device: Still, phase: number, amperes: number, most: number): Promise<number> {
  const { system, page, seen, sent } = device;
  const isShown = async (): Promise<boolean> => {
    const text = await page.locator(".glance .facts div", { hasText: "Current" }).locator("dd").innerText();
    return Math.abs(Number.parseFloat(text.replace("\u2212", "-")) + amperes) < 1;
  };
  await second(device);
  await pass(phase);
  system.bms.pack.current = -amperes;
  expect(await isShown()).toBe(false);
  let delay = 0;
  for (; delay <= most && !(await isShown()); delay += TIME_STEP) await pass(TIME_STEP);
  return delay;

  async function pass(ms: number): Promise<void> {
    await system.pass(ms);
    await expect.poll(() => sent() - seen.events, { interval: 5 }).toBe(0);
    await page.clock.runFor(ms);
    await expect.poll(() => seen.open.size, { interval: 5 }).toBe(0);
  }
}

it.each(sampled(STEPS, 2))(
  "a load step %i ms later is on the first screen within 1.5 s (%i A)",
  async (phase, amperes) => {
    const device = await still("battery");
    expect(await delayOf(device, phase, amperes, MOST_DELAY)).toBeLessThanOrEqual(MOST_DELAY);
  },
);

/** Of a page that asks for the status every few seconds. */
const POLLED_STEPS = [0, 900, 1_400, 1_900, 2_400, 2_900, 3_900].map((phase) => [phase, 40] as const);

it.each(sampled(POLLED_STEPS))(
  "with two more pages than get events, within 2.5 s (%i ms later, %i A)",
  async (phase, amperes) => {
    const device = await still("battery", MAX_LISTENERS);
    expect(device.seen.events).toBe(0);
    expect(await delayOf(device, phase, amperes, MOST_POLLED)).toBeLessThanOrEqual(MOST_POLLED);
  },
);

it("urgent changes are shown at once", async () => {
  // The page's time stands from here on: no timer makes it look.
  const { system, page } = await still("history");
  system.bms.setOnline(false);
  await system.untilOffline();
  // The event goes out within a second.
  await system.pass(1_000);
  await page.locator(".banner").waitFor();
});
