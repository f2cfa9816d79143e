import fc, { runs } from "../support/property";
import * as FIELDS from "jk-bms/field-table";
import { blockOf, registerOf } from "jk-bms/fields";
import { JsonWriter } from "json/writer";
import { TELEMETRY as TELEMETRY_BLOCK } from "jk-bms/types";
import { beforeEach, describe, expect, it } from "vitest";
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { NONE, plus } from "../../src/conditions/set";
import { bit, DEVICE, deviceBit, type Concern } from "../../src/conditions/table";
import { EventRing } from "../../src/events/event-ring";
import { MAX_EVENTS } from "../../src/events/limits";
import type { Broker } from "../../src/mqtt/broker";
import { MAX_DOCUMENT } from "../../src/mqtt/limits";
import { ALARM, CELLS, CONFIG, Outbox, RELAY, TELEMETRY, type OutboxOwner } from "../../src/mqtt/outbox";
import { Requests } from "../../src/mqtt/requests";
import { Topics } from "../../src/mqtt/topics";
import { fillToTheBrim, mqttParts, type MqttParts } from "../support/mqtt/mqtt-parts";
import { parsed } from "../support/mqtt/mqtt-documents";
import { SimulatedBoard } from "../../host-sim/board";
import { poweredBoard } from "../support/system/simulated-board";

/** Alarms of fillToTheBrim: four bits of each byte. */
const ALARMED = 16;

/** A broker that takes as much as the test lets it. */
class SlowBroker {
  window = 0;
  /** The connection proves to be lost by a ping. */
  endsAtPing = false;
  readonly messages: { topic: string; text: string }[] = [];
  #left = 0;
  #bytes: number[] = [];
  #topic = "";

  roomFor(topic: string): number {
    return this.window - 4 * topic.length;
  }

  get room(): number {
    return this.window;
  }

