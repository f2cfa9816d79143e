import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { energySum, HomeAssistant, type Message } from "../support/peers/home-assistant-model";
import { parsed, type MqttDocuments } from "../support/mqtt/mqtt-documents";
import { System, turn, type SystemOptions } from "../support/system/system";
import type { MqttSettings } from "../../src/settings/types";

const ID = "02005e100001";
const BASE = `jk-bms/${ID}`;
const DISCOVERY = `homeassistant/device/${ID}/config`;
const SECOND = 1_000;
/** s, the default. */
const INTERVAL = 5;
const FC03 = 0x03;
const DEVICE_INFO_START = 0x1400;
const DEVICE_INFO_TRIGGER = 0x161c;
const FC16 = 0x10;

let broker: TestBroker;
let system: System;
let client: Listener;

afterEach(async () => {
  system.stop();
  await broker.stop();
});

const until = (what: string, condition: () => boolean): Promise<void> => system.skipUntil(what, condition, 600);

async function boot(bms: SystemOptions["bms"] = {}, settings: Partial<MqttSettings> = {}): Promise<void> {
  broker = await startBroker();
  client = await broker.client();
  const mqtt = { enabled: true, host: "127.0.0.1", port: broker.port, ...settings };
  system = await System.start({ unpaced: true, bms, board: { config: { settings: { mqtt } } } });
  system.keepUp = () => broker.beat().then(turn);
}

const state = <Name extends "telemetry" | "config" | "relay">(name: Name): MqttDocuments[Name] =>
  parsed(name, client.topics.get(`${BASE}/${name}`));

/** Until everything is known and published, and messages count as new. */
async function known(): Promise<void> {
  const all = (): boolean =>
    client.topics.has(DISCOVERY) &&
    state("config").loaded &&
    state("telemetry").model !== null &&
    client.topics.get(DISCOVERY)!.includes('"mdl"');
  await until("everything is known", () => client.topics.has(`${BASE}/config`) && all());
  await system.pass(4 * SECOND);
}

const told = (topic: string, from = 0): Message[] =>
  client.messages.slice(from).filter((message) => message.topic === `${BASE}/${topic}`);

/** Home Assistant's view after all messages so far; it must find no problem. */
async function heard(messages: readonly Message[] = client.messages): Promise<HomeAssistant> {
  const homeAssistant = await HomeAssistant.hearing(messages);
  expect(homeAssistant.problems).toEqual([]);
  return homeAssistant;
}

/** Topics still retained by the broker. */
async function kept(): Promise<string[]> {
  const late = await broker.client();
  const marker = "test/marker";
  await client.publish(marker, "now");
  await until("the broker has told what it keeps", () => late.topics.has(marker));
  return [...late.topics.keys()].filter((topic) => topic !== marker).sort();
}

describe("1: removes what no longer exists", () => {
  it("the relay when it is no longer fitted, and restores it", async () => {
    await boot();
    await known();
    expect((await heard()).entity("relay").state).toBe("off");
    const documents = (): number => client.messages.filter(({ topic }) => topic === DISCOVERY).length;
    const before = documents();
    system.probes.configure("relay", { fitted: false });
    await until("announced again", () => documents() > before);
    expect((await heard()).entities.has("relay")).toBe(false);
    system.probes.configure("relay", { fitted: true });
    await until("and again", () => documents() > before + 1);
    expect((await heard()).entity("relay").state).toBe("off");
  });

  it("everything when discovery is switched off", async () => {
    await boot();
    await known();
    system.probes.configure("mqtt", { discovery: false });
    await until("taken back", () => client.topics.get(DISCOVERY) === "");
    expect((await heard()).entities.size).toBe(0);
  });

  it("what was retained under another base topic and prefix", async () => {
    await boot();
    await known();
    expect(await kept()).toContain(`${BASE}/telemetry`);
    system.probes.configure("mqtt", { baseTopic: "garage", discoveryPrefix: "ha" });
    const discovery = `ha/device/${ID}/config`;
    await until("the new ones are there", () => client.topics.has(discovery));
    const topics = ["availability", "bms", "cells", "config", "diagnostics", "relay", "telemetry"];
    expect(await kept()).toEqual([...topics.map((topic) => `garage/${ID}/${topic}`), discovery]);
    expect((await HomeAssistant.hearing(client.messages)).entities.size).toBe(0);
    expect((await HomeAssistant.hearing(client.messages, "ha")).entity("soc").state).toMatch(/^\d+$/);
  });

  it("the same if they were changed while MQTT was off and the device restarted", async () => {
    await boot();
    await known();
    system.probes.configure("mqtt", { enabled: false });
    system.probes.configure("mqtt", { baseTopic: "garage" });
    await system.powerCycle();
    await until("the new ones are there", () => client.topics.has(`garage/${ID}/telemetry`));
    expect((await kept()).filter((topic) => topic.startsWith(BASE))).toEqual([]);
    // Done once: another connection deletes nothing.
    const { length } = client.messages;
    system.probes.configure("mqtt", { interval: 6 });
    await until("announced", () => client.messages.slice(length).some(({ topic }) => topic === DISCOVERY));
    expect(client.messages.slice(length).filter(({ topic }) => topic.startsWith(BASE))).toEqual([]);
  });
});

