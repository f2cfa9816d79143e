/** The examples, unchanged, against the whole system. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { hashPassword } from "../../host-sim/password";
import { readBackup } from "../../web/backup-file";
import { startBroker } from "../support/mqtt/broker";
import { parsed } from "../support/mqtt/mqtt-documents";
import { NodeRed } from "../support/peers/node-red";
import { System, TOKEN, turn } from "../support/system/system";

const PASSWORD = 'a "long" pass\\word';
/** One iteration: these tests are not about the time that hashing takes. */
const HASH = hashPassword(PASSWORD, 1);

let system: System;

beforeEach(async () => {
  system = await System.start({
    board: { config: { settings: { api: { token: TOKEN }, web: { password: HASH } } } },
  });
  await system.untilLoaded();
});
afterEach(() => system.stop());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  command: string,
  parameters: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, BMS_URL: system.url, BMS_TOKEN: TOKEN, BMS_PASSWORD: PASSWORD, ...more };
    const child = spawn(command, parameters, { env, stdio: ["ignore", "pipe", "pipe"] });
    const told = { stdout: "", stderr: "" };
    child.stdout.on("data", (text) => (told.stdout += String(text)));
    child.stderr.on("data", (text) => (told.stderr += String(text)));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...told }));
  });
}

describe.each([
  ["python3", "examples/python/bms.py"],
  [process.execPath, "examples/node/bms.mjs"],
])("%s %s", (command, program) => {
  const call = (...parameters: string[]): Promise<Ended> => run(command, [program, ...parameters]);

  it("prints the battery's state, once and repeatedly", async () => {
    const { stdout, code } = await call("status");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\d+ % {2}[\d.]+ V {2}-?[\d.]+ A {2}-?[\d.]+ W {2}cells [\d.]+ to [\d.]+ V {2}alarms \d+\n$/,
    );
    expect((await call("watch", "0.1", "3")).stdout.trim().split("\n")).toHaveLength(3);
  });

  it("writes a setting and a command, and waits for the BMS to confirm them", async () => {
    expect(await call("set", "cell_ovp_voltage", "3.6")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("confirmed by the BMS") as string,
    });
    expect(system.bms.registers.read("VolCellOV")).toBe(3600);
    expect(await call("command", "charge_mos", "off")).toMatchObject({ code: 0 });
    await expect.poll(() => system.bms.registers.read("ChargeMos")).toBe(0);
  });

  it("fails when the write is refused or not confirmed", async () => {
    system.bms.faults.add({ kind: "ignore-write" });
    const refused = await call("set", "cell_ovp_voltage", "3.6");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("cell_ovp_voltage");
    const invalid = await call("set", "cell_ovp_voltage", "9");
    expect(invalid).toMatchObject({ code: 1, stderr: expect.stringContaining("from 0 to 5 V") as string });
  });

  it("reports a wrong token, an unreachable device and a wrong command line", async () => {
    expect(await run(command, [program, "status"], { BMS_TOKEN: "wrong" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Unauthorized") as string,
    });
    expect(await run(command, [program, "status"], { BMS_URL: "http://127.0.0.1:1" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not answer") as string,
    });
    expect((await call("nothing")).code).toBe(1);
  });
});

