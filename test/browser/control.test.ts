import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESKTOP, PHONE } from "../support/web/browser.ts";
import { serve, trying } from "./served.ts";

const served = serve();

async function control(): Promise<Page> {
  const { page } = await served.enter({}, "#/control");
  await page.getByRole("switch", { name: "Charging", exact: true }).waitFor();
  return page;
}

const last = (page: Page) => page.locator(".last");
const posted = (path: string): unknown[] => served.device.posts.filter(([to]) => to === path).map(([, body]) => body);

/** Closes the dialog: the next one is not taken for it. */
async function cancel(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

const DANGEROUS = "Emergency mode · Ignore temperature sensors";

it("shows every command and setting with its current value, range and hint", async () => {
  const page = await control();
  await page.locator("summary", { hasText: DANGEROUS }).click();
  // Six switches, six parameters; 14 limits on four ladders, of which three have a title.
  expect(await page.locator("main h3").count()).toBe(15);
  expect(await page.locator(".ladder button").count()).toBe(14);
  const rung = page.getByRole("button", { name: "Change: Cell over-voltage protection 3.650\u202fV" });
  await rung.click();
  for (const part of ["3.650\u202fV", "0.000 to 5.000\u202fV", "charging stops when a cell rises"])
    expect(await page.getByRole("dialog").innerText()).toContain(part);
  await page.getByRole("button", { name: "Cancel" }).click();
  // As on the battery screen.
  expect(await page.locator("li", { hasText: "Nominal capacity" }).innerText()).toContain("280.0\u202fAh");
});

it("asks before a dangerous command, and sends nothing when it is cancelled", async () => {
  const page = await control();
  // What nobody needs every day is folded, and last.
  await expect.poll(() => page.getByRole("switch").count()).toBe(4);
  expect(await page.locator("main h2").last().innerText()).toBe(DANGEROUS);
  await page.locator("summary", { hasText: DANGEROUS }).click();
  for (const [name, action, question] of [
    ["Discharging", "Switch off: Discharging", "All loads on this pack lose power."],
    ["Charging", "Switch off: Charging", "The pack is no longer charged"],
    ["Emergency mode", "Switch on: Emergency mode", "This can harm the cells."],
    ["Ignore temperature sensors", "Switch on: Ignore temperature sensors", "All temperature protections stop working"],
  ] as const)
    await trying(name, async () => {
      await page.getByRole("switch", { name, exact: true }).click();
      await page.getByRole("dialog").getByText(question).waitFor();
      expect(await page.getByRole("button", { name: action }).count()).toBe(1);
      await cancel(page);
      expect(posted("/web/commands")).toEqual([]);
    });
  await page.getByRole("switch", { name: "Discharging", exact: true }).click();
  await page.getByRole("button", { name: "Switch off: Discharging" }).click();
  await last(page).getByText("Confirmed by the BMS.").waitFor();
});

it("disables every control while the BMS is offline", async () => {
  served.device.status = { ...served.device.status, online: false };
  served.device.queue = { ...served.device.queue, bmsOnline: false };
  const page = await control();
  await page.getByText("nothing can be changed now").waitFor();
  expect(await page.locator("main button:enabled").count()).toBe(0);
  // What the switches and their outputs are is not known any more.
  for (const name of ["Charging", "Discharging", "Balancing"])
    await page
      .locator("li", { has: page.getByRole("switch", { name, exact: true }) })
      .getByText(/^Last known Switch: on · /)
      .waitFor();
});

it.each([
  ["Emergency mode", { emergency: true }],
  ["Ignore temperature sensors", { temperature_sensors_disabled: true }],
])("%s is not folded away while it is on", async (name, on) => {
  Object.assign(served.device.bms.switches, on);
  const page = await control();
  const shown = page.getByRole("switch", { name, exact: true });
  await shown.waitFor();
  expect(await shown.getAttribute("aria-checked")).toBe("true");
});

it("says where limits of current are set, which it cannot write", async () => {
  const page = await control();
  await page.getByText(/Limits of current are set in JK's app/).waitFor();
});

it("lets a switch of unknown state be set either way", async () => {
  served.device.bms = { ...served.device.bms, switches: {} as typeof served.device.bms.switches };
  const { page } = await served.enter({}, "#/control");
  await page.getByRole("button", { name: "On: Display always on" }).click();
  await last(page).getByText("Confirmed by the BMS.").waitFor();
});

it("disables settings until they have been read", async () => {
  served.device.config.loaded = false;
  served.device.queue = { ...served.device.queue, configurationLoaded: false };
  const page = await control();
  await page.getByText("Reading the BMS settings").first().waitFor();
  expect(await page.getByRole("button", { name: "Change: Cell count" }).isDisabled()).toBe(true);
  served.device.config.loaded = true;
  served.device.queue = { ...served.device.queue, configurationLoaded: true };
  served.device.touch("queue", "config");
  await expect.poll(() => page.getByRole("button", { name: "Change: Cell count" }).isEnabled()).toBe(true);
});

it("a double click does not confirm a change of a protection, on a desktop and on a phone", async () => {
  const { page } = await served.enter({ view: DESKTOP }, "#/control");
  for (const [view, value, becomes] of [
    [DESKTOP, "3.62", "3.650\u202fV becomes 3.620\u202fV."],
    [PHONE, "3.63", "3.620\u202fV becomes 3.630\u202fV."],
  ] as const)
    await trying(`${view.width} px`, async () => {
      await page.setViewportSize(view);
      await page.getByRole("button", { name: "Change: Cell over-voltage protection" }).click();
      await page.getByLabel("New value").fill(value);
      const { x, y, width, height } =
        (await page.getByRole("button", { name: "Send to the BMS" }).boundingBox()) ?? expect.fail();
      const spot: [number, number] = [x + width / 2, y + height / 2];
      await page.mouse.click(...spot);
      const change = page.getByRole("button", { name: "Change it" });
      await change.waitFor();
      expect(await page.getByRole("dialog").innerText()).toContain(becomes);
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Cancel");
      // A second press at the same spot, however late, hits something else.
      const other = (await change.boundingBox()) ?? expect.fail();
      const isOver =
        spot[0] >= other.x &&
        spot[0] <= other.x + other.width &&
        spot[1] >= other.y &&
        spot[1] <= other.y + other.height;
      expect(isOver).toBe(false);
      await change.dispatchEvent("click", { detail: 2 });
      expect(await change.isVisible()).toBe(true);
      expect(posted("/web/parameters")).toEqual([]);
      await change.click();
      await last(page).getByText(`Cell over-voltage protection: ${value}0 V. Confirmed by the BMS.`).waitFor();
      await page.getByRole("button", { name: `Change: Cell over-voltage protection ${value}0\u202fV` }).waitFor();
      served.device.posts.length = 0;
    });
});

it("above the old values of a lost BMS no confirmation is shown, and the banner about it is never covered", async () => {
  const visit = await served.enter({}, "#/control");
  const { page } = visit;
  await page.getByRole("switch", { name: "Balancing", exact: true }).first().click();
  await last(page).getByText("Confirmed by the BMS.").waitFor();
  served.device.status = { ...served.device.status, online: false };
  served.device.queue = { ...served.device.queue, bmsOnline: false };
  served.device.touch("status", "queue");
  await last(page).getByText("nothing can be changed now").waitFor();
  expect(await page.getByText("Confirmed by the BMS.").count()).toBe(0);
  expect(await page.locator(".last.good, .outcome.good").count()).toBe(0);
  expect(await visit.accessibility()).toEqual([]);
  const banner = page.locator(".banner");
  await banner.waitFor();
  for (const view of [DESKTOP, PHONE]) {
    await page.setViewportSize(view);
    for (const y of [0, 300, 1_000, 100_000]) {
      await page.evaluate(`scrollTo(0, ${y})`);
      const onTop = await banner.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const at = [0.1, 0.5, 0.9].map((part) => document.elementFromPoint(left + width / 2, top + part * height));
        return at.every((other) => element.contains(other));
      });
      expect(onTop, `${view.width} px, scrolled to ${y}`).toBe(true);
    }
  }
});

