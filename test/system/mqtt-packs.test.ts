/** Several packs over MQTT: a branch and a Home Assistant device for each, and one for the bank, on a real mosquitto. */
import { isDeepStrictEqual } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import type { PacksSettings } from "../../src/settings/types";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { entityOf, problemsOf, rootOf } from "../support/peers/home-assistant";
import { HomeAssistant } from "../support/peers/home-assistant-model";
import { System, turn } from "../support/system/system";

type Json = Record<string, unknown>;

const ID = "02005e100001";
const BASE = `jk-bms/${ID}`;
const discoveryOf = (end: string): string => `homeassistant/device/${ID}${end}/config`;
const SECOND = 1_000;
/** Virtual seconds. */
const PATIENCE = 300;
const ENDS = ["", "_pack2", "_pack3", "_bank"];

let broker: TestBroker;
let system: System;
let client: Listener;

afterEach(async () => {
  system.stop();
  await broker.stop();
});

const until = (what: string, condition: () => boolean): Promise<void> => system.skipUntil(what, condition, PATIENCE);

function packs(...addresses: readonly number[]): PacksSettings {
  return { first: "Pack 1", further: addresses.map((address) => ({ address, name: `Pack ${address}` })) };
}

const text = (topic: string): string => client.topics.get(topic) ?? "";
const read = (topic: string): Json => JSON.parse(text(topic)) as Json;
const state = (branch: string, group: string): Json => read(`${BASE}/${branch}/${group}`);

/** Until the models of all packs are announced, their settings are read, and what comes now is no longer taken for retained. */
async function boot(evolving = true): Promise<void> {
  broker = await startBroker();
  client = await broker.client();
  const mqtt = { enabled: true, host: "127.0.0.1", port: broker.port };
  system = await System.start({
    unpaced: true,
    bank: { count: 3, timeFactor: 0, evolving },
    board: { config: { settings: { mqtt, packs: packs(2, 3) } } },
  });
  system.keepUp = () => broker.beat().then(turn);
  await until("all is published", () =>
    ENDS.every((end) => text(discoveryOf(end)).includes(end === "_bank" ? '"cmps"' : '"mdl"')),
  );
  await until("all is known", () =>
    ["pack/2", "pack/3"].every(
      (branch) =>
        text(`${BASE}/${branch}/bms`) === "online" && text(`${BASE}/${branch}/config`).includes('"charge_mos":"on"'),
    ),
  );
  await until("the bank is complete", () => state("bank", "telemetry")["complete"] === true);
  await system.pass(4 * SECOND);
}

/** A component of a discovery document under its full names. */
function componentOf(end: string, key: string): Json {
  const root = rootOf(read(discoveryOf(end)));
  return entityOf(root, (root["components"] as Record<string, Json>)[key] as Json);
}

const results = (): Json[] =>
  client.messages.filter(({ topic }) => topic === `${BASE}/result`).map(({ text }) => JSON.parse(text) as Json);

async function ask(topic: string, payload: string, count: number): Promise<Json[]> {
  const before = results().length;
  await client.publish(topic, payload);
  await until("the results are there", () => results().length >= before + count);
  return results().slice(before);
}

const keptTopics = async (): Promise<string[]> => {
  const late = await broker.client("#");
  // The last of what is retained comes before what is published now.
  await late.publish("test/end", "x");
  await until("the broker has told what it keeps", () => late.topics.has("test/end"));
  return [...late.topics.keys()].filter((topic) => late.topics.get(topic) && topic !== "test/end");
};

