import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { LOW_CHARGE } from "../../src/catalogue/limits.ts";
import { severityOf } from "../../src/conditions/table.ts";
import { inTurn, isLong, sampled } from "../support/property.ts";
import type { ConcernCode } from "../../web/tables.ts";
import { en } from "../../web/texts/en.ts";
import { serve, trying } from "./served.ts";

const served = serve();
const SCREENS = ["battery", "history", "control", "relay", "device"] as const;
const WELL = "All is well";
const CELL_UNDERVOLTAGE = 1 << 11;

it("says all is well when everything it depends on is known and good, and where the reserve begins", async () => {
  withoutOutlook();
  const { page } = await served.enter();
  await page.getByText(WELL).waitFor();
  expect(await page.locator(".concerns.good").innerText()).toMatch(/^Discharging, empty about /);
  expect(await page.locator(".concerns li").count()).toBe(0);
  expect(await page.title()).toBe("Battery – Battery monitor");
  // The ring marks the reserve and its end.
  await page.locator(".gauge .reserve").waitFor();
  const [reserve] = (await page.locator(".reserve").getAttribute("stroke-dasharray"))?.split(" ") ?? [];
  const radius = Number(await page.locator(".reserve").getAttribute("r"));
  expect(Number(reserve) / (2 * Math.PI * radius)).toBeCloseTo(LOW_CHARGE / 100);
  expect(await page.locator(".limit").count()).toBe(2);
});

it("a BMS that never answered shows no numbers and no verdict, but what to check", async () => {
  served.device.status = { ...served.device.status, online: false };
  Object.assign(served.device.bms, { age: null, noReply: "others" });
  const visit = await served.enter();
  const main = visit.page.locator("main");
  await main.getByText("DIP switches").first().waitFor();
  expect(await main.getByRole("heading", { name: "Unknown" }).count()).toBe(1);
  expect(await main.innerText()).not.toMatch(/\d (?:°C|V|Ah|%)|No alarms|Idle/);
  expect(await main.locator(".soc").count()).toBe(0);
  expect(await visit.accessibility()).toEqual([]);
});

it("a lost BMS shows its last known alarms, and is not called well", async () => {
  const visit = await served.enter();
  const { page } = visit;
  await page.getByText(WELL).waitFor();
  served.device.status = { ...served.device.status, online: false };
  served.device.touch("status");
  await page.locator(".card", { hasText: "Alarms" }).getByText("Last known").waitFor();
  expect(await page.getByText(WELL).count()).toBe(0);
  served.device.status = { ...served.device.status, alarmCode: CELL_UNDERVOLTAGE };
  served.device.touch("status");
  await page.locator(".concerns", { hasText: "Last known" }).getByText("Cell voltage too low").waitFor();
  expect(await visit.accessibility()).toEqual([]);
});

it("an alarm and emergency mode are visible on every screen, in the tab and in the title until the sign-out", async () => {
  served.device.status = { ...served.device.status, alarmCode: CELL_UNDERVOLTAGE };
  served.device.bms.concerns = ["emergency"];
  const visit = await served.enter();
  for (const screen of SCREENS) {
    await visit.go(screen);
    const concerns = visit.page.locator(".concerns");
    await concerns.getByText("Cell voltage too low").first().waitFor();
    await concerns.getByText("Emergency mode is on").waitFor();
    await visit.page.locator("nav").getByRole("img", { name: "1 alarm" }).waitFor();
    expect(await visit.page.title()).toMatch(/^1 alarm – /);
    if (isLong || screen === SCREENS[0]) expect(await visit.accessibility(), screen).toEqual([]);
  }
  await visit.go("battery");
  await expect.poll(() => visit.page.title()).toBe("1 alarm – Battery – Battery monitor");
  await visit.page.getByRole("button", { name: "Sign out" }).click();
  await visit.page.locator("input[autocomplete=current-password]").waitFor();
  await expect.poll(() => visit.page.title()).toBe("Battery monitor");
});

it("a blocked pack does not look idle", async () => {
  const { status } = served.device;
  served.device.status = { ...status, pack: { ...status.pack, current: 0, power: 0, dischargeMosfet: false } };
  served.device.bms.concerns = ["discharging-blocked"];
  const { page } = await served.enter();
  await page.locator(".glance").getByText("Discharging blocked").waitFor();
  expect(await page.locator(".glance").getByText("Idle").count()).toBe(0);
  expect(await page.locator(".arc.low").count()).toBe(1);
});

