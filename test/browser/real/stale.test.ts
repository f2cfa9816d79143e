/** Values that grow old say why, and a silent BMS is blamed only if the device says so. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { CONTROL_TEXTS } from "../../../web/texts/later/control.ts";
import { en } from "../../../web/texts/en";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { sampled } from "../../support/property";
import { serve } from "./served";

const served = serve();
const BLAMES_BMS = new RegExp(en.battery.offline.slice(0, -1));
const LOGIN = "<!doctype html><title>Router</title><p>Sign in to your router";

const SOURCES: readonly [string, string, (page: Page) => Promise<unknown>][] = [
  [
    "an answer of 500",
    en.app.failing,
    (page) =>
      page.route("**/web/status", (route) => route.fulfill({ status: 500, json: { success: false, error: "" } })),
  ],
  [
    "an answer of 503 for all documents",
    en.app.failing,
    (page) => page.route(/\/web\/(status|queue|config)$/, (route) => route.fulfill({ status: 503, body: "" })),
  ],
  [
    "another machine's page with 200",
    en.app.foreign,
    (page) => page.route("**/web/**", (route) => route.fulfill({ contentType: "text/html", body: LOGIN })),
  ],
  [
    "another machine's JSON with 200",
    en.app.foreign,
    (page) => page.route("**/web/**", (route) => route.fulfill({ json: { hello: "world" } })),
  ],
  ["no answer", en.app.lost, (page) => page.route("**/web/**", (route) => route.abort())],
];

/** Lets time pass on the page until it shows this. */
const shows = (page: Page, what: Locator): Promise<void> =>
  expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return what.isVisible();
    })
    .toBe(true);

it.each(sampled(SOURCES))(
  "%s: the values are old, with age and reason, and the BMS is not blamed",
  async (_, reason, spoil) => {
    const system = await served.start({ bms: { evolving: false } });
    const visit = await served.enter(system, { steered: true });
    const { page } = visit;
    await page.locator(".direction").waitFor();
    expect(await page.title()).not.toContain(en.app.offline);
    await page.route("**/web/events", (route) => route.abort());
    await spoil(page);
    const banner = page.locator(".banner");
    await shows(page, banner.getByText(reason));
    await banner.getByText(/Last seen .* ago; the values are old/).waitFor();
    await expect.poll(() => page.title()).toMatch(new RegExp(`^${en.app.offline} – `));

    // The direction, its word and its arrow grow old like the power below them.
    const now = page.locator(".stale .now");
    await now.getByText(en.battery.lastKnown).waitFor();
    const colours = await page.evaluate<string[]>(
      `[".direction", ".direction .icon", ".direction strong", ".power"].map((part) => getComputedStyle(document.querySelector(part)).color)`,
    );
    expect(new Set(colours).size).toBe(1);
    expect(await page.locator("main").innerText()).not.toMatch(BLAMES_BMS);
    await visit.go("control");
    await page.locator(".last").getByText(`${reason} ${CONTROL_TEXTS.en.control.locked}`).waitFor();
    expect(await page.locator("main").innerText()).not.toMatch(BLAMES_BMS);

    await page.unrouteAll();
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return banner.count();
      })
      .toBe(0);
    await expect.poll(() => page.title()).not.toContain(en.app.offline);
  },
);

it("a BMS that is silent is named, and the title says so", async () => {
  const system = await served.start({ bms: { evolving: false } });
  const { page } = await served.enter(system, { steered: true });
  await page.locator(".direction").waitFor();
  system.bms.faults.add({ kind: "no-answer" });
  await system.untilOffline();
  await shows(page, page.locator(".banner").getByText(en.battery.offline));
  await expect.poll(() => page.title()).toMatch(new RegExp(`^${en.app.offline} – `));
});

it.each([1, 3])(
  "another master on the bus of %d packs is named on every screen, and nothing can be switched",
  async (count) => {
    const system = await served.start({ bank: { count, master: true, evolving: false } });
    const visit = await served.enter(system, {}, "#/control");
    const { page } = visit;
    const said = page.locator(".concerns").getByText(en.concerns["other-master"]);
    await said.waitFor();
    await page
      .locator(".last")
      .getByText(`${en.concerns["other-master"]} ${CONTROL_TEXTS.en.control.locked}`)
      .waitFor();
    const switches = page.getByRole("switch");
    expect(await switches.count()).toBeGreaterThan(3);
    for (const one of await switches.all()) expect(await one.isDisabled()).toBe(true);
    await visit.go("device");
    await said.waitFor();
    await page.getByText(DEVICE_TEXTS.en.device.listening, { exact: true }).waitFor();
    expect(system.board.uart.sent).toBe(0);
  },
);

it("a document that one screen alone shows is old there when it cannot be refreshed", async () => {
  const system = await served.start({ bms: { evolving: false } });
  const visit = await served.enter(system);
  const { page } = visit;
  await visit.go("relay");
  await page.route("**/web/summary", (route) => route.fulfill({ status: 500, json: { success: false, error: "" } }));
  await page.route("**/web/events", (route) => route.abort());
  // Makes the page fetch the summary.
  await page.getByRole("switch").first().click();
  await page.locator(".cards.stale").waitFor();
  await page.locator(".banner").getByText(en.app.failing).waitFor();
  await visit.go("battery");
  expect(await page.locator(".stale").count()).toBe(0);
});
