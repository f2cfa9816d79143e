/** Each value and each alarm through every state, on REST, MQTT, SNMP and metrics, compared with the rule. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { parse, request } from "../support/peers/snmp";
import { System, turn } from "../support/system/system";
import { ALARMS, at, EXPECTED, fill, isKnown, STATES, type State, unknown } from "../support/bms/walked-pack";

const COMMUNITY = "let-me in";
const BASE = "jk-bms/02005e100001";
const MIB = "1.3.6.1.4.1.8072.9999.9999.485.1";
const TELEMETRY = 1;
/** bmsAlarmActive of each alarm. */
const ALARM_OBJECTS = ALARMS.map((_, bit) => `3.1.5.${bit + 1}`);
const SECOND = 1_000;
/** TruthValue, RFC 2579. */
const TRUE = 1;
const FALSE = 2;

let broker: TestBroker;
let system: System;
let client: Listener;
let recover: () => void;

beforeAll(async () => {
  broker = await startBroker();
  client = await broker.client(`${BASE}/#`);
  system = await System.start({
    unpaced: true,
    bms: { evolving: false },
    board: {
      config: {
        settings: {
          mqtt: { enabled: true, host: "127.0.0.1", port: broker.port, interval: 1 },
          snmp: { enabled: true, community: COMMUNITY },
        },
      },
    },
  });
  system.keepUp = () => broker.beat().then(turn);
  fill(system.bms);
  recover = system.bms.faults.add({ kind: "no-answer" });
});
afterAll(async () => {
  system.stop();
  await broker.stop();
});

const telemetry = (): unknown => JSON.parse(client.topics.get(`${BASE}/telemetry`) ?? "{}");

/** Lets a little time pass until `answer` is there. */
async function answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let isDone = false;
  const done = answer.finally(() => (isDone = true));
  while (!isDone) {
    system.skip(1);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return done;
}

const status = async (): Promise<Record<string, unknown>> =>
  ((await answered(system.get("/api/bms/status"))).json as { data: Record<string, unknown> }).data;

/** What the agent answers for these objects below the MIB's own; undefined: there is none. */
async function snmp(objects: readonly string[]): Promise<(number | string | undefined)[]> {
  const socket = createSocket("udp4");
  const message = once(socket, "message") as Promise<[Uint8Array]>;
  const names = objects.map((object) => `${MIB}.${object}`);
  socket.send(request(names, { community: COMMUNITY }), system.probes.snmpPort(), "127.0.0.1");
  const [answer] = await answered(message);
  socket.close();
  const { bindings, status: error } = parse(answer);
  expect(error).toBe(0);
  return bindings.map(({ value }) => value);
}

const metrics = async (): Promise<ReturnType<typeof parseExposition>> =>
  parseExposition((await answered(system.get("/metrics"))).text);

/** REST's substitute for a value that was never known. */
const nothing = (value: unknown): unknown => (typeof value === "number" ? 0 : typeof value === "string" ? "" : false);

async function enter(state: State): Promise<void> {
  const { bms } = system;
  const online = (): boolean => system.monitor().online;
  switch (state) {
    case "never read":
      await system.skipUntil("MQTT is connected", () => client.topics.has(`${BASE}/diagnostics`), 60);
      await system.pass(20 * SECOND);
      break;
    case "online":
      recover();
      await system.skipUntil(
        "the model is told",
        () => at(telemetry(), "model") !== null && at(telemetry(), "model") !== undefined,
        60,
      );
      await system.untilLoaded();
      await system.pass(3 * SECOND);
      break;
    case "stale":
      recover = bms.faults.add({ kind: "no-answer" });
      await system.pass(3 * SECOND);
      expect(online()).toBe(true);
      break;
    case "probes absent":
      recover();
      bms.registers.write("TempSensors", 0);
      await system.pass(3 * SECOND);
      break;
    case "probes ignored":
      bms.registers.write("TempSensors", 0x3f);
      await system.pass(3 * SECOND);
      expect(at(telemetry(), "temperatures.mosfet")).toBe(21.5);
      expect(system.probes.writeCommand("temperature_sensors_disabled", true)).toBeUndefined();
      await system.pass(4 * SECOND);
      expect((await system.outcome()).lastCommandOk).toBe(true);
      break;
    case "offline":
      expect(system.probes.writeCommand("temperature_sensors_disabled", false)).toBeUndefined();
      await system.pass(4 * SECOND);
      bms.faults.add({ kind: "no-answer" });
      await system.untilOffline();
      await system.pass(2 * SECOND);
  }
}