describe("2: publishes", () => {
  it("values that change with each poll at most once per interval", async () => {
    await boot({ timeFactor: 60 });
    await known();
    const from = client.messages.length;
    await system.pass(60 * SECOND);
    const messages = told("telemetry", from);
    expect(messages.length).toBeGreaterThan(60 / (2 * INTERVAL));
    // Plus one repetition, and one when the settings have been read, which are once a minute.
    expect(messages.length).toBeLessThanOrEqual(60 / INTERVAL + 2);
    expect(told("cells", from).length).toBeLessThanOrEqual(60 / INTERVAL + 1);
  });

  it("no noise within the dead bands: not one value in five minutes", async () => {
    await boot({ evolving: false });
    // A device that does not know the time says so after two minutes.
    system.probes.setTime(Date.UTC(2026, 5, 1));
    const { registers } = system.bms;
    registers.write("BatCurrent", -12_345);
    // So far apart that noise does not change which is lowest or highest.
    for (let cell = 0; cell < 16; cell++) registers.write("CellVol", 3300 + 5 * cell, cell);
    await known();
    // That the cells are so far apart is told first.
    const apart = (): boolean => client.messages.some(({ text }) => text.includes('"condition":"spread"'));
    await until("the spread is told", apart);
    const before = (await heard()).rows;
    const from = client.messages.length;
    const [volts, amperes] = [registers.read("BatVol"), registers.read("BatCurrent")];
    for (let poll = 0; poll < 300; poll++) {
      registers.write("BatVol", volts + 40 * (poll % 2));
      registers.write("BatCurrent", amperes + 90 * (poll % 2));
      for (const cell of [0, 7, 15]) registers.write("CellVol", 3300 + 5 * cell + (poll % 2), cell);
      await system.pass(SECOND);
    }
    // Each is repeated once a minute, so that it does not expire.
    expect(told("telemetry", from).length).toBeGreaterThanOrEqual(4);
    expect(told("telemetry", from).length).toBeLessThanOrEqual(6);
    expect((await heard()).rows - before).toBe(0);
  });

  it("alarms, switches and the BMS going online or offline at once, however long the interval", async () => {
    await boot({ evolving: false }, { interval: 3600 });
    await known();
    const { registers } = system.bms;
    const atOnce = async (what: string, condition: () => boolean): Promise<void> => {
      const { now } = system.board.clock;
      await until(what, condition);
      // Two polls.
      expect(system.board.clock.now - now, what).toBeLessThanOrEqual(2 * SECOND + 500);
    };
    registers.write("Alarms", 1 << ALARMS_TABLE.findIndex(({ name }) => name === "cell_undervoltage"));
    await atOnce("the alarm is told", () => state("telemetry").alarms.includes("cell_undervoltage"));
    expect((await heard()).entity("alarm_cell_undervoltage").state).toBe("on");
    registers.write("Alarms", 0);
    await atOnce("its end is told", () => !state("telemetry").alarms.length);
    expect(system.probes.writeCommand("charge_mos", false)).toBeUndefined();
    await atOnce("the switch is told", () => state("config").commands["charge_mos"] === "off");
    registers.write("TimeEmergency", 1800);
    await atOnce("the emergency mode is told", () => state("config").commands["emergency"] === "on");
    system.probes.switchRelay(true);
    await atOnce("the relay is told", () => state("relay").state === "on");
    const homeAssistant = await heard();
    expect(["command_charge_mos", "command_emergency", "relay"].map((key) => homeAssistant.entity(key).state)).toEqual([
      "off",
      "on",
      "on",
    ]);
    system.bms.setOnline(false);
    await system.untilOffline();
    await atOnce("offline is told", () => client.topics.get(`${BASE}/bms`) === "offline");
    expect((await heard()).entity("soc").state).toBe("unavailable");
  });
});

