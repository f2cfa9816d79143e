/** The history screen, today and last night, with a device whose past the test makes. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { inTurn } from "../support/property.ts";
import { DESKTOP, NARROW_PHONE, PHONE, stopTime } from "../support/web/browser.ts";
import {
  cellsRecord,
  CHARTS,
  DAY,
  dayRecord,
  eventRecord,
  FINE,
  fineRecord,
  HOUR,
  hourRecord,
  past,
} from "../support/web/past-data.ts";
import { energy } from "../support/web/web-mock-data.ts";
import { PASSWORD } from "../support/web/web-mock.ts";
import { serve } from "./served.ts";

const served = serve();

/**
 * Polls `value` and lets the page's stopped time pass meanwhile, in steps that are shorter than the page waits for an answer: a fixed number of
 * them may be over before it has come.
 */
const passing = (page: Page, value: () => number | Promise<number>): ReturnType<typeof expect.poll<number>> =>
  expect.poll(async () => {
    await page.clock.runFor(5_000);
    return value();
  });
const NO_POINTS = "time_s,soc,power_w,min_cell_v,max_cell_v\n";
const now = (): number => Math.floor(Date.now() / 1_000);
const told = (page: Page, chart: number): Promise<string> => page.locator(".told").nth(chart).innerText();
const sliders = (page: Page) => page.locator(".chart svg[role=slider]");

it("every range is drawn, described in words and accessible, also on the narrowest phone", async () => {
  const visit = await served.enter({ view: NARROW_PHONE }, "#/history");
  const { page } = visit;
  for (const [range, charts] of CHARTS) {
    await page.getByRole("button", { name: range, exact: true }).click();
    await page.getByRole("button", { name: range, exact: true, pressed: true }).waitFor();
    await expect.poll(() => sliders(page).count()).toBe(charts);
    await visit.unfold();
    expect(await page.locator("figcaption").first().innerText()).toMatch(/ to .*, last/);
    expect(await visit.accessibility(), range).toEqual([]);
    expect(await visit.overflows(), range).toEqual([]);
  }
  expect(visit.defects).toEqual([]);
});

it("a gap looks like one, and is counted in words", async () => {
  served.device.history = NO_POINTS;
  const { page } = await served.enter({ view: PHONE }, "#/history");
  await sliders(page).first().waitFor();
  await page.getByRole("button", { name: "7 days" }).click();
  await expect.poll(() => sliders(page).count()).toBe(5);
  expect(await sliders(page).first().locator(".gap").count()).toBe(1);
  expect(await page.locator("figcaption").first().innerText()).toContain("One gap without data.");
  // The line is broken there.
  expect(await sliders(page).first().locator(".line0 path").count()).toBe(2);
  // Energy by the day has none.
  expect(await sliders(page).nth(2).locator(".gap").count()).toBe(0);
});

it("the axis has the time of the clock, not hours back", async () => {
  const { page } = await served.enter({ view: DESKTOP }, "#/history");
  await sliders(page).first().waitFor();
  const labels = sliders(page).first().locator("text[text-anchor=middle]");
  await expect.poll(() => labels.filter({ hasText: /^\d\d:00$/ }).count()).toBeGreaterThan(3);
  await page.getByRole("button", { name: "Year" }).click();
  await expect.poll(() => sliders(page).first().locator("text").allTextContents()).toContain("Feb");
});

it("no time on the axis touches its neighbour, not even the last, which has to stay within the window", async () => {
  // Ten minutes ago it was a round hour.
  const soon = now() - (now() % (4 * HOUR)) + 4 * HOUR + 600;
  const visit = await served.enter({ view: DESKTOP, now: soon, timeZone: "UTC" }, "#/history");
  const { page } = visit;
  const touching = (): Promise<string[]> =>
    page.evaluate<string[]>(`[...document.querySelectorAll("main [role=slider]")].flatMap((chart) => {
      const bottom = chart.getBoundingClientRect().bottom;
      const all = [...chart.querySelectorAll("text")].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
      const times = all.filter(({ box }) => box.bottom > bottom - 8);
      return times.slice(1).filter(({ box }, at) => box.left < times[at].box.right + 2).map(({ text }) => text);
    })`);
  await sliders(page).nth(3).waitFor();
  for (const view of [DESKTOP, PHONE, NARROW_PHONE]) {
    await visit.look(view);
    await expect.poll(touching, { message: `${view.width} px` }).toEqual([]);
  }
});

