import { expect, it } from "vitest";
import { PASSWORD, serve } from "./served";

const served = serve();

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
