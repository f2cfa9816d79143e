/** Several packs on one bus, as the owner has set them up. */
import { afterEach, describe, expect, it } from "vitest";
import { serialNumberAt } from "../../host-sim/bms/simulated-bms";
import type { PacksSettings } from "../../src/settings/types";
import { System } from "../support/system/system";

const packs = (count: number): PacksSettings => ({
  first: "Pack 1",
  further: Array.from({ length: count - 1 }, (_, index) => ({ address: index + 2, name: `Pack ${index + 2}` })),
});

let system: System;
afterEach(() => system.stop());

const start = async (count: number): Promise<System> =>
  (system = await System.start({
    engine: "node",
    unpaced: true,
    bank: { count },
    board: { config: { settings: { packs: packs(count) } } },
  }));

describe("the packs of the settings", () => {
  it("are polled, and who they are is remembered over a restart", async () => {
    await start(3);
    const all = () => system.firmware.monitor.packs;
    await system.skipUntil("all are known", () => all().every(({ identity }) => identity.serial), 60);
    expect(all().map(({ identity }) => identity)).toEqual(
      [1, 2, 3].map((address) => ({ address, name: `Pack ${address}`, serial: serialNumberAt(address) })),
    );
    await system.powerCycle();
    expect(all().map(({ identity }) => identity.serial)).toEqual([1, 2, 3].map(serialNumberAt));
    expect(all().map(({ online }) => online)).toEqual([false, false, false]);
  });

  it("change without a restart", async () => {
    await start(3);
    const { monitor, settings } = system.firmware;
    await system.skipUntil("all are online", () => monitor.packs.every(({ online }) => online), 60);
    settings.update("packs", { further: [{ address: 3, name: "Shed" }] });
    expect(monitor.packs.map(({ identity }) => identity.address)).toEqual([1, 3]);
    await system.skipUntil("both are online", () => monitor.packs.every(({ online }) => online), 60);
    settings.update("packs", { further: [] });
    expect(monitor.packs.map(({ identity }) => identity)).toEqual([{ address: 1, name: "Pack 1", serial: "" }]);
    await system.skipUntil("it is online", () => monitor.online, 60);
  });
});