it("a number with a thousands separator is refused with a hint, in both languages", async () => {
  const { page } = await served.enter({}, "#/control");
  const dialog = page.getByRole("dialog");
  for (const [language, change, typed, hint] of [
    ["en", "Change: Nominal capacity", "1,000", "without thousands separators"],
    ["en", "Change: Nominal capacity", "1,0000", "without thousands separators"],
    ["pt", "Alterar: Capacidade nominal", "1.0000", "sem separador de milhares"],
    ["pt", "Alterar: Capacidade nominal", "1.000", "sem separador de milhares"],
  ] as const)
    await trying(`${language}, ${typed}`, async () => {
      const other = page.getByRole("button", { name: "Português" });
      if (language === "pt" && (await other.count())) await other.click();
      await page.getByRole("button", { name: change }).click();
      await dialog.locator("input").fill(typed);
      await page.keyboard.press("Enter");
      await dialog.getByText(hint).waitFor();
      expect(posted("/web/parameters")).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    });
});

/** Types a value and submits it; returns the text of the question. */
async function ask(page: Page, title: string, value: string): Promise<string> {
  await page.getByRole("button", { name: `Change: ${title}` }).click();
  await page.getByLabel("New value").fill(value);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Change it" }).waitFor();
  const text = await page.getByRole("dialog").innerText();
  await cancel(page);
  return text;
}

