import { expect, it } from "vitest";
import { ABOUT_TEXTS } from "../../web/texts/later/about.ts";
import { SPREAD_WORTH_A_LOOK } from "../../src/catalogue/limits.ts";
import { DESKTOP, NARROW_PHONE, PHONE } from "../support/web/browser.ts";
import { serve, trying } from "./served.ts";

const served = serve();

it.each(["en", "pt"] as const)("the page loads in four files (%s)", async (language) => {
  const visit = await served.open({ language });
  await visit.page.locator("input[autocomplete=current-password]").waitFor();
  const files = served.device.requests.filter((request) => !request.includes("/web/"));
  expect(files).toEqual(["GET /", "GET /app.css", "GET /app.js", `GET /${language}.js`]);
});

it("language and colour scheme can be switched and are kept", async () => {
  const visit = await served.enter();
  await visit.page.getByRole("button", { name: "Português" }).click();
  await visit.page.getByRole("button", { name: "Cores escuras" }).click();
  await visit.page.reload();
  await visit.page.getByRole("heading", { name: "Bateria", exact: true }).waitFor();
  expect(await visit.page.locator("html").getAttribute("data-theme")).toBe("dark");
});

it("describes the battery in words; the scale of its cells is drawn as a part of that of the protections, unless they are unknown", async () => {
  const visit = await served.enter();
  const { page } = visit;
  await visit.openCells();
  const text = await page.locator("main").innerText();
  for (const words of ["74", "Discharging", "1,240", "207.2 of 280.0", "9\u202fmV", "98\u202f%", "112"])
    expect(text).toContain(words);
  expect(await page.locator(".cells button").count()).toBe(16);
  expect(await page.getByRole("button", { name: /^Cell 12 3\.318 V\s*, Balancing$/ }).count()).toBe(1);
  await page.getByRole("list", { name: /^Cells: 3\.309 to 3\.318.V, spread 9.mV$/ }).waitFor();
  await page
    .getByRole("img", {
      name: /^3\.300.V to 3\.325.V, Under-voltage protection 2\.600.V, Over-voltage protection 3\.650.V$/,
    })
    .waitFor();
  const ends = page.locator(".band p span");
  expect(await ends.allInnerTexts()).toEqual([
    "Under-voltage protection 2.600\u202fV",
    "Over-voltage protection 3.650\u202fV",
  ]);
  const drawn = page.locator(".band figcaption");
  expect(await drawn.innerText()).toBe("3.300\u202fV to 3.325\u202fV");
  // The part that is drawn, as wide as it is of the whole.
  const [, left, right] =
    /^M([\d.]+) 0\.5H([\d.]+)$/.exec((await page.locator(".band path").getAttribute("d")) ?? "") ?? [];
  expect([Number(left), Number(right)]).toEqual([
    expect.closeTo((100 * (3.3 - 2.6)) / 1.05),
    expect.closeTo((100 * (3.325 - 2.6)) / 1.05),
  ]);
  const topOf = (index: number) =>
    page
      .locator(".cells rect")
      .nth(index)
      .getAttribute("y")
      .then((y) => Number(y));
  // 3.312 V of 3.3 to 3.325 V.
  expect(await topOf(0)).toBeCloseTo((100 * (3.325 - 3.312)) / 0.025);
  await page.route("**/web/config", (route) => route.fulfill({ status: 503, body: "{}" }));
  await page.reload();
  await drawn.waitFor();
  expect(await page.locator(".band svg, .band p").count()).toBe(0);
});