describe("examples/shell/backup.sh", () => {
  const backup = (folder: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    run("sh", ["examples/shell/backup.sh", folder], more);

  it("writes a backup that the page restores, without secrets unless asked for", async () => {
    const folder = mkdtempSync(join(tmpdir(), "backups-"));
    const { code, stdout, stderr } = await backup(folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const path = stdout.trim();
    const text = readFileSync(path, "utf8");
    expect(Object.keys(readBackup(text)?.groups ?? {}).sort()).toEqual(
      ["api", "bms", "device", "monitoring", "mqtt", "network", "relay", "snmp", "time"].sort(),
    );
    expect(readBackup(text)?.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(text).not.toContain(TOKEN);
    expect(statSync(path).mode & 0o077).toBe(0);

    const secret = await backup(mkdtempSync(join(tmpdir(), "backups-")), { BMS_SECRETS: "1" });
    expect(readBackup(readFileSync(secret.stdout.trim(), "utf8"))?.groups.api?.["token"]).toBe(TOKEN);
  });

  it("keeps the newest 30", async () => {
    const folder = mkdtempSync(join(tmpdir(), "backups-"));
    const old = Array.from(
      { length: 30 },
      (_, day) => `jk-bms-2020-01-${String(day + 1).padStart(2, "0")}T030000.json`,
    );
    for (const name of [...old, "other.json"]) writeFileSync(join(folder, name), "");
    expect((await backup(folder)).code).toBe(0);
    const names = readdirSync(folder);
    expect(names.filter((name) => name.startsWith("jk-bms-"))).toHaveLength(30);
    expect(names).not.toContain(old[0]);
    expect(names).toContain("other.json");
  });

  it("leaves no file when it cannot sign in", async () => {
    const folder = mkdtempSync(join(tmpdir(), "backups-"));
    const { code, stderr } = await backup(folder, { BMS_PASSWORD: "not the password" });
    expect(code).toBe(1);
    expect(stderr).toContain("could not sign in");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("examples/node-red/flow.json on Node-RED", () => {
  let nodeRed: NodeRed | undefined;
  const start = async (token = TOKEN): Promise<NodeRed> => {
    nodeRed = await NodeRed.start("examples/node-red/flow.json", { BMS_URL: system.url, BMS_TOKEN: token });
    return nodeRed;
  };
  afterEach(() => nodeRed?.stop());

  it("polls by itself, and passes on no values while the BMS is offline", async () => {
    const flow = await start();
    expect(await flow.message("battery")).toMatchObject({
      online: true,
      soc: expect.any(Number) as number,
      pack: { voltage: expect.any(Number) as number },
    });
    system.bms.setOnline(false);
    await system.until("the BMS is offline", () => !system.monitor().online);
    const offline = (value: unknown): boolean => !(value as { online: boolean }).online;
    expect(await flow.trigger("every 10 s", "battery", offline)).toEqual({ online: false });
  });

  it("writes a command and a setting, and waits for the BMS to confirm them", async () => {
    const flow = await start();
    expect(await flow.trigger("charging off", "confirmed")).toContain("charge_mos off: confirmed by the BMS");
    await expect.poll(() => system.bms.registers.read("ChargeMos")).toBe(0);
    expect(await flow.trigger("cell OVP 3.6 V", "confirmed")).toContain("confirmed by the BMS");
    expect(system.bms.registers.read("VolCellOV")).toBe(3600);
  });

  it("reports an unconfirmed write and a wrong token", async () => {
    const flow = await start();
    system.bms.faults.add({ kind: "ignore-write" });
    expect(await flow.trigger("cell OVP 3.6 V", "failed")).toContain("cell_ovp_voltage");
    await flow.stop();
    const stranger = await start("wrong");
    expect(await stranger.message("failed")).toContain("Unauthorized");
  });
});

/** Every text of the dashboard that names an entity. */
function entitiesOf(value: unknown): string[] {
  if (typeof value === "string") return /^(sensor|binary_sensor|switch|number)\./.test(value) ? [value] : [];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(entitiesOf) : [];
}

it("examples/home-assistant/dashboard.yaml names entities that the device announces and enables", async () => {
  const entities = entitiesOf(parse(readFileSync("examples/home-assistant/dashboard.yaml", "utf8")));
  expect(entities.length).toBeGreaterThan(15);
  const broker = await startBroker({});
  const client = await broker.client();
  const listening = await System.start({
    unpaced: true,
    board: { config: { settings: { mqtt: { enabled: true, host: "127.0.0.1", port: broker.port } } } },
  });
  listening.keepUp = () => broker.beat().then(turn);
  const topic = "homeassistant/device/02005e100001/config";
  await listening.skipUntil("the discovery is published", () => client.topics.has(topic), 120);
  const document = parsed("discovery", client.topics.get(topic)) as unknown as {
    dev: { name: string };
    cmps: Record<string, { p: string; name: string; en?: boolean }>;
  };
  listening.stop();
  await broker.stop();
  // As Home Assistant makes an entity's id: the platform, the device's name and the entity's.
  const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  const announced = Object.values(document.cmps)
    .filter(({ en }) => en !== false)
    .map(({ p, name }) => `${p}.${slug(`${document.dev.name} ${name}`)}`);
  expect(announced).toEqual(expect.arrayContaining(entities));
});