  ping(): void {
    if (this.#left) throw new Error("in the middle of another message");
    if (this.endsAtPing) this.window = 0;
  }

  publish(topic: string, _retain: boolean, byteLength: number, first: Uint8Array): void {
    if (this.#left) throw new Error("in the middle of another message");
    if (topic.length > this.window) throw new Error("overflow");
    this.#topic = topic;
    this.#left = byteLength;
    this.more(first);
  }

  more(bytes: Uint8Array): void {
    if (bytes.length > this.window || bytes.length > this.#left) throw new Error("overflow");
    this.window -= bytes.length;
    this.#left -= bytes.length;
    this.#bytes.push(...bytes);
    if (this.#left) return;
    this.messages.push({ topic: this.#topic, text: new TextDecoder().decode(Uint8Array.from(this.#bytes)) });
    this.#bytes = [];
  }

  texts(end: string): string[] {
    return this.messages.filter(({ topic }) => topic.endsWith(end)).map(({ text }) => text);
  }
}

describe("the outbox", () => {
  let parts: MqttParts;
  let broker: SlowBroker;
  let outbox: Outbox;
  let run: () => void;
  let wasForgotten: boolean;
  beforeEach(() => setUp());

  function setUp(): void {
    const board = poweredBoard();
    wasForgotten = false;
    run = () => board.clock.runFor(1_000);
    parts = mqttParts();
    setOwner();
  }

  function setOwner(): void {
    const requests = new Requests({ parts, resultReady: () => undefined });
    const topics = new Topics(parts.network, parts.settings);
    broker = new SlowBroker();
    const owner: OutboxOwner = {
      parts: { ...parts, json: new JsonWriter() },
      topics,
      requests,
      turn: () => outbox.turn(),
      forgotten: () => void (wasForgotten = true),
    };
    outbox = new Outbox(owner);
  }

  const attach = (): void => outbox.attach(broker as unknown as Broker);
  const give = (bytes: number): void => {
    broker.window += bytes;
    outbox.pump();
    run();
  };

  it("publishes what had to wait without memory for a timer when it is asked to check again", () => {
    attach();
    give(100_000);
    const { length } = broker.messages;
    parts.monitor.pack.telemetry.set(FIELDS.soc, 56);
    SimulatedBoard.current.refusals.failAllocation(1);
    outbox.check(TELEMETRY);
    run();
    expect(broker.messages).toHaveLength(length);
    outbox.check(RELAY);
    run();
    expect(broker.messages.length).toBeGreaterThan(length);
  });

  it("publishes everything on a new connection, and then only changes", () => {
    parts.monitor.pack.telemetry.set(FIELDS.soc, 55);
    attach();
    give(100_000);
    expect(broker.messages.map(({ topic }) => topic.split("/").at(-1))).toEqual([
      "availability",
      "bms",
      "relay",
      "telemetry",
      "cells",
      // That of the discovery, and its own.
      "config",
      "config",
      "diagnostics",
    ]);
    const { length } = broker.messages;
    outbox.check(TELEMETRY | CELLS | CONFIG | RELAY);
    give(0);
    expect(broker.messages).toHaveLength(length);
    parts.monitor.pack.telemetry.set(FIELDS.soc, 54);
    outbox.check(TELEMETRY | CELLS);
    give(0);
    expect(broker.messages.slice(length).map(({ topic }) => topic.split("/").at(-1))).toEqual(["telemetry"]);
  });

  it("sends a slow broker only the newest state", () => {
    attach();
    give(100_000);
    const before = broker.texts("telemetry").length;
    broker.window = 0;
    for (let soc = 90; soc >= 10; soc--) {
      parts.monitor.pack.telemetry.set(FIELDS.soc, soc);
      outbox.check(TELEMETRY);
      run();
    }
    expect(broker.texts("telemetry").slice(before)).toEqual([]);
    give(100_000);
    expect(
      broker
        .texts("telemetry")
        .slice(before)
        .map((text) => parsed("telemetry", text).soc),
    ).toEqual([10]);
  });

  it("completes a message as started, and publishes changes made meanwhile afterwards", () => {
    fillToTheBrim(parts);
    attach();
    give(100_000);
    const all = (millivolts: number): void => {
      parts.monitor.pack.telemetry.setCells(Array<number>(24).fill(millivolts));
      outbox.check(CELLS);
    };
    broker.window = 0;
    all(3000);
    give(700);
    // Begun, and not ended: a part of it waits.
    expect(broker.window).toBe(0);
    all(4000);
    for (let turn = 0; turn < 20; turn++) give(300);
    const voltages = broker.texts("cells").map((text) => parsed("cells", text).cells[0]?.voltage);
    expect(voltages).toEqual([65.535, 3, 4]);
  });

  it("publishes the configuration again when any of it changes, and only then", () => {
    const { setup: settings } = parts.monitor.pack;
    for (const { source, quantity } of PARAMETERS_TABLE) settings.set(source, quantity.kind === "text" ? "a" : 0);
    attach();
    give(1_000_000);
    const look = (): number => {
      const { length } = broker.texts("config");
      outbox.check(CONFIG);
      give(0);
      return broker.texts("config").length - length;
    };
    expect(look()).toBe(0);
    const fields = [
      ...PARAMETERS_TABLE.map(({ source, quantity }) => ({ field: source, kind: quantity.kind })),
      ...COMMANDS_TABLE.map(({ writable }) => ({ field: writable.field, kind: "boolean" })),
    ];
    for (const { field, kind } of fields) {
      const { telemetry } = parts.monitor.pack;
      const image = blockOf(field) === TELEMETRY_BLOCK ? telemetry : settings;
      image.set(field, kind === "text" ? "b" : -1);
      expect([registerOf(field), look()]).toEqual([registerOf(field), 1]);
      expect(look()).toBe(0);
      image.set(field, kind === "text" ? "a" : 0);
      expect(look()).toBe(1);
    }
    parts.monitor.pack.online = parts.monitor.pack.configurationLoaded = false;
    expect(look()).toBe(1);
    parts.monitor.pack.online = parts.monitor.pack.configurationLoaded = true;
    expect(look()).toBe(1);
  });

  it("first deletes what the broker retains under other topics, when there is room, and reports when it is done", () => {
    attach();
    outbox.forget(["old/bms", "old/telemetry"]);
    run();
    expect([broker.messages.length, wasForgotten]).toEqual([0, false]);
    give(100_000);
    expect(broker.messages.slice(0, 3)).toEqual([
      { topic: "old/bms", text: "" },
      { topic: "old/telemetry", text: "" },
      { topic: expect.stringMatching(/availability$/) as string, text: "online" },
    ]);
    expect(wasForgotten).toBe(true);
  });

  it("publishes a number again when it leaves its dead band or becomes 0, and the current state on a new connection", () => {
    const current = (amperes: number): unknown => {
      parts.monitor.pack.telemetry.set(FIELDS.packCurrent, 1000 * amperes);
      outbox.check(TELEMETRY);
      give(0);
      return parsed("telemetry", broker.texts("telemetry").at(-1)).pack.current;
    };
    const cell = (volts: number): unknown => {
      parts.monitor.pack.telemetry.setCells([1000 * volts]);
      outbox.check(CELLS);
      give(0);
      return parsed("cells", broker.texts("cells").at(-1)).cells[0]?.voltage;
    };
    attach();
    give(1_000_000);
    expect([10, 10.099, 9.901, 10.1, 10.001, 10, 0.05, 0, 0.099, 0.1].map(current)).toEqual([
      10, 10, 10, 10.1, 10.1, 10, 0.05, 0, 0, 0.1,
    ]);
    expect([3.3, 3.302, 3.298, 3.303, 3.301, 3.3].map(cell)).toEqual([3.3, 3.3, 3.3, 3.303, 3.303, 3.3]);
    current(0.1);
    const { length } = broker.messages;
    current(0.15);
    expect(broker.messages).toHaveLength(length);
    outbox.announce();
    give(0);
    expect(current(0.15)).toBe(0.15);
  });

  it("restarts the discovery document when its subject changes before it is sent", () => {
    attach();
    // Room enough for everything else.
    for (let turn = 0; turn < 12; turn++) {
      broker.window = 660;
      give(0);
    }
    parts.settings.device = { ...parts.settings.device, name: "New name" };
    outbox.announce();
    give(100_000);
    const [document] = broker.texts("device/a0b1c2d3e4f5/config");
    expect(parsed("discovery", document).dev.name).toBe("New name");
  });

  it("begins no discovery document on a connection that the ping before it finds lost", () => {
    broker.endsAtPing = true;
    attach();
    expect(() => give(100_000)).not.toThrow();
    expect([broker.window, broker.texts("device/a0b1c2d3e4f5/config")]).toEqual([0, []]);
    broker.endsAtPing = false;
    give(100_000);
    expect(broker.texts("device/a0b1c2d3e4f5/config")).toHaveLength(1);
  });

  it("publishes an event for each alarm that is raised or ends, once, whatever comes in between", () => {
    const { pack } = parts.monitor;
    const events = (): unknown[] => broker.texts("/alarm").map((text) => JSON.parse(text) as unknown);
    const alarms = (bits: number): void => {
      pack.telemetry.set(FIELDS.alarmCode, bits);
      outbox.check(ALARM);
      run();
    };
    attach();
    give(200_000);
    expect(events()).toEqual([]);
    // The lowest, one in the middle, and the highest bit, which no row has.
    alarms((1 | (1 << 11) | (1 << 31)) >>> 0);
    const raised = ["31", "cell_undervoltage", "wire_resistance"];
    expect(events()).toEqual(raised.map((alarm) => ({ event_type: "raised", alarm })));
    outbox.repeat();
    attach();
    run();
    pack.online = false;
    alarms(0);
    expect(events()).toHaveLength(3);
    pack.online = true;
    alarms(1 << 11);
    expect(events().slice(3)).toEqual(["31", "wire_resistance"].map((alarm) => ({ event_type: "ended", alarm })));
    expect(broker.messages.filter(({ topic }) => topic.endsWith("/alarm")).map(({ topic }) => topic)).toEqual(
      Array(5).fill("jk-bms/a0b1c2d3e4f5/alarm"),
    );
  });

  it("publishes an event for each condition that is reported and begins or ends, once, after those of alarms", () => {
    const { pack } = parts.monitor;
    let [present, ofDevice] = [NONE, NONE];
    Object.assign(parts.conditions, { presentOf: (index: number) => (index === DEVICE ? ofDevice : present) });
    const events = (): unknown[] => broker.texts("/alarm").map((text) => JSON.parse(text) as unknown);
    const becomes = (codes: readonly Concern[], alarms = 0): void => {
      present = codes.reduce((bits, code) => plus(bits, bit(code)), NONE);
      pack.telemetry.set(FIELDS.alarmCode, alarms);
      outbox.check(ALARM);
      run();
    };
    attach();
    give(200_000);
    // The alarm is an event of its own.
    becomes(["alarm", "emergency"], 1 << 11);
    becomes(["alarm", "emergency"], 1 << 11);
    becomes([]);
    ofDevice = deviceBit("storage-failed");
    becomes([]);
    ofDevice = NONE;
    becomes([]);
    expect(events()).toEqual([
      { event_type: "raised", alarm: "cell_undervoltage" },
      { event_type: "condition_raised", condition: "emergency" },
      { event_type: "ended", alarm: "cell_undervoltage" },
      { event_type: "condition_ended", condition: "emergency" },
      { event_type: "condition_raised", condition: "storage-failed" },
      { event_type: "condition_ended", condition: "storage-failed" },
    ]);
  });

  it("publishes an event for each setting that has changed, also while it was not connected; what was before it is none", () => {
    const log = new EventRing({ uptime: () => 0, start: { restarts: 0, intact: false } });
    Object.assign(parts, { events: log });
    log.add("setting-changed\tcell_ovp_voltage\t3.5\t3.6\tV\t\tmaster\t");
    setOwner();
    attach();
    give(200_000);
    outbox.detach();
    log.add("bms-offline");
    log.add("setting-changed\tcharge_mos\ton\toff\t\t\tunknown\t");
    // Another pack's.
    log.add("setting-changed\tcharge_mos\ton\toff\t\t4\tunknown\t");
    log.add("setting-changed\t\t\t\t\t\tmaster\t5");
    attach();
    run();
    give(200_000);
    outbox.check(ALARM);
    run();
    expect(broker.texts("/alarm").map((text) => JSON.parse(text) as unknown)).toEqual([
      { event_type: "setting_changed", setting: "charge_mos", before: "on", value: "off", unit: "", by: "unknown" },
      { event_type: "setting_changed", count: 5, by: "master" },
    ]);
    // More than the log has room for.
    for (let count = 0; count < 2 * MAX_EVENTS; count++) log.add("setting-changed\t\t\t\t\t\tmaster\t5");
    outbox.check(ALARM);
    for (let turn = 0; turn < MAX_EVENTS; turn++) run();
    expect(broker.texts("/alarm")).toHaveLength(2 + MAX_EVENTS);
  });

  it("publishes the same however fast the broker reads", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: MAX_DOCUMENT }), { minLength: 1, maxLength: 30 }), (steps) => {
        setUp();
        fillToTheBrim(parts);
        attach();
        for (const step of steps) give(step);
        give(200_000);
        for (const { topic, text } of broker.messages)
          if (!/availability$|bms$/.test(topic)) expect(() => JSON.parse(text) as unknown).not.toThrow();
        expect(broker.texts("device/a0b1c2d3e4f5/config")).toHaveLength(1);
        expect(broker.messages.filter(({ topic }) => !topic.endsWith("/alarm"))).toHaveLength(8);
        expect(broker.texts("/alarm")).toHaveLength(ALARMED);
      }),
      { numRuns: runs(25) },
    );
  });
});
