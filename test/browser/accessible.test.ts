/**
 * Every state of the page that looks different, unfolded: no violation of axe's rules, nothing overflows, in both languages and both colour
 * schemes, from a desktop at 400 % (320 px wide) to a desktop. Not in `npm run soak` each state on one of its screens.
 */
import { expect, it } from "vitest";
import { inTurn, isLong, sampled } from "../support/property.ts";
import { DESKTOP, NARROW_PHONE, PHONE } from "../support/web/browser.ts";
import { SCREENS, STATES } from "../support/web/page-states.ts";
import { serve, trying } from "./served.ts";

const served = serve();

/** A desktop of 1,280 × 800 at 400 % and at 200 %, phones, a desktop as it is. */
const VIEWS = [{ width: 320, height: 200 }, { width: 640, height: 400 }, NARROW_PHONE, PHONE, DESKTOP] as const;
const LANGUAGES = ["en", "pt"] as const;
const THEMES = ["light", "dark"] as const;

/** States that verdict, bank and real/screens look at in the same way. */
const ELSEWHERE = [
  ...["all is well", "nothing is known but that it answers", "the BMS is lost", "too hot", "emergency is on"],
  ...["safe mode", "three packs"],
];
const isHere = (name: string): boolean => isLong || !(ELSEWHERE.includes(name) || name.startsWith("nothing was ever"));

const CASES = STATES.map(
  ([name, prepare, screens = SCREENS], at) =>
    [
      ...([name, VIEWS[at % VIEWS.length]!, LANGUAGES[at % 2]!, THEMES[(at >> 1) % 2]!] as const),
      ...([inTurn(screens, at), prepare] as const),
    ] as const,
).filter(([name]) => isHere(name));

it.each(CASES)("%s: %j, %s, %s", async (_, view, language, theme, screens, prepare) => {
  prepare(served.device);
  const visit = await served.enter({ view, language, theme }, `#/${screens[0]}`);
  for (const screen of screens)
    await trying(screen, async () => {
      if (screen !== screens[0]) await visit.go(screen);
      await visit.page.locator("main .card").first().waitFor();
      await visit.loaded();
      await visit.unfold();
      expect([await visit.accessibility(), await visit.overflows()]).toEqual([[], []]);
    });
  expect(visit.defects).toEqual([]);
});

const STARTS = [
  { isFirst: false, hasButton: false },
  { isFirst: true, hasButton: false },
  { isFirst: true, hasButton: true },
];

it.each(STARTS.flatMap((start, at) => inTurn(LANGUAGES, at).map((language) => ({ language, ...start }))))(
  "signing in and the first start in every window: $language, the first: $isFirst, by button: $hasButton",
  async ({ language, isFirst, hasButton }) => {
    Object.assign(served.device, { firstStart: isFirst, hasButton });
    const visit = await served.open({ view: VIEWS[0], language });
    await visit.page.locator("main input, main button").first().waitFor();
    await visit.loaded();
    for (const [at, view] of sampled(VIEWS, 2).entries()) {
      await visit.look(view, THEMES[at % 2]);
      expect([view, await visit.accessibility(), await visit.overflows()]).toEqual([view, [], []]);
    }
  },
);