describe("one cursor for all charts", () => {
  const start = now() - (now() % FINE) - 6 * HOUR;
  const enter = async () => {
    served.device.history = NO_POINTS;
    const rows = Array.from({ length: 36 }, (_, index) =>
      fineRecord(start + index * FINE, {
        soc: 40 + index,
        power: 10 * index - 200,
        lowest: 3_300 + index,
        spread: 2 * index,
      }),
    );
    served.device.records = {
      ...served.device.records,
      fine: Buffer.concat(rows),
      events: Buffer.concat([
        eventRecord(start + 12 * FINE, "alarm-raised", "cell_undervoltage"),
        eventRecord(start + 35 * FINE, "started", "1.2\tabc"),
      ]),
    };
    const visit = await served.enter({ view: PHONE }, "#/history");
    await sliders(visit.page).nth(3).waitFor();
    return visit;
  };

  it("by keyboard", async () => {
    const { page } = await enter();
    expect(await told(page, 0)).toMatch(/: 75\s%$/);
    // Until a time is chosen nothing that happened is told.
    expect(await page.locator(".near").innerText()).toMatch(/^40\s% to 75\s%, last 75\s%\./);
    const power = page.getByRole("slider", { name: "Time: Power" });
    await power.focus();
    for (const [key, index] of [
      ["ArrowLeft", 34],
      ["PageDown", 30],
      ["Home", 0],
      ["ArrowLeft", 0],
      ["ArrowRight", 1],
      ["PageUp", 5],
      ["End", 35],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => told(page, 0), { message: key }).toMatch(new RegExp(`: ${40 + index}\\s%$`));
      expect(await told(page, 2)).toMatch(new RegExp(`: ${2 * index}\\smV$`));
      expect(await power.getAttribute("aria-valuetext")).toMatch(new RegExp(`${Math.abs(10 * index - 200)}\\sW`));
      expect(await power.getAttribute("aria-valuenow")).toBe(String(index));
    }
    // Other keys are the page's.
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Time: Cell spread");
  });

  it("by mouse and by finger, without a slider below the charts, and with the alarm whose pin it reaches", async () => {
    const { page } = await enter();
    expect(await page.locator("input[type=range]").count()).toBe(0);
    await sliders(page).nth(1).scrollIntoViewIfNeeded();
    const box = (await sliders(page).nth(1).boundingBox())!;
    await page.mouse.move(box.x + box.width - 20, box.y + 60);
    const right = await told(page, 0);
    await page.mouse.move(box.x + box.width - 60, box.y + 60);
    await expect.poll(() => told(page, 0)).not.toBe(right);
    const middle = await told(page, 0);
    await sliders(page)
      .nth(2)
      .dispatchEvent("pointerdown", { pointerType: "touch", clientX: box.x + box.width - 20, clientY: box.y + 60 });
    await expect.poll(() => told(page, 0)).toBe(right);
    expect(middle).not.toBe(right);
    // A finger that goes up or down scrolls.
    expect(
      await sliders(page)
        .nth(2)
        .evaluate((svg) => getComputedStyle(svg).touchAction),
    ).toBe("pan-y");
    // An alarm is told where its pin is reached, and no other.
    const near = page.locator(".near");
    const pin = (await page.locator(".pin.alarm").boundingBox())!;
    const { y } = (await sliders(page).first().boundingBox())!;
    await page.mouse.move(pin.x + pin.width / 2 + 5, y + 80);
    await expect.poll(() => near.innerText()).toContain("Alarm: Cell voltage too low.");
    expect(await sliders(page).first().getAttribute("aria-valuetext")).toContain("Alarm: Cell voltage too low.");
    await page.mouse.move(pin.x + pin.width / 2 + 30, y + 80);
    await expect.poll(() => near.innerText()).toMatch(/, last 75\s%\./);
  });
});

it("a year at first shows the last values that are known, not those of the day that is not over", async () => {
  const { page } = await served.enter({ view: DESKTOP }, "#/history");
  await page.getByRole("button", { name: "Year", exact: true }).click();
  await expect.poll(() => sliders(page).count()).toBeGreaterThan(3);
  for (const line of await page.locator(".told").allInnerTexts()) expect(line).toMatch(/\d\s(%|kWh|mV|V)/);
});

