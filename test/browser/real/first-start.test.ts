import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { defaultConfig } from "../../../host-sim/config";
import { ASKING_FOR } from "../../../src/web/limits";
import type { Visit } from "../../support/web/browser";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { setUpCode } from "../../support/web/web-client";
import { serve } from "./served";

const served = serve();
const BUTTON = 13;
const HOME = { ssid: "Home", password: "at home 1234" };

async function choosePassword({ page }: Visit): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill("battery 123");
  await page.getByLabel("Repeat new password", { exact: true }).fill("battery 123");
  await page.getByRole("button", { name: "Next" }).click();
}

/** The same, and waits for the next step. On a busy machine the page may stop waiting before the password is hashed: then it is pressed again. */
async function passPassword(visit: Visit): Promise<void> {
  await choosePassword(visit);
  const { page } = visit;
  const again = page
    .locator(".card", { has: page.getByRole("heading", { name: "Welcome" }) })
    .getByRole("button", { name: "Next" });
  await expect
    .poll(async () => {
      if (await again.count()) await again.click({ timeout: 1_000 }).catch(() => undefined);
      return page.getByRole("heading", { name: "Network" }).count();
    })
    .toBe(1);
}

/** A new device near the owner's Wi-Fi, once its access point is open. */
async function startAtHome(): ReturnType<typeof served.startNew> {
  const system = await served.startNew();
  system.board.air.add(HOME);
  await system.skipUntil("the access point is open", () => system.probes.network().mode === "AP");
  return system;
}

async function chooseWifi({ page }: Visit, password: string): Promise<void> {
  await page.getByRole("radio", { name: /Home/ }).check();
  await page.getByLabel("Wi-Fi password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Next" }).click();
}

it("leads from an empty device to a confirmed setting", async () => {
  const system = await startAtHome();
  expect(system.board.radio.accessPoint?.ssid).toContain("100001");
  const visit = await served.open(system, { timeZone: "Europe/Lisbon" });
  const { page } = visit;
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  expect(await visit.accessibility()).toEqual([]);
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/web/password", (route) => held.then(() => route.continue()));
  await choosePassword(visit);
  // The button shows that it works, and cannot be pressed again.
  expect(await page.getByRole("button", { name: "One moment" }).isDisabled()).toBe(true);
  release();
  await page.getByRole("heading", { name: "Network" }).waitFor();
  expect(await page.getByLabel("Time zone").inputValue()).toBe("Europe/Lisbon");
  await chooseWifi(visit, HOME.password);
  await page.getByText("The BMS is responding.").waitFor();
  expect(await visit.accessibility()).toEqual([]);
  // There is one way on, and it saves what was typed.
  expect(await page.getByRole("button").allInnerTexts()).toEqual(expect.not.arrayContaining(["Save"]));
  await page.getByLabel("BMS address (DIP switch)").fill("16");
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByText("Enter a number").waitFor();
  await page.getByLabel("BMS address (DIP switch)").fill("1");
  // Nothing may take the access point away before all is said.
  expect(system.probes.network().mode).toBe("AP");
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByText("Connected. The new address").waitFor();
  await page.getByRole("heading", { name: "Done", exact: true }).waitFor();
  expect(await page.getByRole("link", { name: `${system.url}/` }).getAttribute("href")).toBe(`${system.url}/`);
  expect(system.probes.network()).toMatchObject({ mode: "STA", ssid: "Home", online: true });
  expect(JSON.stringify(system.board.storage.read("settings", "time"))).toContain(
    "Europe/Lisbon <+00>0<+01>-1,M3.5.0/1,M10.5.0/2",
  );
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("State of charge").first().waitFor();

  await visit.go("control");
  await page.getByRole("button", { name: "Change: Nominal capacity" }).click();
  await page.getByLabel("New value").fill("300");
  await page.getByRole("button", { name: "Send to the BMS" }).click();
  await page.locator(".last").getByText("Confirmed by the BMS.").waitFor();
  expect(system.bms.registers.read("CapBatCell")).toBe(300_000);
  expect(visit.defects).toEqual([]);
});