describe("2a: what else Home Assistant gets", () => {
  it("cells and their wires, disabled at first, for as many as there are, each with its own value", async () => {
    await boot({ evolving: false });
    const { registers } = system.bms;
    for (let cell = 0; cell < 16; cell++) {
      registers.write("CellVol", 3300 + 5 * cell, cell);
      registers.write("CellWireRes", 40 + cell, cell);
    }
    await known();
    const cells = async () => {
      const { entities } = await heard();
      return [...entities].filter(([key]) => key.startsWith("cell_"));
    };
    const before = await cells();
    expect(before).toHaveLength(32);
    expect(before.some(([, { isEnabled }]) => isEnabled)).toBe(false);
    expect(before.every(([, { options }]) => options["entity_category"] === "diagnostic")).toBe(true);
    const homeAssistant = await heard();
    for (const cell of [0, 7, 15]) {
      expect(Number(homeAssistant.entity(`cell_${cell + 1}_voltage`).state)).toBeCloseTo(3.3 + 0.005 * cell, 3);
      expect(homeAssistant.entity(`cell_${cell + 1}_wire_resistance`).state).toBe(String(40 + cell));
    }
    system.bms.setOnline(false);
    await system.untilOffline();
    await until("it is told", () => client.topics.get(`${BASE}/bms`) === "offline");
    expect((await heard()).entity("cell_16_voltage").state).toBe("unavailable");
  });

  it("minutes to full and to empty by the current of now, neither at rest", async () => {
    await boot({ evolving: false });
    await known();
    const { registers } = system.bms;
    const { capacityAh, remainingCapacityAh, soc } = state("telemetry") as unknown as Record<string, number>;
    const times = async (current: number): Promise<string[]> => {
      const shown = (): number => (state("telemetry") as unknown as { pack: { current: number } }).pack.current;
      registers.write("BatCurrent", 1000 * current);
      registers.write("BatWatt", Math.abs(current) * registers.read("BatVol"));
      await until("the current is told", () => Math.abs(shown() - current) < 0.01);
      const homeAssistant = await heard();
      return ["time_to_full", "time_to_empty"].map((key) => homeAssistant.entity(key).state);
    };
    const toFull = Math.round(((100 - soc!) * capacityAh! * 0.6) / 20);
    expect(await times(20)).toEqual([String(toFull), "unknown"]);
    expect(await times(-40)).toEqual(["unknown", String(Math.round((remainingCapacityAh! * 60) / 40))]);
    expect(await times(0)).toEqual(["unknown", "unknown"]);
  });

  it("an event for each alarm that is raised or ends", async () => {
    await boot({ evolving: false });
    await known();
    system.bms.registers.write("Alarms", 1 << ALARMS_TABLE.findIndex(({ name }) => name === "cell_undervoltage"));
    await until("it is told", () => told("alarm").length === 1);
    system.bms.registers.write("Alarms", 0);
    await until("its end is told", () => told("alarm").length === 2);
    expect((await heard()).entity("alarm").events).toEqual([
      { event_type: "raised", alarm: "cell_undervoltage" },
      { event_type: "ended", alarm: "cell_undervoltage" },
    ]);
    // They are no states: a client that comes later gets none.
    expect((await kept()).some((topic) => topic.endsWith("/alarm"))).toBe(false);
  });

  it("the relay's mode as a select, and a button that restarts the device", async () => {
    await boot({ evolving: false });
    await known();
    const { options } = (await heard()).entity("relay_mode");
    expect(options["options"]).toEqual(["manual", "automatic", "disabled"]);
    expect(state("relay").mode).toBe("manual");
    const ask = (template: unknown, value: string): Promise<unknown> =>
      client.publish(options["command_topic"] as string, (template as string).replace("{{value}}", value));
    await ask(options["command_template"], "automatic");
    await until("the mode is told", () => state("relay").mode === "automatic");
    expect((await heard()).entity("relay_mode").state).toBe("automatic");
    const { options: button } = (await heard()).entity("restart");
    const from = client.messages.length;
    await ask(button["payload_press"], "");
    await until("its result is told", () => told("result", from).length === 1);
    await until("it has restarted", () => system.probes.start().reason === "ordered");
  });

  it("why the device started, its free memory and how it reads the bus, and no Wi-Fi where there is none", async () => {
    await boot({ evolving: false });
    await known();
    const homeAssistant = await heard();
    expect(homeAssistant.entity("restart_cause").state).toBe("power-on");
    expect(homeAssistant.entity("bus_mode").state).toBe("poll");
    expect(homeAssistant.entities.has("wifi_signal")).toBe(false);
    expect(homeAssistant.entity("free_memory").state).toMatch(/^(unknown|\d+)$/);
  });
});