it("where many pins coincide the first are told, and the others with a tap", async () => {
  const at = now() - 2 * HOUR;
  const codes = Array.from({ length: 9 }, (_, index) => eventRecord(at + index, "started", `1.${index}\tabc`));
  served.device.records = { ...served.device.records, events: Buffer.concat(codes) };
  const visit = await served.enter({ view: PHONE }, "#/history");
  const { page } = visit;
  const pin = page.locator(".pin").first();
  await pin.waitFor({ state: "attached" });
  const box = (await pin.boundingBox())!;
  const chart = sliders(page).first();
  const place = box.x - (await chart.boundingBox())!.x;
  const point = (x: number): Promise<void> => chart.hover({ position: { x, y: 80 } });
  await point(place + 1);
  const near = page.locator(".near");
  await expect.poll(() => near.innerText()).toContain("and 6 more");
  expect(await near.innerText()).not.toContain("1.3");
  const more = near.getByRole("button", { name: "and 6 more" });
  await more.focus();
  await page.keyboard.press("Enter");
  for (let index = 0; index < 9; index++) await expect.poll(() => near.innerText()).toContain(`1.${index}`);
  expect(await more.count()).toBe(0);
  expect(await visit.accessibility()).toEqual([]);
  // Elsewhere nothing is told.
  await point(place - 60);
  await expect.poll(() => near.innerText()).toMatch(/, last 75\s%\./);
});

describe("several packs", () => {
  const weeks = 20;
  const enter = async () => {
    const last = Math.floor(now() / HOUR) * HOUR;
    const packs = [3, 1];
    const hours = Array.from({ length: 48 }, (_, hour) =>
      packs.map((pack) => hourRecord(last - (48 - hour) * HOUR, pack, { soc: 20 * pack, current: pack, spread: 8 })),
    );
    const cells = Array.from({ length: weeks }, (_, week) =>
      packs.map((pack) =>
        cellsRecord(last - (weeks - week) * 7 * DAY, pack, { rest: [0, pack === 3 ? -2 * week : 1] }),
      ),
    );
    served.device.records = {
      ...served.device.records,
      hours: Buffer.concat(hours.flat()),
      cells: Buffer.concat(cells.flat()),
    };
    const visit = await served.enter({ view: NARROW_PHONE }, "#/history");
    await sliders(visit.page).nth(3).waitFor();
    return visit;
  };

  it("have their hours each, and their cells with the one that leads and drifts", async () => {
    const visit = await enter();
    const { page } = visit;
    const pack = (address: number) => page.getByRole("button", { name: `Pack ${address}`, exact: true });
    expect(await pack(1).count()).toBe(0);
    await page.getByRole("button", { name: "30 days", exact: true }).click();
    await page.getByRole("button", { name: "Pack 1", exact: true, pressed: true }).waitFor();
    await expect.poll(() => told(page, 0)).toMatch(/: Highest of the day 20\s%, Lowest of the day 20\s%$/);
    await expect.poll(() => told(page, 1)).toMatch(/: Highest of the day 1\.0\sA, Lowest of the day 1\.0\sA$/);
    await pack(3).click();
    await expect.poll(() => told(page, 0)).toMatch(/: Highest of the day 60\s%, Lowest of the day 60\s%$/);
    await expect.poll(() => told(page, 1)).toMatch(/: Highest of the day 3\.0\sA, Lowest of the day 3\.0\sA$/);
    // Charge, current and spread; nearer than 15 days each hour.
    await expect.poll(() => page.locator("path.extremes").count()).toBe(3);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(() => page.locator("path.extremes").count()).toBe(3);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(() => told(page, 1)).toMatch(/: 3\.0\sA$/);
    expect(await page.locator("path.extremes").count()).toBe(0);
    await page.getByRole("button", { name: "Year", exact: true }).click();
    await page.getByRole("slider", { name: "Time: Cell spread by week" }).waitFor();
    await page.getByText("Cell 2 falls behind by 2.0 mV a week at rest.").waitFor();
    const apart = page.locator("figure", { has: page.getByRole("slider", { name: "Time: Cell spread by week" }) });
    expect(await apart.locator(".told").innerText()).toMatch(/At rest 38\smV \(cell 2 lowest\), When full –/);
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    // Beside what it rules, and nowhere else.
    const rows = page.getByRole("group", { name: "Pack" });
    expect(await rows.count()).toBe(2);
    expect(await page.locator(".card", { has: rows }).locator("h2").allInnerTexts()).toEqual([
      "Cell spread by week (mV)",
      "Each cell: distance from the average, at rest (mV)",
    ]);
    await pack(1).first().click();
    await page.getByText("No cell drifts by 0.5 mV a week or more.").waitFor();
    expect(await page.getByText("falls behind").count()).toBe(0);
    expect(visit.defects).toEqual([]);
  });

  it("five or more have a record of their cells each month, which is no gap", async () => {
    const MONTH = 31 * DAY;
    const last = Math.floor(now() / HOUR) * HOUR;
    const packs = [1, 2, 3, 4, 5];
    const cells = Array.from({ length: 11 }, (_, month) =>
      packs.map((pack) => cellsRecord(last - (11 - month) * MONTH, pack, { rest: [0, pack === 3 ? -month : 1] })),
    );
    served.device.records = { ...served.device.records, cells: Buffer.concat(cells.flat()) };
    const { page } = await served.enter({ view: PHONE }, "#/history");
    await page.getByRole("button", { name: "Year", exact: true }).click();
    for (const title of ["Cell spread by month (mV)", "Each cell: distance from the average, at rest (mV)"]) {
      const card = page.locator(".card", { has: page.getByRole("heading", { name: title }) });
      await card.getByRole("button", { name: "Pack 3" }).click();
      await card.locator(".told").waitFor();
      expect(await card.locator("rect.gap").count(), title).toBe(0);
      expect(await card.innerText()).not.toContain("without data");
    }
  });

  it("of a device without hours: it is said", async () => {
    served.device.records = { ...served.device.records };
    delete served.device.records.hours;
    const { page } = await served.enter({ view: PHONE }, "#/history");
    await page.getByRole("button", { name: "30 days", exact: true }).click();
    await page.getByText("The history in flash cannot be read").waitFor();
  });
});

