import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { serve } from "./served";

const served = serve();

/** Bytes a second, heads and events included. */
const MOST = 700;
/** Looks at the status over which they are counted. */
const LOOKS = 3;

/** Counts what comes over the network, as the browser's own tools do. */
async function traffic(page: Page): Promise<{ bytes: number; looks: number }> {
  const seen = { bytes: 0, looks: 0 };
  const tools = await page.context().newCDPSession(page);
  await tools.send("Network.enable");
  tools.on("Network.responseReceived", ({ response }) => {
    if (response.url.endsWith("/web/status")) seen.looks++;
  });
  tools.on("Network.loadingFinished", ({ encodedDataLength }) => (seen.bytes += encodedDataLength));
  tools.on("Network.eventSourceMessageReceived", ({ data }) => (seen.bytes += data.length + "data: \n\n".length));
  return seen;
}

it.each(["battery", "history", "control", "relay", "device"] as const)(
  "what stays open costs little: %s",
  async (screen) => {
    const system = await served.start();
    const visit = await served.enter(system, {}, `#/${screen}`);
    const seen = await traffic(visit.page);
    // From one look to another.
    await expect.poll(() => seen.looks, { interval: 20 }).toBeGreaterThan(0);
    const before = { ...seen, at: performance.now() };
    await expect.poll(() => seen.looks, { interval: 20 }).toBeGreaterThanOrEqual(before.looks + LOOKS);
    const rate = (seen.bytes - before.bytes) / ((performance.now() - before.at) / 1_000);
    expect(rate).toBeGreaterThan(0);
    expect(rate).toBeLessThan(MOST);
  },
);

it("what must be seen at once does not wait for its turn", async () => {
  const system = await served.start();
  const { page } = await served.enter(system, {}, "#/history");
  const seen = await traffic(page);
  await expect.poll(() => seen.looks, { interval: 20 }).toBeGreaterThan(0);
  const before = seen.looks;
  system.bms.setOnline(false);
  await page.locator(".banner").waitFor();
  expect(seen.looks).toBe(before + 1);
});
