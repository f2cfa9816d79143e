/** The order of the first screen, on one column and on several, and what of it stays where it is. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { inTurn } from "../support/property.ts";
import { PHONE, type Language, type View } from "../support/web/browser.ts";
import { eventRecord, HOUR, hourRecord, past } from "../support/web/past-data.ts";
import { serve } from "./served.ts";

const served = serve();

const TABLET: View = { width: 768, height: 1_024 };
const DESK: View = { width: 1_440, height: 900 };
const WIDE_DESK: View = { width: 1_920, height: 1_080 };
/** How far the shorter columns may end above the longest, of its height. */
const EMPTY = 0.2;
/** Of a bank of four: the first column grows with its packs. */
const EMPTY_OF_FOUR = 0.35;

/** What a caption that takes one line more or less may move, px. */
const LINE = 24;

const now = (): number => Math.floor(Date.now() / 1_000);

const TITLES = {
  en: {
    ...{ today: "Today", since: /^Since you last looked/, cells: "Cells", packs: "Packs" },
    ...{
      temperatures: "Temperatures",
      switches: "Switches",
      health: "Health and use",
      capacity: "Capacity, as measured",
      about: "About the BMS",
      alarms: "Alarms",
    },
  },
  pt: {
    ...{ today: "Hoje", since: /^Desde a sua última visita/, cells: "Células", packs: "Baterias" },
    ...{
      temperatures: "Temperaturas",
      switches: "Chaves",
      health: "Saúde e uso",
      capacity: "Capacidade medida",
      about: "Sobre o BMS",
      alarms: "Alarmes",
    },
  },
} as const;
type Title = keyof (typeof TITLES)["en"];

beforeEach(() => {
  const { device } = served;
  device.records = {
    ...past(now()),
    events: eventRecord(now() - 1_800, "alarm-raised", "cell_undervoltage"),
  };
});

/** Several packs, of which the last is odd. */
function several(count: number): void {
  const { device } = served;
  const pack = {
    ...{ online: true, swapped: false, shared: false, serialNumber: "4010112233", ageSeconds: 0, soc: 61 },
    ...{ voltage: 52.81, current: -12.4, power: -655, alarmCode: 0, delta: 0.012, concerns: [] as string[] },
  };
  const packs = Array.from({ length: count }, (_, at) => ({
    ...{ ...pack, name: "", address: at + 1 },
    ...(at === count - 1 && { delta: 0.2, concerns: ["spread"] }),
  }));
  device.packs = {
    bank: {
      ...{ packs: count, online: count, complete: true, well: false, concerns: ["spread"], soc: 61, voltage: 52.81 },
      ...{ current: -37.2, power: -1_965, capacityAh: 840, remainingCapacityAh: 512.4 },
    },
    packs,
  };
  device.bms = { ...device.bms, packs: count } as typeof device.bms;
  const last = Math.floor(now() / HOUR) * HOUR;
  const hours = Array.from({ length: 10 * 24 }, (_, at) =>
    packs.map(({ address }) => hourRecord(last - (at + 1) * HOUR, address, { soc: 61, current: -1, spread: 12 })),
  );
  device.records = { ...device.records, hours: Buffer.concat(hours.flat()) };
  const { status, bms } = device;
  device.packStatus = Object.fromEntries(packs.map(({ address }) => [address, { data: status, bms }]));
}

/** As if the page had been looked at two hours ago. */
const enter = (view: View, language: Language = "en", path = "") =>
  served.enter({ view, language, kept: { looked: String(now() - 7_200) } }, path);

interface Part {
  readonly name: string;
  readonly left: number;
  readonly top: number;
}

/** What is seen, in the order of the document: the sentence, the ring, and the cards by their headings. */
async function partsOf(page: Page, language: Language): Promise<Part[]> {
  const found = await page.evaluate<{ text: string; left: number; top: number }[]>(
    `[...document.querySelectorAll("main .sentence, main .glance, main .card h2")].map((part) => {
      const { left, top } = (part.closest(".card") ?? part).getBoundingClientRect();
      return { text: part.className.includes("sentence") ? "sentence" : part.matches(".glance") ? "ring" : part.textContent, left, top };
    })`,
  );
  const titles = Object.entries(TITLES[language]);
  return found.map(({ text, left, top }) => ({
    name: titles.find(([, title]) => (typeof title === "string" ? title === text : title.test(text)))?.[0] ?? text,
    ...{ left, top },
  }));
}

