import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startBroker, type BrokerOptions, type Listener, type TestBroker } from "../support/mqtt/broker";
import { REPEAT } from "../../src/mqtt/limits";
import { problemsOf } from "../support/peers/home-assistant";
import { parsed, type MqttDocuments } from "../support/mqtt/mqtt-documents";
import { isLong } from "../support/property";
import { System, turn } from "../support/system/system";
import type { MqttSettings } from "../../src/settings/types";

const BASE = "jk-bms/02005e100001";
const STATES = ["telemetry", "cells", "config", "relay", "diagnostics"] as const;
const DISCOVERY = "homeassistant/device/02005e100001/config";

interface ResultDocument {
  id?: string;
  name: string;
  ok: boolean;
  status: string;
  message: string;
}

/** Topic, payload, and what the refusal says. */
const NONSENSE: readonly [topic: string, payload: string | Buffer, message: string][] = [
  ["command/charge_mos/set", "maybe", "on or off"],
  ["command/charge_mos/set", "x".repeat(257), "1 to 256 bytes"],
  ["command/charge_mos/set", "y".repeat(100_000), "1 to 256 bytes"],
  ["command/charge_mos/set", Buffer.from([0xff, 0xfe]), "UTF-8"],
  ["setting/cell_ovp_voltage/set", "5.001", "from 0 to 5 V"],
  ["setting/cell_ovp_voltage/set", "1e0", "from 0 to 5 V"],
  ["setting/bluetooth_name/set", "1234567890123", "1 to 12"],
  ["relay/set", "{}", "on or off"],
  ["request", "not JSON", "must be JSON"],
  ["request", "[]", "must be JSON"],
  ["request", "[".repeat(200), "must be JSON"],
  ["request", '{"command":"charge_mos"}', "must be JSON"],
  ["request", '{"command":"charge_mos","setting":"charge_otp","state":1}', "must be JSON"],
  ["request", '{"setting":"charge_otp","value":true}', "must be JSON"],
  ["request", '{"setting":"charge_otp","value":{}}', "must be JSON"],
  ["request", `{"command":"charge_mos","state":1,"id":"${"i".repeat(65)}"}`, "at most 64"],
  ["request", '{"command":"shutdown","state":"on","id":"x"}', "Comando nao suportado"],
  ["request", `{"command":"charge_mos${" ".repeat(30)}x","state":"off"}`, "Comando nao suportado"],
  ["request", '{"setting":"toString","value":1}', "Parametro nao suportado"],
];

/** Virtual seconds. */
const PATIENCE = 120;

let broker: TestBroker;
let system: System;

async function boot(settings: Partial<MqttSettings> = {}, options: BrokerOptions = {}): Promise<Listener> {
  broker = await startBroker(options);
  const client = await broker.client();
  await bootSystem(settings);
  return client;
}

async function bootSystem(settings: Partial<MqttSettings> = {}): Promise<void> {
  const mqtt = { enabled: true, host: "127.0.0.1", port: broker.port, ...settings };
  system = await System.start({ unpaced: true, board: { config: { settings: { mqtt } } } });
  // Virtual time goes only as fast as the broker keeps up.
  system.keepUp = () => broker.beat().then(turn);
}

afterEach(async () => {
  system.stop();
  await broker.stop();
});

/** Until everything has been published. */
async function settled(client: Listener): Promise<void> {
  // The discovery is published again once the model is known.
  const discovery = (): string => client.topics.get(DISCOVERY) ?? "";
  await until("everything is published", () => discovery().includes('"mdl"') && client.topics.has(`${BASE}/config`));
  await system.pass(4_000);
}

/** Lets virtual time go by until `condition` holds. */
const until = (what: string, condition: () => boolean): Promise<void> => system.skipUntil(what, condition, PATIENCE);

const state = <Name extends (typeof STATES)[number]>(client: Listener, name: Name): MqttDocuments[Name] =>
  parsed(name, client.topics.get(`${BASE}/${name}`));

/** `data` of a GET of the REST API. */
async function data<Document = unknown>(path: string): Promise<Document> {
  return ((await system.get(path)).json as { data: Document }).data;
}

