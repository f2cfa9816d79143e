import { expect, it } from "vitest";
import type { Visit } from "../support/browser.ts";
import { serve } from "./served.ts";

const served = serve();

async function choosePassword({ page }: Visit): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill("battery 123");
  await page.getByLabel("New password again", { exact: true }).fill("battery 123");
  await page.getByRole("button", { name: "Next" }).click();
}

it("leads from nothing to the battery", async () => {
  const { device } = served;
  device.firstStart = true;
  device.device = { ...device.device, network: { mode: "AP", type: "Wi-Fi", ip: "192.168.4.1" } };
  const visit = await served.open();
  const { page } = visit;
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  expect(await visit.accessibility()).toEqual([]);
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Next" }).click();
  expect(device.posts).toEqual([]);
  await choosePassword(visit);

  await page.getByRole("radio", { name: /Home/ }).check();
  await page.getByLabel("Password of the network", { exact: true }).fill("at home 1234");
  expect(await visit.accessibility()).toEqual([]);
  await page.getByRole("button", { name: "Next" }).click();

  await page.getByText("The BMS answers.").waitFor();
  expect(await visit.accessibility()).toEqual([]);
  await page.getByLabel("Baud rate").selectOption("9600");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  // Nothing may take the access point away before all is said.
  expect(device.posts.map(([path]) => path)).not.toContain("/web/group/network");
  await page.getByRole("button", { name: "Finish" }).click();

  await page.getByText("http://garage.local/").waitFor();
  expect(device.groups["network"]).toMatchObject({ ssid: "Home", password: "at home 1234" });
  expect(device.groups["bms"]).toMatchObject({ baud: 9_600 });
  device.device = { ...device.device, network: { mode: "STA", type: "Wi-Fi", ip: "192.168.1.20", ssid: "Home" } };
  device.touch("device");
  await page.getByText("The address is http://192.168.1.20/.").waitFor();
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("State of charge").first().waitFor();
  expect(visit.defects).toEqual([]);
});

it("tells why joining failed, and lets choose again", async () => {
  const { device } = served;
  device.firstStart = true;
  device.device = { ...device.device, network: { mode: "AP", type: "Wi-Fi", ip: "192.168.4.1" } };
  const visit = await served.open();
  const { page } = visit;
  await choosePassword(visit);
  await page.getByRole("radio", { name: /Home/ }).check();
  await page.getByLabel("Password of the network", { exact: true }).fill("a wrong one");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByText("http://garage.local/").waitFor();
  device.device = { ...device.device, network: { ...device.device.network, reason: "wrong password" } };
  device.touch("device");
  await page.getByText("It did not work: wrong password").waitFor();
  await page.getByRole("button", { name: "Choose again" }).click();
  await page.getByRole("heading", { name: "Network" }).waitFor();
});

it("with a cable has nothing to ask about the network, and goes on where it was after a reload", async () => {
  const { device } = served;
  device.firstStart = true;
  device.device = { ...device.device, network: { mode: "STA", type: "Ethernet", ip: "192.168.1.9", cable: true } };
  const visit = await served.open();
  await choosePassword(visit);
  await visit.page.getByText("Connected by cable: 192.168.1.9").waitFor();
  await visit.page.reload();
  await visit.page.getByText("Connected by cable: 192.168.1.9").waitFor();
  await visit.page.getByRole("button", { name: "Next" }).click();
  await visit.page.getByRole("button", { name: "Finish" }).click();
  await visit.page.getByText("All set.").waitFor();
  expect(device.posts.map(([path]) => path)).not.toContain("/web/group/network");
});
