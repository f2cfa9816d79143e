/**
 * Every screen at every width, from the narrowest phone to a wide desktop: nothing overflows, no value is broken. In `npm run soak` in steps
 * of 40 px, in each language and of one pack and of a bank.
 */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inTurn, isLong } from "../support/property.ts";
import { DESKTOP } from "../support/web/browser.ts";
import { serve } from "./served.ts";

const served = serve();

const NARROWEST = 320;
const WIDEST = 1_920;
const STEP = isLong ? 40 : 160;
const WIDTHS = Array.from({ length: (WIDEST - NARROWEST) / STEP + 1 }, (_, at) => NARROWEST + at * STEP);
const SCREENS = ["battery", "history", "control", "relay", "device"] as const;

/** What does not fit: wider than the window, out of its card, or a value of which a word is broken. */
const MISFITS = `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const name = (element) => element.tagName + "." + element.className + " " + element.textContent.slice(0, 60);
  const page = document.documentElement;
  const found = page.scrollWidth > page.clientWidth ? ["page " + page.scrollWidth] : [];
  const edge = document.querySelector("main").getBoundingClientRect().right;
  for (const card of document.querySelectorAll(".card")) {
    const { right, width } = card.getBoundingClientRect();
    if (width && right > edge) found.push("card " + name(card));
    for (const part of card.querySelectorAll("*"))
      if (!part.closest(".hidden") && part.getBoundingClientRect().right > right) found.push("out " + name(part));
  }
  const range = document.createRange();
  for (const value of document.querySelectorAll("dd, .power, .soc, .direction strong, .value strong, .ladder strong, .legend li, h1, h2, h3, button:not(.ladder button), nav span")) {
    const texts = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { index, 0: word } of text.data.matchAll(/[^ -]+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (range.getClientRects().length > 1) found.push("broken " + word + " in " + name(value));
      }
  }
  return found.slice(0, 3);
})()`;

/** From the narrowest or from the widest: what has grown has to shrink again. A chart learns of its new width after the page does. */
async function walk(page: Page, widths: readonly number[], what: string, isMisfit = (_: string): boolean => true) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const misfits = async (): Promise<string[]> => (await page.evaluate<string[]>(MISFITS)).filter(isMisfit);
    await expect.poll(misfits, { message: `${what} ${width} px wide` }).toEqual([]);
  }
}

/** Several packs, of which one has a long name. */
function several(): void {
  const pack = {
    ...{
      online: true,
      swapped: false,
      shared: false,
      serialNumber: "4010112233",
      ageSeconds: 0,
      soc: 61,
      voltage: 52.81,
    },
    ...{ current: -112.4, power: -5_935, alarmCode: 0, delta: 0.012, concerns: [] },
  };
  const packs = ["Garage", "Cellar, left of the inverter", "Pack 3"].map((name, at) => ({
    ...pack,
    name,
    address: at + 1,
  }));
  const bank = {
    packs: 3,
    online: 3,
    complete: true,
    well: true,
    concerns: [],
    soc: 61,
    voltage: 52.81,
    current: -337.2,
    power: -17_805,
  };
  served.device.packs = { bank: { ...bank, capacityAh: 840, remainingCapacityAh: 512.4 }, packs };
  served.device.bms = { ...served.device.bms, packs: 3 } as typeof served.device.bms;
  const { status, bms } = served.device;
  served.device.packStatus = Object.fromEntries(packs.map(({ address }) => [address, { data: status, bms }]));
}

const WAYS = [
  { language: "en", way: "wider and wider", widths: WIDTHS },
  { language: "pt", way: "narrower and narrower", widths: WIDTHS.toReversed() },
] as const;

/** Where a bank is listed it is another screen. */
const ofBank = (screen: string, at: number): readonly boolean[] =>
  screen === "battery" ? [false, true] : inTurn([false, true], at >> 1);

it.each(
  SCREENS.flatMap((screen, at) => inTurn(WAYS, at).map((how) => ({ screen, packs: ofBank(screen, at), ...how }))),
)(
  "$screen fits every width, of one pack and of a bank ($language, $way)",
  async ({ screen, packs, language, widths }) => {
    const visit = await served.enter({ language, view: DESKTOP }, `#/${screen}`);
    const { page } = visit;
    for (const isBank of packs) {
      if (isBank) {
        several();
        await page.reload();
      }
      await page.locator("main .card").first().waitFor();
      await visit.loaded();
      await walk(page, widths, isBank ? "bank" : "pack");
    }
  },
);

/** Windows in which text is set to twice its size: a phone, a tablet either way, a desktop. */
const LARGE_TEXT = [360, 768, 1_024, 1_440] as const;

it.each(SCREENS.flatMap((screen, at) => inTurn(["en", "pt"] as const, at).map((language) => ({ screen, language }))))(
  "$screen fits with text of 200 % ($language)",
  async ({ screen, language }) => {
    const visit = await served.enter({ language, view: DESKTOP }, `#/${screen}`);
    const { page } = visit;
    await page.locator("main .card").first().waitFor();
    await visit.loaded();
    await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
    // A long value may be broken there.
    await walk(page, LARGE_TEXT, screen, (misfit) => !misfit.startsWith("broken "));
    for (const width of LARGE_TEXT) {
      await page.setViewportSize({ width, height: 900 });
      const labels = await page.locator("nav a span").evaluateAll((all) =>
        all.map((one) => {
          const { left, right } = one.getBoundingClientRect();
          return { left, right, top: one.getBoundingClientRect().top };
        }),
      );
      const crossed = labels.filter(
        ({ left, top }, at) => at > 0 && top === labels[at - 1]?.top && left < labels[at - 1]!.right,
      );
      expect(crossed, `tabs at ${width} px`).toEqual([]);
    }
  },
);