const results = (client: Listener): ResultDocument[] =>
  client.messages
    .filter(({ topic }) => topic === `${BASE}/result`)
    .map(({ text }) => JSON.parse(text) as ResultDocument);

/** Sends a request and returns its results, `count` of them. */
async function ask(
  client: Listener,
  topic: string,
  payload: string | Buffer,
  count: number,
): Promise<ResultDocument[]> {
  const before = results(client).length;
  await client.publish(`${BASE}/${topic}`, payload);
  await until("the results are there", () => results(client).length >= before + count);
  return results(client).slice(before);
}

describe("what is published", () => {
  it("for a BMS that never answered: device online, BMS offline, on one stable connection", async () => {
    const client = await boot();
    // Before the clock moves, and with it the first request.
    system.bms.faults.add({ kind: "no-answer" });
    await until("the discovery is published", () => client.topics.has(DISCOVERY));
    await system.pass(20_000);
    expect(client.topics.get(`${BASE}/availability`)).toBe("online");
    expect(client.topics.get(`${BASE}/bms`)).toBe("offline");
    expect(state(client, "config")).toMatchObject({ loaded: false, protections: { cellOvpVoltage: null } });
    expect(state(client, "telemetry")).toMatchObject({ online: false, soc: null, alarms: null });
    const announced = client.messages.filter(({ topic }) => topic === `${BASE}/availability`);
    expect(announced.map(({ text }) => text)).toEqual(["online"]);
  });

  it("all states, retained, and both availabilities", async () => {
    const client = await boot();
    await settled(client);
    const late = await broker.client(`${BASE}/#`);
    await until("the broker has told what it keeps", () => late.topics.size >= STATES.length + 2);
    expect([...late.topics.keys()].sort()).toEqual(
      [...STATES, "availability", "bms"].map((topic) => `${BASE}/${topic}`).sort(),
    );
    expect(late.topics.get(`${BASE}/availability`)).toBe("online");
    expect(late.topics.get(`${BASE}/bms`)).toBe("online");

    const status = await data<MqttDocuments["telemetry"] & MqttDocuments["cells"]>("/api/bms/status");
    const telemetry = state(late, "telemetry");
    expect(Object.keys(telemetry)).toEqual([
      // The age of a value that is sent when it changes would be old at once; conditions have their codes in `concerns`.
      ...Object.keys(status).filter((key) => !["cells", "ageSeconds", "conditions"].includes(key)),
      "alarms",
      "well",
      "concerns",
      "energy",
    ]);
    expect(telemetry).toMatchObject({ online: true, model: status.model, info: status.info, alarms: [] });
    expect(state(late, "cells").cells).toHaveLength(status.cells.length);
    const { commands, ...config } = state(late, "config");
    const { ageSeconds, ...asked } = await data<{ ageSeconds: number }>("/api/bms/config");
    expect(ageSeconds).toBeLessThan(60);
    expect(config).toEqual(asked);
    expect(commands).toEqual({
      charge_mos: "on",
      discharge_mos: "on",
      balance: "on",
      emergency: "off",
      display_always_on: expect.stringMatching(/^(on|off)$/) as string,
      temperature_sensors_disabled: "off",
    });
    expect(state(late, "relay")).toEqual({ fitted: true, name: "Relay", state: "off", mode: "manual" });
    expect(state(late, "diagnostics").link?.quality).toBe(100);
  });

  it("changes at the interval, and unchanged values once a minute", async () => {
    const client = await boot({ interval: 10 });
    await settled(client);
    const voltage = (): number => state(client, "telemetry").pack.voltage;
    const old = voltage();
    const before = system.board.clock.now;
    for (const cell of system.bms.pack.cells) cell.soc = 0.99;
    await until("the change is told", () => voltage() > old + 0.5);
    // The interval, and two polls.
    expect(system.board.clock.now - before).toBeLessThan(13_000);
    const configs = (): number => client.messages.filter(({ topic }) => topic === `${BASE}/config`).length;
    const told = configs();
    await until("all is told again", () => configs() > told);
    const count = client.messages.length;
    await system.pass((REPEAT + 5) * 1_000);
    const since = client.messages.slice(count).map(({ topic }) => topic.slice(BASE.length + 1));
    expect(since.filter((topic) => topic === "relay")).toHaveLength(1);
    expect(since.filter((topic) => topic === "config")).toHaveLength(1);
  });

  it("the BMS going offline and coming back", async () => {
    const client = await boot();
    await settled(client);
    system.bms.setOnline(false);
    await until("told offline", () => client.topics.get(`${BASE}/bms`) === "offline");
    await until("in the state as well", () => !state(client, "telemetry").online);
    expect(client.topics.get(`${BASE}/availability`)).toBe("online");
    system.bms.setOnline(true);
    await until("told online", () => client.topics.get(`${BASE}/bms`) === "online");
  });

  it("the device as offline, by its will, when it loses power", async () => {
    const client = await boot();
    await settled(client);
    system.board.powerOff();
    await until("the will is told", () => client.topics.get(`${BASE}/availability`) === "offline");
  });

  it("everything again at Home Assistant's birth message, and nothing for any other payload", async () => {
    const client = await boot();
    await settled(client);
    const announced = (): number => client.messages.filter(({ topic }) => topic === DISCOVERY).length;
    const before = announced();
    await client.publish("homeassistant/status", "offline");
    await client.publish("homeassistant/status", "online!");
    await system.pass(3_000);
    expect(announced()).toBe(before);
    const relay = client.messages.filter(({ topic }) => topic === `${BASE}/relay`).length;
    await client.publish("homeassistant/status", "online");
    await until("announced again", () => announced() === before + 1);
    expect(client.messages.filter(({ topic }) => topic === `${BASE}/relay`).length).toBe(relay + 1);
  });

  it("a discovery document that follows Home Assistant's rules", async () => {
    const client = await boot();
    await settled(client);
    // The documents are there from the connection on, with null for what has not been read yet.
    await until("the BMS is known", () => state(client, "telemetry").model !== null);
    const document = parsed("discovery", client.topics.get(DISCOVERY));
    expect(problemsOf(document)).toEqual([]);
    expect(Object.keys(document.cmps).length).toBeGreaterThan(90);
  });

  it("removes the discovery document when discovery is disabled, and goes silent when MQTT is", async () => {
    const client = await boot();
    await settled(client);
    expect(system.probes.configure("mqtt", { discovery: false })).toBeUndefined();
    await until("taken back", () => client.topics.get(DISCOVERY) === "");
    await system.pass(3_000);
    expect(system.probes.configure("mqtt", { enabled: false })).toBeUndefined();
    await until("gone", () => client.topics.get(`${BASE}/availability`) === "offline");
    const { length } = client.messages;
    await system.pass(5_000);
    expect(client.messages).toHaveLength(length);
    expect(system.monitor().online).toBe(true);
  });
});

