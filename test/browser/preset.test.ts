import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { DESKTOP, NARROW_PHONE, PHONE, type Language, type Visit } from "../support/web/browser.ts";
import { serve, trying } from "./served.ts";

const served = serve();

/** Names of the parameters written, in their order. */
const written = (): string[] =>
  served.device.posts
    .filter(([path]) => path === "/web/parameters")
    .map(([, body]) => (body as { setting: string }).setting);

const OPEN = { en: "Preset for LFP …", pt: "Predefinição para LFP …" };

async function open(language: Language = "en", view?: typeof PHONE): Promise<Visit> {
  const visit = await served.enter({ language, ...(view && { view }) }, "#/control");
  await visit.page.getByRole("button", { name: OPEN[language] }).click();
  await visit.page.getByRole("dialog").waitFor();
  return visit;
}

const dialog = (page: Page) => page.getByRole("dialog");
const lines = async (page: Page): Promise<string[]> =>
  (await dialog(page).locator("tbody tr").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());

describe("a preset", () => {
  it("shows what differs, old beside new, and writes it only when it is confirmed", async () => {
    const visit = await open();
    const { page } = visit;
    await expect
      .poll(() => lines(page))
      .toEqual([
        "Cell under-voltage protection 2.600 V 2.580 V",
        "Cell under-voltage recovery 2.650 V 2.620 V",
        "Cell over-voltage recovery 3.600 V 3.580 V",
        "Requested charge voltage 3.500 V 3.600 V",
        "MOSFET over-temperature recovery 80.0 °C 70.0 °C",
        "MOSFET over-temperature protection 90.0 °C 80.0 °C",
      ]);
    expect(await visit.accessibility()).toEqual([]);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Cancel");
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(written()).toEqual([]);
  });

  it("is written one limit after another, each with its outcome, and nothing is left then", async () => {
    const visit = await open();
    const { page } = visit;
    const planned = (await lines(page)).length;
    await page.getByRole("button", { name: "Change all" }).click();
    await dialog(page).getByText("A change is in progress").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Stop");
    await dialog(page).getByText("All changed: 6 of 6.").waitFor();
    expect(await dialog(page).getByText("Confirmed by the BMS.").count()).toBe(planned);
    expect(await visit.accessibility()).toEqual([]);
    expect(served.device.config.protections).toMatchObject({
      cellUvpVoltage: 2.58,
      cellOvprVoltage: 3.58,
      cellRcvVoltage: 3.6,
    });
    expect(written()).toHaveLength(planned);
    expect(served.device.mostOpen).toBeLessThanOrEqual(2);
    await page.getByRole("button", { name: "Close" }).click();
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: OPEN.en }).click();
        const text = await dialog(page).innerText();
        await page.keyboard.press("Escape");
        return text;
      })
      .toContain("already those of the preset for LFP");
    expect(await dialog(page).count()).toBe(0);
  });

  it("stops at the first refusal, and says what was changed and what was not", async () => {
    const { page } = await open();
    served.device.writeTime = 1;
    served.device.refuse = (name) => name === "cell_ovpr_voltage";
    await page.getByRole("button", { name: "Change all" }).click();
    await dialog(page).getByText("Stopped: 2 of 6 changed. The limits are still in a valid order.").waitFor();
    expect((await lines(page)).filter((_, index) => index % 2)).toEqual([
      "Confirmed by the BMS.",
      "Confirmed by the BMS.",
      expect.stringContaining("The BMS rejected it (exception 4"),
      "Not changed.",
      "Not changed.",
      "Not changed.",
    ]);
    expect(written()).toHaveLength(3);
    // What is left is offered again.
    served.device.refuse = () => false;
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: OPEN.en }).click();
    await page.getByRole("button", { name: "Change all" }).click();
    await dialog(page).getByText("All changed: 4 of 4.").waitFor();
  });

  it("stops when another client's write is pending", async () => {
    const { page } = await open();
    served.device.writeTime = Infinity;
    served.device.beginWrite({ setting: "capacity_ah", value: "281" });
    await page.getByRole("button", { name: "Change all" }).click();
    await dialog(page).getByText("Stopped: 0 of 6 changed").waitFor();
    expect((await lines(page)).slice(2)).not.toContain("Confirmed by the BMS.");
    expect(written()).toHaveLength(1);
  });

  it("stops when a limit was changed elsewhere since it was opened", async () => {
    const { page } = await open();
    const heard = page.waitForResponse("**/web/config");
    served.device.config.protections.cellRcvVoltage = 3.55;
    served.device.touch("config");
    await heard;
    await page.getByRole("button", { name: "Change all" }).click();
    await dialog(page).getByText("Not changed: a limit was changed elsewhere meanwhile.").waitFor();
    expect(written()).toEqual([]);
  });

  it("ends after the write under way with Stop, Escape and another screen", async () => {
    const config = structuredClone(served.device.config);
    const { page } = await open();
    served.device.writeTime = Infinity;
    for (const way of ["Stop", "Escape", "another screen"])
      await trying(way, async () => {
        await page.getByRole("button", { name: "Change all" }).click();
        await expect.poll(written).toHaveLength(1);
        if (way === "Stop") await page.getByRole("button", { name: "Stop" }).click();
        else if (way === "Escape") await page.keyboard.press("Escape");
        else {
          await page.evaluate('location.hash = "#/battery"');
          await page.locator("nav a[href='#/battery'][aria-current=page]").waitFor();
        }
        served.device.endWrites();
        expect(served.device.queue.last?.name).toBe("cell_uvp_voltage");
        if (way === "another screen") {
          expect(await dialog(page).count()).toBe(0);
          await page.evaluate('location.hash = "#/control"');
          await page.locator(".outcome", { hasText: "Confirmed by the BMS." }).waitFor();
          expect(written()).toHaveLength(1);
          return;
        }
        await dialog(page).getByText("Stopped: 1 of 6 changed").waitFor();
        expect(written()).toHaveLength(1);
        await page.getByRole("button", { name: "Close" }).click();
        await dialog(page).waitFor({ state: "detached" });
        // As before it.
        await page.getByRole("button", { name: "Change: Cell under-voltage protection 2.580" }).waitFor();
        served.device.config = structuredClone(config);
        served.device.touch("config");
        await page.getByRole("button", { name: "Change: Cell under-voltage protection 2.600" }).waitFor();
        served.device.posts.length = 0;
        served.device.queue = { ...served.device.queue, last: null };
        await page.getByRole("button", { name: OPEN.en }).click();
        await dialog(page).waitFor();
      });
  });

  it("a page that is reloaded in the middle leaves limits in order, and offers the rest", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Change all" }).click();
    await expect.poll(written).toHaveLength(2);
    await page.reload();
    await expect.poll(() => served.device.queue.pending).toBe(false);
    const begun = written().length;
    served.device.writeTime = 1;
    await page.getByRole("button", { name: OPEN.en }).click();
    await page.getByRole("button", { name: "Change all" }).click();
    await dialog(page)
      .getByText(`All changed: ${6 - begun} of ${6 - begun}.`)
      .waitFor();
  });
});

