import { expect, it } from "vitest";
import { SETUP_PAUSE_AFTER_CHANGE } from "../../../src/packs/limits";
import { PASSWORD, serve } from "./served";

const served = serve();

it.each([1, 2, 3])("the open screen of pack %d shows a limit that the vendor's app has changed", async (address) => {
  const further = [2, 3].map((other) => ({ address: other, name: `Pack ${other}` }));
  const system = await served.start({
    bank: { count: 3, timeFactor: 0 },
    board: { config: { settings: { packs: { first: "Shed", further } } } },
  });
  for (const other of [1, 2, 3])
    await system.until("loaded", async () => (await system.get(`/api/packs/${other}/config`)).status === 200);
  const visit = await served.enter(system, {}, `#/control/${address}`);
  const { page } = visit;
  await page.getByRole("button", { name: "Change: Cell over-voltage protection 3.650" }).waitFor();
  // A switch with it, which the telemetry shows: the settings are read again soon.
  const { registers } = system.bank!.packs[address - 1]!;
  registers.write("VolCellOV", 3_612);
  registers.write("BatChargeEN", 0);
  await system.pass(SETUP_PAUSE_AFTER_CHANGE);
  await page.getByRole("button", { name: "Change: Cell over-voltage protection 3.612" }).waitFor();
  expect(visit.defects).toEqual([]);
});

it("a setting for all packs: each confirms its own, the one that refuses says so, and nobody writes in between", async () => {
  const further = [2, 3].map((address) => ({ address, name: `Pack ${address}` }));
  const system = await served.start({
    bank: { count: 3 },
    board: { config: { settings: { packs: { first: "Shed", further } } } },
  });
  const packs = system.bank!.packs;
  packs[1]!.faults.add({
    kind: "refuse",
    code: 4,
    matching: ({ function: code, trigger }) => code === 0x10 && !trigger,
  });
  // Of a pack whose settings have not been read yet, the outcome would be that.
  for (const address of [1, 2, 3])
    await system.until("loaded", async () => (await system.get(`/api/packs/${address}/config`)).status === 200);
  const visit = await served.open(system, {}, "#/control");
  await visit.signIn(PASSWORD);
  const { page } = visit;
  await page.getByRole("button", { name: "Change: Cell over-voltage protection" }).click();
  await page.getByLabel("New value").fill("3.61");
  await page.getByRole("checkbox", { name: "For all 3 packs" }).check();
  await page.getByRole("button", { name: "Send to the BMS" }).click();
  await system.whileTimeStands(async () => {
    await page.getByRole("button", { name: "Change it" }).click();
    await page.locator(".last").getByText("0 of 3 packs have confirmed it …").waitFor();
    await page.locator(".cards").getByText("0 of 3 packs have confirmed it …").waitFor();
    await expect.poll(() => page.getByRole("switch", { name: "Discharging" }).isDisabled()).toBe(true);
  });
  await page.getByText("Only 2 of 3 packs have confirmed it.").waitFor();
  const rows = page.locator(".card", { hasText: "all packs" }).locator("li");
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringMatching(/^Shed\s+Confirmed by the BMS\.$/),
    expect.stringMatching(/^Pack 2\s+The BMS rejected it \(exception 4/),
    expect.stringMatching(/^Pack 3\s+Confirmed by the BMS\.$/),
  ]);
  expect(packs.map(({ registers }) => registers.read("VolCellOV") === 3_610)).toEqual([true, false, true]);
  await expect.poll(() => page.getByRole("switch", { name: "Discharging" }).isDisabled()).toBe(false);
  expect(visit.defects).toEqual([]);
});