describe("requests", () => {
  let client: Listener;
  beforeEach(async () => {
    client = await boot();
    await settled(client);
  });

  it("confirm a command only when the BMS has executed it, and publish its state", async () => {
    const [accepted, confirmed] = await ask(client, "command/charge_mos/set", "off", 2);
    expect(accepted).toMatchObject({ name: "charge_mos", ok: false, status: "accepted" });
    expect(confirmed).toEqual({
      name: "charge_mos",
      ok: true,
      status: "confirmed",
      code: "confirmed",
      message: "charge_mos off: confirmed by the BMS.",
    });
    expect(system.bms.registers.read("BatChargeEN")).toBe(0);
    await until("its state", () => state(client, "config").commands["charge_mos"] === "off");
  });

  it("write a setting, by its topic or by a request with an id", async () => {
    const [, byTopic] = await ask(client, "setting/cell_ovp_voltage/set", "3.601", 2);
    expect(byTopic).toMatchObject({ name: "cell_ovp_voltage", status: "confirmed" });
    const [accepted, byRequest] = await ask(
      client,
      "request",
      JSON.stringify({ setting: "CellOVP", value: 3.602, id: "a-1" }),
      2,
    );
    expect(accepted).toMatchObject({ id: "a-1", name: "cell_ovp_voltage", status: "accepted" });
    expect(byRequest).toMatchObject({ id: "a-1", name: "cell_ovp_voltage", ok: true, status: "confirmed" });
    await until("its state", () => state(client, "config").protections.cellOvpVoltage === 3.602);
  });

  it("are refused while a REST write is pending, with the reason", async () => {
    system.bms.faults.add({ kind: "no-answer", matching: (request) => request.function === 0x10 });
    expect((await system.post("/api/bms/commands", { command: "balance", state: false })).status).toBe(202);
    const [refused] = await ask(client, "request", '{"command":"charge_mos","state":"off","id":7}', 1);
    expect(refused).toEqual({
      id: "7",
      name: "charge_mos",
      ok: false,
      status: "refused",
      code: "pending",
      message: "Another write is pending; try again when it has ended.",
    });
    const outcome = await system.outcome();
    expect(outcome.lastCommand).toMatch(/^balance off/);
    expect(results(client)).toHaveLength(1);
  });

  it("report a write that the BMS refused or did not answer as failed", async () => {
    const [, refused] = await ask(client, "setting/max_balance_current/set", "2.001", 2);
    expect(refused).toMatchObject({ ok: false, status: "failed" });
    expect(refused?.message).toContain("exception 3");
    system.bms.faults.add({ kind: "no-answer", matching: (request) => request.function === 0x10 });
    const [, silent] = await ask(client, "command/balance/set", "off", 2);
    expect(silent).toMatchObject({ ok: false, status: "failed", name: "balance" });
  });

  it("switch the relay, in manual mode only", async () => {
    const [done] = await ask(client, "relay/set", "ON", 1);
    expect(done).toMatchObject({ name: "relay", ok: true, status: "confirmed" });
    expect(system.probes.relay()).toBe(1);
    await until("its state", () => state(client, "relay").state === "on");
    expect((await ask(client, "request", '{"relay":false,"id":"r"}', 1))[0]).toMatchObject({ id: "r", ok: true });
    system.probes.configure("relay", { mode: 2 });
    expect((await ask(client, "relay/set", "on", 1))[0]).toMatchObject({ ok: false, status: "refused" });
    expect(system.probes.relay()).toBe(0);
    await until("its mode", () => state(client, "relay").mode === "disabled");
  });

  it("publish the relay when another interface switches it", async () => {
    system.probes.switchRelay(true);
    await until("its state", () => state(client, "relay").state === "on");
  });

  it("for anything but a command or setting are rejected without effect", async () => {
    for (const [topic, payload, message] of NONSENSE) {
      const [refused] = await ask(client, topic, payload, 1);
      expect(refused, `${topic} ${payload.toString().slice(0, 80)}`).toMatchObject({ ok: false, status: "refused" });
      expect(refused?.message).toContain(message);
    }
    expect(system.monitor()).toMatchObject({ pending: false, lastCommand: "" });
    expect(results(client)).toHaveLength(NONSENSE.length);
  });

  const GARBAGE = isLong ? 1_000 : 200;
  it(`survive ${GARBAGE} messages of garbage, each answered`, async () => {
    const polls = system.monitor().statistics!.replies;
    const topics = ["request", "relay/set", "command/balance/set", "setting/charge_otp/set"];
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let n = 0; n < GARBAGE; n++) {
      const length = 1 + random(n % 20 ? 60 : 2_000);
      const payload = Buffer.from(Array.from({ length }, () => (n % 3 ? 0x20 + random(90) : random(256))));
      void client.publish(`${BASE}/${topics[random(topics.length)]}`, payload);
    }
    await until("all are answered", () => results(client).length >= GARBAGE);
    expect(results(client).every(({ ok, status }) => !ok && status === "refused")).toBe(true);
    await system.pass(3_000);
    expect(system.monitor().statistics!.replies).toBeGreaterThan(polls);
    const [, confirmed] = await ask(client, "command/balance/set", "off", 2);
    expect(confirmed).toMatchObject({ ok: true });
  });

  it("with an empty payload, which would hang the platform's client, are refused like any other", async () => {
    for (const topic of ["relay/set", "command/balance/set", "request"])
      expect((await ask(client, topic, "", 1))[0]).toMatchObject({ ok: false, status: "refused" });
    expect((await ask(client, "relay/set", "on", 1))[0]).toMatchObject({ ok: true });
    expect(client.topics.get(`${BASE}/availability`)).toBe("online");
  });
});

