/** The wall view: what is wrong, charge, power and today on one screen, one pack and bank; dim at night. */
import { describe, expect, it } from "vitest";
import { en } from "../../web/texts/en.ts";
import { inTurn } from "../support/property.ts";
import type { View, Visit, VisitOptions } from "../support/web/browser.ts";
import { STATES } from "../support/web/page-states.ts";
import type { WebMock } from "../support/web/web-mock.ts";
import { serve, trying } from "./served.ts";

const served = serve();

const VIEWS: readonly View[] = [
  { width: 800, height: 480 },
  { width: 1_024, height: 600 },
  { width: 960, height: 400 },
];
const WANTED = ["all is well", "too hot", "the BMS is lost", "three packs", "three packs, each with something"];
const prepare = (name: string): ((device: WebMock) => void) => {
  const state = STATES.find(([one]) => one === name);
  if (!state) throw new Error(`no state ${name}: ${STATES.map(([one]) => one).join(", ")}`);
  return state[1];
};

/** As a guest who came by a link. */
async function enter(options: VisitOptions): Promise<Visit> {
  Object.assign(served.device, { guest: true, link: true });
  const visit = await served.open({ ...options, session: served.device.session() }, "#/kiosk");
  await visit.page.locator(".kiosk .soc").waitFor();
  await visit.page.locator(".kiosk .timeline").waitFor();
  return visit;
}

it.each(WANTED.flatMap((name, at) => inTurn(["en", "pt"] as const, at).map((language) => [name, language] as const)))(
  "shows everything without scrolling in every window, and axe finds nothing: %s, %s",
  async (name, language) => {
    prepare(name)(served.device);
    // The most that fits a pack of 16 cells.
    served.device.status.pack.power = -14_560;
    const visit = await enter({ view: VIEWS[0]!, language });
    const { page } = visit;
    for (const view of VIEWS)
      await trying(`${view.width} × ${view.height}`, async () => {
        await visit.look(view);
        const [width, height] = await page.evaluate<[number, number]>(
          "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]",
        );
        expect(width).toBeLessThanOrEqual(view.width);
        expect(height).toBeLessThanOrEqual(view.height);
        for (const part of [".sentence", ".soc", ".power", ".timeline", ".amounts", "a[href='#/battery']"]) {
          const box = await page.locator(`.kiosk ${part}`).first().boundingBox();
          expect(box, part).not.toBeNull();
          expect(box!.y + box!.height, part).toBeLessThanOrEqual(view.height);
          expect(box!.x + box!.width, part).toBeLessThanOrEqual(view.width);
        }
        expect(await visit.overflows()).toEqual([]);
        expect(await visit.accessibility()).toEqual([]);
      });
  },
);

describe("at night", () => {
  const at = (hour: number, minute: number): number => new Date(2026, 10, 28, hour, minute).getTime() / 1_000;
  const view = { width: 800, height: 480 };
  const root = (visit: Visit): Promise<unknown> =>
    visit.page.evaluate('[document.documentElement.className, document.documentElement.dataset["theme"]]');

  it.each([
    [21, 59, false],
    [22, 0, true],
    [5, 59, true],
    [6, 0, false],
  ])("at %i:%i it is dim: %s", async (hour, minute, isDim) => {
    const visit = await enter({ view, now: at(hour, minute) });
    await expect.poll(() => root(visit)).toEqual(isDim ? ["dim", "dark"] : ["", "light"]);
    // All other screens are as they were chosen.
    await visit.page.getByRole("link", { name: en.app.battery }).focus();
    await visit.page.keyboard.press("Enter");
    await visit.page.locator("nav").waitFor();
    expect(await root(visit)).toEqual(["", "light"]);
  });

  it("an alarm is never dim, of one pack nor of any of several", async () => {
    for (const name of ["too hot", "three packs, each with something"]) {
      prepare(name)(served.device);
      const visit = await enter({ view, now: at(23, 0) });
      await visit.page.locator(".concerns.bad").first().waitFor();
      expect(await root(visit)).toEqual(["", "light"]);
    }
  });
});

describe("says what every screen says", () => {
  const view = { width: 800, height: 480 };

  it.each([0, 1, 3])("of which packs the charge is, while pack %i of four from 0 is silent", async (silent) => {
    prepare("three packs")(served.device);
    const { bank, packs } = served.device.packs as { bank: object; packs: object[] };
    const rows = [0, 1, 2, 3].map((at) => ({ ...packs[0], address: at + 1, online: at !== silent }));
    served.device.packs = { bank: { ...bank, packs: 4, online: 3, complete: false }, packs: rows };
    const { page } = await enter({ view });
    await expect.poll(() => page.locator(".kiosk .gauge").innerText()).toContain("3 of 4 packs");
  });

  it("that it is in safe mode, and that a pack has been exchanged, which is not accepted here", async () => {
    prepare("three packs, each with something")(served.device);
    served.device.safeMode = true;
    const visit = await enter({ view });
    const { page } = visit;
    await page.getByText(`${en.app.safeMode}.`, { exact: true }).waitFor();
    await page.getByText(en.bank.swappedWhy).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
  });
});

it("is the owner's as well, and asks for no events", async () => {
  const visit = await served.open({ session: served.device.session() }, "#/kiosk");
  await visit.page.locator(".kiosk .timeline").waitFor();
  expect(visit.requests.filter((one) => one.includes("series=fine"))).not.toEqual([]);
  expect(visit.requests.filter((one) => one.includes("series=events"))).toEqual([]);
  expect(await visit.page.locator("nav").count()).toBe(0);
});