/** What is said with its value. */
const WORDS: Partial<Record<ConcernCode, RegExp>> = {
  "low-charge": /empty in/i,
  "cell-high": /Cell\s\d+\sis\sup\sto/,
  "cell-low": /Cell\s\d+\sis\sdown\sto/,
  spread: /Cell\s\d+\sis\s\d+.mV\shigh/,
};

it("each concern that the device tells is reported, and its verdict counts: not all is well until it has ended", async () => {
  const { page } = await served.enter();
  const { device } = served;
  for (const [code, text] of Object.entries(en.concerns) as [ConcernCode, string][]) {
    device.bms = { ...device.bms, concerns: [code] };
    device.touch("status");
    await page
      .locator(".concerns")
      .getByText(WORDS[code] ?? text)
      .waitFor();
    await page.getByText("No alarms.").waitFor();
    expect(await page.getByText(WELL).count(), code).toBe(severityOf(code) === "notice" ? 1 : 0);
    device.bms = { ...device.bms, concerns: [] };
    device.touch("status");
    await page.getByText(WELL).waitFor();
  }
  // A full pack may block its charging.
  device.bms = { ...device.bms, concerns: [] };
  device.status = { ...device.status, soc: 99, pack: { ...device.status.pack, chargeMosfet: false } };
  device.touch("status");
  await expect.poll(() => page.locator(".soc").innerText()).toMatch(/^99\b/);
  expect(await page.getByText(WELL).count()).toBe(1);
  expect(await page.locator(".glance").getByText("blocked").count()).toBe(0);
});

it("every screen and the title say safe mode; no cable is blamed, and the relay cannot be switched", async () => {
  served.device.safeMode = true;
  served.device.status = { ...served.device.status, online: false };
  served.device.bms.age = null;
  served.device.records = {};
  served.device.history = served.device.history.split("\n")[0] ?? "";
  const visit = await served.enter();
  for (const screen of SCREENS) {
    await visit.go(screen);
    await visit.page.locator(".concerns", { hasText: "Safe mode" }).waitFor();
    expect(await visit.page.title()).toMatch(/^Safe mode – /);
    expect(await visit.page.locator("main").innerText()).not.toMatch(
      /DIP switches|RS485|cable|baud|within minutes|cannot be read/,
    );
    // What ends it is where it is said.
    await visit.page.locator(".repair").getByText("Update", { exact: true }).waitFor();
    expect(await visit.page.locator("main summary", { hasText: "Update" }).count()).toBe(1);
    expect(await visit.accessibility(), screen).toEqual([]);
  }
  await visit.page.locator(".repair").getByRole("button", { name: "Restart" }).click();
  await visit.page.getByRole("dialog").getByRole("button", { name: "Restart" }).click();
  await visit.page.locator(".repair").getByText("Restarting").waitFor();
  expect(served.device.posts.map(([path]) => path)).toContain("/web/restart");
  await visit.go("relay");
  const toggle = visit.page.locator(".card", { hasText: "Fan" }).getByRole("switch");
  expect(await toggle.isDisabled()).toBe(true);
  await visit.page.getByText("writes and relay switching are disabled").waitFor();
});

it("a battery below its reserve is almost empty, one without charge is empty", async () => {
  const { device } = served;
  const visit = await served.enter();
  const { page } = visit;
  const shown = page.locator(".soc");
  for (const [soc, isWell] of [
    [0, false],
    [LOW_CHARGE + 1, true],
    [LOW_CHARGE, false],
    [LOW_CHARGE - 1, false],
  ] as const)
    await trying(`${soc} %`, async () => {
      device.status = { ...device.status, soc };
      device.bms.concerns = isWell ? [] : ["low-charge"];
      device.touch("status");
      await expect.poll(() => shown.innerText()).toMatch(new RegExp(`^${soc}\\b`));
      await page.getByText("No alarms.").waitFor();
      expect(await page.getByText(WELL).count()).toBe(isWell ? 1 : 0);
      if (soc === 0) {
        expect(await page.locator(".sentence").innerText()).toBe("The battery is empty");
        // Its ring is not grey.
        await page.locator(".rail.low").waitFor();
        expect(await page.locator(".arc").count()).toBe(0);
      }
      expect(await page.locator(".concerns.good").count()).toBe(isWell ? 1 : 0);
      expect(await visit.accessibility()).toEqual([]);
    });
});

