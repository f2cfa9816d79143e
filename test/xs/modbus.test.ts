/** Modbus TCP on the device's engine: what it takes, and hostile frames between honest requests. */
import { afterEach, expect, it } from "vitest";
import { ModbusFuzz } from "../fuzz/modbus";
import { Random } from "../fuzz/random";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { System } from "../support/system/system";
import { Gauge } from "../support/xs/xs-gauge";

/** Of three clients; and of a request that reads all of 802, of one pack (docs/performance.md). */
const MOST_SLOTS = 60;
const MOST_UNITS = 8_000;

let system: System;
let gauge: Gauge;
let port: number;

afterEach(() => {
  gauge.close();
  system.stop();
});

async function start(): Promise<void> {
  port = await freePort();
  system = await System.start({
    engine: "xs",
    unpaced: true,
    board: { config: { settings: { modbus: { enabled: true, port } } } },
    xs: { onLoaded: (machine) => void (gauge = new Gauge(machine)) },
  });
  await system.untilLoaded();
}

/** Lets the sockets deliver, and virtual time pass. */
const turn = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
  system.skip(1);
};
const open = (): Promise<ModbusClient> => ModbusClient.open(port, { turn });

it("three clients, and all of 802, are within the budget", async () => {
  await start();
  // What the first client leaves behind is not a client's.
  const first = await open();
  await first.read(1, 40_072, 62);
  first.close();
  for (let time = 0; time < 50; time++) await turn();
  const before = gauge.memory;
  const clients = [await open(), await open(), await open()];
  for (const client of clients) await client.read(1, 40_072, 62);
  const { slots } = gauge.memory;
  expect(slots - before.slots).toBeLessThanOrEqual(MOST_SLOTS);
  const costs: number[] = [];
  for (let time = 0; time < 5; time++) {
    const from = gauge.units;
    await clients[0]!.read(1, 40_072, 62);
    costs.push(gauge.units - from);
  }
  expect(slots - before.slots).toBeGreaterThan(0);
  expect(Math.min(...costs)).toBeLessThanOrEqual(MOST_UNITS);
  for (const client of clients) client.close();
});

it("hostile frames leave an honest client served and memory as it was", async () => {
  await start();
  const fuzz = await ModbusFuzz.start(system, new Random(5));
  await fuzz.run(1_000);
  await fuzz.rest();
  const before = gauge.memory;
  await fuzz.run(1_000);
  await fuzz.rest();
  const after = gauge.memory;
  expect(fuzz.answered).toBeGreaterThan(1_000);
  expect(after.slots - before.slots).toBeLessThanOrEqual(30);
  expect(after.chunks - before.chunks).toBeLessThanOrEqual(2_000);
  expect(system.console.filter((line) => /error|exception/i.test(line))).toEqual([]);
  fuzz.end();
});

it("three clients that ask without a pause cost fifteen packs no poll", async () => {
  port = await freePort();
  const further = Array.from({ length: 14 }, (_, index) => ({ address: index + 2, name: `Pack ${index + 2}` }));
  system = await System.start({
    engine: "xs",
    unpaced: true,
    bank: { count: 15, timeFactor: 0 },
    board: {
      busyPerRequest: 4,
      config: { settings: { modbus: { enabled: true, port }, packs: { first: "Pack 1", further } } },
    },
    xs: { onLoaded: (machine) => void (gauge = new Gauge(machine)) },
  });
  await system.untilLoaded();
  const clients = [await open(), await open(), await open()];
  const packs = async (): Promise<number[]> => {
    const reply = await clients[0]!.read(1, 1_032, 4);
    return [reply.readInt32BE(0), reply.readInt32BE(4)];
  };
  for (let count = 0; count < 20_000 && (await packs())[1] !== 15; count++) await turn();
  expect(await packs()).toEqual([15, 15]);
  const bus = () => ({ ...system.probes.monitor().statistics! });
  const before = bus();
  let asked = 0;
  const end = system.board.clock.now + 30_000;
  const asking = clients.map(async (client) => {
    while (system.board.clock.now < end) {
      await client.read(1, 40_072, 62);
      await client.read(1, 40_163, 125);
      asked += 2;
    }
  });
  while (system.board.clock.now < end) await turn();
  await Promise.all(asking);
  const after = bus();
  expect(asked).toBeGreaterThan(1_000);
  // Each pack a dozen times.
  expect(after.replies - before.replies).toBeGreaterThan(15 * 12);
  expect([after.timeouts, after.crcErrors]).toEqual([before.timeouts, before.crcErrors]);
  for (const client of clients) client.close();
});
