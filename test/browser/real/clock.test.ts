/** The device's clock and time zone beside the browser's. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { PAST_TEXTS } from "../../../web/texts/later/past";
import type { System } from "../../support/system/system";
import { serve } from "./served";

const EN = DEVICE_TEXTS.en.device;
const served = serve();
const LISBON = "Europe/Lisbon WET0WEST,M3.5.0/1,M10.5.0";
const DAY = 86_400_000;

const timeOf = (settings: { zone?: string; offset?: number; server?: string }): { board: object } => ({
  board: { config: { settings: { time: { server: "", ...settings } } } },
});
const setTime = (page: Page) => page.getByRole("button", { name: EN.browserTime });
const useZone = (page: Page, name: string) => page.getByRole("button", { name: `${EN.browserZone} (${name})` });
const storedZone = (system: System): string => {
  const value = system.board.storage.read("settings", "time");
  return value && "string" in value ? (JSON.parse(value.string) as { values: { zone: string } }).values.zone : "";
};

it("the clock is offered to be set while it is unknown or wrong", async () => {
  const system = await served.start(timeOf({ zone: LISBON }));
  const visit = await served.enter(system, { timeZone: "Europe/Lisbon" });
  const { page } = visit;
  await page.getByText(`${EN.now}: ${EN.notSet}`).waitFor();
  expect(await visit.accessibility()).toEqual([]);
  await setTime(page).click();
  await expect.poll(() => setTime(page).count()).toBe(0);
  expect(Math.abs(Number(system.probes.utc()) - Date.now() / 1_000)).toBeLessThan(30);

  // A year behind.
  system.probes.setTime(Date.now() - 365 * DAY);
  await page.reload();
  await page.getByText(new RegExp(`${EN.now}: .*${new Date(Date.now() - 365 * DAY).getFullYear()}`)).waitFor();
  await setTime(page).click();
  await expect.poll(() => setTime(page).count()).toBe(0);
  expect(Math.abs(Number(system.probes.utc()) - Date.now() / 1_000)).toBeLessThan(30);
  expect(visit.defects).toEqual([]);
});

it("nothing is offered where a time server keeps the clock, whatever the browser's", async () => {
  const system = await served.start({
    board: {
      utc: () => Date.now() - DAY,
      config: { settings: { time: { zone: LISBON, server: "127.0.0.1" } } },
    },
  });
  await system.until("the time is known", () => system.probes.utc() !== undefined);
  const { page } = await served.enter(system, { timeZone: "Europe/Lisbon" });
  await page.getByText("State of charge").first().waitFor();
  const session = await page.evaluate<unknown>(`fetch("/web/session").then((answer) => answer.json())`);
  expect(session).toMatchObject({ data: { inStep: true, zone: LISBON } });
  expect(await setTime(page).count()).toBe(0);
});

it("the device's zone is told where it is another than the browser's, and can be left", async () => {
  const system = await served.start(timeOf({ zone: LISBON }));
  system.probes.setTime(Date.now());
  const visit = await served.enter(system, { timeZone: "Pacific/Auckland" });
  const { page } = visit;
  await page.getByText(`${en.fields["time.zone"]}: Europe/Lisbon`).waitFor();
  expect(await visit.accessibility()).toEqual([]);
  // Left as it is, also after a reload; another one is told again.
  await page.getByRole("button", { name: en.common.cancel }).click();
  await expect.poll(() => useZone(page, "Pacific/Auckland").count()).toBe(0);
  const loaded = page.waitForRequest((request) => request.url().includes("/device.js"));
  await page.reload();
  await loaded;
  await page.getByText("State of charge").first().waitFor();
  expect(await useZone(page, "Pacific/Auckland").count()).toBe(0);
  system.probes.configure("time", { zone: "Asia/Kolkata IST-5:30" });
  await page.reload();
  await page.getByText(`${en.fields["time.zone"]}: Asia/Kolkata`).waitFor();
  await useZone(page, "Pacific/Auckland").click();
  await expect.poll(() => useZone(page, "Pacific/Auckland").count()).toBe(0);
  expect(storedZone(system)).toBe("Pacific/Auckland <+12>-12<+13>-13,M9.5.0/2,M4.1.0/3");
  expect(visit.defects).toEqual([]);
});

it("a zone with the same clocks is none to be told, by whatever name", async () => {
  const system = await served.start(timeOf({ zone: LISBON }));
  system.probes.setTime(Date.now());
  const { page } = await served.enter(system, { timeZone: "Europe/London" }, "#/device");
  await page.getByText(EN.now).waitFor();
  expect(await page.getByText("Europe/Lisbon").count()).toBe(0);
});

it("until a zone is chosen days are UTC's, and say so", async () => {
  const system = await served.start(timeOf({}));
  system.probes.setTime(Date.now());
  const { page } = await served.enter(system, { timeZone: "America/Sao_Paulo" });
  const { today, energyDay } = PAST_TEXTS.en;
  await page.getByText(`${en.fields["time.zone"]}: UTC`).waitFor();
  await page.locator("dt", { hasText: `${today} (UTC)` }).waitFor();
  await useZone(page, "America/Sao_Paulo").click();
  await page.locator("dt", { hasText: new RegExp(`^${today}$`) }).waitFor();
  expect(storedZone(system)).toBe("America/Sao_Paulo <-03>3");
  await page.goto(`${system.url}/#/history`);
  await page.getByRole("button", { name: "7 days" }).click();
  await page.getByRole("heading", { name: `${energyDay} (kWh)` }).waitFor();
  system.probes.configure("time", { zone: "" });
  await page.reload();
  await page.getByRole("button", { name: "7 days" }).click();
  await page.getByRole("heading", { name: `${energyDay} (UTC) (kWh)` }).waitFor();
});