it("the ring shows how much is left: its arc differs from its track at every charge and in every look", async () => {
  const { device } = served;
  const { page } = await served.enter();
  const shown = page.locator(".soc");
  const charges = [
    ...[1, LOW_CHARGE - 1, LOW_CHARGE, LOW_CHARGE + 1, 99, 100].map((soc) => [soc, 0] as const),
    ...([[50, 1 << 11]] as const),
  ];
  /** Contrast of the arc against the track, as WCAG reckons it, or how many times as wide it is. */
  const contrast = `(() => {
    const light = (part) => {
      const [red, green, blue] = getComputedStyle(document.querySelector(part)).stroke.match(/[\\d.]+/g).map((one) => {
        const value = one / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const both = [light(".arc"), light(".rail")];
    const width = (part) => parseFloat(getComputedStyle(document.querySelector(part)).strokeWidth);
    return Math.max(Math.max(...both) / Math.min(...both), width(".arc") / width(".rail"));
  })()`;
  for (const forcedColors of ["none", "active"] as const)
    for (const theme of ["light", "dark"] as const)
      for (const [soc, alarmCode] of isLong || (forcedColors === "none" && theme === "light")
        ? charges
        : sampled(charges))
        await trying(`${soc} %, ${alarmCode}, ${theme}, ${forcedColors}`, async () => {
          await page.emulateMedia({ forcedColors, colorScheme: theme });
          device.status = { ...device.status, soc, alarmCode };
          device.touch("status");
          await expect.poll(() => shown.innerText()).toMatch(new RegExp(`^${soc}\\b`));
          await expect.poll(() => page.evaluate<number>(contrast)).toBeGreaterThan(2.9);
        });
});

/** Bits of the alarms. */
const HOT = (1 << 8) | (1 << 15) | (1 << 21);

it.each(inTurn(["en", "pt"] as const, 1))(
  "an alarm is one sentence with its value and what it stops: %s",
  async (language) => {
    const { device } = served;
    device.status = { ...device.status, alarmCode: HOT, temperatures: { mosfet: 31, battery1: 62, battery2: 40 } };
    Object.assign(device.status.pack, { chargeMosfet: false, dischargeMosfet: false });
    device.bms.concerns = ["alarm", "temperature-high", "discharging-blocked", "charging-blocked", "spread"];
    const visit = await served.enter({ language });
    const { page } = visit;
    const said = page.locator(".concerns .sentence");
    const words = {
      en: [
        "Too hot to charge: 62 °C at Sensor 1, charging and discharging stopped, limit 60 °C",
        "Let the pack cool down",
        "1 more",
      ],
      pt: [
        "Quente demais para carregar: 62 °C em Sensor 1, carregamento e descarga interrompidos, limite 60 °C",
        "Deixe a bateria esfriar",
        "mais 1",
      ],
    }[language];
    const plain = async (): Promise<string> => (await said.innerText()).replaceAll("\u202f", " ").trim();
    await expect.poll(plain).toBe(words[0]);
    const concerns = page.locator(".concerns");
    await concerns.getByText(words[1] as string).waitFor();
    // The card names every alarm; here one cause is one sentence, and the rest is folded.
    expect(await page.locator(".alarms li").count()).toBe(3);
    expect(await concerns.locator("li:visible").count()).toBe(0);
    await concerns.getByText(words[2] as string).click();
    expect(await concerns.locator("li:visible").count()).toBe(1);
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
  },
);

it("of a second cause nothing is lost, and without its limit the value is said alone", async () => {
  const { device } = served;
  device.config.loaded = false;
  device.status = {
    ...device.status,
    alarmCode: HOT | (1 << 11),
    temperatures: { mosfet: 31, battery1: 40, battery2: 62 },
  };
  const { page } = await served.enter();
  await page.locator(".sentence", { hasText: /Too hot to charge: 62.°C at Sensor 2$/ }).waitFor();
  // Not folded.
  await page.locator(".concerns li", { hasText: "Cell voltage too low" }).waitFor();
  expect(await page.locator(".alarms li").count()).toBe(4);
});