it("ends with the offer to tell somebody's phone: one service, one test message, and nothing to skip", async () => {
  const system = await startAtHome();
  const visit = await served.open(system);
  const { page } = visit;
  await passPassword(visit);
  await chooseWifi(visit, HOME.password);
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByText("Connected. The new address").waitFor();
  const told: string[] = [];
  const phone = createServer((request, response) => {
    request.on("data", (bytes: Buffer) => told.push(bytes.toString("utf8")));
    request.on("end", () => response.end("taken"));
  }).listen(0, "127.0.0.1");
  await once(phone, "listening");
  try {
    const offer = page.locator("section", { has: page.getByRole("heading", { name: DEVICE_TEXTS.en.setup.notify }) });
    await offer.getByRole("combobox").selectOption("webhook");
    await offer
      .getByRole("textbox")
      .first()
      .fill(`http://127.0.0.1:${(phone.address() as AddressInfo).port}/`);
    expect(await offer.getByRole("textbox").count()).toBeLessThanOrEqual(2);
    await offer.getByRole("button", { name: "Save" }).click();
    await offer.getByText("Saved.").waitFor();
    await offer.getByRole("button", { name: "Test" }).click();
    await offer.getByText("200").waitFor();
    expect(told.join("")).toMatch(/test/i);
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("State of charge").first().waitFor();
    expect(visit.defects).toEqual([]);
  } finally {
    phone.close();
  }
});

it("takes another time zone than the browser's if that is chosen", async () => {
  const system = await served.startNew();
  await system.skipUntil("the access point is open", () => system.probes.network().mode === "AP");
  const visit = await served.open(system, { timeZone: "Europe/Lisbon" });
  const { page } = visit;
  await passPassword(visit);
  await page.getByLabel("Time zone").selectOption("Pacific/Auckland");
  await page.getByRole("button", { name: "Without Wi-Fi" }).click();
  await page.getByRole("button", { name: "Finish" }).click();
  const stored = (): string => JSON.stringify(system.board.storage.read("settings", "time") ?? "");
  await expect.poll(stored).toContain("Pacific/Auckland <+12>-12<+13>-13,M9.5.0/2,M4.1.0/3");
});

it("takes ten taps at most from the first start to a confirmed change, by Wi-Fi", async () => {
  const system = await startAtHome();
  const { page } = await served.open(system);
  let taps = 0;
  const tap = async (target: Locator): Promise<void> => {
    await target.click();
    taps++;
  };
  const type = async (label: string, text: string, hasFocus = false): Promise<void> => {
    const field = page.getByLabel(label, { exact: true });
    if (hasFocus) await expect.poll(() => field.and(page.locator(":focus")).count()).toBe(1);
    else await tap(field);
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(text);
  };
  const button = (name: string): Locator => page.getByRole("button", { name });
  await type("Password", "battery 123");
  await type("Repeat new password", "battery 123");
  await tap(button("Next"));
  await tap(page.locator("label", { hasText: "Home" }));
  await type("Wi-Fi password", HOME.password, true);
  await tap(button("Next"));
  await tap(button("Finish"));
  await page.getByText("Connected. The new address").waitFor();
  await tap(button("Open"));
  await tap(page.locator('nav a[href="#/control"]'));
  await tap(button("Change: Nominal capacity"));
  await type("New value", "300", true);
  await tap(button("Send to the BMS"));
  await page.locator(".last").getByText("Confirmed by the BMS.").waitFor();
  expect(taps).toBeLessThanOrEqual(10);
});

it("reports a wrong Wi-Fi password, and joins with the right one", async () => {
  const system = await startAtHome();
  const visit = await served.open(system);
  const { page } = visit;
  await passPassword(visit);
  await chooseWifi(visit, "not of home");
  await page.getByLabel("Baud rate").selectOption("9600");
  const saved = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/group/bms"));
  await page.getByRole("button", { name: "Finish" }).click();
  expect((await saved).postData()).toBe('{"baud":9600}');
  await page.getByText("Could not connect: the password is wrong.").waitFor();
  expect(await page.getByRole("heading", { name: "Done", exact: true }).count()).toBe(0);
  expect(system.probes.network()).toMatchObject({ online: false });
  expect(system.probes.network().accessPoint).not.toBe("");
  // The first button, and the one that stands out.
  const again = page.locator("main").getByRole("button").first();
  expect([await again.innerText(), await again.getAttribute("class")]).toEqual(["Choose again", "primary"]);
  expect(await page.locator("main .primary").count()).toBe(1);
  await again.click();
  await chooseWifi(visit, HOME.password);
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByText("Connected. The new address").waitFor();
  expect(visit.defects).toEqual([]);
});

