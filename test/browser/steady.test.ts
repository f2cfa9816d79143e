import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inTurn, sampled } from "../support/property.ts";
import { DESKTOP, NARROW_PHONE, PHONE, type Visit } from "../support/web/browser.ts";
import { serve } from "./served.ts";

const served = serve();

/** Web Vitals' limit for a good page is 0.1. */
const MAX_SHIFT = 0.06;
/** Less than one line that appears or disappears, which only happens on the battery screen: its sentence says so. */
const MAX_SHIFT_ELSEWHERE = 0.01;

const lose = (): void => {
  served.device.status = { ...served.device.status, online: false };
  served.device.queue = { ...served.device.queue, bmsOnline: false, configurationLoaded: false };
  served.device.touch("status", "queue");
};

/** What each screen requests besides what all request. */
const SHOWN = {
  battery: ["/web/config"],
  history: ["/web/records", "/web/history.csv"],
  control: ["/web/config"],
  relay: ["/web/summary", "/web/group/relay"],
  device: ["/web/device", "/web/group/time"],
};
const SCREENS = Object.keys(SHOWN) as (keyof typeof SHOWN)[];

/** Waits until all that the screen shows has arrived and has been drawn, and events are heard. */
async function complete({ page, finished }: Visit, screen: keyof typeof SHOWN): Promise<void> {
  await expect.poll(() => served.device.listeners).toBe(1);
  await expect
    .poll(() => finished.map((url) => new URL(url).pathname))
    .toEqual(expect.arrayContaining(["/web/status", "/web/queue", ...SHOWN[screen]]));
  // Its charts come last.
  if (screen === "history") await page.locator(".chart svg[role=slider]").nth(3).waitFor();
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))",
  );
}

/** Sum of the layout shifts from now on (Layout Instability API). */
const watchShifts = (page: Page): Promise<void> =>
  page.evaluate(`new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shift += value;
  }).observe({ type: "layout-shift" }), void (globalThis.shift = 0)`);

it.each([
  ...SCREENS.flatMap((screen, at) => inTurn([DESKTOP, PHONE], at).map((view) => ({ view, screen, isWritten: true }))),
  ...sampled([DESKTOP, PHONE, NARROW_PHONE], 1).map((view) => ({ view, screen: "control" as const, isWritten: false })),
])(
  "nothing moves when the BMS is lost: $screen, $view.width, last write: $isWritten",
  async ({ view, screen, isWritten }) => {
    served.device.bms.concerns = screen === "battery" ? ["emergency"] : [];
    const visit = await served.enter({ view }, `#/${screen}`);
    const { page } = visit;
    if (screen === "control" && isWritten) {
      await page.getByRole("switch", { name: "Balancing", exact: true }).first().click();
      await page.locator(".last").getByText("Confirmed by the BMS.").waitFor();
    }
    await complete(visit, screen);
    await watchShifts(page);
    lose();
    await page.locator(".banner").waitFor();
    // Two frames: what was drawn has been measured.
    const shift = await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(globalThis.shift)))))",
    );
    expect(shift).toBeLessThan(screen === "battery" ? MAX_SHIFT : MAX_SHIFT_ELSEWHERE);
  },
);

it("a lost BMS that only the queue knows of yet shows old values without flicker", async () => {
  const visit = await served.enter({ view: DESKTOP }, "#/control");
  const { page } = visit;
  await complete(visit, "control");
  await watchShifts(page);
  served.device.queue = { ...served.device.queue, bmsOnline: false, configurationLoaded: false };
  served.device.touch("queue");
  await page.locator(".cards.stale").waitFor();
  expect(await page.locator(".concerns").count()).toBe(0);
  expect(await page.evaluate("globalThis.shift")).toBe(0);
});

it("the safe answer has the focus in a dialog; switches keep showing their last known state, marked as old", async () => {
  const { page } = await served.enter({}, "#/control");
  await page.getByRole("switch", { name: "Discharging", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Cancel");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const charging = page.getByRole("switch", { name: "Charging", exact: true });
  await charging.waitFor();
  lose();
  await page.locator(".cards.stale").waitFor();
  expect(await charging.getAttribute("aria-checked")).toBe("true");
  expect(await charging.isDisabled()).toBe(true);
  expect(await charging.locator(".track").evaluate((track) => getComputedStyle(track).borderStyle)).toBe("dashed");
});

it.each(["control", "device"])("focused elements are never hidden behind sticky bars: %s", async (screen) => {
  const visit = await served.enter({ view: PHONE }, `#/${screen}`);
  const { page } = visit;
  if (screen === "device") {
    lose();
    await page.locator(".banner").waitFor();
    await visit.unfold();
    // The networks found move what is below them.
    await page.getByRole("radio", { name: /Home/ }).waitFor();
  }
  const usable = page.locator("main :is(button, input, select, textarea, summary):enabled");
  // The settings have arrived.
  await expect.poll(() => usable.count()).toBeGreaterThan(15);
  const all = await usable.count();
  for (const key of ["Tab", "Shift+Tab"])
    for (let count = 0; count < all; count++) {
      await page.keyboard.press(key);
      const covered = await page.evaluate<string>(`(() => {
        const focused = document.activeElement;
        if (!focused.closest("main")) return "";
        const { left, top, width, height } = focused.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        return seen && (focused.contains(seen) || seen.contains(focused)) ? "" : focused.outerHTML;
      })()`);
      expect(covered).toBe("");
    }
});
