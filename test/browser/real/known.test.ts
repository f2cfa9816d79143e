/** The page's part of what test/system/what-is-known.test.ts walks through. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { ALARMS, EXPECTED, fill, isKnown, type State } from "../../support/walked-pack";
import { serve } from "./served";

const served = serve();
const UNKNOWN = "–";

/** What stands beside each label; blanks of every kind are blanks. */
async function facts(page: Page): Promise<Record<string, string>> {
  const texts = await page.locator("main dl.facts").locator("dt, dd").allTextContents();
  const plain = texts.map((text) => text.replace(/\s/g, " "));
  return Object.fromEntries(plain.flatMap((text, index) => (index % 2 ? [] : [[text, plain[index + 1]!] as const])));
}

const SHOWN = EXPECTED.filter(({ label }) => label !== undefined);

async function shows(page: Page, state: State, absent: string): Promise<void> {
  const wanted = Object.fromEntries(
    SHOWN.map((expected) => [expected.label!, isKnown(expected, state) ? expected.shown! : absent]),
  );
  await expect
    .poll(async () => {
      const found = await facts(page);
      return Object.fromEntries(Object.keys(wanted).map((label) => [label, found[label]]));
    })
    .toEqual(wanted);
}

it("a BMS that never answered shows no values and no alarm status", async () => {
  const system = await served.startWith((bms) => bms.faults.add({ kind: "no-answer" }));
  const { page } = await served.enter(system);
  await page.getByText(en.battery.neverCheck).waitFor();
  expect(await facts(page)).toEqual({});
  expect(await page.locator("main").innerText()).not.toMatch(/\d+ ?(V|A|W|Ah|°C|%)/);
  for (const text of [en.battery.well, en.battery.noAlarms]) expect(await page.getByText(text).count()).toBe(0);
});

it("shows every value or its substitute while online, stale, without probes, and offline", async () => {
  const system = await served.startWith(fill);
  await system.untilLoaded();
  const { page } = await served.enter(system);
  await shows(page, "online", UNKNOWN);
  // What stands outside of the lists.
  expect(await page.locator("main .soc").innerText()).toMatch(/^57\s*%$/);
  expect(await page.locator("main .power").innerText()).toMatch(/^654\sW$/);
  await page.getByText(/Emergency mode, 11\smin left/).waitFor();
  await page.getByText("Discharging", { exact: true }).first().waitFor();
  expect(await page.getByText(en.alarms.charge_overcurrent.title).count()).toBeGreaterThan(0);

  const answerAgain = system.bms.faults.add({ kind: "no-answer" });
  await system.pass(3_000);
  expect(system.monitor().online).toBe(true);
  await shows(page, "stale", UNKNOWN);
  expect(await page.locator("main .cards.stale").count()).toBe(0);
  answerAgain();

  system.bms.registers.write("TempSensors", 0);
  await shows(page, "probes absent", en.common.none);
  system.bms.registers.write("TempSensors", 7);
  await shows(page, "online", UNKNOWN);
  expect(system.probes.writeCommand("temperature_sensors_disabled", true)).toBeUndefined();
  await shows(page, "probes ignored", UNKNOWN);
  expect(await page.getByText(en.battery.well).count()).toBe(0);

  // Old values stay, and are told as old.
  system.bms.setOnline(false);
  await page.locator("main .cards.stale").waitFor();
  await page.getByText(en.battery.lastKnown).first().waitFor();
  await shows(page, "probes ignored", UNKNOWN);
  expect(await page.getByText(en.battery.well).count()).toBe(0);
});

it("shows the raised alarms by title, and no others", async () => {
  const system = await served.start({ bms: { evolving: false } });
  const { page } = await served.enter(system);
  const titles = (): Promise<string[]> => page.locator("main .alarms strong").allInnerTexts();
  const { registers } = system.bms;
  registers.write("Alarms", 2 ** ALARMS.length - 1);
  await expect.poll(async () => (await titles()).sort()).toEqual(ALARMS.map((name) => en.alarms[name].title).sort());
  expect(new Set(await titles()).size).toBe(ALARMS.length);
  for (const bit of [0, 4, 19, 28]) {
    registers.write("Alarms", 2 ** bit);
    await expect.poll(titles).toEqual([en.alarms[ALARMS[bit]!].title]);
  }
  registers.write("Alarms", 0);
  await expect.poll(titles).toEqual([]);
});
