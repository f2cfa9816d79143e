import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { serve } from "./served.ts";

const served = serve();

async function control(): Promise<Page> {
  const { page } = await served.enter({}, "#/control");
  await page.getByRole("switch", { name: "Charging", exact: true }).waitFor();
  return page;
}

const last = (page: Page) => page.locator(".last");

async function changeSetting(page: Page, title: string, value: string): Promise<void> {
  await page.getByRole("button", { name: `Change: ${title}` }).click();
  await page.getByLabel("New value").fill(value);
  await page.getByRole("button", { name: "Send to the BMS" }).click();
}

it("shows every command and setting with its present value, range and hint", async () => {
  const page = await control();
  expect(await page.locator("main h3").count()).toBe(27);
  const row = await page.locator("li", { hasText: "Cell over-voltage protection" }).innerText();
  for (const part of ["3.650\u202fV", "0.000 to 5.000\u202fV", "charging stops when a cell rises"])
    expect(row).toContain(part);
});

it("a command is queued and confirmed before the eyes, and the switch follows", async () => {
  served.device.writeTime = 800;
  const page = await control();
  const balance = page.getByRole("switch", { name: "Balancing" }).first();
  await balance.click();
  await last(page).getByText("Balancing: waiting for the BMS").waitFor();
  await last(page).getByText("Confirmed by the BMS.").waitFor();
  await expect.poll(() => balance.getAttribute("aria-checked")).toBe("false");
  expect(served.device.posts).toContainEqual(["/web/commands", { command: "balance", state: false }]);
});

it("a dangerous command asks first, and nothing is sent when it is cancelled", async () => {
  const page = await control();
  await page.getByRole("switch", { name: "Discharging", exact: true }).click();
  await page.getByText("All loads on this pack lose power.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(served.device.posts.filter(([path]) => path === "/web/commands")).toEqual([]);
  await page.getByRole("switch", { name: "Discharging", exact: true }).click();
  await page.getByRole("button", { name: "Switch off: Discharging" }).click();
  await last(page).getByText("Confirmed by the BMS.").waitFor();
});

it("a protection is checked, asked about and changed", async () => {
  const page = await control();
  const row = page.locator("li", { hasText: "Cell over-voltage protection" });
  await changeSetting(page, "Cell over-voltage protection", "5.001");
  await page.getByText("Enter a number: 0.000 to 5.000").waitFor();
  await page.getByLabel("New value").fill("3,6");
  await page.getByRole("button", { name: "Send to the BMS" }).click();
  await page.getByText("A wrong value can destroy them").waitFor();
  await page.getByText("3.650\u202fV becomes 3.600\u202fV.").waitFor();
  await page.getByRole("button", { name: "Send to the BMS" }).click();
  await row.getByText("Confirmed by the BMS.").waitFor();
  await row.getByText("3.600").waitFor();
  expect(served.device.posts.filter(([path]) => path === "/web/settings")).toEqual([
    ["/web/settings", { setting: "cell_ovp_voltage", value: "3.6" }],
  ]);
});

it("a refusal of the BMS says why", async () => {
  served.device.ending = "refused by the BMS, exception 3 (illegal data value).";
  const page = await control();
  await changeSetting(page, "Maximum balance current", "9");
  await last(page).getByText("not changed. The BMS refused it (exception 3: illegal data value).").waitFor();
});

it("a BMS that is lost during the write says so", async () => {
  served.device.ending = "BMS lost before it was confirmed.";
  const page = await control();
  await changeSetting(page, "Nominal capacity", "300");
  await last(page).getByText("The BMS was lost before it confirmed.").waitFor();
});

it("a write of somebody else is shown as it happens", async () => {
  served.device.writeTime = 600;
  const page = await control();
  served.device.beginWrite({ command: "charge_mos", state: false });
  await last(page).getByText("A write from elsewhere is under way").waitFor();
  expect(await page.getByRole("switch", { name: "Charging", exact: true }).isDisabled()).toBe(true);
  await last(page).getByText("Charging: off. Confirmed by the BMS.").waitFor();
  await expect
    .poll(() => page.getByRole("switch", { name: "Charging", exact: true }).getAttribute("aria-checked"))
    .toBe("false");
});

it("nothing can be changed while the BMS is offline", async () => {
  served.device.status = { ...served.device.status, online: false };
  served.device.queue = { ...served.device.queue, bmsOnline: false };
  const page = await control();
  await page.getByText("nothing can be changed now").waitFor();
  expect(await page.locator("main button:enabled").count()).toBe(0);
});

it("switches whose state is not known can still be set either way", async () => {
  served.device.bms = { ...served.device.bms, switches: {} as typeof served.device.bms.switches };
  const { page } = await served.enter({}, "#/control");
  await page.getByRole("button", { name: "Switch on: Display always on" }).click();
  await last(page).getByText("Confirmed by the BMS.").waitFor();
});

it("settings wait until the setup has been read", async () => {
  served.device.config.loaded = false;
  served.device.queue = { ...served.device.queue, configurationLoaded: false };
  const page = await control();
  await page.getByText("is being read").first().waitFor();
  expect(await page.getByRole("button", { name: "Change: Cell count" }).isDisabled()).toBe(true);
  served.device.config.loaded = true;
  served.device.queue = { ...served.device.queue, configurationLoaded: true };
  served.device.touch("queue", "config");
  await expect.poll(() => page.getByRole("button", { name: "Change: Cell count" }).isEnabled()).toBe(true);
});