describe("3: unknown values", () => {
  it("of a BMS that never answered are not published, and its entities are unavailable", async () => {
    await boot();
    system.bms.faults.add({ kind: "no-answer" });
    await until("the discovery is published", () => client.topics.has(DISCOVERY));
    await system.pass(20 * SECOND);
    const { entities } = await heard();
    const states = [...entities].filter(([, { state: shown }]) => shown !== "unavailable").map(([key]) => key);
    expect(states.sort()).toEqual([
      "attention",
      "bus_mode",
      "device_concerns",
      "energy_chargedKwh",
      "energy_chargedTodayKwh",
      "energy_chargedYesterdayKwh",
      "energy_dischargedKwh",
      "energy_dischargedTodayKwh",
      "energy_dischargedYesterdayKwh",
      "free_memory",
      "last_write",
      "link_quality",
      "link_timeouts",
      "online",
      "relay",
      "relay_mode",
      "restart",
      "restart_cause",
      "safe_mode",
      "uptime",
    ]);
    expect(entities.get("online")?.state).toBe("off");
  });

  it("of unreadable device information are unknown, neither 0 nor an empty text, until they can be read", async () => {
    await boot({ evolving: false });
    const end = system.bms.faults.add({
      kind: "no-answer",
      matching: ({ function: code, register = 0 }) =>
        register === DEVICE_INFO_TRIGGER || (code === FC03 && register >= DEVICE_INFO_START && register < 0x1600),
    });
    await until("the settings are there", () => client.topics.has(`${BASE}/config`) && state("config").loaded);
    await until("the discovery is published", () => client.topics.has(DISCOVERY));
    const keys = ["model", "info_maxCells", "info_softwareVersion", "info_totalRuntimeSeconds"];
    const before = await heard();
    expect(keys.map((key) => before.entity(key).state)).toEqual(keys.map(() => "unknown"));
    expect(before.entity("setting_bluetooth_name").state).toBe("unavailable");
    expect(before.entity("soc").state).toMatch(/^\d+$/);
    end();
    await known();
    const after = await heard();
    expect(after.entity("model").state).toBe("JK_PB2A16S20P");
    expect(after.entity("info_maxCells").state).toBe("16");
    expect(after.entity("setting_bluetooth_name").state).toBe(system.bms.registers.text("BluetoothName"));
    for (const { rows } of after.entities.values()) expect(rows).not.toContain("");
    expect(after.entity("info_maxCells").rows).not.toContain("0");
  });

  it("of energy that could not be read back are unknown", async () => {
    await boot({ evolving: false });
    await known();
    const { energy, ...telemetry } = state("telemetry");
    // The day is that of a clock, which is not set.
    const days = {
      chargedTodayKwh: null,
      dischargedTodayKwh: null,
      chargedYesterdayKwh: null,
      dischargedYesterdayKwh: null,
    };
    expect(energy).toEqual({ chargedKwh: 0, dischargedKwh: 0, ...days });
    const unread = JSON.stringify({ ...telemetry, energy: { chargedKwh: null, dischargedKwh: null, ...days } });
    const { entities } = await heard([...client.messages, { topic: `${BASE}/telemetry`, text: unread }]);
    expect(entities.get("energy_chargedKwh")?.rows.at(-1)).toBe("unknown");
    expect(entities.get("energy_chargedTodayKwh")?.state).toBe("unknown");
  });
});

