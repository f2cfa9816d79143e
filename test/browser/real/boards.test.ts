/** The page on a board without a relay, without inputs, or without both. */
import { expect, it } from "vitest";
import { WT32_PINS } from "../../../host-sim/config";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { en } from "../../../web/texts/en";
import { serve } from "./served";

const served = serve();
const EN = DEVICE_TEXTS.en.relay;
const { bms, relay, ...SENSORS } = WT32_PINS;

it.each([
  ["a relay and inputs", { bms, relay, ...SENSORS }],
  ["a relay alone", { bms, relay }],
  ["inputs alone", { bms, ...SENSORS }],
])("with %s it offers the settings of what there is", async (_, pins) => {
  const system = await served.start({ bms: { evolving: false }, board: { config: { pins } } });
  const { page } = await served.enter(system, {}, "#/relay");
  await page.locator("nav").getByRole("link", { name: en.app.relayShort }).waitFor();
  const [hasRelay, hasInputs] = ["relay" in pins, "temperature" in pins];
  await page
    .getByText(hasInputs ? EN.inactive : EN.noInputs)
    .first()
    .waitFor();
  expect([
    await page.getByText(EN.notFitted).count(),
    await page.getByText(EN.settings).count(),
    await page.getByText(EN.noInputs).count(),
    await page.getByText(EN.scaling).count(),
  ]).toEqual([hasRelay ? 0 : 1, hasRelay ? 1 : 0, hasInputs ? 0 : 1, hasInputs ? 1 : 0]);
});

it("without both it has no screen for them", async () => {
  const system = await served.start({ bms: { evolving: false }, board: { config: { pins: { bms } } } });
  const { page } = await served.enter(system);
  await page.locator(".direction").waitFor();
  expect([
    await page.locator('nav a[href="#/device"]').count(),
    await page.locator('nav a[href="#/relay"]').count(),
  ]).toEqual([1, 0]);
});
