/** The page with a device that has a past in its flash, as `npm start -- --history 400` makes it. */
import { expect, it } from "vitest";
import { givePast } from "../../../host-sim/past/board-past";
import { PHONE } from "../../support/web/browser";
import { CHARTS } from "../../support/web/past-data";
import { serve } from "./served";

const served = serve();

it("more than a year of history is drawn, told and downloaded", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const system = await served.start({
    prepare: (board) => givePast(board, { days: 400, now, seed: 1, packs: [1], cells: 16, capacity: 280 }),
  });
  const visit = await served.enter(system, { view: PHONE });
  const { page } = visit;
  await page.getByText(/^(Last night|Tonight so far)$/).click();
  await page.getByText(/Lowest charge: \d+\s%/).waitFor();
  await page.getByText(/kWh used/).waitFor();
  await visit.go("history");
  const charts = page.locator(".chart svg[role=slider]");
  for (const [range, count] of CHARTS) {
    await page.getByRole("button", { name: range, exact: true }).click();
    await expect.poll(() => charts.count()).toBe(count);
    await page.getByRole("button", { name: range, exact: true, pressed: true }).waitFor();
    expect(await page.getByText("cannot be read").count()).toBe(0);
    expect(await visit.accessibility(), range).toEqual([]);
    expect(await visit.overflows(), range).toEqual([]);
  }
  const energy = page.getByRole("slider", { name: "Time: Energy per month" });
  expect(await energy.locator("rect.in").count()).toBeGreaterThanOrEqual(12);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as CSV" }).click();
  expect((await download).suggestedFilename()).toBe("battery-history.csv");
  await visit.unfold();
  await page
    .getByText(/Started with firmware/)
    .first()
    .waitFor();
  expect(visit.defects).toEqual([]);
});

it("of several packs, the hours and the cells are those of the pack that is chosen", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const packs = [1, 2, 5];
  const system = await served.start({
    prepare: (board) => givePast(board, { days: 100, now, seed: 1, packs, cells: 16, capacity: 280 }),
  });
  const visit = await served.enter(system, { view: PHONE }, "#/history");
  const { page } = visit;
  for (const range of ["30 days", "Year"]) {
    await page.getByRole("button", { name: range, exact: true }).click();
    await page.getByRole("button", { name: range, exact: true, pressed: true }).waitFor();
    // In the year it stands at each chart that it rules.
    const row = page.getByRole("group", { name: "Pack", exact: true }).first();
    const choice = row.getByRole("button");
    await expect.poll(() => choice.allInnerTexts()).toEqual(packs.map((address) => `Pack ${address}`));
    const seen = new Set<string>();
    for (const address of packs) {
      const button = row.getByRole("button", { name: `Pack ${address}`, exact: true });
      await button.click();
      await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
      seen.add((await page.locator(".chart").allInnerTexts()).join());
    }
    expect(seen.size, range).toBe(packs.length);
    expect(await visit.accessibility(), range).toEqual([]);
    expect(await visit.overflows(), range).toEqual([]);
  }
  expect(visit.defects).toEqual([]);
});