describe("several packs", () => {
  it("publish nothing of each pack for noise within the dead bands", async () => {
    await boot(false);
    const told = (branch: string): string[] =>
      client.messages.filter(({ topic }) => topic === `${BASE}${branch}/cells`).map(({ text: json }) => json);
    const branches = ["", "/pack/2", "/pack/3"];
    for (const { registers } of system.bank!.packs) registers.write("CellVol", 3300, 4);
    await until("known", () => branches.every((branch) => told(branch).at(-1)?.includes('"voltage":3.3,')));
    const before = branches.map((branch) => told(branch).length);
    const SECONDS = 50;
    for (let second = 0; second < SECONDS; second++) {
      for (const { registers } of system.bank!.packs) registers.write("CellVol", 3300 + (second % 3), 4);
      await system.pass(SECOND);
    }
    // What is repeated each minute may be among them.
    for (const [at, branch] of branches.entries())
      expect([branch, told(branch).length - before[at]! <= 1]).toEqual([branch, true]);
  });

  it("count time-outs for Home Assistant's statistics", async () => {
    await boot();
    expect(componentOf("", "link_timeouts")).toMatchObject({ state_class: "total_increasing" });
  });

  it("are devices of Home Assistant, further ones by way of the bank; the first keeps its ids", async () => {
    await boot();
    const ids = new Set<string>();
    for (const end of ENDS) {
      const document = read(discoveryOf(end));
      expect(problemsOf(document), end).toEqual([]);
      expect((document["dev"] as Json)["via_device"]).toBe(
        end === "" ? undefined : end === "_bank" ? ID : `${ID}_bank`,
      );
      expect((document["dev"] as Json)["ids"]).toEqual([ID + end]);
      for (const component of Object.values(document["cmps"] as Record<string, Json>)) {
        const id = component["uniq_id"] as string | undefined;
        if (id === undefined) continue;
        expect(id.startsWith(`${ID + end}_`) && !ids.has(id), id).toBe(true);
        ids.add(id);
      }
    }
    expect(componentOf("", "soc")).toMatchObject({ unique_id: `${ID}_soc`, state_topic: `${BASE}/telemetry` });
    expect(componentOf("", "command_charge_mos")).toMatchObject({ command_topic: `${BASE}/command/charge_mos/set` });
    expect(componentOf("_pack2", "soc")).toMatchObject({ state_topic: `${BASE}/pack/2/telemetry` });
    expect(Object.keys(read(discoveryOf("_pack2"))["cmps"] as Json)).not.toContain("relay");
  });

  it.each([
    ["first", "", 0],
    ["middle", "_pack2", 1],
    ["last", "_pack3", 2],
  ])("tell the cells, times and alarms of the %s", async (_, end, place) => {
    await boot(false);
    const { registers } = system.bank!.packs[place]!;
    const branch = end && `/pack/${place + 1}`;
    const heard = (of: string): Promise<HomeAssistant> =>
      HomeAssistant.hearing(
        client.messages.filter(({ topic }) => !topic.startsWith("homeassistant/") || topic === discoveryOf(of)),
      );
    registers.write("CellVol", 3_301, 0);
    registers.write("BatCurrent", 20_000);
    registers.write("BatWatt", 20 * registers.read("BatVol"));
    registers.write("Alarms", 1 << 11);
    await until("it is told", () =>
      client.messages.some(({ topic, text: json }) => topic === `${BASE}${branch}/alarm` && json.includes("raised")),
    );
    await until("its current is told", () => {
      const { pack } = read(`${BASE}${branch}/telemetry`) as { pack: Json };
      return pack["current"] === 20;
    });
    await until("the bank's is", () => Number(state("bank", "telemetry")["current"]) > 0);
    await until("its cell is", () => text(`${BASE}${branch}/cells`).includes('"voltage":3.301,'));
    const own = await heard(end);
    expect(own.problems).toEqual([]);
    expect(own.entity("cell_1_voltage").state).toBe("3.301");
    expect(own.entity("alarm").events).toEqual([{ event_type: "raised", alarm: "cell_undervoltage" }]);
    const told = read(`${BASE}${branch}/telemetry`) as { soc: number; capacityAh: number };
    expect(own.entity("time_to_full").state).toBe(String(Math.round(((100 - told.soc) * told.capacityAh * 0.6) / 20)));
    expect(own.device["sn"]).toBe(registers.text("SerialNumber"));
    // Nothing of it is another's.
    for (const other of ["", "_pack2", "_pack3"].filter((one) => one !== end)) {
      const one = await heard(other);
      expect(one.entity("alarm").events).toEqual([]);
      expect(one.entity("cell_1_voltage").state).not.toBe("3.301");
    }
    const bank = await heard("_bank");
    expect(bank.problems).toEqual([]);
    const sum = state("bank", "telemetry") as Record<"soc" | "capacityAh" | "current", number>;
    const minutes = ((100 - sum.soc) * sum.capacityAh * 0.6) / sum.current;
    expect(Math.abs(Number(bank.entity("time_to_full").state) - minutes)).toBeLessThanOrEqual(1);
    expect(bank.entity("time_to_empty").state).toBe("unknown");
  });

  it("have states of their own, and the bank has what GET /api/packs shows", async () => {
    await boot();
    for (const address of [2, 3]) {
      const answer = await system.get(`/api/packs/${address}/status`);
      const { data } = answer.json as { data: { pack: Json; info: Json; cells: Json[] } };
      const told = state(`pack/${address}`, "telemetry") as { pack: Json; info: Json };
      expect(told.info["serialNumber"]).toBe(data.info["serialNumber"]);
      expect(told.pack["voltage"]).toBe(data.pack["voltage"]);
      expect(told).not.toHaveProperty("energy");
      expect(state(`pack/${address}`, "cells")["cells"]).toHaveLength(data.cells.length);
      expect(state(`pack/${address}`, "config")["loaded"]).toBe(true);
    }
    await system.skipUntil("it is what the API shows", async () => {
      const { bank } = ((await system.get("/api/packs")).json as { data: { bank: Json } }).data;
      delete bank["alarms"];
      return isDeepStrictEqual(state("bank", "telemetry"), bank);
    });
    for (const key of ["soc", "minCell_voltage", "maxTemperature_temperature"])
      expect(componentOf("_bank", key)["state_topic"]).toBe(`${BASE}/bank/telemetry`);
  });

  it("are written to by what their device's entities send, and no other is", async () => {
    await boot();
    const { command_topic: topic, payload_off: off } = componentOf("_pack3", "command_charge_mos");
    expect(topic).toBe(`${BASE}/pack/3/request`);
    const [accepted, ended] = await ask(topic as string, off as string, 2);
    expect(accepted).toMatchObject({ name: "charge_mos", pack: 3, status: "accepted" });
    expect(ended).toMatchObject({ name: "charge_mos", pack: 3, status: "confirmed" });
    await until(
      "it is published",
      () =>
        (state("pack/3", "config")["commands"] as Json)["charge_mos"] ===
        componentOf("_pack3", "command_charge_mos")["state_off"],
    );
    expect((state("pack/2", "config")["commands"] as Json)["charge_mos"]).toBe("on");
    const { command_template: template } = componentOf("_pack2", "setting_cell_ovp_voltage");
    const [, set] = await ask(`${BASE}/pack/2/request`, (template as string).replace("{{value}}", "3.61"), 2);
    expect(set).toMatchObject({ name: "cell_ovp_voltage", pack: 2, status: "confirmed" });
    await until("it is published", () => (state("pack/2", "config")["protections"] as Json)["cellOvpVoltage"] === 3.61);
    expect((state("pack/3", "config")["protections"] as Json)["cellOvpVoltage"]).not.toBe(3.61);
    for (const nonsense of ['{"relay":"on"}', "x", '{"command":"shutdown","state":"on"}'])
      expect((await ask(`${BASE}/pack/2/request`, nonsense, 1))[0]).toMatchObject({ pack: 2, status: "refused" });
  });

  it("one that falls silent is offline by its own topic, and the bank is not complete", async () => {
    await boot();
    system.bank?.packs[2]?.setOnline(false);
    await until("the bank knows", () => state("bank", "telemetry")["online"] === 2);
    // At once, not when everything is repeated.
    await system.pass(2 * SECOND);
    expect(text(`${BASE}/pack/3/bms`)).toBe("offline");
    const { soc, ...bank } = state("bank", "telemetry");
    expect([typeof soc, bank]).toMatchObject(["number", { packs: 3, online: 2, complete: false, well: false }]);
    expect(text(`${BASE}/pack/2/bms`)).toBe("online");
    expect(state("pack/3", "telemetry")).toMatchObject({ online: false, soc: null });
  });

  it("one that is removed leaves nothing on the broker, nor does the bank of a single pack", async () => {
    await boot();
    expect((await keptTopics()).filter((topic) => /pack|bank/.test(topic.slice(BASE.length)))).toHaveLength(12);
    system.probes.configure("packs", packs(2));
    await until("it is cleared", () => client.topics.get(discoveryOf("_pack3")) === "");
    await until("the rest is published", () => text(`${BASE}/availability`) === "online");
    expect((await keptTopics()).filter((topic) => topic.includes("pack") && topic.includes("3/"))).toEqual([]);
    await until("the other stays", () => text(`${BASE}/pack/2/bms`) === "online");
    system.probes.configure("packs", packs());
    await until("all is cleared", () => client.topics.get(discoveryOf("_bank")) === "");
    expect((await keptTopics()).filter((topic) => /_pack|_bank|\/pack\/|\/bank\//.test(topic))).toEqual([]);
    expect(text(discoveryOf(""))).toContain(`"${ID}"`);
  });
});