it("shows what not every pack tells of one that does, and nothing of one that does not", async () => {
  const { page } = await served.enter();
  const about = page.locator(".card", { hasText: ABOUT_TEXTS.en.about });
  const words = [
    ABOUT_TEXTS.en.maxCharge,
    ABOUT_TEXTS.en.maxDischarge,
    ABOUT_TEXTS.en.precharging,
    ABOUT_TEXTS.en.charger,
    ...["UART1", "UART2", "CAN"].map((port) => ABOUT_TEXTS.en.protocol(port)),
  ];
  const rows = async (): Promise<string[]> =>
    (await about.locator(".facts > div").allInnerTexts())
      .map((text) => text.replace(/\s+/g, " "))
      .filter((text) => words.some((word) => text.startsWith(word)));
  await expect
    .poll(rows)
    .toEqual([
      "Charge current limit 100.0 A",
      "Discharge current limit 200.0 A",
      "Protocol of UART1 001",
      "Protocol of UART2 001",
      "Protocol of CAN 000",
    ]);
  const { info, pack } = served.device.status;
  Object.assign(pack, { precharging: true, chargerPlugged: true });
  served.device.touch();
  await expect
    .poll(async () => (await rows()).filter((row) => row.endsWith("yes")))
    .toEqual(["Pre-charging yes", "Charger plugged in yes"]);
  Object.assign(info, { uart1Protocol: null, uart2Protocol: null, canProtocol: null });
  Object.assign(pack, { maxChargeCurrent: null, maxDischargeCurrent: null, precharging: null, chargerPlugged: null });
  served.device.touch();
  await expect.poll(rows).toEqual([]);
  expect(await about.locator(".facts > div").count()).toBe(10);
});

it("an alarm shows its name and what to do", async () => {
  served.device.status = { ...served.device.status, alarmCode: (1 << 11) | (1 << 4) };
  const { page } = await served.enter();
  const alarms = page.locator(".alarms li");
  await expect.poll(() => alarms.count()).toBe(2);
  const first = await alarms.first().innerText();
  expect(first).toContain("Cell voltage too low");
  expect(first).toContain("Switch off the loads");
  expect(await alarms.last().innerText()).toContain("Battery full");
});

it("stale values look stale and show their age", async () => {
  served.device.status = { ...served.device.status, online: false };
  served.device.bms.age = 90;
  const { page } = await served.enter();
  await page.getByText("The BMS is not responding.").waitFor();
  await page.locator(".concerns.old .sentence").waitFor();
  await page.getByText(/Last seen 1.min ago/).waitFor();
  expect(await page.locator(".cards.stale").count()).toBe(1);
});

it("tells a BMS that never answered from one that was lost", async () => {
  served.device.status = { ...served.device.status, online: false, cells: [] };
  Object.assign(served.device.bms, { age: null, noReply: "silence" });
  const { page } = await served.enter();
  await page.getByText("No data arrives. Check cable").first().waitFor();
  expect(await page.getByText("Last known").count()).toBe(0);
});

it("works with the keyboard alone", async () => {
  const { page } = await served.enter();
  await page.locator('nav a[href="#/control"]').focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Control" }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
  const change = page.getByRole("button", { name: "Change: Cell over-voltage protection" });
  // Until the settings have been read it takes no focus.
  await expect.poll(() => change.isEnabled()).toBe(true);
  await change.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await change.evaluate((button) => button === document.activeElement)).toBe(true);
});

/** A pack whose first cell is `spread` mV below the others. */
function spread(millivolts: number, count = 16): void {
  const cells = Array.from({ length: count }, (_, index) => ({
    ...{ number: index + 1, voltage: index ? 3.3 : 3.3 - millivolts / 1_000, wireResistanceMilliOhm: 50 + index },
  }));
  const minVoltage = 3.3 - millivolts / 1_000;
  const cellsSummary = { minVoltage, minCell: 1, maxVoltage: 3.3, maxCell: 2, delta: millivolts / 1_000 };
  served.device.status = { ...served.device.status, cells, cellsSummary, averageCellVoltage: 3.299 };
}

