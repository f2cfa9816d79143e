/** The limits of a pack as a file: saved, compared, and given back. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { NARROW_PHONE, PHONE, type Language } from "../support/web/browser.ts";
import { inTurn } from "../support/property.ts";
import { limitsOf } from "../../web/limits-file.ts";
import { serve, trying } from "./served.ts";

const served = serve();

/** Three packs in parallel, all well. */
function threePacks(): void {
  const { device } = served;
  device.bms = { ...device.bms, packs: 3 } as typeof device.bms;
  const sums = { soc: 61, voltage: 52.8, current: -36, power: -1_900, capacityAh: 840, remainingCapacityAh: 512 };
  device.packs = {
    bank: { packs: 3, online: 3, complete: true, well: true, concerns: [], ...sums },
    packs: [1, 2, 3].map((address) => ({
      ...{ address, name: `P${address}`, online: true, swapped: false, shared: false, serialNumber: `S${address}` },
      ...{ ageSeconds: 0, soc: 61, voltage: 52.8, current: -12, power: -633, alarmCode: 0, delta: 0.012 },
      concerns: [] as string[],
    })),
  };
  device.packStatus = Object.fromEntries(
    [1, 2, 3].map((address) => [address, { data: device.status, bms: device.bms }]),
  );
}

const SAVE = { en: "Save the limits as a file", pt: "Salvar os limites em um arquivo" };
const COMPARE = { en: "Compare with the limits of a file", pt: "Comparar com os limites de um arquivo" };
const dialog = (page: Page) => page.getByRole("dialog");
const written = (): string[] =>
  served.device.posts
    .filter(([path]) => path.endsWith("/parameters"))
    .map(([, body]) => (body as { setting: string }).setting);

type File = ReturnType<typeof limitsOf>;
let file: File;
beforeEach(() => {
  file = limitsOf(served.device.status, served.device.config);
});

const choose = (page: Page, content: object | string, language: Language = "en"): Promise<void> =>
  page
    .getByLabel(COMPARE[language])
    // A browser gives a file to a disabled field too, and the page, which does not know its pack yet, ignores it.
    .and(page.locator(":enabled"))
    .setInputFiles({
      ...{ name: "limits.json", mimeType: "application/json" },
      buffer: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
    });
const changed = (limits: object): File => ({ ...file, limits: { ...file.limits, ...limits } });

const LOOKS = [
  ["en", NARROW_PHONE],
  ["pt", PHONE],
] as const;
it.each(inTurn(LOOKS, 0))(
  "saved, compared with itself, and with what was changed since: %s",
  async (language, view) => {
    const visit = await served.enter({ view, language }, "#/control");
    const { page } = visit;
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: SAVE[language] }).click();
    const saved = readFileSync(await (await download).path(), "utf8");
    expect((await download).suggestedFilename()).toMatch(/^limit[es]{1,2}.*-\d{4}-\d\d-\d\d\.json$/);
    expect(JSON.parse(saved)).toEqual(file);
    await choose(page, saved, language);
    await dialog(page)
      .getByText({ en: "All limits are the same.", pt: "Todos os limites são iguais." }[language])
      .waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog(page).count()).toBe(0);
    await choose(page, changed({ cell_ovp_voltage: 3.61, charge_otp: 58 }), language);
    await expect.poll(() => dialog(page).locator("tbody tr").count()).toBe(2);
    expect(await dialog(page).getByRole("heading").first().innerText()).toContain(file.serialNumber!);
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    expect(written()).toEqual([]);
    expect(visit.defects).toEqual([]);
  },
);

it("given back one confirmed write after another, by keyboard, and no further than the first that is not", async () => {
  const { page } = await served.enter({ view: PHONE }, "#/control");
  const wanted = { balance_enabled: 0, cell_ovp_voltage: 3.61, charge_otp: 55, charge_otpr: 50 };
  served.device.refuse = (name) => name === "charge_otpr";
  await choose(page, changed(wanted));
  await dialog(page).waitFor();
  await dialog(page).getByRole("button", { name: "Change all" }).focus();
  await page.keyboard.press("Enter");
  await dialog(page).getByText("Stopped: 2 of 4 changed.").waitFor();
  expect(written()).toEqual(["balance_enabled", "cell_ovp_voltage", "charge_otpr"]);
  await page.keyboard.press("Escape");
  served.device.refuse = () => false;
  await choose(page, changed(wanted));
  await dialog(page).getByRole("button", { name: "Change all" }).click();
  await dialog(page).getByText("All changed: 2 of 2.").waitFor();
  expect(limitsOf(served.device.status, served.device.config).limits).toEqual({ ...file.limits, ...wanted });
});

