/** Several packs on one bus. */
import { beforeEach, expect, it } from "vitest";
import { DESKTOP, NARROW_PHONE } from "../support/web/browser.ts";
import { serve } from "./served.ts";

const served = serve();

beforeEach(() => {
  const { device } = served;
  const known = {
    online: true,
    ageSeconds: 0,
    soc: 61,
    voltage: 52.8,
    current: -12,
    power: -633,
    alarmCode: 0,
    delta: 0.012,
  };
  const lost = {
    online: false,
    ageSeconds: 725,
    soc: null,
    voltage: null,
    current: null,
    power: null,
    alarmCode: null,
    delta: null,
  };
  device.bms = { ...device.bms, packs: 4 } as typeof device.bms;
  device.packs = {
    bank: { packs: 4, online: 3, complete: false, soc: null, power: null, capacityAh: null, remainingCapacityAh: null },
    packs: [
      { address: 1, name: "Left", ...known },
      // Bit 11: a cell is too low.
      { address: 2, name: "", ...known, soc: 7, delta: 0.353, alarmCode: 1 << 11 },
      { address: 3, name: "Right", ...lost },
      { address: 4, name: "New", ...lost, ageSeconds: null },
    ],
  };
  device.packStatus = {
    2: { data: { ...device.status, info: { ...device.status.info, serialNumber: "SECOND" } }, bms: device.bms },
    3: { data: { ...device.status, online: false }, bms: device.bms },
  };
});

it.each([NARROW_PHONE, DESKTOP])("the bank is listed with charge, power, spread, age and alarms: %j", async (view) => {
  const visit = await served.enter({ view });
  const { page } = visit;
  const rows = page.locator(".packs summary");
  await expect.poll(() => rows.count()).toBe(4);
  const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s/g, " ").trim());
  expect(texts).toEqual([
    "Left 61 % · −633 W · spread 12 mV",
    "Pack 2 7 % · −633 W · spread 353 mV · Cell voltage too low",
    "Right not responding for 12 min",
    "New has not responded yet",
  ]);
  // What is unknown is no sum, and not zero.
  const bank = page.locator(".card", { has: page.getByRole("heading", { name: "Bank" }) });
  expect(await bank.innerText()).toContain("3 of 4 packs respond. Sums are unknown until all do.");
  expect(await bank.locator("dd").first().innerText()).toBe("–");
  expect(await visit.accessibility()).toEqual([]);
  expect(await visit.overflows()).toEqual([]);
});

it("a pack opens to its cells, and an old one says so", async () => {
  const visit = await served.enter();
  const { page } = visit;
  const rows = page.locator(".packs details");
  await expect.poll(() => rows.count()).toBe(4);
  expect(served.device.requests).not.toContain("GET /web/status?pack=2");
  await rows.nth(1).locator("summary").press("Enter");
  await rows.nth(1).getByText("SECOND").waitFor();
  expect(await rows.nth(1).locator(".cells button").count()).toBe(served.device.status.cells.length);
  expect(await rows.nth(1).getByText("Last known").count()).toBe(0);
  await rows.nth(2).locator("summary").click();
  await rows.nth(2).getByText("Last known").waitFor();
  expect(await rows.nth(2).locator(".stale").count()).toBe(1);
  await rows.nth(3).locator("summary").click();
  await rows.nth(3).getByText("Not available on this device.").waitFor();
  await rows.nth(3).locator("summary").click();
  await visit.loaded();
  expect(await visit.accessibility()).toEqual([]);
  expect(await visit.overflows()).toEqual([]);
});

it("one pack alone is no bank", async () => {
  const { bms } = served.device;
  served.device.bms = { ...bms, packs: 1 } as typeof bms;
  const { page } = await served.enter();
  await page.getByRole("heading", { name: "Today" }).waitFor();
  expect(await page.getByRole("heading", { name: "Bank" }).count()).toBe(0);
  expect(served.device.requests).not.toContain("GET /web/packs");
});
