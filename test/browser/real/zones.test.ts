/** Time zones as Chromium's own database knows them. */
import { build } from "esbuild";
import { expect, it } from "vitest";
import { root } from "../../../host-sim/specifiers.mjs";
import { en } from "../../../web/texts/en";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { ZONE_NAMES } from "../../support/time-zones";
import { differing, engineOffsets, ruleOffsets, TIMES } from "../../support/web/zone-rules";
import { serve } from "./served";

const EN = DEVICE_TEXTS.en.device;
const served = serve();
const NOW = Date.parse("2026-11-29T03:45:06.789Z");
/** Zones of which Chromium may know another law than the installed database. */
const MOST_LAWS = 60;

/** The page's module on its own, as `rules.ruleOf`. */
async function rulesModule(): Promise<string> {
  const options = { absWorkingDir: root, bundle: true, write: false, format: "iife", globalName: "rules" } as const;
  const { outputFiles } = await build({ ...options, entryPoints: ["web/device/zone-rule.ts"] });
  return outputFiles[0]?.text ?? "";
}

it("the rule of every zone is that of the time zone database, or of a law that only Chromium knows", async () => {
  const system = await served.start();
  const { page } = await served.open(system);
  const found = await page.evaluate<[string, string][]>(
    `(() => { ${await rulesModule()}; return ${JSON.stringify(ZONE_NAMES)}.map((name) => [name, rules.ruleOf(name, ${NOW})]); })()`,
  );
  const rules = new Map(found);
  expect(rules.size).toBe(new Set(ZONE_NAMES).size);
  const differ = differing(rules, NOW / 1_000);
  expect(differ.length).toBeLessThan(MOST_LAWS);
  const times = TIMES(NOW / 1_000);
  for (const name of differ)
    expect([name, ruleOffsets(rules.get(name) ?? "", times)]).toEqual([
      name,
      await page.evaluate(engineOffsets, { name, times }),
    ]);
});

it("a browser without a list offers its own zone and UTC", async () => {
  const system = await served.start();
  const visit = await served.enter(system, { timeZone: "Asia/Jerusalem" }, "#/device");
  const { page } = visit;
  await page.addInitScript("delete Intl.supportedValuesOf");
  await page.reload();
  const part = page.locator("details", { has: page.locator("summary", { hasText: /^Time$/ }) });
  await part.locator("summary").click();
  const field = part.getByLabel(en.fields["time.zone"]);
  await field.waitFor();
  expect(await field.locator("option").allInnerTexts()).toEqual([EN.noZone, "Asia/Jerusalem", "UTC"]);
  expect(visit.defects).toEqual([]);
});