it("cells that are further apart than is worth a look are coloured and named, the odd ones alone", async () => {
  const found = structuredClone(served.device.status);
  const visit = await served.enter();
  const { page } = visit;
  await visit.openCells();
  for (const [millivolts, isColoured] of [
    [SPREAD_WORTH_A_LOOK - 1, false],
    [SPREAD_WORTH_A_LOOK + 1, true],
    [SPREAD_WORTH_A_LOOK, false],
  ] as const)
    await trying(`${millivolts} mV`, async () => {
      spread(millivolts);
      served.device.touch("status");
      await page.getByRole("button", { name: `Cell 1 ${(3.3 - millivolts / 1_000).toFixed(3)}` }).waitFor();
      expect(await page.locator(".cells .low").count()).toBe(isColoured ? 1 : 0);
      // The others are as they should be.
      expect(await page.locator(".cells .high").count()).toBe(0);
      const odd = await page.locator("summary .odd").allInnerTexts();
      expect(odd.map((text) => text.trim())).toEqual(isColoured ? [`Cell 1 is ${millivolts - 1}\u202fmV low`] : []);
    });
  // Those that share the highest voltage are all marked and named.
  const cells = found.cells.map((cell) =>
    cell.number === 7 ? { ...cell, voltage: 3.29 } : [3, 12].includes(cell.number) ? { ...cell, voltage: 3.318 } : cell,
  );
  const cellsSummary = { ...found.cellsSummary, minVoltage: 3.29, delta: 0.028 };
  served.device.status = { ...found, cells, cellsSummary };
  served.device.touch("status");
  await expect.poll(() => page.locator(".cells .high").count()).toBe(2);
  for (const cell of [3, 12])
    await page.getByRole("button", { name: new RegExp(`^Cell ${cell} 3\\.318 V\\s*, Highest`) }).waitFor();
  expect(await page.getByRole("button", { name: /^Cell 7 3\.290 V\s*, Lowest\s*, Balancing$/ }).count()).toBe(1);
});

it.each([
  [16, 8, 8],
  [16, 9, 0],
  [15, 7, 7],
  [15, 8, 0],
])("of %i cells of which %i are high, %i are marked as high", async (count, high, marked) => {
  const cells = Array.from({ length: count }, (_, index) => ({
    ...{ number: index + 1, voltage: index < high ? 3.35 : 3.3, wireResistanceMilliOhm: 50 },
  }));
  const cellsSummary = { minVoltage: 3.3, minCell: count, maxVoltage: 3.35, maxCell: 1, delta: 0.05 };
  served.device.status = { ...served.device.status, cells, cellsSummary, averageCellVoltage: 3.32 };
  const visit = await served.enter();
  const { page } = visit;
  await visit.openCells();
  await expect.poll(() => page.locator(".cells button").count()).toBe(count);
  expect(await page.locator(".cells .high").count()).toBe(marked);
  expect(await page.locator(".cells .low").count()).toBe(2 * high >= count ? count - high : 0);
});

it("a switch has a thumb with forced colours too, where it is on and where it is off", async () => {
  const { page } = await served.enter({}, "#/control");
  await page.emulateMedia({ forcedColors: "active" });
  const thumb = `(state) => {
    const style = getComputedStyle(document.querySelector(".switch[aria-checked=" + state + "] .track"), "::after");
    return parseFloat(style.borderTopWidth) + parseFloat(style.borderBottomWidth);
  }`;
  await page.locator(".switch[aria-checked=true]").first().waitFor();
  await page.locator(".switch[aria-checked=false]").first().waitFor();
  const heights = await page.evaluate<number[]>(`["true", "false"].map(${thumb})`);
  expect(heights).toEqual([20, 16]);
});

it.each([PHONE, DESKTOP])("on paper there is what can be read, and nothing to press, at $width px", async (view) => {
  const { page } = await served.enter({ view });
  await page.locator(".card").first().waitFor();
  const pressed = ["nav", "header .choices"];
  for (const what of pressed) expect(await page.locator(what).isVisible()).toBe(true);
  await page.emulateMedia({ media: "print" });
  for (const what of pressed) expect(await page.locator(what).isVisible()).toBe(false);
  expect(await page.locator(".sentence").isVisible()).toBe(true);
  expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).breakInside")).toBe("avoid");
});

