/** The next 24 hours on the first screen, from hours that the test makes. */
import { beforeEach, describe, expect, it } from "vitest";
import { inTurn, isLong, sampled } from "../support/property.ts";
import { DESKTOP, NARROW_PHONE, PHONE } from "../support/web/browser.ts";
import { fineRecord, HOUR, hourRecord } from "../support/web/past-data.ts";
import { serve, trying } from "./served.ts";

const served = serve();
const SOC = 60;
const CAPACITY = 280;
/** Amperes: 84 Ah less in twelve hours, of 280 Ah 30 %. */
const LOAD = -7;

/** Ten minutes past noon by this computer's clock, s. */
const NOON = new Date(2026, 10, 28, 12, 10).getTime() / 1_000;

/** So many days of `packs`, of which each gives its part of LOAD. */
function record(
  days: number,
  packs: readonly number[],
  current: number | ((hour: number) => number) = LOAD,
  now = Date.now() / 1_000,
): void {
  const flow = (time: number): number =>
    typeof current === "number" ? current : current(new Date(time * 1_000).getHours());
  const last = Math.floor(now / HOUR) * HOUR;
  const rows = Array.from({ length: days * 24 }, (_, at) => last - (days * 24 - at) * HOUR).flatMap((time) =>
    packs.map((pack) => hourRecord(time, pack, { soc: SOC, current: flow(time) / packs.length, spread: 8 })),
  );
  served.device.records = { ...served.device.records, hours: Buffer.concat(rows) };
}

function charge(soc: number, packs = 1, online = packs): void {
  const { device } = served;
  device.status = { ...device.status, soc, capacityAh: CAPACITY, online: online > 0 };
  if (packs === 1) return;
  device.bms = { ...device.bms, packs } as typeof device.bms;
  const sums = { soc, voltage: 52.8, current: -36, power: -1_900, capacityAh: CAPACITY, remainingCapacityAh: 168 };
  device.packs = {
    bank: { packs, online, complete: online === packs, well: true, concerns: [], ...sums },
    packs: Array.from({ length: packs }, (_, at) => ({
      ...{ address: at + 1, name: `Pack ${at + 1}`, online: at < online, swapped: false, shared: false },
      ...{ serialNumber: `S${at}`, ageSeconds: 0, soc, voltage: 52.8, current: -9, power: -475, alarmCode: 0 },
      ...{ delta: 0.012, concerns: [] as string[] },
    })),
  };
}

beforeEach(() => charge(SOC));

const LOOKS = [
  ["en", NARROW_PHONE],
  ["pt", PHONE],
  ["en", DESKTOP],
  ["pt", DESKTOP],
] as const;

describe.each([
  ["one pack", [1], [LOOKS[0], LOOKS[3]]],
  ["a bank of four", [1, 2, 3, 4], [LOOKS[1], LOOKS[2]]],
] as const)("%s", (_, packs, looks) => {
  beforeEach(() => {
    charge(SOC, packs.length);
    record(10, packs);
  });

  it.each(isLong ? LOOKS : looks)("is told in a sentence and as a band: %s", async (language, view) => {
    const visit = await served.enter({ view, language }, "#/battery");
    const { page } = visit;
    const line = page.locator(".timeline");
    // 60 % are 168 Ah: a day at 7 A. Whether it is empty at its very end depends on rounding.
    await line.locator("path.middle").waitFor();
    await expect
      .poll(() => line.locator(".reading").innerText())
      .toMatch(/^(Down to about|Lasts until|Desce até|Dura até)/);
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    expect(visit.defects).toEqual([]);
  });
});