/** Pairs of settings, each with a value of the first that conflicts with the second's, and one that does not. */
const ORDERED = [
  ["Cell over-voltage protection", "3.6", "Cell over-voltage recovery", "3.601"],
  ["Requested charge voltage", "3.65", "Cell over-voltage protection", "3.649"],
  ["Cell under-voltage recovery", "2.6", "Cell under-voltage protection", "2.601"],
  ["Power-off voltage", "2.6", "Cell under-voltage protection", "2.599"],
  ["Charge over-temperature protection", "55", "Charge over-temperature recovery", "55.1"],
  ["Charge under-temperature protection", "0", "Charge under-temperature recovery", "-0.1"],
  ["Discharge over-temperature protection", "60", "Discharge over-temperature recovery", "60.1"],
  ["MOSFET over-temperature recovery", "90", "MOSFET over-temperature protection", "89.9"],
] as const;

it("a limit that would be out of order is sent only after a warning that names the other one", async () => {
  const page = await control();
  for (const [title, wrong, other, right] of ORDERED)
    await trying(title, async () => {
      const warned = await ask(page, title, wrong);
      for (const part of ["would not be above", `“${title}”`, `“${other}”`])
        expect(warned, `${title}, ${wrong}`).toContain(part);
      expect(await ask(page, title, right), `${title}, ${right}`).not.toContain("would not be above");
      expect(posted("/web/parameters")).toEqual([]);
    });
});

it("shows the BMS's preset for the pack's chemistry, for each chemistry if it is unknown, and no value where there is none", async () => {
  const page = await control();
  const told = async (name: string): Promise<string> => {
    await page.getByRole("button", { name: `Change: ${name}` }).click();
    const text = await page.getByRole("dialog").innerText();
    await cancel(page);
    return text;
  };
  const chemistry = (batteryType: string): void => {
    served.device.status = { ...served.device.status, batteryType };
    served.device.touch("status");
  };
  const limit = "Cell over-voltage protection";
  expect(await told(limit)).toContain("Preset of the BMS: LFP 3.650\u202fV.");
  expect(await told("Charge over-temperature protection")).not.toContain("Preset");
  chemistry("");
  await expect.poll(() => told(limit)).toContain("Preset of the BMS: LFP 3.650\u202fV, NMC 4.200\u202fV.");
  // What the cells allow is unknown then too, and only the order of the limits is left.
  await page.locator(".ladder svg").first().waitFor();
  expect(await page.locator(".ladder .allowed").count()).toBe(0);
  expect(await page.getByText("Shaded").count()).toBe(0);
  chemistry("LTO");
  await expect.poll(() => told(limit)).not.toContain("Preset");
});

