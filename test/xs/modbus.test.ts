/** Modbus TCP on the device's engine: what it takes, and hostile frames between honest requests. */
import { afterEach, expect, it } from "vitest";
import { Random } from "../fuzz/random";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { System } from "../support/system/system";
import { Gauge } from "../support/xs/xs-gauge";

/** Of three clients; and of a request that reads all of 802, of one pack (docs/performance.md). */
const MOST_SLOTS = 60;
const MOST_UNITS = 12_700;

/** `HOSTILE=100000` for the long run. */
const FRAMES = Number(process.env["HOSTILE"] ?? 2_000);

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

/** Mostly frames that begin as they should. */
function hostile(random: Random): Buffer {
  const length = random.below(14);
  const frame = Buffer.concat([random.bytes(7), random.bytes(length)]);
  if (random.once(20)) return frame;
  frame.writeUInt16BE(0, 2);
  frame.writeUInt16BE(random.once(10) ? random.below(400) : length + 1, 4);
  frame[6] = random.of([0, 1, 1, 101, 126, 255, random.below(256)]);
  if (length) frame[7] = random.of([3, 3, 3, 4, 6, 16, random.below(256)]);
  if (length > 4) frame.writeUInt32BE(random.of([40_000, 1_000, 0, 50_000]) * 65_536 + random.below(130), 8);
  return frame;
}

it(`${FRAMES} hostile frames leave honest clients served and memory as it was`, async () => {
  await start();
  const random = new Random(5);
  const honest = await open();
  let attacker = await open();
  let memory = gauge.memory;
  for (let sent = 0; sent < FRAMES; sent += 20) {
    if (attacker.isClosed) attacker = await open();
    attacker.send(Buffer.concat(Array.from({ length: 20 }, () => hostile(random))));
    await turn();
    if (sent % 200 === 0) expect((await honest.read(1, 1_000, 2)).readInt32BE(0)).toBe(550);
    if (random.once(10)) attacker.close();
    if (sent === FRAMES / 2) {
      attacker.close();
      await system.skipUntil("it has gone", () => attacker.isClosed);
      memory = gauge.memory;
    }
  }
  attacker.close();
  await turn();
  const after = gauge.memory;
  expect(after.slots - memory.slots).toBeLessThanOrEqual(30);
  expect(after.chunks - memory.chunks).toBeLessThanOrEqual(2_000);
  expect(system.console.filter((line) => /error|exception/i.test(line))).toEqual([]);
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
