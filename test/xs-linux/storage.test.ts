/**
 * What is stored, through the SDK's own storage class of the ESP32 over a stand-in for NVS (nvs/nvs.c): restarts, an NVS that is full, and
 * a flash that fails.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { STORE_INTERVAL } from "../../src/relay/limits";
import { LinuxSystem } from "../support/system/linux-system";
import type { Probes } from "../support/system/probes";

/** Of the partition: 7 pages of 126. */
const ENTRIES = 882;
/** `failing` of nvs/nvs.js. */
const WRITES = 1;
const COMMITS = 2;
const HOUR = 3_600_000;
const RELAY = { fitted: true, start: "restore" } as const;

let folder: string;
let running: LinuxSystem | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "bms-nvs-"));
  await start();
  await running!.configure("relay", RELAY);
  await running!.configure("device", { name: "before" });
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

async function start(): Promise<void> {
  running = await LinuxSystem.start({ storage: folder, unpaced: true });
}

/** A power cut, and the next start. */
async function restart(): Promise<void> {
  const system = running!;
  running = undefined;
  await system.stop();
  await start();
}

const order = (order: string, parameters: object = {}): Promise<unknown> =>
  running!.program.order({ order, ...parameters });

const probe = async <Name extends keyof Probes>(
  name: Name,
  ...parameters: Parameters<Probes[Name]>
): Promise<ReturnType<Probes[Name]>> => (await order("probe", { name, parameters })) as ReturnType<Probes[Name]>;

const rename = (name: string): Promise<unknown> => order("configure", { group: "device", change: { name } });
const log = async (): Promise<string> => (await probe("parts")).log.join("\n");

describe("across a restart", () => {
  it("settings, energy and the relay's state are kept", async () => {
    expect(await rename("Garagem Ç 280 Ah")).toBeNull();
    expect(await probe("switchRelay", true)).toBe(true);
    await running!.run(HOUR);
    const { joules } = await probe("parts");
    expect(joules.charged + joules.discharged).toBeGreaterThan(0);
    await restart();
    expect([await probe("deviceName"), await probe("relay")]).toEqual(["Garagem Ç 280 Ah", 1]);
    const kept = (await probe("parts")).joules;
    // At most the 15 minutes since the last store are lost.
    for (const way of ["charged", "discharged"] as const) {
      expect(kept[way]).toBeGreaterThanOrEqual(joules[way] * 0.7);
      expect(kept[way]).toBeLessThanOrEqual(joules[way]);
    }
  });

  it("an erased store stays erased", async () => {
    expect(await order("erase")).toBeNull();
    await restart();
    expect(await probe("deviceName")).not.toBe("before");
  });
});

describe.each([
  ["an NVS that is full", { reserved: ENTRIES }],
  ["a flash that takes no write", { failing: WRITES }],
])("%s", (_, disturbance) => {
  it("is reported, and leaves what was stored", async () => {
    expect(await probe("switchRelay", true)).toBe(true);
    await running!.run(STORE_INTERVAL);
    await order("nvs", disturbance);
    expect([await rename("after"), await probe("deviceName")]).toEqual(["not-stored", "before"]);
    expect(await probe("switchRelay", false)).toBe(true);
    await running!.run(HOUR);
    expect(await log()).toMatch(/relay/i);
    expect(await log()).toMatch(/energy/i);
    await restart();
    expect([await probe("deviceName"), await probe("relay")]).toEqual(["before", 1]);
  });

  it("ends as soon as a value can be stored again", async () => {
    await order("nvs", disturbance);
    expect(await probe("switchRelay", true)).toBe(true);
    expect(await rename("after")).toBe("not-stored");
    await order("nvs");
    expect(await rename("after")).toBeNull();
    await running!.run(STORE_INTERVAL);
    await restart();
    expect([await probe("deviceName"), await probe("relay")]).toEqual(["after", 1]);
  });
});

it("a failed commit is reported, and the next update stores what is in force, even without a change", async () => {
  await order("nvs", { failing: COMMITS });
  expect([await rename("after"), await probe("deviceName")]).toEqual(["not-stored", "before"]);
  await order("nvs");
  expect(await rename("before")).toBeNull();
  await restart();
  expect([await probe("deviceName"), await probe("relay")]).toEqual(["before", 0]);
});
