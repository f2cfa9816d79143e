/** A pack of another voltage is connected to the others only on an explicit yes: by REST, for the first, a middle and the last. */
import { afterEach, expect } from "vitest";
import { ApiClient, type ApiAnswer } from "../support/system/api-client";
import { System } from "../support/system/system";
import { PLACES } from "../support/places";
import { table } from "../support/table";

const CELLS = 16;
const CELL = 3_300;
/** mV of a cell by which the pack is off. */
const OFF = 120;
const LEAP = 1_000;

let system: System;
let client: ApiClient;
const stop = (): void => {
  client.close();
  system.stop();
};
afterEach(stop);

const bodyOf = ({ status, json }: ApiAnswer): unknown => ({ ...(json as object), http: status });

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let leaps = 0; !(await condition()); leaps++) {
    if (leaps > 120) throw new Error(`never ${what}`);
    system.skip(LEAP);
  }
}

const SIDES = PLACES.flatMap(([count, at]) =>
  (["charge_mos", "discharge_mos"] as const).map((command) => ({ count, at, command })),
);
table(SIDES, stop)("is refused, and switched with force", async ({ count, at, command }) => {
  const further = Array.from({ length: count - 1 }, (_, index) => ({
    address: index + 2,
    name: `Pack ${index + 2}`,
  }));
  system = await System.start({
    bank: { count, timeFactor: 0, evolving: false },
    board: { config: { settings: { packs: { first: "Pack 1", further } } } },
  });
  client = new ApiClient({ baseUrl: system.url, token: system.token });
  const { registers } = system.bank!.packs[at]!;
  const side = command === "charge_mos" ? -1 : 1;
  const name = command === "charge_mos" ? "BatChargeEN" : "BatDisChargeEN";
  for (let cell = 0; cell < CELLS; cell++) registers.write("CellVol", CELL + side * OFF, cell);
  registers.write("BatVol", CELLS * (CELL + side * OFF));
  for (const other of system.bank!.packs)
    if (other.registers !== registers) {
      for (let cell = 0; cell < CELLS; cell++) other.registers.write("CellVol", CELL, cell);
      other.registers.write("BatVol", CELLS * CELL);
    }
  const address = at + 1;
  const path = `/api/packs/${address}/commands`;
  const queue = async (): Promise<Record<string, unknown>> =>
    ((await client.get(path)).json as { data: Record<string, unknown> }).data;
  await until("ready", async () => (await queue())["configurationLoaded"] === true);
  const write = async (body: object): Promise<unknown> => {
    const answer = await client.post(path, body);
    await until("written", async () => (await queue())["pending"] === false);
    return bodyOf(answer);
  };
  registers.write(name, 0);
  registers.write(command === "charge_mos" ? "ChargeMos" : "DischargeMos", 0);
  system.skip(5 * LEAP);
  const above = (side * OFF * CELLS) / 1_000;
  for (const force of ["true", 1, null])
    expect((await client.post(path, { command, state: "on", force })).status).toBe(400);
  if (count > 1) {
    for (const more of [{}, { force: false }])
      expect(await write({ command, state: "on", ...more })).toEqual({
        http: 409,
        success: false,
        error: `Pack ${address} is ${Math.abs(above)} V ${side < 0 ? "below" : "above"} the connected packs: a large current may flow. Send "force": true with the request to switch it on all the same.`,
        data: { pending: false, above },
      });
    expect(registers.read(name)).toBe(0);
  }
  expect(await write({ command, state: "on", ...(count > 1 && { force: true }) })).toMatchObject({
    http: 202,
    data: { command, state: true },
  });
  expect(await queue()).toMatchObject({ lastCommandOk: true });
  expect(registers.read(name)).toBe(1);
});
