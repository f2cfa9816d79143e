import { expect, it } from "vitest";
import { stopTime } from "../support/web/browser.ts";
import { serve } from "./served.ts";

const served = serve();
/** ms of the page's time. */
const FRAME = 20;

it("shows what changed, requests nothing that it does not show, and holds no event stream while it is hidden", async () => {
  const { page } = await served.enter();
  await page.getByText("74").first().waitFor();
  await expect.poll(() => served.device.listeners).toBe(1);
  let soc = 73;
  const change = async (): Promise<void> => {
    served.device.status = { ...served.device.status, soc: --soc };
    served.device.touch("status");
    await expect.poll(() => page.locator(".soc").innerText()).toContain(String(soc));
  };
  // More than once, if need be: what the page requests at the start may come late.
  await expect
    .poll(async () => {
      served.device.requests.length = 0;
      await change();
      served.device.touch("relay", "device");
      // What those would have requested would have been requested before this.
      await change();
      return new Set(served.device.requests);
    })
    .toEqual(new Set(["GET /web/status"]));
  // The limits of the cells.
  served.device.touch("config");
  await expect.poll(() => served.device.requests).toContain("GET /web/config");
  // A hidden page does not hold an event stream.
  await page.evaluate(
    "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
  );
  await expect.poll(() => served.device.listeners).toBe(0);
  await page.evaluate("delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))");
  await expect.poll(() => served.device.listeners).toBe(1);
});

it("falls back to polling when the event stream is refused", async () => {
  served.device.maxListeners = 0;
  const { page } = await served.enter();
  await page.getByText("74").first().waitFor();
  served.device.status = { ...served.device.status, soc: 72 };
  await expect.poll(() => page.locator(".soc").innerText()).toContain("72");
});

it("never has more than one request open, however slow the device is", async () => {
  const { page } = await served.enter({ steered: true }, "#/control");
  await expect.poll(() => served.device.listeners).toBe(1);
  // The page's time stands from here on: it must not abandon a request.
  await stopTime(page);
  const release = served.device.hold();
  served.device.touch();
  // Not one from before, after which the next may come.
  await expect.poll(() => served.device.waiting).toBe(1);
  served.device.mostOpen = 0;
  served.device.requests.length = 0;
  for (let index = 0; index < 20; index++) {
    served.device.touch();
    await page.clock.runFor(FRAME);
  }
  expect(served.device.requests).toEqual([]);
  // What has piled up is requested now, and then what is touched last.
  release();
  await page.clock.resume();
  served.device.status = { ...served.device.status, online: false };
  served.device.touch("status");
  await page.getByText("nothing can be changed now").waitFor();
  expect(served.device.mostOpen).toBe(1);
  expect(served.device.requests.filter((one) => one === "GET /web/status").length).toBeLessThan(5);
});

it("reports a lost connection, greys out the values, and recovers", async () => {
  const visit = await served.enter();
  await visit.page.getByText("74").first().waitFor();
  await visit.page.context().setOffline(true);
  served.device.touch();
  await visit.page.getByText("No connection to the monitor.").waitFor();
  expect(await visit.page.locator(".cards.stale").count()).toBe(1);
  await visit.page.context().setOffline(false);
  await visit.page.getByText("No connection to the monitor.").waitFor({ state: "detached" });
});