describe("many lines in one chart", () => {
  const cardOf = (page: Page, title: string) =>
    page.locator(".card", { has: page.getByRole("heading", { name: title }) });

  it.each(
    inTurn(
      [
        ["en", NARROW_PHONE, "Year", "Each cell: distance from the average, at rest"],
        ["pt", DESKTOP, "Ano", "Cada célula: diferença em relação à média, em repouso"],
      ] as const,
      0,
    ),
  )("all cells, of which one is named by button or by a tap near it: %s", async (language, view, year, cellsTitle) => {
    const visit = await served.enter({ view, language }, "#/history");
    const { page } = visit;
    await page.getByRole("button", { name: year, exact: true }).click();
    const card = cardOf(page, cellsTitle);
    await expect.poll(() => card.locator("g.line").count()).toBe(16);
    expect(await card.locator("g.faint").count()).toBe(15);
    await card.getByRole("button", { name: /l[al]+ 7$/ }).click();
    // The seventh falls behind: of 52 weeks 47 mV.
    await expect.poll(() => card.locator(".told").innerText()).toMatch(/(Cell|Célula) 7 −47\smV$/);
    expect(await card.locator("g.line").nth(6).getAttribute("class")).not.toContain("faint");
    await card.getByRole("button", { name: /l[al]+ 1$/ }).click();
    await expect.poll(() => card.locator(".told").innerText()).toMatch(/(Cell|Célula) 1 0\smV$/);
    const svg = card.locator("svg[role=slider]");
    await svg.scrollIntoViewIfNeeded();
    const box = (await svg.boundingBox())!;
    await page.mouse.move(box.x + box.width - 20, box.y + box.height - 40);
    await page.mouse.down();
    await card.getByRole("button", { name: /l[al]+ 7$/, pressed: true }).waitFor();
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    expect(visit.defects).toEqual([]);
  });

  it.each(
    inTurn(
      [
        ["en", NARROW_PHONE, "30 days", "Each pack: share of the current"],
        ["pt", DESKTOP, "30 dias", "Cada bateria: participação na corrente"],
      ] as const,
      1,
    ),
  )("the packs against each other, and not where there is one: %s", async (language, view, month, packsTitle) => {
    const last = Math.floor(now() / HOUR) * HOUR;
    const record = (packs: readonly number[]): void => {
      const hours = Array.from({ length: 48 }, (_, hour) =>
        packs.map((pack) =>
          hourRecord(last - (48 - hour) * HOUR, pack, {
            soc: 50,
            spread: 8,
            current: pack === 3 ? 30 : 5,
            volts: pack === 3 ? 52.7 : 53,
          }),
        ),
      );
      served.device.records = { ...served.device.records, hours: Buffer.concat(hours.flat()) };
    };
    record([1, 2, 3]);
    const visit = await served.enter({ view, language }, "#/history");
    const { page } = visit;
    await page.getByRole("button", { name: month, exact: true }).click();
    const card = cardOf(page, packsTitle);
    const first = page.getByRole("group", { name: /^(Pack|Bateria)$/ });
    for (const [at, share] of [
      ["1", "13"],
      ["2", "13"],
      ["3", "75"],
    ] as const) {
      await first.getByRole("button", { name: new RegExp(`${at}$`) }).click();
      await expect.poll(() => card.locator(".told").innerText()).toMatch(new RegExp(`${at} ${share}\\s%$`));
    }
    // A tap near the lines of the others.
    const svg = card.locator("svg[role=slider]");
    await svg.scrollIntoViewIfNeeded();
    const box = (await svg.boundingBox())!;
    await page.mouse.move(box.x + box.width - 20, box.y + box.height - 40);
    await page.mouse.down();
    await first.getByRole("button", { name: /1$/, pressed: true }).waitFor();
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    record([1]);
    await page.reload();
    await page.getByRole("button", { name: month, exact: true }).click();
    await expect.poll(() => sliders(page).count()).toBe(4);
    expect(await card.count()).toBe(0);
  });
});

