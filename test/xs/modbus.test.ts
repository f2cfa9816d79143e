/** Modbus TCP on the device's engine: what it takes, and hostile frames between honest requests. */
import { afterEach, expect, it } from "vitest";
import { COUNT, ModbusFuzz } from "../fuzz/modbus";
import { Random } from "../fuzz/random";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { System } from "../support/system/system";
import { Gauge } from "../support/xs/xs-gauge";

/** Of three clients; and of a request that reads all of 802, of one pack (docs/performance.md). */
const MOST_SLOTS = 60;
const MOST_UNITS = 8_400;

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
  expect(slots - before.slots).toBeGreaterThan(0);
  expect(await unitsOf(() => clients[0]!.read(1, 40_072, 62))).toBeLessThanOrEqual(MOST_UNITS);
  for (const client of clients) client.close();
});

it("hostile frames leave an honest client served and memory as it was", async () => {
  (await startBank(COUNT, 0)).close();
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

/** Until each of `count` packs answers. Returns a client that has asked. */
async function startBank(count: number, busyPerRequest = 4): Promise<ModbusClient> {
  port = await freePort();
  const further = Array.from({ length: count - 1 }, (_, index) => ({ address: index + 2, name: `Pack ${index + 2}` }));
  system = await System.start({
    engine: "xs",
    unpaced: true,
    bank: { count, timeFactor: 0 },
    board: {
      busyPerRequest,
      config: { settings: { modbus: { enabled: true, port }, packs: { first: "Pack 1", further } } },
    },
    xs: { onLoaded: (machine) => void (gauge = new Gauge(machine)) },
  });
  await system.untilLoaded();
  const client = await open();
  const packs = async (): Promise<number[]> => {
    const reply = await client.read(1, 1_032, 4);
    return [reply.readInt32BE(0), reply.readInt32BE(4)];
  };
  for (let turns = 0; turns < 20_000 && (await packs())[1] !== count; turns++) await turn();
  expect(await packs()).toEqual([count, count]);
  return client;
}

/** Longer than a snapshot lasts, virtual ms. */
const SNAPSHOT_OVER = 6_000;
/** 803 of fifteen packs has 1,016 bytes. */
const SNAPSHOT_BYTES = 1_000;

it("three clients in the middle of 803 of fifteen packs are within the budget, and give it back", async () => {
  const first = await startBank(15);
  await first.read(1, 40_163, 125);
  first.close();
  for (let time = 0; time < 50; time++) await turn();
  const before = gauge.memory;
  const clients = [await open(), await open(), await open()];
  for (const client of clients) await client.read(1, 40_163, 125);
  const middle = gauge.memory;
  expect(middle.slots - before.slots).toBeGreaterThan(0);
  expect(middle.slots - before.slots).toBeLessThanOrEqual(MOST_SLOTS);
  system.skip(SNAPSHOT_OVER);
  for (let time = 0; time < 50; time++) await turn();
  const after = gauge.memory;
  expect(middle.chunks - after.chunks).toBeGreaterThanOrEqual(3 * SNAPSHOT_BYTES);
  for (const client of clients) client.close();
});

/** The least of five times. */
async function unitsOf(reading: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let time = 0; time < 5; time++) {
    const from = gauge.units;
    await reading();
    costs.push(gauge.units - from);
  }
  return Math.min(...costs);
}

it.each([
  [4, 23_000, 56_000],
  [15, 66_500, 202_000],
])("of %i packs, all of 802 and of 803 are within the budget", async (count, mostUnits, mostOfBank) => {
  const client = await startBank(count);
  const units = await unitsOf(() => client.read(1, 40_072, 62));
  const ofBank = await unitsOf(async () => {
    for (let at = 0; at < 28 + 32 * count; at += 125)
      await client.read(1, 40_163 + at, Math.min(125, 28 + 32 * count - at));
  });
  expect(units).toBeLessThanOrEqual(mostUnits);
  expect(ofBank).toBeLessThanOrEqual(mostOfBank);
  client.close();
});

it("three clients that ask without a pause cost fifteen packs no poll", async () => {
  const clients = [await startBank(15), await open(), await open()];
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
