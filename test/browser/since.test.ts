/** Since the page was last looked at, and the icon on a home screen. */
import { expect, it } from "vitest";
import { eventRecord } from "../support/web/past-data.ts";
import { NARROW_PHONE } from "../support/web/browser.ts";
import { PASSWORD } from "../support/web/web-mock.ts";
import { serve } from "./served.ts";

const served = serve();
const MINUTE = 60;
const HOUR = 3_600;
const now = (): number => Math.floor(Date.now() / 1_000);

/** As if the page had been looked at so long ago, s. */
async function lookedAt(ago: number, language: "en" | "pt" = "en") {
  const visit = await served.open({ language, view: NARROW_PHONE, kept: { looked: String(now() - ago) } });
  await visit.signIn(PASSWORD);
  await visit.page.locator(".timeline").first().waitFor();
  return visit;
}

it.each(["en", "pt"] as const)(
  "alarms and changes since the last look are told, the newest first: %s",
  async (language) => {
    served.device.records.events = Buffer.concat([
      eventRecord(now() - 3 * HOUR, "alarm-raised", "charge_overtemperature"),
      eventRecord(now() - 90 * MINUTE, "alarm-raised", "cell_undervoltage", 2),
      eventRecord(now() - 80 * MINUTE, "alarm-cleared", "cell_undervoltage"),
      eventRecord(now() - 70 * MINUTE, "settings-changed", "mqtt"),
    ]);
    const visit = await lookedAt(2 * HOUR, language);
    const { page } = visit;
    const title = language === "en" ? /^Since you last looked, / : /^Desde a sua última visita, (às|em) /;
    const card = page.locator(".card", { has: page.getByRole("heading", { name: title }) });
    await card.waitFor();
    const lines = async (): Promise<string[]> =>
      (await card.locator("li").allInnerTexts()).map((line) => line.replace(/^.*?\d\d:\d\d: /, ""));
    const [alarm, changes, change] =
      language === "en"
        ? ["Alarm: Cell voltage too low. (2×)", "1 change", "Settings changed: MQTT."]
        : ["Alarme: Tensão de célula baixa demais. (2×)", "1 alteração", "Configurações alteradas: MQTT."];
    // What somebody did is folded.
    await expect.poll(lines).toEqual([alarm, ""]);
    await card.getByText(changes).click();
    await expect.poll(lines).toEqual([alarm, change]);
    await visit.loaded();
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
  },
);

it("it is below today and above the cells, an alarm above whatever was written since", async () => {
  served.device.records.events = Buffer.concat([
    eventRecord(now() - 90 * MINUTE, "alarm-raised", "cell_undervoltage"),
    ...Array.from({ length: 8 }, (_, at) => eventRecord(now() - HOUR + at, "write", "balance\ton\tconfirmed")),
  ]);
  const { page } = await lookedAt(2 * HOUR);
  const alarm = page.getByText("Alarm: Cell voltage too low.");
  await alarm.waitFor();
  const parts = [
    page.locator(".timeline").first(),
    alarm,
    page.getByText("8 changes"),
    page.locator("summary .spread"),
  ];
  const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? NaN));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(await page.getByRole("heading", { name: "Since" }).count()).toBe(1);
});

it("many changes are counted", async () => {
  served.device.records.events = Buffer.concat(
    Array.from({ length: 8 }, (_, at) => eventRecord(now() - HOUR + at, "settings-changed", "mqtt")),
  );
  const { page } = await lookedAt(2 * HOUR);
  await page.getByText("8 changes").click();
  await page.getByText("and 3 more").waitFor();
  expect(await page.getByText("Settings changed: MQTT.").count()).toBe(5);
});

it("nothing is told of a first look, nor where nothing has happened", async () => {
  served.device.records.events = Buffer.concat([eventRecord(now() - HOUR, "write", "balance\ton\tconfirmed")]);
  const first = await served.enter();
  await first.page.locator(".timeline").first().waitFor();
  expect(await first.page.getByRole("heading", { name: "Since" }).count()).toBe(0);
  const { page } = await lookedAt(30 * MINUTE);
  expect(await page.getByRole("heading", { name: "Since" }).count()).toBe(0);
});

it("the browser takes name, colour and icons of the home screen from the device", async () => {
  const { page, defects } = await served.enter();
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send("Page.getAppManifest");
  expect([new URL(url).pathname, errors]).toEqual(["/manifest.webmanifest", []]);
  const { name, theme_color, icons } = JSON.parse(data ?? "{}") as {
    name: string;
    theme_color: string;
    icons: { src: string; sizes: string }[];
  };
  expect([name, theme_color]).toEqual([
    "Battery monitor",
    await page.locator("meta[name=theme-color]").getAttribute("content"),
  ]);
  const touch = await page.locator("link[rel=apple-touch-icon]").getAttribute("href");
  expect(icons.map(({ src }) => src)).toContain(touch);
  for (const { src } of icons) {
    // Decoded by the browser, in the size that is promised.
    const width = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image.naturalWidth;
    }, src);
    if (src === touch) expect(width).toBe(180);
  }
  expect(defects).toEqual([]);
});