describe("the broker", () => {
  it("does not trigger anything with retained messages: they may be old", async () => {
    broker = await startBroker();
    const client = await broker.client();
    await client.publish(`${BASE}/command/charge_mos/set`, "off", true);
    await bootSystem({ enabled: false });
    await system.untilLoaded();
    system.probes.configure("mqtt", { enabled: true });
    await until("refused", () => results(client).length > 0);
    expect(results(client)[0]).toMatchObject({ name: "charge_mos", status: "refused" });
    expect(results(client)[0]?.message).toContain("which may be old");
    await settled(client);
    expect(system.bms.registers.read("BatChargeEN")).toBe(1);
    expect(results(client)).toHaveLength(1);
  });

  it("forwards a live request at once after the connection: it is carried out, published as retained or not", async () => {
    const client = await boot({ enabled: false });
    await system.untilLoaded();
    const confirmed = (): number => results(client).filter(({ status }) => status === "confirmed").length;
    for (const [done, state, value] of [
      [1, "off", 0],
      [2, "on", 1],
    ] as const) {
      system.probes.configure("mqtt", { enabled: true });
      await until("connected", () => client.topics.get(`${BASE}/availability`) === "online");
      await client.publish(`${BASE}/command/charge_mos/set`, state, value === 1);
      await until("confirmed", () => confirmed() === done);
      expect(system.bms.registers.read("BatChargeEN")).toBe(value);
      system.probes.configure("mqtt", { enabled: false });
      await until("disconnected", () => client.topics.get(`${BASE}/availability`) === "offline");
    }
  });

  it("restarts: the device reconnects and publishes everything", async () => {
    const client = await boot();
    await settled(client);
    await broker.end();
    client.topics.clear();
    await system.pass(3_000);
    await broker.start();
    await until("everything is there again", () => client.topics.has(`${BASE}/config`) && client.topics.has(DISCOVERY));
    expect(client.topics.get(`${BASE}/availability`)).toBe("online");
  });

  it("rejects a wrong password: reported once, retried with back-off, connected once corrected", async () => {
    const user = { name: "joão \u{1f50b}", password: "señal-password" };
    const client = await boot({ user: user.name, password: "senal-password" }, { user });
    await system.pass(60_000);
    const tries = system.console.filter((line) => line.includes("mqttClient error")).length;
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(9);
    expect(system.console.filter((line) => line.startsWith("MQTT: "))).toHaveLength(1);
    expect(system.console.join("")).not.toContain("-password");
    expect(client.topics.size).toBe(0);
    system.probes.configure("mqtt", { password: user.password });
    await settled(client);
    expect(client.topics.get(`${BASE}/availability`)).toBe("online");
  });

  it("stops reading: polls continue, and it later gets the newest state", async () => {
    const client = await boot();
    await settled(client);
    broker.halt();
    const { replies } = system.monitor().statistics!;
    await system.pass(90_000);
    expect(system.monitor().statistics!.replies - replies).toBeGreaterThan(80);
    system.probes.switchRelay(true);
    await system.pass(5_000);
    broker.resume();
    await until(
      "the newest state is there",
      () => state(client, "relay").state === "on" && client.topics.get(`${BASE}/availability`) === "online",
    );
    await system.pass(70_000);
    expect(client.topics.get(`${BASE}/availability`)).toBe("online");
    expect(state(client, "relay").state).toBe("on");
  });

  it("is found by its name", async () => {
    const client = await boot({ host: "localhost" });
    await settled(client);
  });
});
