import * as FIELDS from "jk-bms/field-table";
import { blockOf } from "jk-bms/fields";
import { SETUP } from "jk-bms/types";
import { JsonWriter } from "json/writer";
import { beforeEach, describe, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { FIRST_RETRY, HEARTBEAT, MAX_SHORT, REPEAT, STABLE } from "../../src/mqtt/limits";
import { Session } from "../../src/mqtt/session";
import type { MqttOptions } from "../../src/mqtt/types";
import { readState } from "../../src/runtime/state";
import { TestImage } from "../support/bms/bms-link";
import { NO_EVENTS } from "../support/fakes/no-events";
import { mqttParts, type MqttParts } from "../support/mqtt/mqtt-parts";
import { ScriptedMqttClient, type Published } from "../support/mqtt/scripted-mqtt-client";
import { poweredBoard } from "../support/system/simulated-board";

const BASE = "jk-bms/a0b1c2d3e4f5";
const DISCONNECT = 14;
const KEY = "mqtt";

describe("a session", () => {
  let board: SimulatedBoard;
  let parts: MqttParts;
  let events: string[];
  let session: Session;
  let uptime: number;
  let storage: MqttOptions["storage"];
  /** The storage refuses every write. */
  let full: boolean;

  beforeEach(() => {
    board = poweredBoard();
    ScriptedMqttClient.made.length = 0;
    parts = mqttParts();
    events = [];
    uptime = 100;
    full = false;
    const texts = new Map<string, string>();
    storage = {
      open: () => ({
        read: (key: string) => texts.get(key),
        write: (key: string, text: string) => {
          if (full) throw new Error("full");
          texts.set(key, text);
        },
        close: () => undefined,
      }),
    } as never;
  });

  function start(): void {
    const options = {
      ...parts,
      json: new JsonWriter(),
      mqttClient: ScriptedMqttClient as never,
      random: { get: () => Uint8Array.of(255).buffer },
      storage,
      uptime: () => uptime,
      time: () => undefined,
      events: { ...NO_EVENTS, add: (text: string) => void events.push(text) },
    };
    session = new Session(options as unknown as MqttOptions);
  }

  const client = (): ScriptedMqttClient => ScriptedMqttClient.made.at(-1)!;
  const run = (ms: number): void => board.clock.runFor(ms);
  function settle(): void {
    start();
    client().accept();
    run(HEARTBEAT);
  }
  const told = (topic: string): Published[] =>
    client().published.filter((published) => published.topic === `${BASE}/${topic}`);
  const forget = (): void => void client().published.splice(0);

  it("publishes everything once connected, availability first, and stores its topics", () => {
    start();
    expect(client().published).toEqual([]);
    client().accept();
    run(HEARTBEAT);
    expect(client().published.slice(0, 2)).toEqual([
      { topic: `${BASE}/availability`, text: "online" },
      { topic: `${BASE}/bms`, text: "online" },
    ]);
    for (const state of ["relay", "telemetry", "cells", "config", "diagnostics"]) expect(told(state)).toHaveLength(1);
    expect(readState(storage, KEY)).toBe(session.topics.record);
    expect(events).toEqual(["mqtt\tconnected"]);
  });

  it("deletes what earlier settings left on the broker, and only then stores the new topics", () => {
    start();
    const old = "old/garage/\nhomeassistant/device/garage/config";
    session.close();
    const store = storage.open({ path: "", format: "string" });
    store.write(KEY, old);
    ScriptedMqttClient.made.length = 0;
    start();
    client().accept();
    expect(readState(storage, KEY)).toBe(old);
    run(HEARTBEAT);
    const deleted = client().published.filter(({ text }) => text === "");
    expect(deleted.map(({ topic }) => topic)).toEqual(session.topics.leftovers(old));
    expect(deleted.length).toBeGreaterThan(5);
    expect(readState(storage, KEY)).toBe(session.topics.record);
  });

  it("keeps running if its topics cannot be stored", () => {
    full = true;
    settle();
    expect(told("availability")).toHaveLength(1);
    expect(session.broker.connected).toBe(true);
  });

  it("reports how long it has been connected", () => {
    settle();
    uptime = 142;
    expect(session.connectedFor).toBe(42);
  });

  it("logs each problem once, however often it retries", () => {
    start();
    for (let tries = 0; tries < 4; tries++) {
      client().lose();
      run(FIRST_RETRY * 2 ** tries);
    }
    expect(ScriptedMqttClient.made).toHaveLength(5);
    expect(events).toEqual(["mqtt\tunreachable"]);
    client().accept();
    client().lose();
    expect(events).toEqual(["mqtt\tunreachable", "mqtt\tconnected", "mqtt\tlost"]);
    expect(session.problem).toBe("lost");
  });

  it("does not fill the log when each connection is soon lost, and logs the one that lasts", () => {
    start();
    const connect = (): void => {
      client().accept();
      run(5 * HEARTBEAT);
    };
    for (let tries = 0; tries < 3 * MAX_SHORT; tries++) {
      connect();
      const lost = client();
      lost.lose();
      while (client() === lost) run(HEARTBEAT);
    }
    expect(session.problem).toBe("lost");
    expect(events).toEqual(
      Array<string[]>(MAX_SHORT + 1)
        .fill(["mqtt\tconnected", "mqtt\tlost"])
        .flat(),
    );
    connect();
    expect(session.problem).toBe("");
    expect(events.at(-1)).toBe("mqtt\tlost");
    uptime += STABLE / 1_000;
    run(5 * HEARTBEAT);
    expect(events.at(-1)).toBe("mqtt\tconnected");
    client().lose();
    expect(events.slice(2 * MAX_SHORT + 2)).toEqual(["mqtt\tconnected", "mqtt\tlost"]);
  });

  it("widens the limits of a parameter that holds more or less than can be set, before it tells what it holds", () => {
    const { pack } = parts.monitor;
    const discovery = "homeassistant/device/a0b1c2d3e4f5/config";
    const limits = (): unknown[] => {
      const document = client().published.findLast(({ topic }) => topic === discovery);
      const { cmps } = JSON.parse(document!.text) as { cmps: Record<string, { min: number; max: number }> };
      return ["capacity_ah", "charge_utp", "max_balance_current", "cell_ovp_voltage"].map((name) => {
        const { min, max } = cmps[`setting_${name}`]!;
        return [min, max];
      });
    };
    for (const image of [pack.setup, pack.deviceInfo, pack.telemetry]) image.valid = true;
    for (const { source, quantity } of PARAMETERS_TABLE)
      if (blockOf(source) === SETUP) pack.setup.set(source, quantity.max);
    [..."JK_PB2A16S20P"].forEach((letter, at) => pack.deviceInfo.view.setUint8(at, letter.charCodeAt(0)));
    pack.setup.set(FIELDS.maxBalanceCurrent, 2_000);
    pack.setup.set(FIELDS.cellCount, 16);
    const USUAL = [
      [0.1, 1000],
      [-50, 120],
      [0, 2],
      [0, 5],
    ];
    settle();
    run(5_000);
    expect(limits()).toEqual(USUAL);
    const poll = (): string[] => {
      forget();
      session.polled(pack);
      run(5_000);
      return client()
        .published.map(({ topic }) => topic)
        .filter((topic) => topic === discovery || topic === `${BASE}/config`);
    };
    expect(poll()).toEqual([]);
    pack.setup.set(FIELDS.capacity, 1_200_000);
    pack.setup.set(FIELDS.chargeUtp, -505);
    expect(poll()).toEqual([discovery, `${BASE}/config`]);
    expect(limits()).toEqual([[0.1, 1200], [-50.5, 120], ...USUAL.slice(2)]);
    expect(poll()).toEqual([]);
    // Its model bears less than can be set.
    pack.setup.set(FIELDS.maxBalanceCurrent, 2_500);
    expect(poll()).toEqual([discovery, `${BASE}/config`]);
    expect(limits()[2]).toEqual([0, 2.5]);
    // Nothing is known while it is read anew: Home Assistant keeps what it has.
    const { setup } = pack;
    pack.setup = new TestImage();
    expect(poll()).toEqual([`${BASE}/config`]);
    pack.setup = setup;
    pack.setup.set(FIELDS.maxBalanceCurrent, 2_000);
    pack.setup.set(FIELDS.capacity, 280_000);
    pack.setup.set(FIELDS.chargeUtp, 0);
    expect(poll()).toEqual([discovery, `${BASE}/config`]);
    expect(limits()).toEqual(USUAL);
  });

  it("repeats all states after REPEAT seconds, or after the interval if that is longer", () => {
    settle();
    forget();
    run((REPEAT - 10) * 1_000);
    expect(told("config")).toEqual([]);
    run(10_000);
    expect(told("config")).toHaveLength(1);

    parts.settings.mqtt = { ...parts.settings.mqtt, interval: 2 * REPEAT };
    forget();
    run((REPEAT + 10) * 1_000);
    expect(told("config")).toEqual([]);
    run(REPEAT * 1_000);
    expect(told("config")).toHaveLength(1);
  });

  it("publishes the relay's state at the next heartbeat", () => {
    settle();
    forget();
    parts.relay.switch(true);
    run(HEARTBEAT);
    expect(told("relay")).toMatchObject([{ text: expect.stringContaining('"state":"on"') as string }]);
    run(5 * HEARTBEAT);
    expect(told("relay")).toHaveLength(1);
  });

  it("accepts a request in parts", () => {
    settle();
    forget();
    client().deliver(`${BASE}/relay/set`, "on", 1);
    run(HEARTBEAT);
    expect(parts.relay.value).toBe(1);
    expect(told("result")).toHaveLength(1);
  });

  it("leaves a second message with the client until the first one's result is sent", () => {
    settle();
    forget();
    client().deliver(`${BASE}/relay/set`, "on");
    client().deliver(`${BASE}/relay/set`, "off");
    expect(parts.relay.value).toBe(0);
    expect(client().unread).toBe("off".length);
    run(HEARTBEAT);
    expect(parts.relay.value).toBe(0);
    expect(client().unread).toBe(0);
    expect(told("result").map(({ text }) => (JSON.parse(text) as { status: string }).status)).toEqual([
      "confirmed",
      "confirmed",
    ]);
  });

  it.each([0, 2_000, 8_000, 3_600_000])("does not execute a retained message %i ms after connecting", (ms) => {
    settle();
    run(ms);
    client().deliverRetained(`${BASE}/relay/set`, "on");
    run(HEARTBEAT);
    expect(parts.relay.value).toBe(0);
    expect(told("result")).toMatchObject([{ text: expect.stringContaining("refused") as string }]);
  });

  it("executes a live one at once after connecting", () => {
    start();
    client().accept();
    client().deliver(`${BASE}/relay/set`, "on");
    run(HEARTBEAT);
    expect(parts.relay.value).toBe(1);
  });

  it("tells a retained message by its own flag, though it waited for the result of another to be sent", () => {
    start();
    client().accept();
    client().grant(0);
    client().deliverRetained(`${BASE}/relay/set`, "on");
    client().deliverRetained(`${BASE}/relay/set`, "on");
    run(4 * HEARTBEAT);
    expect(client().unread).toBe("on".length);
    client().grant(4_000);
    run(HEARTBEAT);
    expect(client().unread).toBe(0);
    expect(parts.relay.value).toBe(0);
    expect(told("result").map(({ text }) => (JSON.parse(text) as { status: string }).status)).toEqual([
      "refused",
      "refused",
    ]);
    client().deliver(`${BASE}/relay/set`, "on");
    run(HEARTBEAT);
    expect(parts.relay.value).toBe(1);
  });

  it("drains a message for a foreign topic", () => {
    settle();
    forget();
    client().deliver("elsewhere/relay/set", "on");
    run(HEARTBEAT);
    expect(client().unread).toBe(0);
    expect(client().published).toEqual([]);
  });

  it("republishes everything at Home Assistant's birth message, not at its will", () => {
    settle();
    forget();
    client().deliver("homeassistant/status", "offline");
    run(HEARTBEAT);
    expect(client().published).toEqual([]);
    client().deliver("homeassistant/status", "online");
    run(HEARTBEAT);
    for (const state of ["availability", "telemetry", "config"]) expect(told(state)).toHaveLength(1);
  });

  it("overwrites the will of an earlier connection", () => {
    settle();
    forget();
    client().deliver(`${BASE}/availability`, "online");
    run(HEARTBEAT);
    expect(told("availability")).toEqual([]);
    client().deliver(`${BASE}/availability`, "offline");
    run(HEARTBEAT);
    expect(told("availability")).toMatchObject([{ text: "online" }]);
  });

  it("reconnects when the client fails midway", () => {
    settle();
    const first = client();
    first.trouble = new Error("socket gone");
    session.announce();
    run(FIRST_RETRY + HEARTBEAT);
    expect(first.closed).toBe(true);
    expect(events.at(-1)).toBe("mqtt\tfailed");
    expect(client()).not.toBe(first);
    client().accept();
    run(HEARTBEAT);
    expect(told("telemetry")).toHaveLength(1);
  });

  it("reconnects at the next heartbeat if there is no memory for the timer", () => {
    settle();
    const first = client();
    first.trouble = new Error("socket gone");
    session.announce();
    // The outbox has its timer; what it fails at gets none.
    SimulatedBoard.current.refusals.failAllocation(1);
    run(HEARTBEAT);
    expect([first.closed, events.at(-1)]).toEqual([true, "mqtt\tfailed"]);
    run(FIRST_RETRY);
    expect(client()).not.toBe(first);
  });

  it("drops a message cut off by the end of the connection", () => {
    settle();
    const first = client();
    first.deliver(`${BASE}/relay/set`, "on");
    first.deliver(`${BASE}/relay/set`, "on");
    first.lose();
    run(FIRST_RETRY);
    expect(client()).not.toBe(first);
    client().accept();
    run(HEARTBEAT);
    expect(parts.relay.value).toBe(0);
    expect(told("result")).toEqual([]);
  });

  it("ignores a retained birth message: everything was announced on connecting", () => {
    start();
    client().accept();
    run(HEARTBEAT);
    forget();
    client().deliverRetained("homeassistant/status", "online");
    run(HEARTBEAT);
    expect(client().published).toEqual([]);
  });

  it("says goodbye once on close and does nothing more", () => {
    settle();
    forget();
    session.close();
    expect(told("availability")).toMatchObject([{ text: "offline" }]);
    expect(client().operations.at(-1)).toBe(DISCONNECT);
    expect(client().closed).toBe(true);
    run(200_000);
    expect(ScriptedMqttClient.made).toHaveLength(1);
    expect(client().published).toHaveLength(1);
  });
});