it("zooms by button and by key around the cursor, and back", async () => {
  const { page } = await served.enter({ view: PHONE }, "#/history");
  await sliders(page).nth(3).waitFor();
  const points = async (): Promise<number> => Number(await sliders(page).first().getAttribute("aria-valuemax")) + 1;
  const all = await points();
  const out = page.getByRole("button", { name: "Zoom out" });
  expect(await out.count()).toBe(0);
  await sliders(page).first().focus();
  // Four points each.
  for (let step = 0; step < all / 8; step++) await page.keyboard.press("PageDown");
  const at = await told(page, 0);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await out.waitFor();
  await expect.poll(points).toBeLessThan(all);
  // All charts, and the cursor stays.
  expect(Number(await sliders(page).nth(2).getAttribute("aria-valuemax")) + 1).toBe(await points());
  expect(await told(page, 0)).toBe(at);
  const half = await points();
  await sliders(page).first().press("+");
  await expect.poll(points).toBeLessThan(half);
  await sliders(page).first().press("-");
  await expect.poll(points).toBe(half);
  await out.click();
  await expect.poll(points).toBe(all);
  await expect.poll(() => out.count()).toBe(0);
  // No nearer than two hours.
  for (let step = 0; step < 8; step++) await sliders(page).first().press("+");
  await expect.poll(points).toBeLessThan(half / 2);
  expect(await points()).toBeGreaterThan(10);
  // Another range is whole.
  await page.getByRole("button", { name: "7 days", exact: true }).click();
  await expect.poll(() => out.count()).toBe(0);
});

it("power is filled above and below zero, and energy has bars in and out", async () => {
  const { page } = await served.enter({ view: PHONE }, "#/history");
  await sliders(page).nth(3).waitFor();
  expect(await sliders(page).nth(1).locator("path.in").count()).toBeGreaterThan(0);
  expect(await sliders(page).nth(1).locator("path.out").count()).toBeGreaterThan(0);
  const midnight = new Date().setHours(0, 0, 0, 0) / 1_000;
  served.device.records = {
    ...served.device.records,
    days: Buffer.concat([
      dayRecord(midnight - 3 * DAY, 1_000, 500),
      dayRecord(midnight - 2 * DAY, undefined, 2_500),
      dayRecord(midnight - DAY, 3_000, 0),
    ]),
  };
  await page.getByRole("button", { name: "7 days" }).click();
  await expect.poll(() => sliders(page).count()).toBe(5);
  const energy = page.getByRole("slider", { name: "Time: Energy per day" });
  // A day of which nothing is known has no bar, not one of zero.
  expect(await energy.locator("rect.in").count()).toBe(3);
  expect(await energy.locator("rect.out").count()).toBe(4);
  await energy.focus();
  await page.keyboard.press("End");
  await expect.poll(() => told(page, 2)).toMatch(/Charged 4\.2\skWh, Discharged 3\.1\skWh$/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => told(page, 2)).toMatch(/Charged –, Discharged 2\.5\skWh$/);
});