it("says when it will be empty, or full, with the day if it is another", async () => {
  record(10, [1], -28);
  const visit = await served.enter({ view: PHONE }, "#/battery");
  const { page } = visit;
  // 168 Ah at 28 A.
  const clock = (hours: number): string => {
    const date = new Date(Date.now() + hours * HOUR * 1_000);
    const time = { hour: "2-digit", minute: "2-digit" } as const;
    const isToday = date.toDateString() === new Date().toDateString();
    return new Intl.DateTimeFormat("en-GB", isToday ? time : { weekday: "short", ...time }).format(date);
  };
  const around = (hours: number): RegExp =>
    new RegExp([-1, 0, 1].map((minutes) => clock(hours + minutes / 60)).join("|"));
  await expect.poll(() => page.locator(".reading").getByText("Lasts until about").innerText()).toMatch(around(6));
  record(10, [1], 28);
  await page.reload();
  await expect.poll(() => page.getByText("Full at about").innerText()).toMatch(around(4));
  expect(await page.locator(".reading").getByText("Lasts until about").count()).toBe(0);
});

/** 7 A out by night, 10 A in by day: some 28 % more in the evening, 30 % less in the morning. */
const NIGHTLY = (hour: number): number => (hour >= 20 || hour < 8 ? -7 : 10);
const flowing = (current: number, more = {}): void => {
  const { device } = served;
  device.status = { ...device.status, pack: { ...device.status.pack, current }, remainingCapacityAh: 168, ...more };
  device.touch("status");
};

it.each(inTurn(["en", "pt"] as const, 1))(
  "the headline says it first, and no end at the power of now beside it that contradicts it: %s",
  async (language) => {
    record(10, [1], NIGHTLY, NOON);
    // At this current it would be full in four hours, and empty in seventeen.
    flowing(28);
    const { page } = await served.enter({ view: PHONE, language, now: NOON }, "#/battery");
    const headline = async (): Promise<string> =>
      (await page.locator(".sentence").innerText()).replaceAll("\u202f", " ").trim();
    const words = {
      en: ["Charging", "Discharging", "Expected: 88 % at 20:00, 59 % at 08:00."],
      pt: ["Carregando", "Descarregando", "Previsão: 88 % às 20:00, 59 % às 08:00."],
    }[language];
    await expect.poll(headline).toBe(`${words[0]}. ${words[2]}`);
    expect(await page.locator(".glance .left").count()).toBe(0);
    flowing(-10);
    await expect.poll(headline).toBe(`${words[1]}. ${words[2]}`);
    // What ends within the hour is told by the current.
    flowing(-200);
    await expect.poll(headline).toMatch(language === "en" ? /^Empty in / : /^Vazia em /);
    await page.locator(".glance .left").waitFor();
  },
);

it.each(
  inTurn(
    [
      ["en", "Up to about", "around"],
      ["pt", "Sobe até cerca de", "por volta de"],
    ] as const,
    1,
  ),
)(
  "says how far up it goes if not full, around which hour, and has hours below the band: %s",
  async (language, up, around) => {
    // 3 A, a day long: 72 of 280 Ah.
    record(10, [1], 3, NOON);
    const visit = await served.enter({ view: PHONE, language, now: NOON }, "#/battery");
    const { page } = visit;
    const sentence = page.locator(".reading");
    await expect.poll(() => sentence.innerText()).toMatch(new RegExp(`^${up} 8[56]\\s%.* ${around} .*12:00\\.$`));
    // The highest as a point with its time; from yesterday evening to tomorrow evening.
    expect(await page.locator(".timeline .point").allTextContents()).toEqual([
      expect.stringMatching(/^8[56]\s% 12:00$/),
    ]);
    const marks = await page.locator(".timeline text:not(.point)").allTextContents();
    const days = language === "en" ? ["Sat", "Sun"] : ["sáb.", "dom."];
    expect(marks).toEqual([days[0], "12:00", days[1], "12:00"]);
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
  },
);

it("asks for as many hours as fourteen days of all packs have", async () => {
  for (const packs of sampled([1, 4, 15], 2)) {
    charge(SOC, packs);
    record(
      10,
      Array.from({ length: packs }, (_, at) => at + 1),
    );
    const visit = await served.enter({ view: PHONE }, "#/battery");
    await visit.page.locator(".timeline .middle").waitFor();
    const asked = visit.requests.map((url) => new URL(url).searchParams).filter((one) => one.get("series") === "hours");
    expect(asked.map((one) => Number(one.get("last")))).toEqual([15 * 24 * packs]);
  }
});