it("only the preset of the pack's chemistry is offered; of an unknown one its name has to be typed", async () => {
  const { page } = await served.enter({}, "#/control");
  const buttons = page.getByRole("button", { name: "Preset for" });
  await expect.poll(() => buttons.allInnerTexts()).toEqual([OPEN.en]);
  const chemistry = (batteryType: string): void => {
    served.device.status = { ...served.device.status, batteryType };
    served.device.touch("status");
  };
  chemistry("LTO");
  await page.getByText("There is no preset for LTO").waitFor();
  expect(await buttons.count()).toBe(0);
  chemistry("");
  await expect.poll(() => buttons.count()).toBe(2);
  await page.getByRole("button", { name: "Preset for NMC …" }).click();
  const change = page.getByRole("button", { name: "Change all" });
  expect(await change.isDisabled()).toBe(true);
  const field = page.getByLabel("Type NMC if these are NMC cells");
  await field.fill("LFP");
  expect(await change.isDisabled()).toBe(true);
  await field.fill("nmc ");
  await page.keyboard.press("Enter");
  expect(written()).toEqual([]);
  served.device.writeTime = 1;
  await change.click();
  await dialog(page).getByText("All changed: 8 of 8.").waitFor();
  expect(written().slice(0, 3)).toEqual(["cell_uvpr_voltage", "cell_uvp_voltage", "cell_ovp_voltage"]);
});

it("says that the BMS would switch off only if a cell is at a new limit", async () => {
  const { cellsSummary } = served.device.status;
  const { page } = await served.enter({}, "#/control");
  for (const [minVoltage, maxVoltage, told] of [
    [2.58, 3.3, true],
    [2.581, 3.3, false],
  ] as const)
    await trying(`from ${minVoltage} V to ${maxVoltage} V`, async () => {
      served.device.status = { ...served.device.status, cellsSummary: { ...cellsSummary, minVoltage, maxVoltage } };
      served.device.touch("status");
      await page.locator(".ladder li", { hasText: `${minVoltage.toFixed(3)} to ${maxVoltage.toFixed(3)}` }).waitFor();
      await page.getByRole("button", { name: OPEN.en }).click();
      await dialog(page).waitFor();
      expect(await dialog(page).getByText("would switch off at once").count()).toBe(told ? 1 : 0);
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
    });
});

it("nothing is offered while the limits are not known", async () => {
  served.device.config.loaded = false;
  served.device.queue = { ...served.device.queue, configurationLoaded: false };
  const { page } = await served.enter({}, "#/control");
  await expect.poll(() => page.getByRole("button", { name: OPEN.en }).isDisabled()).toBe(true);
});

it("by keyboard alone, in both languages and any window", async () => {
  served.device.writeTime = 1;
  const { config } = structuredClone({ config: served.device.config });
  const visit = await served.enter({ view: DESKTOP }, "#/control");
  const { page } = visit;
  for (const [language, view] of [
    ["en", DESKTOP],
    ["pt", PHONE],
    ["pt", NARROW_PHONE],
  ] as const)
    await trying(`${language}, ${view.width} px`, async () => {
      await page.setViewportSize(view);
      const other = page.getByRole("button", { name: "Português" });
      if (language === "pt" && (await other.count())) await other.click();
      // What the one before has written is to be written again.
      served.device.config = structuredClone(config);
      served.device.touch("config");
      await page
        .locator(".ladder button", { hasText: language === "pt" ? "3,500" : "3.500" })
        .first()
        .waitFor();
      const button = page.getByRole("button", { name: OPEN[language] });
      // Until the limits are known it takes no focus.
      await expect.poll(() => button.isEnabled()).toBe(true);
      await button.focus();
      await page.keyboard.press("Enter");
      await dialog(page).waitFor();
      const overflow = await dialog(page).evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(overflow).toBe(0);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await dialog(page)
        .getByText(language === "pt" ? "Todos alterados: 6 de 6." : "All changed: 6 of 6.")
        .waitFor();
      expect(await visit.accessibility()).toEqual([]);
      await page.keyboard.press("Enter");
      await expect.poll(() => dialog(page).count()).toBe(0);
      expect(await page.evaluate("document.activeElement.textContent")).toBe(OPEN[language]);
    });
});