it("asks for the energy, for which the device sums up its days, as seldom as for what is in flash", async () => {
  const { page } = await served.enter({ steered: true }, "#/history");
  await sliders(page).nth(3).waitFor();
  await page.getByRole("button", { name: "7 days" }).click();
  await expect.poll(() => sliders(page).count()).toBe(5);
  await stopTime(page);
  served.device.requests.length = 0;
  const asked = (path: string): number => served.device.requests.filter((one) => one === `GET ${path}`).length;
  for (const times of [1, 2]) {
    await passing(page, () => asked("/web/history.csv")).toBe(times);
  }
  expect(asked("/web/energy") + asked("/web/records")).toBe(0);
});

describe("without", () => {
  it("a usable flash the last hours from memory are shown, and it is said", async () => {
    served.device.records = {};
    const visit = await served.enter({}, "#/history");
    const { page } = visit;
    await sliders(page).nth(3).waitFor();
    await page.getByText("The history in flash cannot be read").waitFor();
    await visit.unfold();
    await page.getByText("The events cannot be read.").waitFor();
    expect(await visit.accessibility()).toEqual([]);
  });

  it("anything recorded it says so", async () => {
    served.device.records = { fine: Buffer.alloc(0), days: Buffer.alloc(0), events: Buffer.alloc(0) };
    served.device.history = NO_POINTS;
    const visit = await served.enter({}, "#/history");
    await visit.page.getByText("Nothing recorded yet.").waitFor();
    expect(await visit.accessibility()).toEqual([]);
    // No points come within minutes of a BMS that has never answered.
    served.device.bms.age = null;
    served.device.touch("status");
    await visit.page.locator("main").getByText("The BMS is not responding.").last().waitFor();
    await expect.poll(() => visit.page.getByText("Nothing recorded yet.").count()).toBe(0);
  });
});

describe.each(
  inTurn(
    [
      ["en", NARROW_PHONE, "Year", "Day by day", "The day before", "The day after", "nothing recorded"],
      ["pt", DESKTOP, "Ano", "Dia a dia", "O dia anterior", "O dia seguinte", "sem registros"],
    ] as const,
    0,
  ),
)("days by the calendar: %s", (language, view, range, title, before, after, nothing) => {
  it("one after the other or by date, with the sums of their month and year, by keyboard too", async () => {
    const midnight = (days: number): number => new Date().setHours(-24 * days, 0, 0, 0) / 1_000;
    served.device.records = {
      ...served.device.records,
      days: Buffer.concat([dayRecord(midnight(3), 1_000, 500), dayRecord(midnight(1), 3_000, 2_000)]),
    };
    const visit = await served.enter({ view, language }, "#/history");
    const { page } = visit;
    await page.getByRole("button", { name: range, exact: true }).click();
    const card = page.locator(".card", { has: page.getByRole("heading", { name: title }) });
    const date = card.locator("input[type=date]");
    const [back, on] = [card.getByRole("button", { name: before }), card.getByRole("button", { name: after })];
    const local = (days: number): string =>
      new Date(midnight(days) * 1_000 + 12 * 3_600_000).toISOString().slice(0, 10);
    const told = card.getByRole("status");
    // Today has its energy.
    await expect.poll(() => told.innerText()).toMatch(/4[.,]2\skWh/);
    expect(await on.isDisabled()).toBe(true);
    await back.focus();
    await page.keyboard.press("Enter");
    await expect
      .poll(() => told.innerText())
      .toMatch(/3[.,]0\skWh.*2[.,]0\skWh[^]*20\s%.*98\s%[^]*3[.,]011\sV.*3[.,]456\sV/);
    expect(await date.inputValue()).toBe(local(1));
    await back.click();
    await expect.poll(() => told.innerText()).toContain(nothing);
    await date.fill(local(3));
    await expect.poll(() => told.innerText()).toMatch(/1[.,]0\skWh.*0[.,]5\skWh/);
    expect(await back.isDisabled()).toBe(true);
    // All days of the sums that lie in this month and year.
    const inYear = [0, 1, 3].filter((days) => local(days).startsWith(local(3).slice(0, 4)));
    const sum = inYear.reduce((all, days) => all + { 0: 4.2, 1: 3, 3: 1 }[days]!, 0);
    expect(await card.innerText()).toMatch(new RegExp(`${sum.toFixed(1).replace(".", "[.,]")}\\skWh`));
    // They begin with the first day, and say so.
    const first = new Intl.DateTimeFormat(language === "en" ? "en-GB" : "pt-BR", { dateStyle: "medium" }).format(
      midnight(3) * 1_000,
    );
    const begun = local(3).slice(0, 4);
    const wanted = `${begun}, ${language === "en" ? "since" : "desde"} ${first}`;
    if (!local(3).endsWith("-01-01")) expect(await card.locator(".facts").last().innerText()).toContain(wanted);
    if (inYear.includes(1)) {
      await card.getByRole("link").first().click();
      await expect.poll(() => date.inputValue()).toBe(local(1));
    }
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    expect(visit.defects).toEqual([]);
  });
});

