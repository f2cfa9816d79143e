import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESKTOP, NARROW_PHONE } from "../support/web/browser.ts";
import { serve, trying } from "./served.ts";

const served = serve();

const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.innerText.replace(/\\s+/g, ' ')");
const style = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

it("a limit is changed by keyboard alone, on a desktop and on a phone", async () => {
  const { page } = await served.enter({ view: DESKTOP }, "#/control");
  for (const [view, value] of [
    [DESKTOP, "3.62"],
    [NARROW_PHONE, "3.63"],
  ] as const)
    await trying(`${view.width} px`, async () => {
      await page.setViewportSize(view);
      const rungs = page.locator(".ladder").first().getByRole("button");
      // Disabled until the BMS's settings have been read.
      await expect.poll(() => rungs.first().isEnabled()).toBe(true);
      await rungs.first().focus();
      const order = await rungs.allInnerTexts();
      const met: string[] = [];
      while (met.length < order.length) {
        met.push(await focused(page));
        await page.keyboard.press("Tab");
      }
      // In the order in which they are seen, and nothing between them.
      expect(met).toEqual(order.map((text) => text.replace(/\s+/g, " ")));
      await rungs.first().focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("INPUT");
      await page.keyboard.press("Control+A");
      await page.keyboard.type(value);
      await page.keyboard.press("Enter");
      await expect.poll(() => focused(page)).toBe("Cancel");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.locator(".last").getByText(`${value}0 V. Confirmed by the BMS.`).waitFor();
      await expect.poll(() => focused(page)).toMatch(new RegExp(`^Change: Cell over-voltage protection ${value}0`));
    });
});

it("the focus stays on a switch that was pressed, and is taken from nothing else", async () => {
  const { page } = await served.enter({}, "#/control");
  const balancing = page.getByRole("switch", { name: "Balancing", exact: true }).first();
  const label = "document.activeElement.ariaLabel";
  await balancing.focus();
  await page.keyboard.press("Space");
  await page.locator(".last").getByText("Confirmed by the BMS.").waitFor();
  await expect.poll(() => page.evaluate(label)).toBe("Balancing");
  served.device.writeTime = Infinity;
  await page.keyboard.press("Space");
  await page.locator(".outcome .spinner").waitFor();
  await page.locator('nav a[href="#/control"]').focus();
  served.device.endWrites();
  await page.locator(".outcome", { hasText: "Confirmed by the BMS." }).waitFor();
  expect(await page.evaluate("document.activeElement.hash")).toBe("#/control");
});

it("at 320 px no word of a ladder is cut, and each rung can be hit, in both languages", async () => {
  const visit = await served.enter({ view: NARROW_PHONE }, "#/control");
  const { page } = visit;
  for (const language of ["en", "pt"])
    await trying(language, async () => {
      if (language === "pt") await page.getByRole("button", { name: "Português" }).click();
      await page.locator(`html[lang=${language}]`).waitFor();
      await page.locator(".ladder svg").nth(3).waitFor();
      expect(await visit.overflows()).toEqual([]);
      const rungs = page.locator(".ladder li");
      for (const rung of await rungs.all()) {
        const { height, cut } = await rung.evaluate((element) => {
          const parts = [element, ...element.querySelectorAll("*")];
          return {
            height: element.getBoundingClientRect().height,
            cut: parts.some(
              (part) => !part.closest(".hidden") && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
            ),
          };
        });
        expect(cut, await rung.innerText()).toBe(false);
        expect(height).toBeGreaterThanOrEqual(44);
      }
    });
});

it("with forced colours what is allowed, today's values and the limits still differ", async () => {
  const visit = await served.enter({}, "#/control");
  const { page } = visit;
  await page.emulateMedia({ forcedColors: "active" });
  await page.locator(".ladder .allowed").first().waitFor();
  const allowed = await style(page, ".ladder .allowed", "fill");
  const outside = await style(page, ".ladder .outside", "fill");
  const limit = await style(page, ".ladder g:not(.today) path", "stroke");
  const today = await style(page, ".ladder g.today path", "stroke");
  expect(new Set([allowed, outside]).size).toBe(2);
  expect(new Set([outside, limit, today]).size).toBe(3);
  // The ends of what is allowed have an outline, whatever the colours.
  expect(await style(page, ".ladder .outside", "stroke")).toBe(limit);
  expect(await visit.accessibility()).toEqual([]);
});

it("the sign of a change under way turns more slowly with less motion, and nothing else moves", async () => {
  served.device.writeTime = Infinity;
  const { page } = await served.enter({}, "#/control");
  for (const [motion, turn] of [
    ["reduce", "3s"],
    ["no-preference", "1s"],
  ] as const)
    await trying(motion, async () => {
      await page.emulateMedia({ reducedMotion: motion });
      await page.getByRole("switch", { name: "Balancing", exact: true }).first().click();
      await page.locator(".outcome .spinner").waitFor();
      expect(await style(page, ".outcome .spinner", "animation-duration")).toBe(turn);
      const moving = await page.evaluate<string[]>(
        "document.getAnimations().map(({ effect }) => effect.target.className).filter((name) => name !== 'spinner')",
      );
      expect(moving).toEqual([]);
      served.device.endWrites();
      await page.locator(".outcome .spinner").waitFor({ state: "detached" });
    });
});
