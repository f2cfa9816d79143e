/** The question before a dangerous setting knows the battery. */
import { expect, it } from "vitest";
import { CONTROL_TEXTS } from "../../../web/texts/later/control.ts";
import { en } from "../../../web/texts/en";
import { pt } from "../../../web/texts/pt";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { PASSWORD, serve } from "./served";

const EN = DEVICE_TEXTS.en;

const served = serve();
const TEXTS = { en, pt };
const UNUSUAL = "The usual limit of LFP cells is";

it("the question names the chemistry's usual limit, plating, and a capacity or cell count far from today's; there is one switch for balancing, and the relay's units fit its source", async () => {
  const system = await served.start({ bms: { evolving: false } });
  const visit = await served.enter(system, {}, "#/control");
  const { page } = visit;
  await page.getByRole("switch", { name: en.commands.charge_mos.title, exact: true }).waitFor();
  expect(await page.getByRole("switch", { name: en.commands.balance.title, exact: true }).count()).toBe(1);
  const ask = async (title: string, value: string): Promise<string> => {
    await page.getByRole("button", { name: CONTROL_TEXTS.en.control.changeOf(title) }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(CONTROL_TEXTS.en.control.newValue).fill(value);
    await dialog.getByRole("button", { name: CONTROL_TEXTS.en.control.send }).click();
    await dialog.getByText(CONTROL_TEXTS.en.control.sure).waitFor();
    const text = await dialog.innerText();
    await dialog.getByRole("button", { name: en.common.cancel }).click();
    return text.replace(/\s/g, " ");
  };
  const { parameters } = en;
  const high = parameters.cell_ovp_voltage.title;
  expect(await ask(high, "3.66")).toContain(`${UNUSUAL} 3.650 V`);
  expect(await ask(high, "3.65")).not.toContain(UNUSUAL);
  expect(await ask(parameters.cell_rcv_voltage.title, "3.7")).toContain(UNUSUAL);
  expect(await ask(parameters.cell_uvp_voltage.title, "2.49")).toContain(`${UNUSUAL} 2.500 V`);
  expect(await ask(parameters.cell_uvp_voltage.title, "2.5")).not.toContain(UNUSUAL);
  const cold = parameters.charge_utp.title;
  expect(await ask(cold, "-1")).toContain("plates lithium");
  expect(await ask(cold, "0")).not.toContain("plates lithium");
  const present = system.bms.registers.read("CapBatCell") / 1_000;
  const capacity = parameters.capacity_ah.title;
  expect(await ask(capacity, String(present * 1.3))).toContain(CONTROL_TEXTS.en.control.capacity_ah);
  expect(await ask(capacity, String(present * 0.7))).toContain(CONTROL_TEXTS.en.control.capacity_ah);
  const count = system.bms.registers.read("CellCount");
  expect(await ask(parameters.cell_count.title, String(count - 1))).toContain(
    `${CONTROL_TEXTS.en.control.cell_count} ${en.battery.cellCount}: ${count}.`,
  );

  // Near today's capacity nothing is asked.
  await page.getByRole("button", { name: CONTROL_TEXTS.en.control.changeOf(capacity), exact: true }).click();
  await page.getByLabel(CONTROL_TEXTS.en.control.newValue).fill(String(present * 1.1));
  await page.getByRole("button", { name: CONTROL_TEXTS.en.control.send }).click();
  await page.locator(".last").getByText("Confirmed by the BMS.").waitFor();

  await visit.go("relay");
  await page.click(`summary:has-text("${EN.relay.settings}")`);
  for (const [source, unit] of [
    ["soc", "%"],
    ["voltage", "V"],
  ] as const) {
    await page.getByLabel(en.fields["relay.source"]).selectOption(source);
    const units = page.locator(".field", { hasText: /^O(n|ff) at/ }).locator(".unit");
    await expect.poll(() => units.allInnerTexts(), { message: source }).toEqual([unit, unit]);
  }
});

it("marks every cell that ties with the lowest or the highest, and none if these tie", async () => {
  const system = await served.start({ bms: { evolving: false } });
  const visit = await served.enter(system, { steered: true });
  const { page } = visit;
  await visit.openCells();
  const set = (voltages: readonly number[]): void => {
    const count = system.bms.registers.read("CellCount");
    for (let cell = 0; cell < count; cell++)
      system.bms.registers.write("CellVol", voltages[cell] ?? voltages.at(-1) ?? 0, cell);
  };
  const marked = (kind: string): Promise<string[]> => page.locator(`.cells .${kind} small`).allInnerTexts();
  /** Some seconds pass on the page until it looks at the status again. */
  const both = async (): Promise<string[][]> => {
    await page.clock.runFor(1_000);
    return [await marked("low"), await marked("high")];
  };
  set([3_300, 3_302, 3_303, 3_350, 3_348, 3_347, 3_320]);
  await expect.poll(both).toEqual([
    ["1", "2"],
    ["4", "5"],
  ]);
  set([3_300, 3_302, 3_301]);
  await expect.poll(both).toEqual([[], []]);
});

it("leaves most of a low window, as at 200 % zoom, to the content", async () => {
  const system = await served.start({ bms: { evolving: false } });
  const visit = await served.enter(system, { view: { width: 640, height: 400 } }, "#/control");
  const { page } = visit;
  await page.getByRole("switch").first().waitFor();
  system.bms.faults.add({ kind: "no-answer" });
  await system.untilOffline();
  await page.locator(".banner").getByText(en.battery.offline).waitFor();
  await page.evaluate("scrollTo(0, 900)");
  const free = await page.evaluate<number>(`(() => {
    const covers = (y) => Boolean(document.elementFromPoint(100, y)?.closest("nav, .last, .banner"));
    return Array.from({ length: innerHeight }, (_, y) => covers(y)).filter((covered) => !covered).length;
  })()`);
  expect(free).toBeGreaterThan(300);
});

it("every button's name begins with what it shows, in Portuguese and with switches of unknown state too", async () => {
  const system = await served.start({ bms: { evolving: false } });
  const visit = await served.open(system, { language: "pt" }, "#/control");
  const { page } = visit;
  await page.route("**/web/status", async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as { bms?: { switches?: object } };
    if (document.bms) document.bms.switches = {};
    await route.fulfill({ response, json: document });
  });
  await visit.signIn(PASSWORD);
  for (const language of ["pt", "en"] as const) {
    if (language === "en") await page.getByRole("button", { name: "English", exact: true }).click();
    await page.locator(`html[lang=${language}]`).waitFor();
    await page.getByRole("heading", { level: 1, name: TEXTS[language].app.control }).waitFor();
    await page.locator(".pair button").first().waitFor();
    expect(await visit.accessibility(["label-content-name-mismatch"]), language).toEqual([]);
  }
});
