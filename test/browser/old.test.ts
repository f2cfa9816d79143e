/** What the page shows is marked as old whenever it may be. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { stopTime } from "../support/web/browser.ts";
import { serve, trying } from "./served.ts";

const served = serve();
const HOUR = 3_600_000;
/** ms without an event after which the values count as old, and a little more. */
const SILENCE = 23_000;

const stale = (page: Page) => page.locator(".cards.stale");
const banner = (page: Page) => page.locator(".banner");

/** Opens a page whose time stands, with everything on it fetched; the first event may still be on its way. */
async function enterStill(path?: string): Promise<Page> {
  const { page } = await served.enter({ steered: true }, path);
  await expect.poll(() => served.device.listeners).toBe(1);
  await expect.poll(() => served.device.answered).toContain("GET /web/queue");
  await stopTime(page);
  return page;
}

const hide = (page: Page): Promise<void> =>
  page.evaluate(
    "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
  );
const show = (page: Page): Promise<void> =>
  page.evaluate("delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))");

it("answered by another than the device, the page has lost it", async () => {
  const { page } = await served.enter();
  await page.getByText("All is well").waitFor();
  // At one moment: the banner, how many cards are old, whether all is said to be well.
  const shown = (): Promise<unknown> =>
    page.evaluate(`[
      document.querySelector(".banner")?.innerText,
      document.querySelectorAll(".cards.stale").length,
      document.body.innerText.includes("All is well"),
    ]`);
  for (const [who, status] of [
    ["a proxy that cannot reach the device", 502],
    ["a proxy that gave up waiting for it", 504],
    ["a device that has another name by now", 421],
  ] as const)
    await trying(who, async () => {
      await page.route("**/web/*", (route) => route.fulfill({ status, body: "<html></html>" }));
      served.device.touch("status");
      await expect.poll(shown).toEqual([expect.stringContaining("No connection to the monitor."), 1, false]);
      await page.unroute("**/web/*");
      await expect.poll(shown).toEqual([undefined, 0, true]);
    });
});

it("a page that finds nobody under this name from the start says what to do", async () => {
  const { page } = await served.open({}, "#/device");
  await page.locator("input[autocomplete=current-password]").waitFor();
  await page.route("**/web/session", (route) =>
    route.fulfill({ status: 421, body: '{"success":false,"error":"unknown-host-name\\t192.168.1.20"}' }),
  );
  await page.reload();
  await page.getByText("Open http://192.168.1.20/; to use this name, enter it there under Device").waitFor();
});

it("a status that cannot be had leaves the last one old, until there is a new one", async () => {
  const { page } = await served.enter();
  await page.getByText("All is well").waitFor();
  await page.route("**/web/status", (route) => route.fulfill({ status: 500, body: "{}" }));
  served.device.touch("status");
  await stale(page).waitFor();
  await page.unroute("**/web/status");
  await page.getByText("All is well").waitFor();
});

it("a device that has fallen silent makes the values old before a request has failed", async () => {
  served.device.silent = true;
  const page = await enterStill();
  await stale(page).waitFor({ state: "detached" });
  // No request fails, not even one that is under way already.
  await page.evaluate("void (AbortController.prototype.abort = () => {})");
  served.device.hold();
  // More than once, if need be: the silence begins with the last event that the page hears.
  await expect
    .poll(async () => {
      await page.clock.runFor(SILENCE);
      return stale(page).count();
    })
    .toBe(1);
  expect(await banner(page).locator("strong").innerText()).toBe("Loading …");
});

it("a silence is noticed although the computer's clock was set back in it", async () => {
  served.device.silent = true;
  const page = await enterStill();
  await page.evaluate("void (AbortController.prototype.abort = () => {})");
  served.device.hold();
  await page.clock.setSystemTime((await page.evaluate<number>("Date.now()")) - HOUR);
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000);
      return stale(page).count();
    })
    .toBe(1);
});

it("what was fetched before the page was hidden for long is old until the device has answered", async () => {
  const page = await enterStill("#/control");
  const release = served.device.hold();
  await hide(page);
  await expect.poll(() => served.device.listeners).toBe(0);
  // The computer sleeps: the clock goes on, the page's timers do not.
  await page.clock.setSystemTime((await page.evaluate<number>("Date.now()")) + HOUR);
  await show(page);
  await stale(page).waitFor();
  expect(await page.getByRole("switch", { name: "Charging", exact: true }).isDisabled()).toBe(true);
  release();
  await stale(page).waitFor({ state: "detached" });
});

it("how long ago the BMS was seen includes the time that the computer has slept", async () => {
  const page = await enterStill();
  await page.context().setOffline(true);
  await expect
    .poll(async () => {
      served.device.touch("status");
      // If the stream has broken, the page polls.
      await page.clock.runFor(2_000);
      return banner(page).count();
    })
    .toBe(1);
  await page.clock.setSystemTime((await page.evaluate<number>("Date.now()")) + HOUR);
  await page.clock.runFor(2_000);
  await banner(page).getByText("Last seen 1 h ago").waitFor();
  // Not announced: that would be every second.
  expect(await page.locator("[role=status]", { hasText: "Last seen" }).count()).toBe(0);
});

it("a settings fetch that was lost is made up for at the next event", async () => {
  // Polls nothing: its time stands.
  const page = await enterStill("#/control");
  await page.getByText("280.0").first().waitFor();
  await page.route("**/web/config", (route) => route.fulfill({ status: 500, body: "{}" }));
  served.device.config = { ...served.device.config, battery: { ...served.device.config.battery, capacityAh: 292 } };
  const lost = page.waitForResponse("**/web/config");
  served.device.touch("config");
  await lost;
  await page.unroute("**/web/config");
  // More than once, if need be: the page may still be busy with what was lost.
  await expect
    .poll(() => {
      served.device.touch("queue");
      return page.getByText("292.0").count();
    })
    .toBeGreaterThan(0);
});
