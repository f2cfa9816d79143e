/** Guests, sessions and named tokens, from the page to the device. */
import { expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { PASSWORD, serve } from "./served";

const EN = DEVICE_TEXTS.en;

const served = serve();
const GUEST = "just looking";
const open = (title: string): string => `summary:has-text("${title}")`;

it("the owner sets a guest password; the guest can read but not write; the owner sees and ends the session", async () => {
  const system = await served.start();
  const { page: owner } = await served.enter(system, {}, "#/device");
  await owner.click(open(EN.device.guests));
  await owner.getByLabel(EN.device.guestPassword, { exact: true }).fill(GUEST);
  await owner.getByRole("button", { name: en.common.save, exact: true }).click();
  await owner.getByText(EN.device.guestsIn).waitFor();

  const { page: guest } = await served.open(system);
  await guest.getByLabel(en.sign.password, { exact: true }).fill(GUEST);
  await guest.getByLabel(en.sign.guest).check();
  await guest.getByRole("button", { name: en.sign.submit }).click();
  await guest.getByText(en.app.guest).waitFor();
  await guest.getByRole("link", { name: en.app.control }).click();
  await guest.getByRole("switch").first().waitFor();
  for (const button of await guest.getByRole("main").getByRole("switch").all())
    expect(await button.isDisabled()).toBe(true);
  await guest.getByRole("link", { name: en.app.device }).click();
  await guest.getByText(EN.device.uptime, { exact: true }).waitFor();
  for (const title of [EN.device.api, EN.device.backup, EN.device.sessions])
    expect(await guest.getByText(title, { exact: true }).count()).toBe(0);

  await owner.click(open(EN.device.sessions));
  const entry = owner.locator("li", { hasText: EN.device.guest });
  await entry.getByText("127.0.0.1").waitFor();
  // The browser, and what the minutes are.
  await entry.getByText(/^Chrome, \w+ · 127\.0\.0\.1 · signed in .* ago, used .* ago · guest$/).waitFor();
  await entry.getByRole("button", { name: EN.device.endSession }).click();
  await entry.waitFor({ state: "detached" });
  await guest.getByText(en.sign.expired).waitFor();

  await owner.getByRole("button", { name: EN.device.endAll }).click();
  await owner.getByRole("dialog").getByRole("button", { name: EN.device.endAll }).click();
  await owner.getByLabel(en.sign.password, { exact: true }).fill(PASSWORD);
});

it("creates a token, shows it once, and revokes it after use", async () => {
  const system = await served.start();
  const { page } = await served.enter(system, {}, "#/device");
  await page.click(open(EN.device.api));
  await page.getByLabel(EN.device.tokens.name).fill("Grafana");
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route("**/web/tokens", async (route) => {
    if (route.request().method() === "GET") await held;
    await route.continue();
  });
  await page.getByRole("button", { name: EN.device.tokens.make }).click();
  const token = await page.locator("p", { hasText: EN.device.shownOnce }).locator("code").innerText();
  const ask = async (method: string): Promise<number> =>
    (await fetch(`${system.url}/api/bms/commands`, { method, headers: { Authorization: `Bearer ${token}` } })).status;
  expect([await ask("GET"), await ask("POST")]).toEqual([200, 403]);
  const shown = page.getByText(token);
  const copy = page.getByRole("button", { name: en.common.copy, exact: true }).last();
  // The list is still being loaded: pressed now, it would do nothing.
  expect(await copy.isDisabled()).toBe(true);
  go();
  await copy.click();
  await page.getByText(en.common.copied).waitFor();
  await page.getByRole("button", { name: en.common.hide, exact: true }).click();
  expect(await shown.count()).toBe(0);
  await page.reload();
  await page.click(open(EN.device.api));
  const entry = page.locator("li", { hasText: "Grafana" });
  await entry.waitFor();
  expect(await page.getByText(token).count()).toBe(0);
  await entry.getByRole("button", { name: EN.device.revoke }).click();
  await page
    .getByRole("dialog")
    .getByRole("heading", { name: `${EN.device.revoke}: Grafana` })
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: EN.device.revoke }).click();
  await entry.waitFor({ state: "detached" });
  expect(await ask("GET")).toBe(401);
});
