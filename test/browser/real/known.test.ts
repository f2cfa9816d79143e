/** The page's counterpart of test/system/what-is-known.test.ts. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { ALARMS, EXPECTED, fill, isKnown, type State, unknown } from "../../support/bms/walked-pack";
import { serve } from "./served";

const served = serve();
const UNKNOWN = "–";
/** ms of the page's time. */
const LOOK = 500;
/** ms of the device's in which it polls the BMS, and tells the page. */
const POLLED = 2_000;

/** Texts of elements, with every kind of blank as a space. */
const plain = async (page: Page, selector: string): Promise<string[]> =>
  (await page.locator(selector).allTextContents()).map((text) => text.replace(/\s/g, " "));

/** Values by label. */
async function facts(page: Page): Promise<Record<string, string>> {
  const texts = await plain(page, "main dl.facts :is(dt, dd)");
  const pairs = texts.flatMap((text, index) => (index % 2 ? [] : [[text, texts[index + 1]!] as const]));
  return { ...Object.fromEntries(pairs), ...(await cells(page)) };
}

/** What the row of the cells says, once it is open, under the names of the values. */
async function cells(page: Page): Promise<Record<string, string>> {
  const [row] = await plain(page, ".spread");
  if (row === undefined) return {};
  const [, lowest, highest, difference] = /^(\S+) to (\S+) V, spread (.+)$/.exec(row) ?? [];
  const [, average] = /^Average (\S+ V)\./.exec((await plain(page, ".chosen")).join()) ?? [];
  const numbers = async (end: string): Promise<string> => (await plain(page, `.cells button.${end} small`)).join(", ");
  return {
    Lowest: `${lowest} V (${await numbers("low")})`,
    Highest: `${highest} V (${await numbers("high")})`,
    Difference: `${difference}`,
    Average: `${average}`,
  };
}

const SHOWN = EXPECTED.filter(({ label }) => label !== undefined);

const EVERY_ALARM = 2 ** ALARMS.length - 1;
const TITLES = ALARMS.map((name) => en.alarms[name].title);

const FULL_OR_HIGH = 1 << ALARMS.indexOf("fully_charged");
const CELL_HIGH = 1 << ALARMS.indexOf("cell_overvoltage");

/** What the bits say of the walked pack, which is not full. */
const meant = (alarms: number): number => (alarms & FULL_OR_HIGH ? (alarms & ~FULL_OR_HIGH) | CELL_HIGH : alarms);

/** Titles of the alarms on the battery screen. */
const titles = (page: Page): Promise<string[]> => page.locator("main .alarms strong").allInnerTexts();

async function shows(page: Page, state: State, absent: string, sent: number): Promise<void> {
  const alarms = meant(sent);
  const wanted: Record<string, unknown> = Object.fromEntries(
    SHOWN.map((expected) => [expected.label!, isKnown(expected, state) ? expected.shown! : unknown(expected, absent)]),
  );
  wanted["Alarm code"] = `0x${alarms.toString(16).padStart(8, "0")}`;
  await expect
    .poll(async () => {
      // Sooner than in real time the page looks again; it may not take what stands for old.
      if (state !== "stale") await page.clock.runFor(LOOK);
      const found = await facts(page);
      return Object.fromEntries(Object.keys(wanted).map((label) => [label, found[label]]));
    })
    .toEqual(wanted);
  const raised = TITLES.filter((_, bit) => alarms & (1 << bit));
  await expect.poll(async () => (await titles(page)).sort()).toEqual(raised.sort());
}

it("a BMS that never answered shows no values and no alarm status", async () => {
  const system = await served.startWith((bms) => bms.faults.add({ kind: "no-answer" }));
  const { page } = await served.enter(system);
  await page.getByText(en.battery.offline).first().waitFor();
  // It is known once a poll has ended.
  await expect
    .poll(async () => {
      await page.clock.runFor(LOOK);
      return page.getByText(en.noReplies.silence).count();
    })
    .toBeGreaterThan(0);
  expect(await facts(page)).toEqual({});
  expect(await page.locator("main").innerText()).not.toMatch(/\d+ ?(V|A|W|Ah|°C|%)/);
  for (const text of [en.battery.well, en.battery.noAlarms, ...TITLES])
    expect(await page.getByText(text, { exact: true }).count()).toBe(0);
});

it.each([
  ["no alarm", 0],
  ["every alarm", EVERY_ALARM],
])(
  "shows every value or its substitute, and %s, while online, stale, without probes, and offline",
  async (_, alarms) => {
    const system = await served.startWith((bms) => {
      fill(bms);
      bms.registers.write("Alarms", alarms);
    });
    await system.untilLoaded();
    const visit = await served.enter(system, { steered: true });
    const { page } = visit;
    await visit.openCells();
    await shows(page, "online", UNKNOWN, alarms);
    // Shown outside the lists.
    expect(await page.locator("main .soc").innerText()).toMatch(/^57\s*%$/);
    expect(await page.locator("main .power").innerText()).toMatch(/^654\sW$/);
    await page.getByText(/Emergency mode, 11\smin left/).waitFor();
    await page.getByText("Discharging", { exact: true }).first().waitFor();

    // Time stands meanwhile: the BMS would soon count as offline.
    const answerAgain = system.bms.faults.add({ kind: "no-answer" });
    system.stand(true);
    await system.pass(3_000);
    expect(system.monitor().online).toBe(true);
    await shows(page, "stale", UNKNOWN, alarms);
    // If this takes long, the page hears nothing for a while and looks for itself.
    await expect.poll(() => page.locator("main .cards.stale").count()).toBe(0);
    answerAgain();
    system.stand(false);

    system.bms.registers.write("TempSensors", 0);
    await shows(page, "probes absent", en.common.none, alarms);
    system.bms.registers.write("TempSensors", 0x3f);
    await shows(page, "online", UNKNOWN, alarms);
    expect(system.probes.writeCommand("temperature_sensors_disabled", true)).toBeUndefined();
    await shows(page, "probes ignored", UNKNOWN, alarms);
    expect(await page.getByText(en.battery.well).count()).toBe(0);

    // Old values stay, marked as old.
    system.bms.setOnline(false);
    await page.locator("main .cards.stale").waitFor();
    await page.getByText(en.battery.lastKnown).first().waitFor();
    await shows(page, "probes ignored", UNKNOWN, alarms);
    expect(await page.getByText(en.battery.well).count()).toBe(0);
  },
);

it("shows the raised alarms by their titles, and no others", async () => {
  expect(new Set(TITLES).size).toBe(ALARMS.length);
  const system = await served.start({ bms: { evolving: false } });
  // Full, as one of the alarms says.
  system.bms.registers.write("SOC", 100);
  system.bms.registers.write("SOCCapRemain", system.bms.registers.read("SOCFullChargeCap"));
  const { page } = await served.enter(system, { steered: true });
  // Each turn raises those whose number has a certain bit: no two alarms are raised in the same turns.
  for (let digit = 1; digit <= ALARMS.length; digit *= 2) {
    const raised = [...TITLES.keys()].filter((bit) => (bit + 1) & digit);
    system.bms.registers.write(
      "Alarms",
      raised.reduce((code, bit) => code + 2 ** bit, 0),
    );
    const expected = raised.map((bit) => TITLES[bit]!).sort();
    await system.pass(POLLED);
    await expect
      .poll(async () => {
        await page.clock.runFor(LOOK);
        return (await titles(page)).sort();
      })
      .toEqual(expected);
  }
  system.bms.registers.write("Alarms", 0);
  await page.getByText(en.battery.well).waitFor();
  expect(await titles(page)).toEqual([]);
});
