/**
 * Packs of which nothing was ever read, because the serial port cannot be opened or safe mode leaves it alone: every interface answers, and says
 * of every value that it is not known. Of one pack, and of the first, a middle and the last of several.
 */
import { afterEach, describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { SAFE_RESTARTS, STABLE_AFTER } from "../../src/health/limits";
import { ALARMS, at, EXPECTED, unknown } from "../support/bms/walked-pack";
import { freePort, freeUdpPort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { pysunspec2, refusal } from "../support/modbus/sunspec-clients";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { parseExposition } from "../support/peers/exposition";
import { inTurn } from "../support/property";
import { runProgram } from "../support/run-program";
import { System } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "correct horse";
const COMMUNITY = "public";
const BASE = "jk-bms/02005e100001";
/** bmsOnline, bmsPackVoltage; a row's column in bmsPacksTable less its object. */
const ONLINE = 1;
const VOLTAGE = 25;
const COLUMN = 10;
/** Modbus: the gateway's target does not respond. */
const SILENT = 0x0b;
/** ms of a record of the history. */
const RECORD = 600_000;
/** Below the arc of BMS-MONITOR-MIB: the telemetry of the first pack, and the columns of the table of packs. */
const MIB = ".1.3.6.1.4.1.8072.9999.9999.485.1";

const CAUSES = ["no serial port", "safe mode"] as const;

let broker: TestBroker;
let listener: Listener;
let system: System;
let modbusPort: number;
let snmpPort: number;

afterEach(async () => {
  await system.board.restarted;
  system.stop();
  await broker.stop();
});

/** `silent`: the address of the pack that never answers. */
async function start(cause: (typeof CAUSES)[number] | "silence", count: number, silent?: number): Promise<void> {
  broker = await startBroker();
  listener = await broker.client();
  modbusPort = await freePort();
  snmpPort = await freeUdpPort();
  const further = Array.from({ length: count - 1 }, (_, index) => ({ address: index + 2, name: `Pack ${index + 2}` }));
  const settings = {
    ...{ mqtt: { enabled: true, host: "127.0.0.1", port: broker.port }, snmp: { enabled: true, community: COMMUNITY } },
    ...{ modbus: { enabled: true, port: modbusPort }, packs: { first: "Pack 1", further } },
    web: { password: hashPassword(PASSWORD) },
  };
  system = await System.start({
    bank: { count },
    board: { config: { httpPort: await freePort(), snmpPort, settings } },
    prepare: ({ refusals }) => void (refusals.serial = cause === "no serial port"),
  });
  if (silent !== undefined) system.bank?.packs[silent - 1]?.faults.add({ kind: "no-answer" });
  if (cause === "safe mode")
    for (let restart = 0; restart < SAFE_RESTARTS; restart++) {
      system.board.panic();
      await system.board.restarted;
    }
  // In safe mode all that talks to others begins once a run has lasted.
  system.skip(2 * STABLE_AFTER);
  await system.until("MQTT is connected", () => listener.topics.has(`${BASE}/diagnostics`));
}

/** All rows except whether the pack is online, which is always known. */
const ROWS = EXPECTED.filter(({ source }) => source !== "bms");

function expectRest(told: unknown): void {
  expect(at(told, "online")).toBe(false);
  for (const row of ROWS) {
    const nothing = typeof row.value === "number" ? 0 : typeof row.value === "string" ? "" : false;
    expect([row.path, at(told, row.path)]).toEqual([row.path, unknown(row, nothing)]);
  }
  expect(at(told, "cells")).toEqual([]);
  expect(at(told, "ageSeconds")).toBeNull();
}

/** With null for what is not known. */
function expectNull(told: unknown, branch: string): void {
  expect([branch, at(told, "online")]).toEqual([branch, false]);
  for (const row of ROWS)
    expect([branch, row.path, at(told, row.path)]).toEqual([branch, row.path, unknown(row, null)]);
}

interface Packs {
  readonly bank: Readonly<Record<string, unknown>>;
  readonly packs: readonly Readonly<Record<string, unknown>>[];
}
const packsNow = async (): Promise<Packs> => (await system.get("/api/packs")).json.data as Packs;

interface PageStatus {
  readonly data: { readonly cells: unknown };
  readonly bms: { readonly switches: object; readonly concerns: readonly string[] };
}
async function pageStatus(page: WebClient, query: string): Promise<PageStatus> {
  const answer = await page.get(`/web/status${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.json as PageStatus;
}

/** Of the API, beside status and configuration. */
async function expectOtherDocuments(count: number): Promise<void> {
  const summary = (await system.get("/api")).json.data.bms as Record<string, unknown>;
  expect([summary["online"], summary["soc"], summary["alarmCode"]]).toEqual([false, 0, 0]);
  const { bank, packs } = await packsNow();
  expect([bank["packs"], bank["online"], bank["soc"], bank["power"]]).toEqual([count, 0, null, null]);
  for (const pack of packs)
    expect([pack["online"], pack["soc"], pack["alarmCode"], pack["concerns"]]).toEqual([
      false,
      null,
      null,
      ["offline"],
    ]);
  for (const path of ["/api/energy", "/api/history", "/api/events", "/api/packs/settings", "/api/bms/commands"])
    expect([path, (await system.get(path)).status]).toEqual([path, 200]);
}

const walk = async (): Promise<string[]> => {
  const options = ["-v2c", "-c", COMMUNITY, "-r", "100", "-m", "", "-On", "-Oq", `127.0.0.1:${snmpPort}`, MIB];
  return (await runProgram("snmpwalk", options)).stdout.trim().split("\n");
};

async function expectSilent(units: readonly number[]): Promise<void> {
  const client = await ModbusClient.open(modbusPort);
  try {
    for (const unit of units) expect([unit, await refusal(pysunspec2(client, unit))]).toEqual([unit, SILENT]);
  } finally {
    client.close();
  }
}

describe.each(CAUSES.map((cause, row) => [cause, row] as const))("%s", (cause, row) => {
  it.each(inTurn([1, 3], row))("of %i packs", async (count) => {
    const isSafe = cause === "safe mode";
    await start(cause, count);
    const starts = system.console.length;
    const addresses = Array.from({ length: count }, (_, index) => index + 1);
    const page = new WebClient(system);
    expect((await page.signIn(PASSWORD)).status).toBe(200);

    // REST: of the first pack, and of each by its address.
    const own = count > 1 ? addresses.map((address) => `/api/packs/${address}`) : [];
    for (const prefix of ["/api/bms", ...own]) {
      const answer = await system.get(`${prefix}/status`);
      // In safe mode the API says so instead.
      expect([prefix, answer.status]).toEqual([prefix, isSafe ? 503 : 200]);
      if (!isSafe) expectRest(at(answer.json, "data"));
      expect((await system.get(`${prefix}/config`)).status).toBe(503);
    }
    if (!isSafe) await expectOtherDocuments(count);

    // The page's own documents.
    for (const query of ["", ...addresses.map((address) => `?pack=${address}`)]) {
      const { data, bms } = await pageStatus(page, query);
      expectNull(data, query);
      expect(data.cells).toBeNull();
      expect(bms).toMatchObject({ wireAlarms: null, probes: null, age: null, well: false, concerns: ["offline"] });
      expect(new Set(Object.values(bms.switches))).toEqual(new Set([null]));
    }
    expect((await page.get("/web/config")).status).toBe(503);
    for (const path of ["summary", "device", "packs", "queue", "history.csv"])
      expect([path, (await page.get(`/web/${path}`)).status]).toEqual([path, 200]);
    // What safe mode does not start.
    expect((await page.get("/web/energy")).status).toBe(isSafe ? 503 : 200);

    // Metrics: of each pack, whether it is online, and no other value.
    for (const query of ["", ...(count > 1 ? addresses.map((address) => `?pack=${address}`) : [])]) {
      const answer = await system.get(`/metrics${query}`);
      expect([query, answer.status]).toEqual([query, 200]);
      const families = parseExposition(answer.text);
      for (const { path, metric } of ROWS) if (metric) expect([path, families.get(metric)]).toEqual([path, undefined]);
      expect(families.get("bms_alarm")).toBeUndefined();
      expect(families.get("bms_online")?.samples.map(({ value }) => value)).toContain(0);
      expect(families.get("bms_well")?.samples.map(({ value }) => value)).not.toContain(1);
    }

    // MQTT.
    for (const branch of ["", ...(count > 1 ? ["/pack/2", "/pack/3"] : [])]) {
      await system.skipUntil(`${branch} is told`, () => listener.topics.has(`${BASE}${branch}/telemetry`), 120);
      const told = JSON.parse(listener.topics.get(`${BASE}${branch}/telemetry`) as string) as unknown;
      expectNull(told, branch);
      expect(at(told, "alarms")).toBeNull();
      expect(listener.topics.get(`${BASE}${branch}/bms`)).toBe("offline");
    }

    // SNMP, every object and every row of the tables of packs: no telemetry but whether it is online.
    const objects = await walk();
    const found = (prefix: string): string[] => objects.filter((line) => line.startsWith(`${MIB}.${prefix}.`));
    expect(found("1")).toEqual([`${MIB}.1.1.0 2`]);
    for (let bit = 1; bit <= ALARMS.length; bit++) expect(found(`3.1.5.${bit}`)).toEqual([]);
    for (const { object } of ROWS) expect([object, found(`9.1.${object + COLUMN}`)]).toEqual([object, []]);
    expect(found(`9.1.${ONLINE + COLUMN}`)).toHaveLength(count > 1 ? count : 0);

    // Modbus, which safe mode does not start: neither the bank's unit nor that of a pack answers.
    if (!isSafe) await expectSilent([1, ...addresses.map((address) => 100 + address)]);

    // Two records later history has nothing of them, and nothing has thrown or restarted.
    system.skip(2 * RECORD);
    if (!isSafe) expect((await system.get("/api/history")).json.data.rows).toEqual([]);
    expect(system.console.slice(starts).join("\n")).not.toMatch(/RangeError|TypeError|set-up code/);
  });
});

it.each([1, 2, 3])(
  "pack %i of three alone has never answered: of it nothing is known, of the others all",
  async (silent) => {
    await start("silence", 3, silent);
    await system.skipUntil("the others are online", async () => {
      const { bank } = await packsNow();
      return bank["online"] === 2;
    });
    const page = new WebClient(system);
    await page.signIn(PASSWORD);
    for (const address of [1, 2, 3]) {
      const isSilent = address === silent;
      const told = (await system.get(`/api/packs/${address}/status`)).json.data as unknown;
      const { data, bms } = await pageStatus(page, `?pack=${address}`);
      if (isSilent) {
        expectRest(told);
        expectNull(data, `${address}`);
        expect(bms.concerns).toEqual(["offline"]);
        await expectSilent([100 + address]);
      } else {
        expect(at(told, "pack.voltage")).toBeGreaterThan(40);
        expect(at(data, "pack.voltage")).toBe(at(told, "pack.voltage"));
        expect(bms.concerns).not.toContain("offline");
      }
      const columns = (await walk()).filter((line) => line.startsWith(`${MIB}.9.1.`) && line.includes(`.${address} `));
      const voltage = `${MIB}.9.1.${VOLTAGE + COLUMN}.${address} `;
      expect(columns.some((line) => line.startsWith(voltage))).toBe(!isSilent);
      const families = parseExposition((await system.get(`/metrics?pack=${address}`)).text);
      expect(families.has("bms_voltage_volts")).toBe(!isSilent);
      const branch = address === 1 ? "" : `/pack/${address}`;
      const topic = (): unknown => JSON.parse(listener.topics.get(`${BASE}${branch}/telemetry`) ?? "{}");
      await system.skipUntil("MQTT tells", () => at(topic(), "online") === !isSilent, 120);
      if (isSilent) expectNull(topic(), branch);
    }
    // The bank's values are those of the packs that are known.
    const client = await ModbusClient.open(modbusPort);
    const battery = (await pysunspec2(client, 1)).find(({ id }) => id === 802)?.values;
    client.close();
    expect(battery?.["V"]).toBeGreaterThan(40);
  },
);