// One after the other, on one device.
describe.each(STATES)("%s", (state) => {
  beforeAll(() => enter(state));

  it("REST has known values, the last known ones while offline, otherwise 0 or an empty text", async () => {
    const told = await status();
    for (const expected of EXPECTED) {
      const { path, value, source } = expected;
      const known = isKnown(expected, state) || state === "offline";
      const isOnline = state !== "never read" && state !== "offline";
      const wanted = source === "bms" ? isOnline : known ? value : unknown(expected, nothing(value));
      expect([path, at(told, path)]).toEqual([path, wanted]);
    }
    const cells = (told["cells"] as { voltage: number }[]).map(({ voltage }) => voltage);
    expect(cells.length).toBe(state === "never read" ? 0 : 16);
    const age = told["ageSeconds"] as number | null;
    if (state === "never read") expect(age).toBeNull();
    else if (state === "offline") expect(age).toBeGreaterThanOrEqual(5);
    else if (state === "stale") expect(age).toBeGreaterThanOrEqual(2);
    else expect(age).toBeLessThan(2);
  });

  it("MQTT has known values, and null otherwise", () => {
    for (const expected of EXPECTED) {
      const { path, value, source } = expected;
      const isOnline = state !== "never read" && state !== "offline";
      const wanted = source === "bms" ? isOnline : isKnown(expected, state) ? value : unknown(expected, null);
      expect([path, at(telemetry(), path)]).toEqual([path, wanted]);
    }
    const { cells } = JSON.parse(client.topics.get(`${BASE}/cells`)!) as { cells: unknown[] | null };
    expect(cells?.length).toBe(state === "never read" || state === "offline" ? undefined : 16);
  });

  it("SNMP has known values, and no object otherwise", async () => {
    const told = await snmp(EXPECTED.map(({ object }) => `${TELEMETRY}.${object}.0`));
    const isOnline = state !== "never read" && state !== "offline";
    EXPECTED.forEach((expected, index) => {
      const { path, source, snmp: known } = expected;
      const wanted = source === "bms" ? (isOnline ? TRUE : FALSE) : isKnown(expected, state) ? known : undefined;
      expect([path, told[index]]).toEqual([path, wanted]);
    });
  });

  it("metrics have known values, and no sample otherwise", async () => {
    const families = await metrics();
    const isOnline = state !== "never read" && state !== "offline";
    for (const expected of EXPECTED) {
      const { path, source, metric, sample } = expected;
      if (metric === undefined) continue;
      const wanted = source === "bms" ? Number(isOnline) : isKnown(expected, state) ? sample : undefined;
      expect([path, sampleOf(families, metric)]).toEqual([path, wanted]);
    }
    const info = families.get("bms_info")?.samples[0]?.labels;
    expect(info?.["model"]).toBe(isOnline ? "JK_PB2A16S20P" : undefined);
    expect(families.get("bms_cell_voltage_volts")?.samples.length).toBe(isOnline ? 16 : undefined);
  });

  it("every interface reports which alarms are raised, or that they are unknown", async () => {
    const isOnline = state !== "never read" && state !== "offline";
    expect(at(telemetry(), "alarms")).toEqual(isOnline ? ["charge_overcurrent"] : null);
    const active = await snmp(ALARM_OBJECTS);
    const families = await metrics();
    ALARMS.forEach((name, bit) => {
      const raised = name === "charge_overcurrent";
      expect([name, active[bit]]).toEqual([name, isOnline ? (raised ? TRUE : FALSE) : undefined]);
      const sample = sampleOf(families, "bms_alarm", { alarm: name });
      expect([name, sample]).toEqual([name, isOnline ? Number(raised) : undefined]);
    });
  });
});

describe("each alarm alone", () => {
  beforeAll(async () => {
    system.stop();
    client.topics.clear();
    system = await System.start({
      unpaced: true,
      bms: { evolving: false },
      board: {
        config: {
          settings: {
            mqtt: { enabled: true, host: "127.0.0.1", port: broker.port },
            snmp: { enabled: true, community: COMMUNITY },
          },
        },
      },
    });
    system.keepUp = () => broker.beat().then(turn);
    await system.untilLoaded();
    // Bit 4 of a pack that is not full means something else: test/catalogue/known.test.ts.
    system.bms.registers.write("SOC", 100);
    await system.skipUntil("MQTT tells", () => at(telemetry(), "soc") === 100, 60);
  });

  it("bit 4 of a pack that is not full is cell over-voltage; REST has the bits as they are sent", async () => {
    system.bms.registers.write("SOC", 60);
    system.bms.registers.write("Alarms", 1 << 4);
    await system.skipUntil("MQTT tells it", () => String(at(telemetry(), "alarms")) === "cell_overvoltage");
    expect((await status())["alarmCode"]).toBe(1 << 4);
    system.bms.registers.write("SOC", 100);
    await system.skipUntil("MQTT tells", () => String(at(telemetry(), "alarms")) === "fully_charged");
  });

  it.each(ALARMS.map((name, bit) => [name, bit] as const))("%s, bit %i", async (name, bit) => {
    const code = 2 ** bit;
    system.bms.registers.write("Alarms", code);
    await system.skipUntil("MQTT tells it", () => at(telemetry(), "alarmCode") === code);
    expect(at(telemetry(), "alarms")).toEqual([name]);
    expect((await status())["alarmCode"]).toBe(code);
    expect(await snmp(ALARM_OBJECTS)).toEqual(ALARMS.map((_, row) => (row === bit ? TRUE : FALSE)));
    const samples = (await metrics()).get("bms_alarm")!.samples;
    expect(samples).toHaveLength(ALARMS.length);
    expect(samples.filter(({ value }) => value).map(({ labels }) => labels["alarm"])).toEqual([name]);
  });
});