it("refused for other cells, for what a BMS does not take, and for limits out of order, before anything is sent", async () => {
  const { page } = await served.enter({ view: PHONE }, "#/control");
  const cases: readonly (readonly [object | string, string])[] = [
    [{ ...file, cellCount: 15 }, "These limits are for 15 cells of type LiFePO4; this pack has others."],
    [
      { ...file, batteryType: "LTO" },
      `These limits are for ${file.cellCount} cells of type LTO; this pack has others.`,
    ],
    [changed({ cell_ovp_voltage: 9 }), "This file has no limits that this BMS can take."],
    [changed({ cell_ovp_voltage: 3, cell_ovpr_voltage: 3.2 }), "This file has no limits that this BMS can take."],
    ["nothing", "This file has no limits that this BMS can take."],
  ];
  for (const [content, text] of cases)
    await trying(text, async () => {
      await choose(page, content);
      await page.getByText(text).waitFor();
      expect(await dialog(page).count()).toBe(0);
    });
  expect(written()).toEqual([]);
});

describe("of several packs", () => {
  it.each([
    ["control", 1, "/web/parameters"],
    ["control/1", 1, "/web/packs/1/parameters"],
    ["control/2", 2, "/web/packs/2/parameters"],
    ["control/3", 3, "/web/packs/3/parameters"],
  ])("at #/%s pack %i is compared with each of the others, and gets what one of them has", async (at, own, path) => {
    const { device } = served;
    threePacks();
    const other = own === 3 ? 1 : own + 1;
    const { protections } = device.config;
    device.packConfig = { [other]: { ...device.config, protections: { ...protections, cellOvpVoltage: 3.62 } } };
    const { page } = await served.enter({ view: PHONE }, `#/${at}`);
    const choice = page.getByLabel("Compare with the limits of", { exact: true });
    await expect
      .poll(() => choice.locator("option").allInnerTexts())
      .toEqual([1, 2, 3].filter((one) => one !== own).map((one) => `P${one}`));
    await choice.selectOption(`P${other}`);
    await page.getByRole("button", { name: "Compare …", exact: true }).click();
    await dialog(page).getByText("3.620 V").waitFor();
    expect(await dialog(page).innerText()).toContain(`P${own}`);
    await dialog(page).getByRole("button", { name: "Change all" }).click();
    await dialog(page).getByText("All changed: 1 of 1.").waitFor();
    expect(device.posts.map(([to]) => to)).toContain(path);
  });
});

it("what can be read only is that of the selected pack, and stays open from pack to pack", async () => {
  const { device } = served;
  threePacks();
  const cold = { deviceAddress: 3, dischargeUtp: -10, dischargeUtpr: -5 };
  device.packSetup = { 3: { ...device.setup, ...cold }, 2: { ...device.setup, deviceAddress: 2 } };
  const { page } = await served.enter({ view: PHONE }, "#/control/3");
  await page.locator("summary", { hasText: "All other settings" }).click();
  const address = page.locator("li", { has: page.getByRole("heading", { name: "Address", exact: true }) });
  await expect.poll(() => address.innerText()).toMatch(/3$/);
  expect(await page.locator("li", { hasText: "Too cold to discharge" }).first().innerText()).toMatch(/[−-]10\u202f°C/);
  for (const pack of [1, 2]) {
    await page.goto(`${device.url}/#/control/${pack}`);
    await expect.poll(() => address.innerText()).toMatch(new RegExp(`${pack}$`));
    expect(await page.locator("li", { hasText: "Too cold to discharge" }).count()).toBe(0);
  }
});

describe.each([1, 2, 3])("pack %i of three, of another voltage", (address) => {
  const charging = (page: Page) => page.getByRole("switch", { name: "Charging", exact: true });
  const posted = (): unknown[] =>
    served.device.posts.filter(([to]) => to.endsWith("/commands")).map(([, body]) => body);

  async function open(above: number | null): Promise<Page> {
    const { device } = served;
    threePacks();
    device.above = above;
    device.bms = { ...device.bms, switches: { ...device.bms.switches, charge_mos: false } };
    device.packStatus = { [address]: { data: device.status, bms: device.bms } };
    const { page } = await served.enter({ view: PHONE }, `#/control/${address}`);
    await charging(page).click();
    return page;
  }

  it("is connected to the others after a question, with how far it is off", async () => {
    const page = await open(-1.9);
    for (const text of [`P${address}`, "1.9 V below that of the connected packs", "a large current may flow"])
      await dialog(page).getByText(text).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await dialog(page).waitFor({ state: "detached" });
    expect(posted()).toEqual([{ command: "charge_mos", state: true }]);
    await charging(page).click();
    await page.getByRole("button", { name: "Switch on: Charging" }).click();
    await expect.poll(() => charging(page).getAttribute("aria-checked")).toBe("true");
    expect(posted().at(-1)).toEqual({ command: "charge_mos", state: true, force: true });
    expect(await dialog(page).count()).toBe(0);
  });

  it("is switched on where that is not known, and it is said", async () => {
    const page = await open(null);
    await page.getByText("Its voltage could not be compared with that of the other packs.").waitFor();
    await expect.poll(() => charging(page).getAttribute("aria-checked")).toBe("true");
    expect(posted()).toHaveLength(1);
  });
});
