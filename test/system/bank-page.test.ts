/** What the page gets of several packs. */
import { afterEach, expect, it } from "vitest";
import { serialNumberAt } from "../../host-sim/bms/simulated-bms";
import { hashPassword } from "../../host-sim/password";
import { System } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "Lítio-280-Ah";

let system: System;
afterEach(() => system.stop());

async function start(count: number): Promise<WebClient> {
  const further = Array.from({ length: count - 1 }, (_, index) => ({ address: index + 2, name: `Pack ${index + 2}` }));
  const web = { password: hashPassword(PASSWORD, 100) };
  system = await System.start({
    bank: { count, timeFactor: 0 },
    board: { config: { settings: { web, packs: { first: "Left", further } } } },
  });
  const client = new WebClient(system);
  expect((await client.signIn(PASSWORD)).status).toBe(200);
  return client;
}

it("is each pack in short, and the status of any, by its address", async () => {
  const client = await start(3);
  for (let leaps = 0; ; leaps++) {
    const { data } = (await client.get("/web/packs")).json as { data: { bank: { online: number }; packs: object[] } };
    expect(data.packs).toMatchObject([{ address: 1, name: "Left" }, { address: 2 }, { address: 3 }]);
    const serials = data.packs.map((pack) => (pack as { serialNumber: string | null }).serialNumber);
    if (data.bank.online === 3 && serials.every(Boolean)) break;
    if (leaps > 120) throw new Error("never all online");
    system.skip(1_000);
  }
  for (const address of [1, 2, 3]) {
    expect((await client.get(`/web/status?pack=${address}`)).json).toMatchObject({
      success: true,
      data: { online: true, info: { serialNumber: serialNumberAt(address) } },
      bms: { packs: 3, concerns: expect.any(Array) as unknown[] },
    });
  }
  const first = await client.get("/web/status");
  expect(first.json).toMatchObject({ data: { info: { serialNumber: serialNumberAt(1) } }, bms: { packs: 3 } });
  for (const query of ["pack=4", "pack=", "pack=01", "pack=2&pack=2", "x"])
    expect((await client.get(`/web/status?${query}`)).status, query).toBe(404);
  for (const path of ["/web/packs", "/web/status?pack=2"])
    expect((await new WebClient(system).get(path)).status, path).toBe(401);
});

it("does not say that one pack alone is several", async () => {
  const client = await start(1);
  const { bms } = (await client.get("/web/status")).json as { bms: object };
  expect(bms).toHaveProperty("age");
  expect(bms).toHaveProperty("packs", 1);
});
