import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { serve } from "./served.ts";

const served = serve();

it.each(["en", "pt"] as const)("the page loads in four files (%s)", async (language) => {
  const visit = await served.open({ language });
  await visit.page.locator("input").waitFor();
  const files = served.device.requests.filter((request) => !request.includes("/web/"));
  expect(files).toEqual(["GET /", "GET /app.css", "GET /app.js", `GET /${language}.js`]);
});

it("language and colour scheme can be switched and are kept", async () => {
  const visit = await served.enter();
  await visit.page.getByRole("button", { name: "Português" }).click();
  await visit.page.getByRole("button", { name: "Cores escuras" }).click();
  await visit.page.reload();
  await visit.page.getByRole("heading", { name: "Bateria", exact: true }).waitFor();
  expect(await visit.page.locator("html").getAttribute("data-theme")).toBe("dark");
});

it("describes the battery in words", async () => {
  const { page } = await served.enter();
  const text = await page.locator("main").innerText();
  for (const words of [
    "74",
    "Discharging",
    "1,240",
    "empty in about 8",
    "207.2 of 280.0",
    "9\u202fmV",
    "98\u202f%",
    "112",
  ])
    expect(text).toContain(words);
  expect(await page.locator(".cells tbody tr").count()).toBe(16);
  await expect.poll(() => page.locator("tr.low").first().innerText()).toContain("Lowest");
  expect(await page.locator("tr.high").first().innerText()).toContain("Balancing");
});

it("an alarm shows its name and what to do", async () => {
  served.device.status = { ...served.device.status, alarmCode: (1 << 11) | (1 << 4) };
  const { page } = await served.enter();
  const alarms = await page.locator(".alarms li").allInnerTexts();
  expect(alarms[0]).toContain("Cell voltage too low");
  expect(alarms[0]).toContain("Switch off the loads");
  expect(alarms[1]).toContain("Battery full");
});

it("stale values look stale and show their age", async () => {
  served.device.status = { ...served.device.status, online: false };
  served.device.bms.age = 90;
  const { page } = await served.enter();
  await page.getByText("The BMS is not responding.").waitFor();
  await page.getByText(/Last seen 1.min ago/).waitFor();
  expect(await page.locator(".cards.stale").count()).toBe(1);
});

it("tells a BMS that never answered from one that was lost", async () => {
  served.device.status = { ...served.device.status, online: false, cells: [] };
  served.device.bms.age = null;
  const { page } = await served.enter();
  await page.getByText("No reply from the BMS yet.").waitFor();
});

it("the history is drawn, described in words, and can be downloaded", async () => {
  const opened = Date.now();
  const { page } = await served.enter({}, "#/history");
  await page.locator(".chart svg[role=img]").nth(2).waitFor();
  expect(await page.getByRole("img", { name: /State of charge.*from.*One gap/ }).count()).toBe(1);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("battery-history.csv");
  const [head = "", ...rows] = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(head).toBe(`time,${served.device.history.split("\n")[0]}`);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const [time = "", seconds] = row.split(",");
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    // When the history was asked for, to the second.
    const asked = Date.parse(time) - Number(seconds) * 1_000;
    expect(asked).toBeGreaterThan(opened - 1_000);
    expect(asked).toBeLessThan(Date.now() + 1_000);
  }
});

it("works with the keyboard alone", async () => {
  const { page } = await served.enter();
  await page.locator('nav a[href="#/control"]').focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Control" }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
  const change = page.getByRole("button", { name: "Change: Cell over-voltage protection" });
  await change.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await change.evaluate((button) => button === document.activeElement)).toBe(true);
});

it("a cursor shows time and values of a chart, by pointer and by keyboard", async () => {
  served.device.history =
    "time_s,soc,power_w,min_cell_v,max_cell_v\n-7200,60,500,3.301,3.309\n-3600,70,400,3.311,3.319\n0,80,-300,3.321,3.329\n";
  const visit = await served.enter({}, "#/history");
  const { page } = visit;
  const told = page.locator(".told");
  await told.nth(2).waitFor();
  expect(await told.nth(0).innerText()).toContain(": 80");
  await page.getByRole("slider", { name: "Time: State of charge" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => told.nth(0).innerText()).toContain(": 70");
  // All charts show the same time.
  expect(await told.nth(2).innerText()).toMatch(/\d\d:\d\d: Highest cell 3.319.V, Lowest cell 3.311.V/);
  const chart = page.locator(".chart svg[role=img]").nth(1);
  await chart.hover({ position: { x: 50, y: 60 } });
  await expect.poll(() => told.nth(1).innerText()).toContain("500");
  expect(await visit.accessibility()).toEqual([]);
});

it("cells that share the highest voltage are all marked and named", async () => {
  const cells = served.device.status.cells.map((cell) =>
    [3, 12].includes(cell.number) ? { ...cell, voltage: 3.318 } : cell,
  );
  served.device.status = { ...served.device.status, cells };
  const { page } = await served.enter();
  await expect.poll(() => page.locator("tr.high").count()).toBe(2);
  await page.getByText("3.318\u202fV (3, 12)").waitFor();
});

it("signs out from the header", async () => {
  const { page } = await served.enter();
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
