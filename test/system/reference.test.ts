/** A limit that somebody changed while the device was off: told at its start, listed by API and page, put back or accepted, of the first, a middle and the last pack of a bank. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { System } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "Lítio 280 Ah";
const PACKS = [1, 2, 3] as const;
const MINUTES = 60_000;

let system: System;
let page: WebClient;

beforeAll(async () => {
  system = await System.start({
    bank: { count: PACKS.length, evolving: false, timeFactor: 0 },
    board: {
      config: {
        settings: {
          web: { password: hashPassword(PASSWORD, 100) },
          packs: { first: "Top", further: [2, 3].map((address) => ({ address, name: `Pack ${address}` })) },
        },
      },
    },
  });
  page = new WebClient(system);
  await page.signIn(PASSWORD);
});
afterAll(() => system.stop());

interface Reference {
  readonly data: { readonly count: number | null; readonly differences: readonly object[] };
}
const of = async (address: number): Promise<Reference["data"]> =>
  ((await system.get(`/api/packs/${address}/reference`)).json as Reference).data;

it.each(PACKS)("pack %i", async (address) => {
  await system.untilLoaded();
  system.skip(6 * MINUTES);
  await system.until("it has a reference", async () => (await of(address)).count === 0);
  system.bank!.packs[address - 1]!.registers.write("VolCellOV", 3_600);
  system.skip(6 * MINUTES);
  await system.until("it differs", async () => (await of(address)).count === 1);
  const differences = [{ setting: "cell_ovp_voltage", reference: "3.65", value: "3.6", unit: "V" }];
  expect((await of(address)).differences).toEqual(differences);
  // The page has the same of the pack that is selected, and all of its settings.
  const shown = await page.send("GET", `/web/packs/${address}/reference`);
  expect([shown.status, (JSON.parse(shown.text) as Reference).data.differences]).toEqual([200, differences]);
  expect((await page.send("GET", `/web/packs/${address}/setup`)).text).toContain('"cellOvpVoltage":3.6');
  // Put back, by this device.
  const back = await system.post(`/api/packs/${address}/settings`, { setting: "cell_ovp_voltage", value: "3.65" });
  expect(back.status).toBe(202);
  await system.until("it is as it was", async () => (await of(address)).count === 0);
  // Changed once more, and right.
  system.bank!.packs[address - 1]!.registers.write("VolCellOV", 3_640);
  system.skip(6 * MINUTES);
  await system.until("it differs again", async () => (await of(address)).count === 1);
  expect((await system.post(`/api/packs/${address}/reference`, { setting: "cell_uvp_voltage" })).status).toBe(409);
  expect((await system.post(`/api/packs/${address}/reference`, { setting: 1 })).status).toBe(400);
  expect((await system.post(`/api/packs/${address}/reference`, { setting: "cell_ovp_voltage" })).status).toBe(200);
  expect(await of(address)).toMatchObject({ count: 0, differences: [] });
});