it("4: one name per entity, also for balancing and the Bluetooth name", async () => {
  await boot();
  await known();
  const { entities } = await heard();
  const named = (name: string): string[] =>
    [...entities].filter(([, { options }]) => options["name"] === name).map(([key]) => key);
  expect(named("Balancing")).toEqual(["command_balance"]);
  expect(named("Bluetooth name")).toEqual(["setting_bluetooth_name"]);
  expect(entities.get("setting_bluetooth_name")?.isEnabled).toBe(true);
  // Duplicates announced by older firmware are removed.
  const old = { p: "sensor", name: "Bluetooth name", uniq_id: `${ID}_name`, stat_t: "x" };
  const document = { dev: { ids: [ID] }, o: { name: "old" }, avty: [], avty_mode: "all", cmps: { name: old } };
  const again = await HomeAssistant.hearing([{ topic: DISCOVERY, text: JSON.stringify(document) }, ...client.messages]);
  expect(again.entities.has("name")).toBe(false);
});

it("4a: asks for attention while something is wrong, says what, and does so for a silent BMS too", async () => {
  await boot({ evolving: false });
  await known();
  const { registers } = system.bms;
  const attention = async () => (await heard()).entity("attention");
  const wrong = (): unknown => JSON.parse(client.topics.get(`${BASE}/telemetry`) ?? "{}").concerns;
  expect((await attention()).state).toBe("off");
  // What says the same twice must agree, or the reply is doubted.
  const charge = (soc: number): void => {
    registers.write("SOC", soc);
    registers.write("SOCCapRemain", Math.round((soc / 100) * registers.read("SOCFullChargeCap")));
  };
  charge(10);
  await until("low charge is told", () => isDeepStrictEqual(wrong(), ["low-charge"]));
  expect((await attention()).state).toBe("on");
  charge(50);
  await until("all is well", () => isDeepStrictEqual(wrong(), []));
  expect((await attention()).state).toBe("off");
  system.bms.setOnline(false);
  await until("the BMS is lost", () => isDeepStrictEqual(wrong(), ["offline"]));
  expect((await attention()).state).toBe("on");
});

it("5: energy never falls, even with repeated power cuts", async () => {
  await boot({ evolving: false });
  system.bms.registers.write("BatWatt", 9_000_000);
  system.bms.registers.write("BatCurrent", -170_000);
  // Noon in UTC.
  let utc = 1_800_014_400;
  for (const seconds of [130, 70, 95]) {
    await known();
    system.probes.setTime(1000 * utc);
    utc += seconds + 60;
    await system.pass(seconds * SECOND);
    system.board.powerOff();
    await until("the will is told", () => client.topics.get(`${BASE}/availability`) === "offline");
    client.topics.clear();
    await system.powerCycle();
  }
  await known();
  const { rows } = (await heard()).entity("energy_dischargedKwh");
  const values = rows.map(Number).filter((value) => !Number.isNaN(value));
  expect(values.at(-1)).toBeGreaterThan(0.2);
  const { sum, dips } = energySum(rows);
  expect(dips).toBe(0);
  expect(sum).toBeCloseTo(values.at(-1)! - values[0]!, 6);
  // The same day: what was discharged since the clock was first set.
  const today = (await heard()).entity("energy_dischargedTodayKwh").rows;
  expect(energySum(today).dips).toBe(0);
  expect(energySum(today).sum).toBeGreaterThan(0.1);
});

