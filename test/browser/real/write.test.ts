import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { SAMPLE_INTERVAL } from "../../../src/web/limits";
import { WebClient } from "../../support/web/web-client";
import { PASSWORD, serve } from "./served";

const served = serve();
const MINUTE = 60_000;
/** ms of the page's time in which it looks at the status. */
const LOOK = 12_000;

const isWrite = (request: { function: number; trigger?: unknown }): boolean =>
  request.function === 0x10 && !request.trigger;
const last = (page: Page) => page.locator(".last");

async function changeSetting(page: Page, title: string, value: string): Promise<void> {
  await page.getByRole("button", { name: `Change: ${title}` }).click();
  await page.getByLabel("New value").fill(value);
  await page.getByRole("button", { name: "Send to the BMS" }).click();
}

it("asks before changing a protection, writes it, and the BMS confirms it", async () => {
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/control");
  const { page } = visit;
  await changeSetting(page, "Cell over-voltage protection", "5.001");
  await page.getByText("Enter a number without thousands separators: 0.000 to 5.000").waitFor();
  await page.getByLabel("New value").fill("3,6");
  await page.getByRole("button", { name: "Send to the BMS" }).click();
  await page.getByText("A wrong value can destroy them").waitFor();
  await system.whileTimeStands(async () => {
    await page.getByRole("button", { name: "Change it" }).click();
    await last(page).getByText("waiting for the BMS").waitFor();
  });
  await last(page).getByText("Confirmed by the BMS.").waitFor();
  await page.locator(".outcome", { hasText: "Confirmed by the BMS." }).waitFor();
  await page.getByRole("button", { name: "Change: Cell over-voltage protection 3.600" }).waitFor();
  expect(system.bms.registers.read("VolCellOV")).toBe(3_600);
  expect(visit.defects).toEqual([]);
});

it("reports a write that fails, or whose reply does, by its reason and by what was read back", async () => {
  const system = await served.start({ bms: { evolving: false } });
  const { faults, registers } = system.bms;
  const before = registers.read("CapBatCell");
  const { page } = await served.enter(system, {}, "#/control");
  const ending = async (value: string, text: string): Promise<void> => {
    const accepted = page.waitForResponse((response) => response.request().method() === "POST");
    await changeSetting(page, "Nominal capacity", value);
    expect((await accepted).status(), text).toBe(202);
    await system.skipUntil("the write has ended", () => !system.monitor().pending);
    await last(page).getByText(`${value} Ah. ${text}`).waitFor();
    expect(await page.getByText("Confirmed by the BMS.").count(), text).toBe(0);
    faults.clear();
  };
  faults.add({ kind: "refuse", code: 4, matching: isWrite });
  await ending("300", "The BMS rejected it (exception 4");
  expect(registers.read("CapBatCell")).toBe(before);
  faults.add({ kind: "ignore-write" });
  await ending("301", "Acknowledged, but the BMS has");
  faults.add({ kind: "bad-crc", matching: isWrite });
  await ending("292", "No confirming reply, but the BMS has 292 Ah, as requested.");
  faults.add({ kind: "truncated", matching: isWrite });
  faults.add({ kind: "ignore-write" });
  await ending("293", "No confirming reply; the BMS has 292 Ah.");
  let written = false;
  faults.add({ kind: "no-answer", matching: (request) => (written ||= isWrite(request)) });
  await ending("294", "No confirming reply; the outcome is unknown.");
  expect(await page.getByText("the BMS has").count()).toBe(0);
});

it("reports a BMS lost during the write, and works again once it is back", async () => {
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/control");
  const { page } = visit;
  const balancing = page.getByRole("switch", { name: "Balancing" }).first();
  await balancing.waitFor();
  // Time stands: the page must not learn of the loss before the click.
  await system.whileTimeStands(async () => {
    system.bms.setOnline(false);
    await balancing.click();
    await last(page).getByText("waiting for the BMS").waitFor();
    await system.until("the write waits", () => system.monitor().pending);
  });
  await system.untilOffline();
  await system.skipUntil("the write has ended", () => !system.monitor().pending);
  await last(page)
    .getByText(/the outcome is unknown/)
    .waitFor();
  await page.getByText("nothing can be changed now").waitFor();
  // The monitor's own clock, which the skipped time has put ahead, can still be set.
  expect(await page.locator("main button:enabled").allInnerTexts()).toEqual(["Use this browser's time"]);
  system.bms.setOnline(true);
  await expect.poll(() => balancing.isEnabled()).toBe(true);
  await balancing.click();
  await last(page).getByText("Confirmed by the BMS.").waitFor();
  expect(system.bms.registers.read("BalanEN")).toBe(0);
  expect(visit.defects).toEqual([]);
});