const rungs = (page: Page, ladder: number): Promise<string[]> =>
  page
    .locator(".ladder")
    .nth(ladder)
    .locator("li")
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.replace(/\s+/g, " ").replace(/^Change: /, "")));

it("the protections are a ladder in the order of their values, with today's cells and probes between them", async () => {
  const visit = await served.enter({}, "#/control");
  const { page } = visit;
  await expect
    .poll(() => rungs(page, 0))
    .toEqual([
      "Cell over-voltage protection 3.650 V",
      "Cell over-voltage recovery 3.600 V",
      "Requested charge voltage 3.500 V",
      "Cells now 3.309 to 3.318 V",
      "Cell under-voltage recovery 2.650 V",
      "Cell under-voltage protection 2.600 V",
      "Power-off voltage 2.500 V",
    ]);
  expect((await rungs(page, 1))[2]).toBe("Sensors now 23.8 to 24.1 °C");
  expect((await rungs(page, 3))[2]).toBe("MOSFETs now 31.4 °C");
  await page.getByText("Shaded: what LFP cells allow, 2.500 to 3.650\u202fV.").waitFor();
  expect(await visit.accessibility(["label-content-name-mismatch"])).toEqual([]);
  expect(await visit.overflows()).toEqual([]);
});

it("limits that have not been read are rungs without values, and nothing is drawn", async () => {
  const { page } = await served.open({}, "#/control").then(async (visit) => {
    await visit.page.route("**/web/config", (route) => route.fulfill({ status: 503, body: "{}" }));
    await visit.signIn(served.device.password);
    return visit;
  });
  await page.locator(".ladder button").nth(13).waitFor();
  expect((await rungs(page, 0))[0]).toBe("Cell over-voltage protection –");
  expect(await page.locator(".ladder svg, .ladder .today").count()).toBe(0);
  expect(await page.locator(".ladder button:enabled").count()).toBe(0);
});

it("a limit that is dangerous is changed only when its value is typed once more", async () => {
  const visit = await served.enter({}, "#/control");
  const { page } = visit;
  // What the first changes is in order again with the second, so each has one reason.
  for (const [why, title, value, again, shown] of [
    ["out of order", "Cell over-voltage recovery", "3.65", "3.65", "3.650\u202fV"],
    ["beyond what the cells bear", "Cell over-voltage protection", "3.651", "3.651", "3.651\u202fV"],
    ["charging below 0 °C", "Charge under-temperature recovery", "-0.1", "\u22120,1", "\u22120.1\u202f°C"],
  ] as const)
    await trying(why, async () => {
      await page.getByRole("button", { name: `Change: ${title}` }).click();
      await page.getByLabel("New value").fill(value);
      await page.getByRole("button", { name: "Send to the BMS" }).click();
      const change = page.getByRole("button", { name: "Change it" });
      await change.waitFor();
      expect(await visit.accessibility()).toEqual([]);
      expect(await change.isDisabled()).toBe(true);
      const field = page.getByLabel(/again to change it anyway/);
      await field.fill("1");
      expect(await change.isDisabled()).toBe(true);
      // Enter does not confirm, with the right value either.
      await field.fill(again);
      await page.keyboard.press("Enter");
      expect(posted("/web/parameters")).toEqual([]);
      await change.click();
      await last(page)
        .getByText(new RegExp(`^${title}: ${value.replace("-", "\u2212")}0* .*Confirmed by the BMS`))
        .waitFor();
      await page.getByRole("button", { name: `Change: ${title} ${shown}` }).waitFor();
      served.device.posts.length = 0;
    });
});

it("a limit at the end of what is safe only asks", async () => {
  served.device.config.temperature.chargeUtpr = 5;
  const page = await control();
  for (const [why, title, value] of [
    ["at what the cells bear", "Cell over-voltage protection", "3.65"],
    ["at the other end", "Cell under-voltage protection", "2.501"],
    ["charging at 0 °C", "Charge under-temperature protection", "-0.0"],
  ] as const)
    await trying(why, async () => {
      await page.getByRole("button", { name: `Change: ${title}` }).click();
      await page.getByLabel("New value").fill(value);
      await page.getByRole("button", { name: "Send to the BMS" }).click();
      await expect.poll(() => page.getByRole("button", { name: "Change it" }).isEnabled()).toBe(true);
      expect(await page.getByLabel(/once more/).count()).toBe(0);
      await cancel(page);
    });
});