it("asks nothing about the network when a cable is plugged in", async () => {
  const system = await served.start({ board: { config: { settings: { web: { password: "" } } } } });
  const visit = await served.open(system);
  await visit.page.getByLabel("Set-up code", { exact: true }).fill(setUpCode(system.console));
  await passPassword(visit);
  await visit.page.getByText("Connected by cable: 127.0.0.1").waitFor();
  await visit.page.reload();
  await visit.page.getByText("Connected by cable: 127.0.0.1").waitFor();
  await visit.page.getByRole("button", { name: "Next" }).click();
  await visit.page.getByRole("button", { name: "Finish" }).click();
  await visit.page.getByText("All set.").waitFor();
  expect(visit.defects).toEqual([]);
});

it("an address with the set-up code leads to choosing a password, and shows or sends the code nowhere", async () => {
  const system = await served.start({ board: { config: { settings: { web: { password: "" } } } } });
  const code = setUpCode(system.console);
  expect(system.console.join("")).toContain(`web: choose the password at ${system.url}/#code=${code} (`);
  const visit = await served.open(system, {}, `#code=${code}`);
  const { page } = visit;
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  expect(page.url()).toBe(`${system.url}/`);
  expect(await page.evaluate("history.length")).toBeLessThanOrEqual(2);
  expect(await page.getByLabel("Set-up code", { exact: true }).count()).toBe(0);
  expect(await page.content()).not.toContain(code);
  expect(await visit.accessibility()).toEqual([]);
  await passPassword(visit);
  await page.getByText("Connected by cable: 127.0.0.1").waitFor();
  expect(visit.requests.filter((url) => url.includes(code))).toEqual([]);
  expect(visit.defects).toEqual([]);
  // Later the same address is like any other.
  await page.goto(`${system.url}/#code=${code}`);
  await expect.poll(() => page.url()).toBe(`${system.url}/`);
});

it("an address with an old set-up code asks for the present one, also in a window that has the page", async () => {
  const system = await served.start({ board: { config: { settings: { web: { password: "" } } } } });
  const visit = await served.open(system);
  const { page } = visit;
  const field = page.getByLabel("Set-up code", { exact: true });
  await field.waitFor();
  await page.evaluate('location.hash = "#code=abcdefghjkmn"');
  await field.waitFor({ state: "detached" });
  await choosePassword(visit);
  await page.getByText("That is not the set-up code.").waitFor();
  expect(await field.inputValue()).toBe("abcdefghjkmn");
  await field.fill(setUpCode(system.console));
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Connected by cable: 127.0.0.1").waitFor();
  expect(page.url()).toBe(`${system.url}/`);
  expect(visit.defects).toEqual([]);
});

it("the button admits the one page that shows a number, and nobody while a second page asks", async () => {
  const pins = { ...defaultConfig().pins, button: BUTTON };
  const system = await served.start({ board: { config: { pins, settings: { web: { password: "" } } } } });
  const visit = await served.open(system);
  const { page } = visit;
  const shown = page.getByText("press the device's button while you see this number");
  const text = await shown.innerText();
  const number = /\d{4}/.exec(text)![0];
  // A reload keeps the number.
  await page.reload();
  expect(await shown.innerText()).toBe(text);

  const second = await served.open(system);
  await second.page.getByText("Two pages are asking. Close the one at 127.0.0.1, wait 2 minutes").waitFor();
  await page.getByText("Two pages are asking. Close the one at 127.0.0.1, wait 2 minutes").waitFor();
  system.board.press(200);
  await expect.poll(() => system.console.join()).toContain("ask to choose the password: nobody may");
  await choosePassword(second);
  await second.page.getByText("Prove you are next to the device").waitFor();
  await second.close();

  system.skip(ASKING_FOR);
  await shown.waitFor();
  expect(await visit.accessibility()).toEqual([]);
  system.board.press(200);
  await page.getByText(`The button let this page in (number ${number}).`).waitFor();
  expect(await page.getByLabel("Set-up code", { exact: true }).count()).toBe(0);
  await passPassword(visit);
  await page.getByText("Connected by cable: 127.0.0.1").waitFor();
  expect(visit.defects).toEqual([]);
});

it("tells a wrong set-up code from none, and does not mention a button that is not there", async () => {
  const system = await served.start({ board: { config: { settings: { web: { password: "" } } } } });
  const visit = await served.open(system);
  const { page } = visit;
  await choosePassword(visit);
  await page.getByText("Prove you are next to the device").waitFor();
  await page.getByLabel("Set-up code", { exact: true }).fill("abcdefghjkmn");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("That is not the set-up code.").waitFor();
  expect(await page.getByText("number").count()).toBe(0);
  await page.getByLabel("Set-up code", { exact: true }).fill(setUpCode(system.console));
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Connected by cable: 127.0.0.1").waitFor();
  expect(visit.defects).toEqual([]);
});
