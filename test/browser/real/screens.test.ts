import { expect, it } from "vitest";
import {
  DESKTOP,
  NARROW_PHONE,
  PHONE,
  type Language,
  type Theme,
  type View,
  type Visit,
} from "../../support/web/browser";
import { PASSWORD, serve } from "./served";

const served = serve();
type Look = readonly [name: string, view: View, theme: Theme];

/** Each size, theme and language occurs with each other; a visit has one language. */
const NARROW_LIGHT: Look = ["a narrow phone, light", NARROW_PHONE, "light"];
const NARROW_DARK: Look = ["a narrow phone, dark", NARROW_PHONE, "dark"];
const PHONE_LIGHT: Look = ["a phone, light", PHONE, "light"];
const PHONE_DARK: Look = ["a phone, dark", PHONE, "dark"];
const DESK_LIGHT: Look = ["a desk, light", DESKTOP, "light"];
const DESK_DARK: Look = ["a desk, dark", DESKTOP, "dark"];

type Looks = Readonly<Record<Language, readonly Look[]>>;
/** Either half has every size, theme and language, so that each screen occurs with each. */
const ONE_HALF: Looks = { en: [NARROW_LIGHT, PHONE_DARK], pt: [DESK_LIGHT] };
const OTHER_HALF: Looks = { en: [DESK_DARK], pt: [NARROW_DARK, PHONE_LIGHT] };

const SIGN_IN = ONE_HALF;
const SCREENS = [
  ["battery", ONE_HALF],
  ["history", OTHER_HALF],
  ["control", ONE_HALF],
  ["relay", OTHER_HALF],
  ["device", OTHER_HALF],
] as const;

async function show(visit: Visit, [name, view, theme]: Look): Promise<void> {
  await visit.look(view, theme);
  expect(await visit.page.locator("html").getAttribute("data-theme"), name).toBe(theme);
}

it.each<[string, Language, Theme]>([
  ["English", "en", "light"],
  ["Portuguese", "pt", "dark"],
])(
  "every screen is complete, free of errors, and accessible, in any size and theme, in %s",
  async (_, language, theme) => {
    const system = await served.start();
    const visit = await served.open(system, { language, theme });
    const { page } = visit;
    await page.locator("input[autocomplete=current-password]").waitFor();
    for (const look of SIGN_IN[language]) {
      await show(visit, look);
      expect(await visit.accessibility(), `signing in, ${look[0]}`).toEqual([]);
    }
    await visit.signIn(PASSWORD);
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
    for (const [screen, looks] of SCREENS) {
      await visit.go(screen);
      await visit.unfold();
      for (const look of looks[language]) {
        await show(visit, look);
        expect(await visit.accessibility(), `${screen}, ${look[0]}`).toEqual([]);
        expect(await visit.overflows(), `${screen}, ${look[0]}`).toEqual([]);
      }
    }
    expect(visit.defects).toEqual([]);
  },
);

it("the battery screen follows the BMS", async () => {
  const system = await served.start();
  const visit = await served.enter(system);
  const { page } = visit;
  const { soc, cellCount, pack } = (await system.get("/api/bms/status")).json.data as {
    soc: number;
    cellCount: number;
    pack: { current: number };
  };
  await expect.poll(() => page.locator(".soc").innerText()).toContain(String(soc));
  await visit.openCells();
  expect(await page.locator(".cells button").count()).toBe(cellCount);
  expect(await page.locator("main").innerText()).toContain(pack.current < 0 ? "Discharging" : "Charging");
  await page.getByText("All is well").waitFor();
  system.bms.setOnline(false);
  await system.untilOffline();
  await page.getByText("The BMS is not responding.").waitFor();
  await page.locator(".card", { hasText: "Alarms" }).getByText("Last known").waitFor();
  expect(await page.getByText("All is well").count()).toBe(0);
  expect(await page.locator(".cards.stale").count()).toBe(1);
  system.bms.setOnline(true);
  await system.skipUntil("the BMS answers", () => system.monitor().online);
  await system.skipUntil("it is well again", () => system.probes.ledPattern() === "well", 600);
  await page.getByText("The BMS is not responding.").waitFor({ state: "detached" });
  await page.getByText("All is well").waitFor();
});

it("two browsers receive events, and an API client still gets a connection", async () => {
  const system = await served.start();
  const visits = [await served.enter(system, {}, "#/relay"), await served.enter(system, {}, "#/relay")];
  for (const { page } of visits) await page.getByRole("switch").first().waitFor();
  system.probes.switchRelay(true);
  for (const { page } of visits)
    await expect.poll(() => page.getByRole("switch").first().getAttribute("aria-checked")).toBe("true");
  // Connections that a browser opened to load the page give way once they have been idle for a while.
  system.skip(6_000);
  await expect
    .poll(() =>
      system.get("/api").then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  for (let count = 0; count < 5; count++) expect((await system.get("/api/bms/status")).status).toBe(200);
  expect(visits.flatMap(({ defects }) => defects)).toEqual([]);
});
