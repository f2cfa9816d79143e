/** Each part that a board can do without is left out, and the firmware started on XS. */
import { build } from "esbuild";
import { createSocket } from "node:dgram";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { leaveOut, PARTS } from "../../scripts/parts.mjs";
import type { Bundle } from "../../host-sim/xs/bundle";
import { freePort, freeUdpPort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { runProgram } from "../support/run-program";
import { bundleWithProbes } from "../support/system/engines";
import { System } from "../support/system/system";

const COMMUNITY = "public";
const OWN = "1.3.6.1.4.1.8072.9999.9999.485";

const exportsOf = async (file: string): Promise<string[]> => {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: true,
    packages: "external",
    write: false,
    metafile: true,
    format: "esm",
    external: ["*"],
  });
  return Object.values(metafile.outputs)[0]!.exports.toSorted();
};

describe.each(Object.entries(PARTS))("%s", (_name, pairs) => {
  it("has the same exports in its place", async () => {
    for (const [source, without] of pairs) expect(await exportsOf(without)).toEqual(await exportsOf(source));
  });
});

it("a part that there is not is refused", () => {
  expect(() => leaveOut(["notification"])).toThrow(/no part "notification"/);
});

let system: System | undefined;
afterEach(() => {
  system?.stop();
  system = undefined;
});

async function start(bundle: Bundle, snmp: object = {}, config: object = {}): Promise<System> {
  system = await System.start({
    engine: "xs",
    xs: { bundle },
    board: { config: { ...config, settings: { snmp: { enabled: true, community: COMMUNITY, ...snmp } } } },
  });
  await system.untilLoaded();
  return system;
}

const walk = async (running: System, from: string): Promise<string[]> => {
  const host = `127.0.0.1:${running.probes.snmpPort()}`;
  const parameters = ["-v2c", "-c", COMMUNITY, "-r", "100", "-On", "-Oq", "-m", "", host, from];
  const { stdout } = await runProgram("snmpwalk", parameters);
  return stdout.split("\n").filter((line) => line.startsWith("."));
};

describe("without the project's own MIB", () => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await bundleWithProbes([leaveOut(["own-mib"])]);
  });

  it("has not its source", () => {
    expect(bundle.program.includes("// src/snmp/bank-mib.ts")).toBe(false);
    expect(bundle.program.includes("// src/snmp/ups-mib.ts")).toBe(true);
  });

  it("SNMP has MIB-2 and UPS-MIB, and nothing else", async () => {
    const running = await start(bundle);
    const objects = await walk(running, "1.3.6.1");
    expect(objects.length).toBeGreaterThan(20);
    expect(objects.filter((line) => !line.startsWith(".1.3.6.1.2.1."))).toEqual([]);
    expect(objects.some((line) => line.startsWith(".1.3.6.1.2.1.33.1.2.4.0 "))).toBe(true);
  });

  it("coldStart is the one notification", async () => {
    const port = await freeUdpPort();
    const heard: Buffer[] = [];
    const receiver = createSocket("udp4", (message) => heard.push(message));
    await new Promise<void>((done) => receiver.bind(port, "127.0.0.1", done));
    try {
      const running = await start(bundle, { receiver1: "127.0.0.1" }, { snmpTrapPort: port });
      await running.until("a notification", () => heard.length > 0);
      running.bms.setOnline(false);
      await running.untilOffline();
      expect(heard.map((message) => message.includes(Buffer.from("2b060106030101", "hex")))).toEqual([true]);
    } finally {
      receiver.close();
    }
  });
});

describe("without notifications", () => {
  it("their API is not there, the device document does not name them, and all else is", async () => {
    const bundle = await bundleWithProbes([leaveOut(["notify"])]);
    expect(bundle.program.includes("// src/notify/courier.ts")).toBe(false);
    const running = await start(bundle);
    expect((await running.get("/api/notifications")).status).toBe(404);
    expect((await running.get("/api")).json).toMatchObject({ success: true });
    expect((await walk(running, OWN)).length).toBeGreaterThan(20);
  });
});

describe("without the BMS's own log", () => {
  it("it is not asked for, its API is not there, and all else is", async () => {
    const bundle = await bundleWithProbes([leaveOut(["bms-log"])]);
    expect(bundle.program.includes("remote_emergency_on")).toBe(false);
    const running = await start(bundle);
    // The settings are read again, which would come after it.
    const again = (): boolean => (running.bms.traffic.reads.get(0x1000) ?? 0) > 1;
    await running.skipUntil("the settings are read again", again, 90);
    expect([...running.bms.traffic.writes.keys()]).not.toContain(0x1624);
    expect((await running.get("/api/bms/log")).status).toBe(404);
    expect((await running.get("/api/bms/config")).json).toMatchObject({ success: true });
  });
});

describe("without Modbus TCP", () => {
  it("nothing listens, the device document does not name it, and all else is", async () => {
    const bundle = await bundleWithProbes([leaveOut(["modbus"])]);
    expect(bundle.program.includes("// src/modbus/registers.ts")).toBe(false);
    const port = await freePort();
    system = await System.start({
      engine: "xs",
      xs: { bundle },
      board: { config: { settings: { modbus: { enabled: true, port } } } },
    });
    await system.untilLoaded();
    await expect(ModbusClient.open(port)).rejects.toThrow("ECONNREFUSED");
    expect((await system.get("/api")).json).toMatchObject({ success: true });
  });
});