it("what came back of the charged energy is told of ten days, where two charges are equal", async () => {
  served.device.history = NO_POINTS;
  const last = now() - (now() % FINE);
  const rows = Array.from({ length: 9 * 144 }, (_, at) => {
    const isIn = at % 100 < 50;
    const soc = isIn ? 30 + (at % 50) : 79 - (at % 50);
    return fineRecord(last - (9 * 144 - at) * FINE, { soc, power: isIn ? 500 : -450 });
  });
  served.device.records = { ...served.device.records, fine: Buffer.concat(rows) };
  const visit = await served.enter({ view: PHONE }, "#/history");
  const { page } = visit;
  await page.getByRole("button", { name: "10 days", exact: true }).click();
  await page.getByText(/^Round trip: 90\s% of the energy charged came back/).waitFor();
  expect(await visit.accessibility()).toEqual([]);
  served.device.records = { ...served.device.records, fine: Buffer.concat(rows.slice(-100)) };
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.poll(() => page.getByText("came back").count()).toBe(0);
});

describe("the table", () => {
  const read = async (page: Page, button: string): Promise<string[]> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: button }).click();
    return readFileSync(await (await download).path(), "utf8").split("\r\n");
  };

  it("is of the chosen range, for a spreadsheet of the language", async () => {
    const start = now() - (now() % FINE) - HOUR;
    served.device.history = NO_POINTS;
    served.device.records = {
      ...served.device.records,
      fine: Buffer.concat([
        fineRecord(start, { soc: 55, power: -120, lowest: 3_301, spread: 12 }),
        fineRecord(start + FINE, { minutes: 0 }),
      ]),
    };
    const { page } = await served.enter({ language: "pt" }, "#/history");
    await sliders(page).nth(3).waitFor();
    const [head, known, unknown, ...rest] = await read(page, "Baixar como CSV");
    expect(head).toBe(
      "\ufeffHorário;Estado de carga (%);Potência (W);Célula mais baixa (V);Diferença entre as células (mV)",
    );
    expect(known).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d;55;-120;3,301;12$/);
    expect(unknown).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d;;;;$/);
    expect(rest).toEqual([""]);
    await page.getByRole("button", { name: "Ano" }).click();
    await page.getByText("Energia por mês").first().waitFor();
    const year = await read(page, "Baixar como CSV");
    expect(year[0]!.split(";")).toHaveLength(9);
    // 365 days and today, or one less where the year has had an hour more.
    expect(year.length - 2).toBeGreaterThanOrEqual(365);
    expect(year[2]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d;20;98;\d,000;5,500;3,011;3,456;40;80$/);
  });
});

describe("the first screen", () => {
  it("nothing is said of a night that was not recorded", async () => {
    served.device.records.fine = Buffer.alloc(0);
    served.device.records.events = Buffer.alloc(0);
    const { page } = await served.enter({ view: NARROW_PHONE });
    const told = page.locator(".last-night");
    await expect.poll(() => told.locator("summary").innerText()).toMatch(/ No data from last night yet\.$/);
    expect(await told.locator("li").count()).toBe(0);
  });

  it("has today's energy, the time line and last night, accessible on the narrowest phone", async () => {
    const visit = await served.enter();
    const { page } = visit;
    const today = page.locator(".card", { has: page.getByRole("heading", { name: "Today" }) });
    await today.waitFor();
    expect(await today.first().innerText()).toMatch(/Today\s+4\.2\skWh in\s+3\.1\skWh out/);
    expect(await today.first().innerText()).toMatch(/Yesterday\s+6\.5\skWh in\s+– out/);
    expect(await page.locator(".timeline .pin.alarm").count()).toBe(1);
    await page.getByText(/Lowest charge: \d+/).waitFor();
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
  });

  it("says nothing of a past that the device does not have", async () => {
    served.device.records = {};
    const visit = await served.enter();
    await visit.page.getByRole("heading", { name: "Today" }).waitFor();
    expect(await visit.page.locator(".timeline").count()).toBe(0);
    expect(await visit.page.locator(".last-night").count()).toBe(0);
  });

  it("is there before the file of the history is asked for", async () => {
    served.device.files.set("/history.js", "busy");
    const { page } = await served.open();
    await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.locator(".soc").waitFor();
    await page.getByRole("heading", { name: "Cells" }).waitFor();
    await page.getByText("This part of the page has not arrived.").waitFor();
  });
});

