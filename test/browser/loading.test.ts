/** A page of which a part does not arrive: it says so in words, tries again, and works with what there is. */
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inTurn } from "../support/property.ts";
import { serve } from "./served.ts";

const served = serve();
/** Longer than any pause between two attempts, ms. */
const PAUSE = 20_000;

const MISSING = "Part of the page has not arrived";
const words = (page: Page, text: string): Promise<void> => page.getByText(text).first().waitFor();
const requestsOf = (path: string): number => served.device.requests.filter((one) => one === `GET ${path}`).length;
const written = (text: string): Buffer => gzipSync(text);

it("without script the page says so", async () => {
  const { page } = await served.open({ scripts: false });
  await words(page, "This page needs a current browser with JavaScript.");
  await words(page, "Esta página precisa de um navegador atual com JavaScript.");
  expect(await page.locator("body").innerText()).not.toContain("Loading");
});

const FAILURES = ["busy", "cut"] as const;
const NEEDED = ["/app.css", "/app.js"];

it.each(NEEDED.flatMap((path, at) => inTurn(FAILURES, at).map((failure) => ({ path, failure }))))(
  "$path is requested until it arrives ($failure), and words say so meanwhile",
  async ({ path, failure }) => {
    served.device.files.set(path, failure);
    const { page } = await served.open();
    await words(page, MISSING);
    await words(page, "Falta uma parte da página");
    await expect.poll(() => requestsOf(path), { timeout: PAUSE }).toBeGreaterThan(2);
    served.device.files.clear();
    await page.locator("input[autocomplete=current-password]").waitFor();
    expect(await page.locator("body").innerText()).not.toContain(MISSING);
  },
);

it("a script that the browser does not understand leaves words", async () => {
  served.device.files.set("/app.js", written("newer syntax"));
  const { page } = await served.open();
  await words(page, "This page needs a current browser");
});

it("the other language stands in for one that does not arrive, until it does", async () => {
  served.device.files.set("/pt.js", "busy");
  const visit = await served.enter({ language: "pt", steered: true });
  const { page } = visit;
  await page.getByRole("heading", { name: "Battery", exact: true }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  served.device.files.clear();
  await page.clock.fastForward(PAUSE);
  await page.getByRole("heading", { name: "Bateria", exact: true }).waitFor();
  expect(visit.defects).toEqual([]);
});

it("without any language words say so, and the page appears when one arrives", async () => {
  for (const path of ["/en.js", "/pt.js"]) served.device.files.set(path, "cut");
  const { page } = await served.open({ language: "pt" });
  await words(page, "Falta uma parte da página");
  await expect.poll(() => requestsOf("/en.js"), { timeout: PAUSE }).toBeGreaterThan(0);
  served.device.files.clear();
  await page.locator("input[autocomplete=current-password]").waitFor();
});

it("a language that cannot be had changes nothing, and the page says so", async () => {
  served.device.files.set("/pt.js", "busy");
  const { page } = await served.enter();
  await page.getByRole("button", { name: "Português" }).click();
  await words(page, "The other language could not be loaded.");
  await page.getByRole("heading", { name: "Battery", exact: true }).waitFor();
  served.device.files.clear();
  await page.getByRole("button", { name: "Português" }).click();
  await page.getByRole("heading", { name: "Bateria", exact: true }).waitFor();
  expect(await page.getByText("could not be loaded").count()).toBe(0);
});

it.each(inTurn(FAILURES, 1))(
  "a screen whose file does not arrive says so and tries again; the others work (%s)",
  async (failure) => {
    served.device.files.set("/device.js", failure);
    const visit = await served.enter({ steered: true });
    const { page } = visit;
    await page.locator('nav a[href="#/device"]').click();
    await words(page, "This part of the page has not arrived. Trying again …");
    await visit.go("battery");
    await page.locator('nav a[href="#/device"]').click();
    await words(page, "This part of the page has not arrived. Trying again …");
    served.device.files.clear();
    await page.clock.fastForward(PAUSE);
    await page.getByRole("heading", { name: "System", exact: true }).waitFor();
    const requested = requestsOf("/device.js");
    await visit.go("battery");
    await visit.go("device");
    expect(requestsOf("/device.js")).toBe(requested);
    expect(visit.defects).toEqual([]);
  },
);

it("a screen of other firmware is not mixed into this page: the page asks to be reloaded", async () => {
  served.device.files.set("/history.js", written('"use strict";if(page.build=="another"){page.files.history={}}'));
  const visit = await served.enter();
  const { page } = visit;
  // The battery's screen loads this file too: what it says there is gone with the click.
  await visit.go("history");
  await words(page, "The device's firmware has changed.");
  served.device.files.clear();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.locator(".chart").first().waitFor();
});

it("the files share nothing but `page`: no name of one is overwritten by another", async () => {
  const visit = await served.enter();
  for (const screen of ["control", "history", "device"] as const) await visit.go(screen);
  const own = await visit.page.evaluate(() => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    const empty = new Set(Object.getOwnPropertyNames(frame.contentWindow));
    frame.remove();
    // The browser's own: the window's numbered frames, and what its tools define.
    return Object.keys(window).filter((name) => !empty.has(name) && !/^(\d+|__\w+)$/.test(name));
  });
  expect(own).toEqual(["page"]);
});
