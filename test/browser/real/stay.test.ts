import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { STAY_DAYS } from "../../../src/web/limits";
import type { System } from "../../support/system/system";
import type { Visit } from "../../support/web/browser";
import { PASSWORD, serve } from "./served";

const served = serve();
const DAY = 86_400;

async function stay(system: System): Promise<Visit> {
  const visit = await served.open(system);
  await visit.page.getByLabel("Stay signed in on this device (30 days)").check();
  expect(await visit.accessibility()).toEqual([]);
  await visit.signIn(PASSWORD);
  return visit;
}

/** Days until the session's cookie expires; undefined: when the browser is closed. */
async function daysLeft(page: Page): Promise<number | undefined> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === "session");
  return cookie && cookie.expires >= 0 ? (cookie.expires - Date.now() / 1_000) / DAY : undefined;
}

it("a browser stays signed in over a restart if asked to, and another can end that", async () => {
  const system = await served.start();
  const visit = await stay(system);
  const { page } = visit;
  expect(await daysLeft(page)).toBeCloseTo(STAY_DAYS, 1);
  const other = await served.open(system);
  await other.signIn(PASSWORD);
  expect(await daysLeft(other.page)).toBeUndefined();

  await system.powerCycle();
  await page.reload();
  await page.locator("nav").waitFor();
  await other.page.reload();
  await other.page.getByRole("heading", { name: "Sign in" }).waitFor();

  await other.signIn(PASSWORD);
  await other.go("device");
  await other.page.locator("summary", { hasText: "Signed-in browsers" }).click();
  const entry = other.page.locator(".entries li", { hasText: "stays signed in for 29 days" });
  expect(await entry.innerText()).toContain("Chrome, Linux");
  expect(await other.accessibility()).toEqual([]);
  await entry.getByRole("button", { name: "Sign out" }).click();
  await entry.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await system.powerCycle();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect([...visit.defects, ...other.defects]).toEqual([]);
});