const row = (page: Page, title: string) =>
  page.locator("li", { has: page.getByRole("heading", { name: title, exact: true }) });
const raise = (code: number, bms: object, pack: Partial<typeof served.device.status.pack> = {}): void => {
  const { status } = served.device;
  served.device.status = { ...status, alarmCode: code, pack: { ...status.pack, ...pack } };
  served.device.bms = { ...served.device.bms, ...bms };
  served.device.touch("status");
};

it("a switch shows what it is set to and what its MOSFET does, with the reason where they differ, in both languages", async () => {
  const known = served.device.bms.switches;
  const visit = await served.enter({}, "#/control");
  const { page } = visit;
  await row(page, "Charging").getByText("Switch: on · MOSFET: on").waitFor();
  await row(page, "Balancing").first().getByText("Switch: on · balancing now: yes").waitFor();
  // Bits 1 and 8: both reasons; bit 11 is no reason not to charge.
  raise(0x902, {}, { chargeMosfet: false, dischargeMosfet: false });
  await row(page, "Charging").getByText("On, blocked by the BMS: MOSFETs too hot, too hot to charge").waitFor();
  await row(page, "Discharging").getByText("On, blocked by the BMS: MOSFETs too hot, cell voltage too low").waitFor();
  expect(await visit.accessibility()).toEqual([]);
  expect(await visit.overflows()).toEqual([]);
  raise(0, {});
  await row(page, "Charging").getByText("On, blocked by the BMS: it gives no reason").waitFor();
  raise(0x10, {}, { dischargeMosfet: true });
  await row(page, "Charging").getByText("On, blocked by the BMS: battery full").waitFor();
  // That is well.
  expect(await row(page, "Charging").locator(".bad").count()).toBe(0);
  raise(0, { switches: { ...served.device.bms.switches, charge_mos: false } }, { chargeMosfet: true });
  await row(page, "Charging").getByText("Off, but the MOSFET is on").waitFor();
  raise(0, { switches: {} }, { chargeMosfet: null, dischargeMosfet: null, balancing: null });
  await row(page, "Charging").getByText("Switch: unknown · MOSFET: unknown").waitFor();
  await row(page, "Balancing").first().getByText("Switch: unknown · balancing now: unknown").waitFor();
  await page.getByRole("button", { name: "Português" }).click();
  raise(0x100, { switches: known }, { chargeMosfet: false });
  await page.getByText("Ligado, bloqueado pelo BMS: quente demais para carregar").waitFor();
  expect(await visit.overflows()).toEqual([]);
});

it("shows what can be read only, a line each with what it does, of the pack that is selected", async () => {
  const others = (page: Page, title: string) => page.locator("details", { hasText: title });
  for (const [language, title, delay, what] of [
    ["en", "All other settings", "Discharge current too high: delay", "How long a higher current may flow."],
    ["pt", "Todas as outras configurações", "Corrente de descarga alta: atraso", "Por quanto tempo uma corrente maior"],
  ] as const)
    await trying(language, async () => {
      const { page } = await served.enter({ language }, "#/control");
      await page.locator("summary", { hasText: title }).click();
      const row = others(page, title).locator("li", { hasText: delay });
      await expect.poll(() => row.innerText()).toMatch(/300\u202fs/);
      expect(await row.innerText()).toContain(what);
      const card = others(page, title);
      expect(await card.locator("li").count()).toBe(28);
      expect(
        await card.locator("li", { hasText: /^(Highest discharge|Maior corrente de descarga)/i }).innerText(),
      ).toMatch(/100[.,]0\u202fA/);
      expect(await card.locator("dt").count()).toBe(14);
      const shown = await card.innerText();
      expect(shown).toMatch(/(MOSFETs too hot|MOSFETs quentes demais)/);
      expect(shown).toMatch(/(Buzzer: from|Campainha: a partir de)[^]*100\u202f°C/);
      expect(shown).toMatch(/(Dry contact 1: from|Contato seco 1: a partir de)[^]*20\u202f%/);
      // Of an alarm there is no value.
      expect(shown).toMatch(/Dry contact 2[^:]*any alarm|Contato seco 2[^:]*qualquer alarme/);
      expect(shown).not.toMatch(/Dry contact 2:|Contato seco 2:/);
      expect(shown).toMatch(/1[.,]0\u202fh/);
      // Before firmware 19 it has none.
      expect(await card.innerText()).not.toMatch(/Too cold|Frio demais/);
      expect(
        await card
          .locator("dt", { hasText: /Float|flutuação/ })
          .locator("+ dd")
          .innerText(),
      ).toMatch(/^(On|Ligad[ao])$/i);
    });
});