const orderOf = async (page: Page, language: Language): Promise<string[]> =>
  (await partsOf(page, language)).map(({ name }) => name);

/** Bottom of the last card in each column, below the top of all. */
const heightsOf = (page: Page): Promise<number[]> =>
  page.evaluate<number[]>(`[...document.querySelectorAll(".columns > div")].map((column) => {
    const cards = [...column.querySelectorAll(".card")].map((card) => card.getBoundingClientRect().bottom);
    return Math.max(...cards) - column.getBoundingClientRect().top;
  })`);

const FIRST: readonly (Title | "sentence" | "ring")[] = ["sentence", "ring", "today", "since"];
const AFTER: readonly Title[] = ["temperatures", "switches"];
const CARE: readonly Title[] = ["health", "capacity"];

const LANGUAGES = ["en", "pt"] as const;

describe("one pack", () => {
  it.each(inTurn(LANGUAGES, 0))("has one column in this order, on a phone and on a tablet: %s", async (language) => {
    const visit = await enter(PHONE, language);
    const { page } = visit;
    const order = [...FIRST, "cells", "alarms", ...AFTER, ...CARE, "about"];
    for (const view of [PHONE, TABLET]) {
      await visit.look(view);
      await expect.poll(() => orderOf(page, language)).toEqual(order);
      // As in the document, so on the screen.
      const parts = await partsOf(page, language);
      expect(parts.map(({ top }) => top)).toEqual(parts.map(({ top }) => top).toSorted((one, other) => one - other));
      // A tablet has the day beside the ring.
      expect(new Set(parts.slice(1).map(({ left }) => left)).size).toBe(view === PHONE ? 1 : 2);
      expect(await page.locator("ol.cells").count()).toBe(0);
      expect(await visit.accessibility()).toEqual([]);
      expect(await visit.overflows()).toEqual([]);
    }
    // Opened it is the instrument.
    await visit.openCells();
    for (const view of [TABLET, PHONE]) {
      await visit.look(view);
      expect(await page.locator(".band svg, .cells svg").count()).toBe(1 + 16);
      await visit.loaded();
      expect(await visit.accessibility()).toEqual([]);
      expect(await visit.overflows()).toEqual([]);
    }
  });

  it.each(inTurn(LANGUAGES, 1))("has three columns, the cells open, and nothing empty below: %s", async (language) => {
    const visit = await enter(DESK, language);
    const { page } = visit;
    for (const view of [DESK, WIDE_DESK]) {
      await visit.look(view);
      await page.locator(".chart svg[role=slider]").nth(3).waitFor();
      await expect
        .poll(async () => (await orderOf(page, language)).slice(0, 12))
        .toEqual([
          ...[...FIRST, "alarms", "temperatures", "health", "cells", "switches", "capacity", "about"],
          expect.any(String),
        ]);
      const heights = await heightsOf(page);
      expect(heights.length).toBe(3);
      expect(Math.min(...heights)).toBeGreaterThan((1 - EMPTY) * Math.max(...heights));
      expect(await page.locator("ol.cells button").count()).toBe(16);
      expect(await visit.accessibility()).toEqual([]);
      expect(await visit.overflows()).toEqual([]);
    }
  });

  it.each(inTurn(LANGUAGES, 0))("with an alarm shows it below the ring, once: %s", async (language) => {
    served.device.status = { ...served.device.status, alarmCode: 1 << 11 };
    const { page } = await enter(PHONE, language);
    await expect
      .poll(() => orderOf(page, language))
      .toEqual(["sentence", "ring", "alarms", "today", "since", "cells", ...AFTER, ...CARE, "about"]);
  });

  it.each(inTurn(LANGUAGES, 1))("of a new device has the same order, and no hole: %s", async (language) => {
    const nothing = Buffer.alloc(0);
    served.device.records = {
      fine: nothing,
      hours: nothing,
      days: nothing,
      cells: nothing,
      events: nothing,
      today: nothing,
    };
    const { page } = await enter(PHONE, language);
    const order = ["sentence", "ring", "today", "cells", "alarms", ...AFTER, ...CARE, "about"];
    await expect.poll(() => orderOf(page, language)).toEqual(order);
  });

  it.each(inTurn(LANGUAGES, 0))("that is not recorded leaves no hole where today would be: %s", async (language) => {
    served.device.records = {};
    const { page } = await enter(PHONE, language);
    await page.route("**/web/energy", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.reload();
    await expect
      .poll(() => orderOf(page, language))
      .toEqual(["sentence", "ring", "cells", "alarms", ...AFTER, ...CARE, "about"]);
    const edges = async (): Promise<number> => {
      const ring = await page.locator(".glance").boundingBox();
      const cells = await page.locator("details:has(.spread)").boundingBox();
      return (cells?.y ?? NaN) - (ring?.y ?? NaN) - (ring?.height ?? NaN);
    };
    await expect.poll(edges).toBeLessThan(40);
  });
});

describe("a bank of four", () => {
  beforeEach(() => several(4));

  it.each(inTurn(LANGUAGES, 1))(
    "has the packs where one pack's cells are, the odd one on top: %s",
    async (language) => {
      const visit = await enter(PHONE, language);
      const { page } = visit;
      for (const view of [PHONE, TABLET]) {
        await visit.look(view);
        await expect.poll(() => orderOf(page, language)).toEqual([...FIRST, "packs"]);
        const first = page.locator(".packs li").first();
        expect(await first.locator("a").getAttribute("href")).toBe("#/battery/4");
        expect(await first.innerText()).toMatch(/200\smV/);
        expect(await visit.accessibility()).toEqual([]);
        expect(await visit.overflows()).toEqual([]);
      }
    },
  );

  it.each(inTurn(LANGUAGES, 0))("has three columns, and nothing empty below them: %s", async (language) => {
    const visit = await enter(DESK, language);
    const { page } = visit;
    for (const view of [DESK, WIDE_DESK]) {
      await visit.look(view);
      await page.locator(".chart svg[role=slider]").nth(3).waitFor();
      await expect
        .poll(async () => (await orderOf(page, language)).slice(0, 6))
        .toEqual([...FIRST, "packs", expect.any(String)]);
      const heights = await heightsOf(page);
      expect(Math.min(...heights)).toBeGreaterThan((1 - EMPTY_OF_FOUR) * Math.max(...heights));
      // The history has two of them.
      expect(new Set((await partsOf(page, language)).slice(1).map(({ left }) => left)).size).toBe(3);
      expect(await visit.accessibility()).toEqual([]);
      expect(await visit.overflows()).toEqual([]);
    }
  });

  const PACKS = [1, 2, 4].flatMap((address, at) =>
    inTurn(LANGUAGES, at).map((language) => [address, language] as const),
  );
  it.each(PACKS)("the screen of pack %d has its cells, and no day of its own: %s", async (address, language) => {
    const visit = await enter(PHONE, language, `#/battery/${address}`);
    const { page } = visit;
    await expect
      .poll(async () => (await orderOf(page, language)).filter((name) => name !== "sentence"))
      .toEqual(["ring", "cells", "alarms", ...AFTER, ...CARE, "about"]);
    for (const view of [DESK, WIDE_DESK]) {
      await page.setViewportSize(view);
      await expect.poll(async () => (await heightsOf(page)).length).toBe(3);
      const heights = await heightsOf(page);

      expect(Math.min(...heights)).toBeGreaterThan((1 - EMPTY) * Math.max(...heights));
      expect(await visit.accessibility()).toEqual([]);
      expect(await visit.overflows()).toEqual([]);
    }
  });
});

it("by keyboard alone the cells are opened, one is chosen, and they are closed; that is kept", async () => {
  const visit = await enter(PHONE);
  const { page } = visit;
  const press = async (key: string, on: string): Promise<void> => {
    for (let count = 0; count < 40; count++) {
      if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(on)})`)) break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press(key);
  };
  await page.locator("summary .spread").waitFor();
  await press("Enter", "summary:has(.spread)");
  await page.locator("ol.cells button").first().waitFor();
  await press("Space", "ol.cells li:nth-child(7) button");
  await page.getByText(/^Cell 7: 3\.309.V/).waitFor();
  await page.reload();
  await page.locator("ol.cells button").first().waitFor();
  await press("Space", "summary:has(.spread)");
  await page.locator("ol.cells").waitFor({ state: "detached" });
  await page.reload();
  await page.locator("summary .spread").waitFor();
  await visit.loaded();
  expect(await page.locator("ol.cells").count()).toBe(0);
  // On a wide screen too: that is the owner's choice.
  await page.setViewportSize(DESK);
  await page.locator(".columns > div").nth(2).waitFor();
  expect(await page.locator("ol.cells").count()).toBe(0);
});

it("its parts share what they ask for", async () => {
  const visit = await served.enter({ view: PHONE });
  await visit.page.locator(".timeline .middle").waitFor();
  const series = visit.requests
    .map((url) => new URL(url))
    .filter(({ pathname }) => pathname === "/web/records")
    .map(({ searchParams }) => searchParams.get("series"));
  expect(series.toSorted()).toEqual(["events", "fine", "hours", "today"]);
});

it("the row says which cell stands out, and which has a bad wire", async () => {
  const { status, bms } = served.device;
  const cells = status.cells.map((cell) => (cell.number === 16 ? { ...cell, voltage: 3.262 } : cell));
  const cellsSummary = { ...status.cellsSummary, minVoltage: 3.262, minCell: 16, delta: 0.056 };
  served.device.status = { ...status, cells, cellsSummary };
  bms.wireAlarms = 1 | (1 << 6);
  const { page } = await enter(PHONE);
  await page.locator("summary .odd").nth(2).waitFor();
  const lines = await page.locator("summary .odd").allInnerTexts();
  expect(lines.map((line) => line.replaceAll(/\s+/g, " ").trim())).toEqual([
    "Cell 16 is 50 mV low",
    "Cell 1: wire resistance too high",
    "Cell 7: wire resistance too high",
  ]);
  expect(await page.locator("summary .spread").innerText()).toMatch(/^3\.262 to 3\.318\sV, spread 56\smV$/);
});

it.each([PHONE, TABLET, DESK].flatMap((view, at) => inTurn([1, 4], at).map((packs) => ({ view, packs }))))(
  "what is read stays where it is while the rest arrives: $view.width px, packs: $packs",
  async ({ view, packs }) => {
    if (packs > 1) several(packs);
    // What has happened since is not there before its events: nothing has.
    served.device.records = { ...served.device.records, events: Buffer.alloc(0) };
    const { page } = await served.enter({ view }, "#/control");
    await page.getByRole("switch").first().waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    for (const path of ["**/web/energy", "**/web/records*"])
      await page.route(path, async (route) => {
        await released;
        await route.continue();
      });
    await page.evaluate(`location.hash = "#/battery"`);
    const parts = [
      page.locator(".glance"),
      packs > 1 ? page.locator(".card:has(.packs)") : page.locator("details:has(.spread)"),
      ...(packs > 1 ? [] : [page.getByRole("heading", { name: TITLES.en.temperatures })]),
    ];
    const tops = async (): Promise<number[]> => {
      const boxes = await Promise.all(parts.map(async (part) => part.boundingBox()));
      return boxes.map((box) => box?.y ?? NaN);
    };
    for (const part of parts) await part.waitFor();
    const before = await tops();
    expect(await page.locator(".timeline").count()).toBe(0);
    release();
    await page.locator(".timeline .middle").waitFor();
    const moved = (await tops()).map((top, at) => Math.abs(top - (before[at] ?? NaN)));
    expect(moved[0]).toBe(0);
    // What is below the window nobody has read.
    const seen = moved.filter((_, at) => (before[at] ?? NaN) < view.height);
    expect(seen.length).toBeGreaterThan(1);
    expect(Math.max(...seen)).toBeLessThanOrEqual(LINE);
  },
);