it("is not there while too little is known, the BMS is silent, or a pack is missing", async () => {
  const cases: readonly (readonly [string, () => void])[] = [
    ["four days", () => record(4, [1])],
    ["no hours", () => (served.device.records = { ...served.device.records, hours: Buffer.alloc(0) })],
    ["an unknown charge", () => void Object.assign(served.device.status, { soc: null })],
    ["silent", () => charge(SOC, 1, 0)],
    ["a pack missing", () => (charge(SOC, 3, 2), record(10, [1, 2, 3]))],
    ["a pack without hours", () => (charge(SOC, 3), record(10, [1, 2]))],
  ];
  for (const [name, change] of sampled(cases, 4))
    await trying(name, async () => {
      charge(SOC);
      record(10, [1]);
      change();
      const { page } = await served.enter({ view: PHONE }, "#/battery");
      await page.locator(".last-night").waitFor();
      expect(await page.locator(".timeline .middle").count()).toBe(0);
    });
});

it("leaves out a pack that is no longer there", async () => {
  charge(SOC, 2);
  record(10, [1, 2, 7]);
  const { page } = await served.enter({ view: PHONE }, "#/battery");
  // Two thirds of 7 A: 112 Ah, 40 % in a day.
  await expect.poll(() => page.getByText("Down to about").innerText()).toMatch(/about 2[01]\s%/);
});

it("one that was there is not told of a silent BMS, and the axis of time stays", async () => {
  record(10, [1]);
  const { page } = await served.enter({ view: DESKTOP }, "#/battery");
  const middle = page.locator(".timeline .middle");
  await middle.waitFor();
  const marks = (): Promise<string[]> => page.locator(".timeline text:not(.point)").allTextContents();
  const before = await marks();
  charge(SOC, 1, 0);
  served.device.touch("status");
  await expect.poll(() => middle.count()).toBe(0);
  expect(await page.locator(".timeline .point, .timeline .extremes").count()).toBe(0);
  expect(await page.locator(".reading").innerText()).toMatch(/^Line: state of charge/);
  expect(await marks()).toEqual(before);
});

it.each(inTurn(["en", "pt"] as const, 0))("each hour can be read, by keyboard and by touch: %s", async (language) => {
  record(10, [1], NIGHTLY, NOON);
  served.device.records["fine"] = Buffer.concat(
    Array.from({ length: 17 * 6 }, (_, at) => {
      const time = Math.floor(NOON / 600) * 600 - (17 * 6 - at) * 600;
      return fineRecord(time, { soc: 50 + Math.floor(at / 6), power: at < 36 ? -400 : 300 });
    }),
  );
  const visit = await served.enter({ view: PHONE, language, now: NOON }, "#/battery");
  const { page } = visit;
  const slider = page.getByRole("slider");
  await page.locator(".timeline .middle").waitFor();
  const reading = page.locator(".reading");
  const said = async (): Promise<string> => (await reading.innerText()).replaceAll("\u202f", " ");
  // From 12:00, of which ten minutes are over.
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(said).toBe("11:00: 66 %, 300 W");
  for (let hour = 0; hour < 2; hour++) await page.keyboard.press("ArrowRight");
  await expect
    .poll(said)
    .toMatch(
      language === "en" ? /^13:00: about 6\d % \(6\d % to 6\d %\)$/ : /^13:00: cerca de 6\d % \(6\d % a 6\d %\)$/,
    );
  expect((await slider.getAttribute("aria-valuetext"))?.replaceAll("\u202f", " ")).toBe(await said());
  await page.keyboard.press("Home");
  await expect.poll(said).toMatch(/18:00: – *, –$/);
  const box = (await slider.boundingBox())!;
  await page.mouse.move(box.x + (box.width * 14.5) / 48, box.y + 40);
  await expect.poll(said).toBe("08:00: 63 %, 300 W");
  await page.mouse.move(5, 5);
  await expect.poll(said).toMatch(/%.*\.$/);
  expect(await visit.accessibility()).toEqual([]);
});