describe("6: a refused write is visible", () => {
  it("as an event, each time, with the reason", async () => {
    await boot({ evolving: false });
    await known();
    const results = (): number => told("result").length;
    const ask = async (topic: string, payload: string, count: number): Promise<void> => {
      const before = results();
      await client.publish(`${BASE}/${topic}`, payload);
      await until("the results are there", () => results() === before + count);
    };
    await ask("setting/cell_ovp_voltage/set", "5.001", 1);
    await ask("setting/cell_ovp_voltage/set", "5.001", 1);
    await ask("setting/max_balance_current/set", "2.001", 2);
    await ask("command/balance/set", "off", 2);
    system.bms.faults.add({ kind: "no-answer", matching: (request) => request.function === FC16 });
    await ask("command/balance/set", "on", 2);
    const { events } = (await heard()).entity("last_write");
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "refused",
      "refused",
      "accepted",
      "failed",
      "accepted",
      "confirmed",
      "accepted",
      "failed",
    ]);
    expect(events[0]).toMatchObject({
      name: "cell_ovp_voltage",
      message: expect.stringContaining("from 0 to 5 V") as string,
    });
    expect(events[3]).toMatchObject({ name: "max_balance_current", code: "refused" });
  });

  it("a pack that holds more than can be set is shown as it is, and no more can be set for that", async () => {
    await boot({ evolving: false });
    await known();
    const documents = (): number => client.messages.filter(({ topic }) => topic === DISCOVERY).length;
    const before = documents();
    system.bms.registers.write("CapBatCell", 1_200_000);
    await until("its limits are told again", () => documents() > before);
    await until("it is told", () => (client.topics.get(`${BASE}/config`) ?? "").includes('"capacityAh":1200,'));
    // A state beyond the limits would be one of its problems.
    const { options } = (await heard()).entity("setting_capacity_ah");
    expect([options["min"], options["max"]]).toEqual([0.1, 1200]);
    const results = told("result").length;
    await client.publish(`${BASE}/setting/capacity_ah/set`, "1100");
    await until("the result is there", () => told("result").length > results);
    expect(JSON.parse(told("result").at(-1)!.text)).toMatchObject({ status: "refused", name: "capacity_ah" });
  });

  it("before it is sent: numbers carry the model's limits, the text its pattern", async () => {
    await boot({ model: "JK_PB2A16S20P" });
    await known();
    const homeAssistant = await heard();
    const { options: current } = homeAssistant.entity("setting_max_balance_current");
    const { options: cells } = homeAssistant.entity("setting_cell_count");
    expect([current["max"], cells["max"]]).toEqual([2, 16]);
    const { options: name } = homeAssistant.entity("setting_bluetooth_name");
    expect([name["min"], name["max"]]).toEqual([1, 12]);
    const pattern = new RegExp(`^(?:${name["pattern"] as string})$`, "v");
    expect(["Pack 1", "~", "é", "   ", ""].map((text) => pattern.test(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("7: the device", () => {
  it("has manufacturer, model and page as Home Assistant defines them", async () => {
    await boot({ model: "JK_PB2A16S20P" });
    await known();
    const { device, origin } = await heard();
    const { registers } = system.bms;
    expect(device).toMatchObject({
      mf: "JIKONG",
      mdl: "JK_PB2A16S20P",
      sn: registers.text("SerialNumber"),
      hw: registers.text("HardwareVersion"),
    });
    expect(origin).toMatchObject({ name: "jk-bms-monitor" });
    expect(device["cu"]).toBe("http://127.0.0.1:0/");
  });

  it("docs/mqtt.md names the minimum version of Home Assistant", () => {
    expect(readFileSync("docs/mqtt.md", "utf8")).toContain("Home Assistant 2024.11");
  });
});
