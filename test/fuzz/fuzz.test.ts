import { describe, expect, it } from "vitest";
import { FuzzedDevice } from "./device";
import { DOORS } from "./doors";
import { FaultFuzz } from "./faults";
import { HttpFuzz } from "./http";
import { COUNT, ModbusFuzz, PACKS_SETTINGS } from "./modbus";
import { MqttFuzz } from "./mqtt";
import { Random } from "./random";
import { SnmpFuzz } from "./snmp";

/** The short form of `npm run fuzz`: what is sent is the same each time. */
const SEED = 8;

/** Honest clients are served in between: the runs throw otherwise. */
describe("a short run leaves the device intact", () => {
  it("of HTTP requests", async () => {
    const device = await FuzzedDevice.start();
    const fuzz = new HttpFuzz(device, new Random(SEED));
    fuzz.run(5_000);
    await device.expectSound();
    fuzz.end();
    // It has been let in as well as refused.
    expect([...fuzz.statuses.keys()]).toEqual(expect.arrayContaining(["200", "202", "400", "401", "403", "404"]));
    device.system.stop();
  });

  it("of SNMP packets", async () => {
    const device = await FuzzedDevice.start();
    const fuzz = new SnmpFuzz(device, new Random(SEED));
    fuzz.run(5_000);
    await device.expectSound();
    expect(fuzz.answered).toBeGreaterThan(fuzz.honest);
    fuzz.end();
    device.system.stop();
  });

  it("of Modbus frames", async () => {
    const device = await FuzzedDevice.start({ packs: PACKS_SETTINGS }, COUNT);
    const fuzz = await ModbusFuzz.start(device.system, new Random(SEED + 1));
    await fuzz.run(2_000);
    await fuzz.rest();
    await device.expectSound();
    expect(fuzz.answered).toBeGreaterThan(1_000);
    // All but the honest client's have been closed.
    expect(device.firmware.modbus?.connections).toBe(1);
    fuzz.end();
    device.system.stop();
  });

  it("of MQTT payloads", async () => {
    const fuzz = await MqttFuzz.start(new Random(SEED));
    await fuzz.run(500);
    await fuzz.device.expectSound();
    expect(fuzz.device.firmware.mqtt?.received).toBeGreaterThan(fuzz.honest);
    await fuzz.end();
  });
});

it.each(DOORS)("at the door of %s nothing is taken that is not so", (_name, share, run) => {
  expect(run(100 * share, new Random(SEED))).toBe(0);
});

it.each(["frames", "auto"] as const)(
  "by %s, wrong replies, times, requests and stored values: nothing is written, switched or told of it",
  async (mode) => {
    const fuzz = await FaultFuzz.start("node", new Random(SEED), mode);
    await fuzz.run(500);
    expect(fuzz.starts).toBe(0);
    await fuzz.ask(200);
    await fuzz.restart(5);
    expect([fuzz.problems, fuzz.starts]).toEqual([[], 5]);
    // What was asked for was written.
    expect(fuzz.confirmed).toBeGreaterThan(2);
    fuzz.stop();
  },
);