it("another client's write appears while it is in progress", async () => {
  const system = await served.start();
  const { page } = await served.enter(system, {}, "#/control");
  const charging = page.getByRole("switch", { name: "Charging", exact: true });
  await charging.waitFor();
  // The first two attempts are lost, so that the write does not end before the page learns of it.
  system.bms.faults.add({ kind: "no-answer", times: 2, matching: isWrite });
  await system.whileTimeStands(async () => {
    expect((await system.post("/api/bms/commands", { command: "charge_mos", state: "off" })).status).toBe(202);
    system.skip(2 * SAMPLE_INTERVAL);
    await last(page).getByText("Another client's change is in progress").waitFor();
  });
  await last(page).getByText("Charging: off. Confirmed by the BMS.").waitFor();
  await expect.poll(() => charging.getAttribute("aria-checked")).toBe("false");
});

it("switches the relay", async () => {
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/relay");
  const relay = visit.page.getByRole("switch").first();
  await relay.click();
  await expect.poll(() => relay.getAttribute("aria-checked")).toBe("true");
  expect(system.probes.relay()).toBe(1);
  system.probes.configure("relay", { mode: 1 });
  await visit.page.getByText("Automatic: the rule below switches it.").waitFor();
  await expect.poll(() => relay.isDisabled()).toBe(true);
  expect(visit.defects).toEqual([]);
});

it("reports a wrong password, and signs in with the right one", async () => {
  const system = await served.start();
  const visit = await served.open(system);
  await visit.page.getByLabel("Password", { exact: true }).fill("a wrong one");
  await visit.page.getByRole("button", { name: "Sign in" }).click();
  await visit.page.getByText("Wrong password.").waitFor();
  await visit.signIn(PASSWORD);
  expect(visit.defects).toEqual([]);
});

it("an idle session expires, and a new password ends all others; signing in again returns to the same screen", async () => {
  const system = await served.start();
  const visit = await served.enter(system, { steered: true }, "#/control");
  await visit.page.getByRole("switch").first().waitFor();
  const answered = visit.page.waitForResponse(/\/web\/status$/);
  system.skip(29 * MINUTE);
  await visit.page.clock.runFor(LOOK);
  expect((await answered).status()).toBe(200);
  expect(await visit.page.getByText("Your session has ended.").count()).toBe(0);
  system.skip(31 * MINUTE);
  const signsInAgain = async (password: string): Promise<void> => {
    await expect
      .poll(async () => {
        // Until the page asks for something.
        await visit.page.clock.runFor(1_000);
        return visit.page.getByText("Your session has ended.").count();
      })
      .toBe(1);
    await visit.signIn(password);
    await visit.page.getByRole("heading", { level: 1, name: "Control" }).waitFor();
    expect(await visit.page.getByText("Your session has ended.").count(), password).toBe(0);
  };
  await signsInAgain(PASSWORD);
  const other = new WebClient(system);
  await other.signIn(PASSWORD);
  expect((await other.post("/web/password", { old: PASSWORD, new: "another one" })).status).toBe(200);
  await signsInAgain("another one");
  expect(visit.defects).toEqual([]);
});

it("a preset is written limit by limit, and the BMS has all of it", async () => {
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/control");
  const { page } = visit;
  await page.getByRole("button", { name: "Preset for LFP …" }).click();
  const planned = await page.locator("dialog tbody tr").count();
  expect(planned).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Change all" }).click();
  await page.getByText(`All changed: ${planned} of ${planned}.`).waitFor();
  const { registers } = system.bms;
  for (const [name, millivolts] of [
    ["VolCellUV", 2_580],
    ["VolCellOV", 3_650],
    ["VolCellOVPR", 3_580],
  ] as const)
    expect(registers.read(name), name).toBe(millivolts);
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: /Cell over-voltage recovery 3\.580/ }).waitFor();
  expect(visit.defects).toEqual([]);
});
