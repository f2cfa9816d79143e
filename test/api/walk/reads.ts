import { describe, expect, it } from "vitest";
import { BMS_UNAVAILABLE } from "../documents";
import { GETS, type Walk } from "./system";

interface Summary {
  uptime: number;
  data: {
    device: Record<"id" | "hostname" | "software" | "version", string>;
    network: Record<"ip" | "localIP" | "macAddress", string>;
    bms: Record<string, unknown> & { pack: { current: number; power: number } };
    system: Record<string, unknown>;
    monitoring?: Record<string, unknown>;
    connectivity: { api: boolean };
  };
}

interface Status {
  data: Record<string, unknown> & {
    online: boolean;
    cellCount: number;
    pack: { current: number; power: number };
    cellsSummary: Record<"minVoltage" | "minCell" | "maxVoltage" | "maxCell" | "delta", number>;
    cells: { number: number; voltage: number }[];
  };
}

/** GET and HEAD of every resource, in each state of the BMS. */
export function walkReads(walk: Walk): void {
  const summary = async (): Promise<Summary> => (await walk.client.get("/api")).json as Summary;
  const status = async (): Promise<Status> => (await walk.client.get("/api/bms/status")).json as Status;

  describe("reads", () => {
    walk.each(GETS)("GET is 200 and as documented", async (path) => {
      expect((await walk.client.get(path)).status).toBe(200);
    });

    walk.each(GETS)("HEAD is 200 without a body", async (path) => {
      const { status, text, headers } = await walk.client.send({ method: "HEAD", path });
      expect([status, text]).toEqual([200, ""]);
      expect(headers.get("content-type")).toBe("application/json");
    });

    it("a query changes nothing", async () => {
      expect((await walk.client.get("/api/bms/commands?pending=1")).status).toBe(200);
      expect((await walk.client.get("/api?")).status).toBe(200);
    });

    it("the two halves of the summary agree", async () => {
      const { uptime, data } = await summary();
      expect(data.system["uptime"]).toBe(uptime);
      expect(data.system["hostname"]).toBe(data.device.hostname);
      expect(data.system["softwareName"]).toBe(data.device.software);
      expect(data.system["softwareVersion"]).toBe(data.device.version);
      expect(data.network.ip).toBe(data.network.localIP);
      expect(data.device.id).toBe(data.network.macAddress.replaceAll(":", "").toLowerCase());
      expect(data.connectivity.api).toBe(true);
    });

    it("the summary and the status describe the same pack", async () => {
      const [{ data: short }, { data: full }] = [await summary(), await status()];
      for (const member of ["online", "name", "model", "batteryType", "cellCount", "capacityAh"])
        expect(full[member], member).toEqual(short.bms[member]);
    });

    it("the cells and their summary agree", async () => {
      const { data } = await status();
      expect(data.cells.length).toBeGreaterThan(0);
      expect(data.cells).toHaveLength(data.cellCount);
      expect(data.cells.map(({ number }) => number)).toEqual(data.cells.map((_, index) => index + 1));
      const voltages = data.cells.map(({ voltage }) => voltage);
      const { minVoltage, minCell, maxVoltage, maxCell, delta } = data.cellsSummary;
      expect(minVoltage).toBe(Math.min(...voltages));
      expect(maxVoltage).toBe(Math.max(...voltages));
      expect(minCell).toBe(voltages.indexOf(minVoltage) + 1);
      expect(maxCell).toBe(voltages.indexOf(maxVoltage) + 1);
      expect(Math.round(delta * 1000)).toBe(Math.round(maxVoltage * 1000) - Math.round(minVoltage * 1000));
      expect(data["cellsSummary"]).not.toHaveProperty("cells");
    });

    it("power has the sign of the current", async () => {
      const { current, power } = (await status()).data.pack;
      expect(power * current).toBeGreaterThanOrEqual(0);
    });

    it("name and hostname are the device's settings", async () => {
      await walk.system.configure("device", { name: 'Söl "1"', hostname: "cellar-2" });
      const { data } = await summary();
      expect(data.device).toMatchObject({ name: 'Söl "1"', hostname: "cellar-2" });
    });

    it("monitoring is absent without analogue inputs, relay without a relay", async () => {
      const shown = async (): Promise<boolean[]> => {
        const { monitoring } = (await summary()).data;
        return ["relay0Name", "relay0Value", "temp0"].map((member) => monitoring?.[member] !== undefined);
      };
      const hasInputs = !walk.lacks.monitoring;
      // In the block of the inputs.
      const hasRelay = hasInputs && !walk.lacks.relay;
      expect(await shown()).toEqual([hasRelay, hasRelay, hasInputs]);
      await walk.system.configure("relay", { fitted: false });
      expect(await shown()).toEqual([false, false, hasInputs]);
      await walk.system.configure("monitoring", { fitted: false });
      expect((await summary()).data).not.toHaveProperty("monitoring");
    });
  });

  describe("reads while the BMS is offline", () => {
    it("say so and keep the last known values", async () => {
      const before = (await status()).data;
      await walk.goOffline();
      const { data } = await status();
      expect(data).toMatchObject({ online: false, name: before["name"], model: before["model"] });
      expect(data.cells).toHaveLength(before.cells.length);
      expect((await summary()).data.bms["online"]).toBe(false);
      expect(await walk.queue()).toMatchObject({ bmsOnline: false, configurationLoaded: false, pending: false });
      const config = await walk.client.get("/api/bms/config");
      expect([config.status, config.json]).toEqual([503, { success: false, error: BMS_UNAVAILABLE }]);
      expect((await walk.client.send({ method: "HEAD", path: "/api/bms/config" })).status).toBe(503);
    });
  });

  describe("reads while the settings are not loaded", () => {
    it("say so and ask the client to retry", async () => {
      await walk.unload();
      expect(await walk.queue()).toMatchObject({ bmsOnline: true, configurationLoaded: false });
      const { status, json } = await walk.client.get("/api/bms/config");
      expect([status, json]).toEqual([503, { success: false, error: expect.stringMatching(/retry/i) as string }]);
    });
  });
}
