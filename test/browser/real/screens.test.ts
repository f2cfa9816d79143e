import { describe, expect, it } from "vitest";
import { DESKTOP, NARROW_PHONE, PHONE, type Language, type Theme } from "../../support/web/browser";
import { PASSWORD, serve } from "./served";

const served = serve();
const SCREENS = ["battery", "history", "control", "relay", "device"] as const;

const LOOKS: readonly [string, typeof PHONE, Theme, Language][] = [
  ["a narrow phone, light, English", NARROW_PHONE, "light", "en"],
  ["a narrow phone, dark, Portuguese", NARROW_PHONE, "dark", "pt"],
  ["a phone, dark, English", PHONE, "dark", "en"],
  ["a phone, light, Portuguese", PHONE, "light", "pt"],
  ["a desk, dark, English", DESKTOP, "dark", "en"],
  ["a desk, light, Portuguese", DESKTOP, "light", "pt"],
];

describe.each(LOOKS)("on %s", (_, view, theme, language) => {
  it("every screen is complete, free of errors, and accessible", async () => {
    const system = await served.start();
    const visit = await served.open(system, { view, theme, language });
    await visit.page.locator("input[autocomplete=current-password]").waitFor();
    expect(await visit.accessibility()).toEqual([]);
    await visit.signIn(PASSWORD);
    expect(await visit.page.locator("html").getAttribute("lang")).toBe(language);
    expect(await visit.page.locator("html").getAttribute("data-theme")).toBe(theme);
    for (const screen of SCREENS) {
      await visit.go(screen);
      await visit.unfold();
      expect(await visit.accessibility(), screen).toEqual([]);
      expect(await visit.overflows(), screen).toEqual([]);
    }
    expect(visit.defects).toEqual([]);
  });
});

it("the battery screen follows the BMS", async () => {
  const system = await served.start();
  const { page } = await served.enter(system);
  const { soc, cellCount, pack } = (await system.get("/api/bms/status")).json.data as {
    soc: number;
    cellCount: number;
    pack: { current: number };
  };
  await expect.poll(() => page.locator(".soc").innerText()).toContain(String(soc));
  expect(await page.locator(".cells button").count()).toBe(cellCount);
  expect(await page.locator("main").innerText()).toContain(pack.current < 0 ? "Discharging" : "Charging");
  await page.getByText("All is well").waitFor();
  system.bms.setOnline(false);
  await page.getByText("The BMS is not responding.").waitFor();
  await page.locator(".card", { hasText: "Alarms" }).getByText("Last known").waitFor();
  expect(await page.getByText("All is well").count()).toBe(0);
  expect(await page.locator(".cards.stale").count()).toBe(1);
  system.bms.setOnline(true);
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
