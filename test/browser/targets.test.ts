/** What can be tapped is large enough for a finger: 44 px (WCAG 2.5.5), but for links within a sentence, and a cell's bar, which is high instead. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { NARROW_PHONE } from "../support/web/browser.ts";
import { serve } from "./served.ts";

const served = serve();
const LEAST = 44;
/** Of a bar: WCAG 2.5.8. */
const LEAST_OF_BAR = 24;
/** A layout may round. The link that skips to the content is for the keyboard. */
const ROUNDING = 0.5;

/** What is tappable and smaller, with its size. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([least, leastOfBar]) => {
      const found: string[] = [];
      const all = document.querySelectorAll<HTMLElement>(
        "a:not(.skip), button, input, select, textarea, summary, [role=button]",
      );
      for (const element of all) {
        // A box is tapped with its label.
        const target = element.closest("label") ?? element;
        const { width, height } = target.getBoundingClientRect();
        const isShown = width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
        const around = [...(element.closest("p, li, small")?.childNodes ?? [])];
        const isWithinSentence =
          element.tagName === "A" &&
          around.some(({ nodeName, textContent }) => nodeName === "#text" && textContent?.trim());
        const isBar = element.matches(".cells button") && width >= leastOfBar && width * height >= least * least;
        if (isShown && !isWithinSentence && !isBar && (height < least || width < least))
          found.push(
            `${element.tagName} ${element.className} ${target.textContent.slice(0, 30)} ${width.toFixed(0)}x${height.toFixed(0)}`,
          );
      }
      return found;
    },
    [LEAST - ROUNDING, LEAST_OF_BAR] as const,
  );

it.each(["", "#/control", "#/history", "#/relay", "#/device"])("on the narrowest phone: %s", async (path) => {
  const visit = await served.enter({ view: NARROW_PHONE }, path);
  await visit.page.locator("main h2").first().waitFor();
  await visit.unfold();
  expect(await tooSmall(visit.page)).toEqual([]);
});

it.each(["", "#/battery/2"])("of a bank: %s", async (path) => {
  const { device } = served;
  const pack = {
    ...{ online: true, swapped: false, shared: false, serialNumber: "SERIAL", ageSeconds: 0, soc: 61, voltage: 52.8 },
    ...{ current: -12, power: -633, alarmCode: 0, delta: 0.012, concerns: [] },
  };
  device.bms = { ...device.bms, packs: 2 } as typeof device.bms;
  device.packs = {
    bank: {
      packs: 2,
      online: 2,
      complete: true,
      well: true,
      concerns: [],
      ...{ soc: 61, voltage: 52.8, current: -24 },
    },
    packs: [1, 2].map((address) => ({ address, name: `Pack ${address}`, ...pack })),
  };
  device.packStatus["2"] = { data: device.status, bms: device.bms };
  const visit = await served.enter({ view: NARROW_PHONE }, path);
  await visit.page
    .getByRole("link", { name: path ? "All packs" : /Pack 2/ })
    .first()
    .waitFor();
  await visit.unfold();
  expect(await tooSmall(visit.page)).toEqual([]);
});

it("of the sign-in", async () => {
  const visit = await served.open({ view: NARROW_PHONE });
  await visit.page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  expect(await tooSmall(visit.page)).toEqual([]);
});
