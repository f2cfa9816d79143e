/** The cells as an instrument: today's range of each, and its past. */
import { expect, it } from "vitest";
import { NARROW_PHONE } from "../support/web/browser.ts";
import { cellsRecord, DAY, HOUR, hourRecord, todayOf } from "../support/web/past-data.ts";
import { serve } from "./served.ts";

const served = serve();

/** Seconds since 1970. */
const now = (): number => Math.floor(Date.now() / 1_000);

it("each bar has today's range as a whisker, in words too", async () => {
  served.device.records.today = todayOf(
    Array.from({ length: 16 }, (_, cell) => (cell === 2 ? undefined : [3_205, 3_415])),
  );
  const visit = await served.enter();
  const { page } = visit;
  await visit.openCells();
  await expect.poll(() => page.locator(".cells .whisker").count()).toBe(15);
  // 3.415 V and 3.205 V of 3.2 to 3.5 V.
  const [top, bottom] = [(100 * (3.5 - 3.415)) / 0.3, (100 * (3.5 - 3.205)) / 0.3];
  const [, high, low] =
    /^M0\.5 ([\d.]+)V([\d.]+)/.exec((await page.locator(".whisker").first().getAttribute("d")) ?? "") ?? [];
  expect([Number(high), Number(low)]).toEqual([expect.closeTo(top), expect.closeTo(bottom)]);
  await page.getByText("Thin line: today's range.").waitFor();
  await page.getByRole("button", { name: /^Cell 1 / }).click();
  await page.getByText(/^Cell 1: 3\.312.V, today 3\.205.V to 3\.415.V, Wire/).waitFor();
  await page.getByRole("button", { name: /^Cell 3 / }).click();
  await page.getByText(/^Cell 3: 3\.311.V, 1.mV below average, Wire/).waitFor();
});

it("the scale has room for the whiskers", async () => {
  served.device.records.today = todayOf(Array.from({ length: 16 }, () => [3_100, 3_500]));
  const visit = await served.enter();
  await visit.openCells();
  const drawn = visit.page.locator(".band figcaption");
  await expect.poll(() => drawn.innerText()).toBe("3.000\u202fV to 3.500\u202fV");
});

it("a cell that is selected shows its weeks and its wire, by keyboard and on the narrowest phone; no capacity is made up", async () => {
  const visit = await served.enter({ view: NARROW_PHONE });
  const { page } = visit;
  await visit.openCells();
  const seventh = page.getByRole("button", { name: /^Cell 7 / });
  await seventh.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Cell 7: distance from the average (mV)" }).waitFor();
  await page.getByText("Cell 7 falls behind by 1.0\u202fmV a week at rest.").waitFor();
  await page.getByText("At rest: −47\u202fmV to 4\u202fmV, last −47\u202fmV.").waitFor();
  await page.getByText("66\u202fmΩ to 66\u202fmΩ, last 66\u202fmΩ.").waitFor();
  expect(await page.locator(".chart svg[role=slider]").count()).toBe(2);
  expect(await visit.overflows()).toEqual([]);
  expect(await visit.accessibility()).toEqual([]);
  // Of another cell what is its own.
  await page.getByRole("button", { name: /^Cell 8 / }).click();
  await page.getByRole("heading", { name: "Cell 8: distance from the average (mV)" }).waitFor();
  expect(await page.getByText(/falls behind/).count()).toBe(0);
  // Of a capacity that is not known it is said what that takes.
  await page.getByText("Capacity, as measured").click();
  await page.getByText("Nothing is measured yet: that takes a discharge from full down to 10 % or less").waitFor();
});

it.each([
  ["has none yet", Buffer.alloc(0), "No records of this cell yet"],
  ["cannot read them", undefined, "Failed: "],
])("of a device without weeks it is said: it %s", async (_, cells, words) => {
  served.device.records = cells ? { cells } : {};
  const visit = await served.enter();
  const { page } = visit;
  await visit.openCells();
  await page.getByRole("button", { name: /^Cell 7 / }).click();
  await page
    .locator(".card", { has: page.locator(".cells") })
    .getByText(words)
    .waitFor();
});

it("the capacity of each discharge from full stands beside what the BMS had learned", async () => {
  const hour = Math.floor(now() / HOUR) * HOUR;
  const down = [100, 90, 80, 70, 60, 50, 40, 30, 20, 10];
  served.device.records.hours = Buffer.concat(
    down.map((soc, index) => hourRecord(hour - 3 * DAY + index * HOUR, 1, { soc, current: -26 })),
  );
  served.device.records.cells = cellsRecord(hour - 7 * DAY, 1, { rest: [0], capacity: 277.4 });
  const visit = await served.enter();
  const { page } = visit;
  await page.getByText("Capacity, as measured").click();
  const facts = page.locator(".fold", { hasText: "Capacity" }).locator(".facts > div");
  await expect.poll(() => facts.count()).toBe(2);
  expect(await facts.nth(0).innerText()).toContain("280\u202fAh");
  expect(await facts.nth(1).innerText()).toContain("260\u202fAh (BMS: 277\u202fAh)");
  expect(await visit.overflows()).toEqual([]);
  expect(await visit.accessibility()).toEqual([]);
});
