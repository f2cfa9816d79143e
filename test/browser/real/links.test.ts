/** A read-only link, from the owner's page to the tablet on the wall, until it is revoked. */
import { beforeEach, describe, expect, it } from "vitest";
import { inTurn } from "../../support/property";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { en } from "../../../web/texts/en";
import { pt } from "../../../web/texts/pt";
import type { Language, Visit } from "../../support/web/browser";
import type { System } from "../../support/system/system";
import { PASSWORD, serve } from "./served";

const served = serve();
const TABLET = { width: 800, height: 480 };

let system: System;
beforeEach(async () => void (system = await served.start()));

describe.each(inTurn(["en", "pt"] as const, 0))("in %s", (language: Language) => {
  const t = { en, pt }[language];
  const { device } = DEVICE_TEXTS[language];

  /** The owner makes a link; its address. */
  async function make(visit: Visit, name: string, isWallView: boolean): Promise<string> {
    const owner = visit.page;
    await owner.getByLabel(device.wallView).setChecked(isWallView);
    await owner.getByLabel(device.links.name).fill(name);
    // With the keyboard alone for one of the ways.
    if (!isWallView) await owner.getByRole("button", { name: device.links.make }).click();
    else await owner.keyboard.press("Enter");
    await owner.locator("li", { hasText: name }).waitFor();
    const address = await owner.locator("#made").innerText();
    await owner.getByRole("img", { name: address }).waitFor();
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    await owner.getByRole("button", { name: t.common.hide, exact: true }).click();
    return address;
  }
  async function enterGuests(): Promise<Visit> {
    const visit = await served.enter(system, { language }, "#/device");
    await visit.page.locator("summary", { hasText: device.guests }).first().click();
    return visit;
  }
  const follow = (address: string): Promise<Visit> =>
    served.open(system, { view: TABLET, language }, address.slice(address.indexOf("#")));

  it("it shows battery and history, and nothing else; it lets the browser in again until it is revoked", async () => {
    const visit = await enterGuests();
    const owner = visit.page;
    const address = await make(visit, "Neighbour", false);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#link=[0-9a-f]{32}$/);
    const secret = address.slice(-32);
    const guest = await follow(address);
    const { page } = guest;
    await page.getByText(t.app.guest).waitFor();
    await owner.locator("summary", { hasText: device.sessions }).click();
    const row = owner.locator("li", { hasText: device.byLink });
    await row.waitFor();
    expect(await row.getByRole("button").count()).toBe(0);
    expect(await page.evaluate("location.href")).not.toContain(secret);
    expect(await page.locator("nav a").evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual([
      "#/battery",
      "#/history",
    ]);
    await guest.loaded();
    await page.evaluate('location.hash = "#/device"');
    await page.getByRole("heading", { level: 1, name: t.app.battery }).waitFor();
    await guest.go("history");
    // No address that was asked for has the secret, nor any that this guest may not see.
    const asked = guest.requests.map((one) => one.replace(system.url, ""));
    expect(asked.filter((one) => one.includes(secret))).toEqual([]);
    expect(asked.filter((one) => /web\/(device|group|log|summary|bms-log)|series=events/.test(one))).toEqual([]);
    expect(asked.filter((one) => one.startsWith("/web/records")).length).toBeGreaterThan(0);

    // Its session is over, as after a day or a restart of the device.
    await page.context().clearCookies();
    await page.reload();
    await page.getByText(t.app.guest).waitFor();

    await owner.getByRole("button", { name: device.revoke }).click();
    await owner.getByRole("dialog").getByRole("button", { name: device.revoke }).click();
    await page.getByText(t.errors["no-link"]).waitFor();
    // Of a later session that is over it is not said.
    await guest.signIn(PASSWORD);
    await page.context().clearCookies();
    await page.getByText(t.sign.expired).waitFor();
    expect(await page.getByText(t.errors["no-link"]).count()).toBe(0);
    await page.reload();
    await page.getByLabel(t.sign.password, { exact: true }).waitFor();
    expect(await page.getByText(t.errors["no-link"]).count()).toBe(0);
    expect(guest.defects).toEqual([]);
  });

  it("for the wall it shows the wall view, whose way out leads to the battery", async () => {
    const address = await make(await enterGuests(), "Wall tablet", true);
    expect(address).toMatch(/#kiosk=[0-9a-f]{32}$/);
    const guest = await follow(address);
    const { page } = guest;
    await page.locator(".kiosk .soc").waitFor();
    expect(await page.evaluate("location.hash")).toBe("#/kiosk");
    await page.reload();
    await page.locator(".kiosk .soc").waitFor();
    await page.getByRole("link", { name: t.app.battery }).click();
    await page.getByText(t.app.guest).waitFor();
    expect(guest.defects).toEqual([]);
  });

  it("whoever signs out leaves for good, and an owner stays the owner", async () => {
    const visit = await enterGuests();
    const owner = visit.page;
    const address = await make(visit, "Neighbour", false);
    const { page } = await follow(address);
    await page.getByText(t.app.guest).waitFor();
    await page.getByRole("button", { name: t.app.signOut }).click();
    await page.getByLabel(t.sign.password, { exact: true }).fill(PASSWORD);
    await page.reload();
    await page.getByLabel(t.sign.password, { exact: true }).waitFor();

    await owner.goto(address);
    await owner.locator("nav").waitFor();
    expect(await owner.getByText(t.app.guest).count()).toBe(0);
    await owner.getByRole("link", { name: t.app.device }).waitFor();
  });

  it("a third browser waits at the sign-in until another has left", async () => {
    const address = await make(await enterGuests(), "Neighbour", false);
    const [first, second] = [await follow(address), await follow(address)];
    for (const { page } of [first, second]) await page.getByText(t.app.guest).waitFor();
    const { page } = await follow(address);
    await page.getByText(t.errors.busy).waitFor();
    await page.getByLabel(t.sign.password, { exact: true }).waitFor();
    await first.page.getByRole("button", { name: t.app.signOut }).click();
    await page.getByText(t.app.guest).waitFor();
    expect(await second.page.getByText(t.app.guest).count()).toBe(1);
  });
});