it("a year's sum has all days that the device has, also of the years before", async () => {
  const year = new Date().getFullYear() - 2;
  const days = Array.from({ length: 800 }, (_, at) =>
    dayRecord(new Date(year, 0, 1 + at).getTime() / 1_000, 1_000, 500),
  );
  served.device.records = { ...served.device.records, days: Buffer.concat(days) };
  const visit = await served.enter({ view: PHONE }, "#/history");
  const { page } = visit;
  await page.getByRole("button", { name: "Year", exact: true }).click();
  await page.locator("input[type=date]").fill(`${year}-12-31`);
  const all = `${(new Date(year + 1, 0, 1).getTime() - new Date(year, 0, 1).getTime()) / 1_000 / DAY}.0`;
  await expect
    .poll(() => page.locator(".card .facts").nth(1).innerText())
    .toMatch(new RegExp(`^December.*\\s+31\\.0.*\\s+${year}\\s+${all}`));
  const asked = visit.requests.map((url) => new URL(url).searchParams).filter((one) => one.get("series") === "days");
  // The largest ring: 80 sectors of 127.
  expect(asked.map((one) => Number(one.get("last")))).toEqual([80 * 127]);
});

describe("at midnight", () => {
  const SAO_PAULO = "America/Sao_Paulo";
  /** A minute before it, by the owner's clock. */
  const ZONES = [
    ["by the owner's zone", SAO_PAULO, -3 * HOUR, "2026-11-29T02:59:00Z"],
    ["by UTC, of an owner who has chosen no zone", SAO_PAULO, 0, "2026-11-28T23:59:00Z"],
    ["by the owner's zone, in a browser elsewhere", "Asia/Tokyo", 2 * HOUR, "2026-11-28T21:59:00Z"],
    ["by the browser's clock, of a device that tells no time", SAO_PAULO, undefined, "2026-11-29T02:59:00Z"],
  ] as const;
  const CASES = ZONES.map((zone, at) => [...zone, inTurn(["#/history", "#/battery"], at)] as const);
  it.each(CASES)("today begins anew, without the energy of yesterday: %s", async (_, timeZone, offset, at, paths) => {
    const { device } = served;
    const now = Date.parse(at) / 1_000;
    device.records = past(now);
    for (const path of paths) {
      device.clock = offset === undefined ? {} : { zone: "", offset };
      device.energy = energy();
      const { page } = await served.enter({ view: DESKTOP, steered: true, timeZone, now }, path);
      const date = page.getByLabel("Date");
      const isHistory = path === "#/history";
      if (isHistory) await page.getByRole("button", { name: "Year", exact: true }).click();
      const today = (isHistory ? page.locator(".card", { has: date }) : page).locator(
        isHistory ? ".facts" : ".amounts",
      );
      if (isHistory) await expect.poll(() => date.inputValue()).toBe("2026-11-28");
      await page.getByText("4.2\u202fkWh in").first().waitFor();
      await stopTime(page);
      device.energy = { ...energy(), today: { charged: 0.3, discharged: 0.1 }, yesterday: energy()["today"] };
      const begun = page.getByText("0.3\u202fkWh in");
      await page.clock.runFor(30_000);
      expect(await begun.count()).toBe(0);
      await passing(page, () => begun.count()).toBeGreaterThan(0);
      // Long before what has come is old.
      expect((await page.evaluate<number>("Date.now()")) / 1_000 - now).toBeLessThan(300);
      if (isHistory) expect(await date.inputValue()).toBe("2026-11-29");
      expect(await today.first().innerText()).toMatch(isHistory ? /^Sunday\s+0\.3/ : /0\.3[^]*4\.2/);
    }
  });
});
