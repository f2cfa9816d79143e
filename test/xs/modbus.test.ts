/** Modbus TCP on the device's engine: what it takes, and hostile frames between honest requests. */
import { afterEach, afterAll, beforeAll, describe, expect, it } from "vitest";
import { ModbusOnXs } from "../bench/xs/modbus";
import { COUNT, ModbusFuzz } from "../fuzz/modbus";
import { Random } from "../fuzz/random";

/** Of three clients, and in the midst of 803; and of a request that reads all of 802, of one pack. What they take: docs/figures.md. */
const MOST_SLOTS = 60;
const MOST_SLOTS_OF_BANK = 80;
const MOST_UNITS = 8_400;

let modbus: ModbusOnXs;

describe("of one pack or a few", () => {
  afterEach(() => modbus.end());

  it("three clients, and all of 802, are within the budget", async () => {
    modbus = await ModbusOnXs.start();
    const { battery } = await modbus.units(1);
    expect(battery).toBeLessThanOrEqual(MOST_UNITS);
    await modbus.closeFirst();
    const before = await modbus.memory();
    const clients = await modbus.three(false);
    const { slots } = await modbus.memory();
    expect(slots - before.slots).toBeLessThanOrEqual(MOST_SLOTS);
    expect(slots - before.slots).toBeGreaterThan(0);
    for (const client of clients) client.close();
  });

  it("hostile frames leave an honest client served and memory as it was", async () => {
    modbus = await ModbusOnXs.start(COUNT, 0);
    await modbus.closeFirst();
    const { system, gauge } = modbus;
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

  it("all of 802 and of 803 of four packs are within the budget", async () => {
    modbus = await ModbusOnXs.start(4);
    const { battery, bank } = await modbus.units(4);
    expect(battery).toBeLessThanOrEqual(25_500);
    expect(bank).toBeLessThanOrEqual(62_000);
  });
});

/** Longer than a snapshot lasts, virtual ms. */
const SNAPSHOT_OVER = 6_000;
/** 803 of fifteen packs; and what the device itself may need more by then. */
const SNAPSHOT_BYTES = 1_016;
const OTHER_BYTES = 200;

/** One device for all: until fifteen packs are read takes longer than the tests. */
describe("of fifteen packs", () => {
  beforeAll(async () => void (modbus = await ModbusOnXs.start(15)));
  afterAll(() => modbus.end());

  it("all of 802 and of 803 are within the budget", async () => {
    const { battery, bank } = await modbus.units(15);
    expect(battery).toBeLessThanOrEqual(77_000);
    expect(bank).toBeLessThanOrEqual(224_000);
  });

  it("three clients that ask without a pause cost them no poll", async () => {
    const { system } = modbus;
    const clients = [modbus.first, await modbus.open(), await modbus.open()];
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
    while (system.board.clock.now < end) await modbus.turn();
    await Promise.all(asking);
    const after = bus();
    expect(asked).toBeGreaterThan(1_000);
    // Each pack a dozen times.
    expect(after.replies - before.replies).toBeGreaterThan(15 * 12);
    expect([after.timeouts, after.crcErrors]).toEqual([before.timeouts, before.crcErrors]);
    for (const client of clients) client.close();
    await modbus.rest();
  });

  it("three clients in the middle of 803 are within the budget, and give it back", async () => {
    modbus.system.skip(SNAPSHOT_OVER);
    const before = await modbus.memory();
    const clients = await modbus.three(true);
    const middle = await modbus.memory();
    expect(middle.slots - before.slots).toBeGreaterThan(0);
    expect(middle.slots - before.slots).toBeLessThanOrEqual(MOST_SLOTS_OF_BANK);
    modbus.system.skip(SNAPSHOT_OVER);
    const after = await modbus.memory();
    expect(middle.chunks - after.chunks).toBeGreaterThanOrEqual(3 * SNAPSHOT_BYTES - OTHER_BYTES);
    for (const client of clients) client.close();
  });
});