it("as many cells as there may be are legible, and each can be chosen by its bar and by keyboard", async () => {
  served.device.bms.wireAlarms = 1;
  spread(30, 25);
  const visit = await served.enter({ view: NARROW_PHONE });
  const { page } = visit;
  await visit.openCells();
  for (const [count, view] of [
    [25, NARROW_PHONE],
    [32, NARROW_PHONE],
    [32, DESKTOP],
  ] as const)
    await trying(`${count}, ${view.width} px`, async () => {
      spread(30, count);
      served.device.touch("status");
      await page.setViewportSize(view);
      const bars = page.locator(".cells rect");
      await expect.poll(() => bars.count()).toBe(count);
      expect(await visit.overflows()).toEqual([]);
      const { width } = (await bars.first().boundingBox()) ?? expect.fail();
      expect(width).toBeGreaterThan(20);
      // Values below the bars do not run into each other, and stand below their own.
      const values = page.locator(".cells strong");
      const boxes = await values.evaluateAll((all) =>
        all.map((value) => {
          const range = document.createRange();
          range.selectNodeContents(value);
          const { left, right, top } = range.getBoundingClientRect();
          const bar = value.parentElement!.querySelector("rect")!.getBoundingClientRect();
          return { left, right, top, middle: (bar.left + bar.right) / 2, bottom: bar.bottom };
        }),
      );
      boxes.forEach(({ left, right, top, middle, bottom }, index) => {
        const before = boxes[index - 1];
        if (before?.top === top) expect(left).toBeGreaterThan(before.right);
        expect(Math.abs((left + right) / 2 - middle)).toBeLessThan(2);
        expect(top).toBeGreaterThan(bottom);
      });
      await bars.nth(count - 1).click();
      await page
        .getByText(`Cell ${count}: 3.300\u202fV, 1\u202fmV above average, Wire ${49 + count}\u202fmΩ`)
        .waitFor();
      const first = page.getByRole("button", { name: /^Cell 1 / });
      await first.focus();
      await page.keyboard.press("Enter");
      await page
        .getByText("Cell 1: 3.270\u202fV, 29\u202fmV below average, Wire 50\u202fmΩ (wire resistance too high)")
        .waitFor();
      expect(await first.getAttribute("aria-pressed")).toBe("true");
      expect(await page.locator(".cells [aria-pressed=true]").count()).toBe(1);
      expect(await visit.accessibility()).toEqual([]);
    });
});

it("with forced colours the marked cells still differ from the others", async () => {
  spread(30);
  const visit = await served.enter();
  const { page } = visit;
  await visit.openCells();
  await page.emulateMedia({ forcedColors: "active" });
  const stroke = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((cap) => getComputedStyle(cap).stroke);
  await page.locator(".cells .low").waitFor();
  expect(await stroke(".cells .low .cap")).not.toBe(await stroke(".cells button:not(.low, .high) .cap"));
  const border = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((button) => getComputedStyle(button).borderTopWidth);
  expect(await border(".cells .low")).toBe("2px");
});

it("on a desktop of 1440 px battery, cells and history are beside each other", async () => {
  const visit = await served.enter({ view: { width: 1440, height: 900 } });
  const { page } = visit;
  await page.locator(".chart svg[role=slider]").nth(2).waitFor();
  const tops = await Promise.all(
    [".glance", ".band", ".chart"].map(async (part) => (await page.locator(part).first().boundingBox())?.x ?? 0),
  );
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(new Set(tops).size).toBe(3);
  for (const part of [".glance", ".cells", ".chart"])
    expect((await page.locator(part).first().boundingBox())?.y, part).toBeLessThan(900);
  expect(await visit.overflows()).toEqual([]);
  expect(await visit.accessibility()).toEqual([]);
  // Narrower, the history is a screen of its own.
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect.poll(() => page.locator(".chart").count()).toBe(0);
});

it("signs out from the header", async () => {
  const { page } = await served.enter();
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