it("an empty battery is not called almost empty, nor charging blocked that its owner has switched off", async () => {
  const { device } = served;
  device.status = { ...device.status, soc: 0, pack: { ...device.status.pack, current: 0, chargeMosfet: false } };
  device.bms = { ...device.bms, switches: { ...device.bms.switches, charge_mos: false } };
  device.bms.concerns = ["low-charge"];
  const { page } = await served.enter();
  await page.locator(".sentence", { hasText: "The battery is empty" }).waitFor();
  expect(await page.getByText("almost empty").count()).toBe(0);
  expect(await page.locator(".direction").innerText()).toBe("Idle");
  device.bms = { ...device.bms, concerns: ["low-charge", "charging-blocked"] };
  device.touch("status");
  await expect.poll(() => page.locator(".direction").innerText()).toBe("Charging blocked");
});

it("one sentence sums up the first screen, and is not said twice", async () => {
  served.device.bms.concerns = ["spread"];
  const cells = served.device.status.cells.map((cell) => (cell.number === 7 ? { ...cell, voltage: 2.959 } : cell));
  served.device.status = { ...served.device.status, cells };
  const visit = await served.enter();
  const { page } = visit;
  await page.locator(".sentence", { hasText: /^\s*Cell 7 is 353.mV low$/ }).waitFor();
  await page.locator(".concerns li", { hasText: "differ too much" }).waitFor();
  served.device.bms.concerns = ["discharging-off"];
  served.device.touch("status");
  await page.locator("li.sentence", { hasText: "Discharging is off." }).waitFor();
  expect(await page.locator(".sentence").count()).toBe(1);
  served.device.status = { ...served.device.status, online: false };
  served.device.bms.age = 720;
  served.device.touch("status");
  await page.locator(".concerns.old .sentence", { hasText: /the BMS went silent 12.min ago/ }).waitFor();
  expect(await visit.accessibility()).toEqual([]);
  // The other screens list what needs attention, without the sentence.
  await visit.go("relay");
  expect(await page.locator(".sentence").count()).toBe(0);
});

const glance = (page: Page) => page.locator(".glance .left");
/** An outlook takes the place of the time left. */
const withoutOutlook = (): void => void (served.device.records = { ...served.device.records, hours: Buffer.alloc(0) });
const now = (current: number, more = {}): void => {
  const { pack } = served.device.status;
  served.device.status = { ...served.device.status, pack: { ...pack, current }, ...more };
  served.device.touch("status");
};

it("a charge is full within a range, which is wider near its end; at rest there is none", async () => {
  withoutOutlook();
  now(20, { remainingCapacityAh: 140 });
  const { page } = await served.enter();
  expect(await glance(page).innerText()).toBe("full in 7\u202fh to 8\u202fh 30\u202fmin at this power");
  expect(await page.locator(".sentence").innerText()).toMatch(/^Charging, full between .* and .* at this power$/);
  now(20, { remainingCapacityAh: 270 });
  await expect.poll(() => glance(page).innerText()).toBe("full in 30\u202fmin to 1\u202fh");
  now(0.1);
  await expect.poll(() => glance(page).count()).toBe(0);
  await expect.poll(() => page.locator(".sentence").innerText()).toBe("Idle");
});

it("the time left is a range while the load changes, begins anew after a rest, and ends with the values", async () => {
  withoutOutlook();
  now(-10, { remainingCapacityAh: 200 });
  const { page } = await served.enter();
  expect(await glance(page).innerText()).toBe("empty in about 20\u202fh at this power");
  now(-40);
  await expect.poll(() => glance(page).innerText()).toMatch(/^empty in 5\u202fh to \d+\u202fh/);
  now(0);
  await expect.poll(() => glance(page).count()).toBe(0);
  now(-40);
  await expect.poll(() => glance(page).innerText()).toBe("empty in about 5\u202fh at this power");
  // Old values have no estimate.
  now(-23.4, { online: false });
  await glance(page).waitFor({ state: "hidden" });
  expect(await page.locator(".sentence").innerText()).toMatch(/^Last known/);
});