it("has nothing to show of a BMS that is silent, and shows it once the BMS answers", async () => {
  const { bms, queue, status } = served.device;
  served.device.status = { ...status, online: false };
  served.device.queue = { ...queue, bmsOnline: false };
  const page = await control();
  await page.locator("summary", { hasText: "All other settings" }).click();
  const card = page.locator("details", { hasText: "All other settings" });
  await card.getByText(/^Failed: /).waitFor();
  expect(await card.locator("li, dt").count()).toBe(0);
  Object.assign(served.device, { bms, queue, status });
  await card.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => card.locator("li").count()).toBe(28);
});

it("lists what has changed since it was right: put back, or right as it is, in both languages", async () => {
  const differences = [
    { setting: "cell_ovp_voltage", reference: "3.65", value: "3.7", unit: "V" },
    { setting: "rcvTime", reference: "1", value: "2.5", unit: "h" },
    { setting: "smartSleep", reference: "off", value: "on", unit: "" },
  ];
  for (const [language, title, name, back, right, all, rows] of [
    [
      "en",
      "Changed since it was right",
      "Cell over-voltage protection",
      "Put back",
      "This is right",
      "All is right as it is (1)",
      ["3.650\u202fV → 3.700\u202fV", "1\u202fh → 2.5\u202fh", "off → on"],
    ],
    [
      "pt",
      "Alterado desde que estava certo",
      "Proteção de sobretensão de célula",
      "Voltar",
      "Está certo",
      "Está tudo certo assim (1)",
      ["3,650\u202fV → 3,700\u202fV", "1\u202fh → 2,5\u202fh", "desligado → ligado"],
    ],
  ] as const)
    await trying(language, async () => {
      served.device.posts.length = 0;
      served.device.reference = { ...served.device.reference, count: differences.length, differences };
      const visit = await served.enter({ language }, "#/control");
      const { page } = visit;
      const card = page.locator("section", { has: page.getByRole("heading", { name: title }) });
      await card.waitFor();
      const lines = async (): Promise<string[]> =>
        (await card.locator("li p").allInnerTexts()).map((text) => text.replace(/ (V|h)/g, "\u202f$1"));
      expect(await lines()).toEqual(rows);
      // What can be read only cannot be put back.
      expect(await card.getByRole("button", { name: back }).count()).toBe(1);
      await card.getByRole("button", { name: `${back}: ` }).click();
      await page.getByRole("dialog").getByRole("button", { name: back }).click();
      await expect.poll(() => posted("/web/parameters")).toEqual([{ setting: "cell_ovp_voltage", value: "3.65" }]);
      await card.getByRole("button", { name: right }).nth(1).click();
      await expect.poll(lines).toEqual([rows[0], rows[2]]);
      await card.getByRole("button", { name: right }).nth(0).click();
      await expect.poll(lines).toEqual([rows[2]]);
      expect(name).not.toBe("");
      await card.getByRole("button", { name: all }).click();
      await card.waitFor({ state: "detached" });
      expect(await visit.overflows()).toEqual([]);
    });
});
