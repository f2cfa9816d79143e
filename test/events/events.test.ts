import { beforeEach, describe, expect, it } from "vitest";
import { FIELDS } from "jk-bms/fields";
import { EventRing } from "../../src/events/event-ring";
import { MAX_EVENTS, MAX_EVENT_TEXT } from "../../src/events/limits";
import { EventRecorder } from "../../src/events/record";
import { Observers } from "../../src/parts/observers";
import type { RelayObserver } from "../../src/relay/types";
import type { BmsObserver, Writes } from "../../src/bms/types";
import { TestMonitor } from "../support/bms-link";
import { startSettings } from "../support/settings";
import { FaultyStorage } from "../support/storage";

let now: number;
let log: EventRing;
beforeEach(() => {
  now = 0;
  log = new EventRing({ uptime: () => now });
});

const texts = (): string[] => Array.from({ length: log.length }, (_, index) => log.at(index).text);

describe("the ring", () => {
  it("keeps the last MAX_EVENTS lines, oldest first, each with its time", () => {
    for (let count = 1; count <= 3 * MAX_EVENTS + 1; count++) {
      now = count;
      log.add(`line ${count}`);
      expect(log.length).toBe(Math.min(count, MAX_EVENTS));
      expect(log.at(0)).toEqual({ uptime: Math.max(1, count - MAX_EVENTS + 1), text: `line ${log.at(0).uptime}` });
      expect(log.at(log.length - 1)).toEqual({ uptime: count, text: `line ${count}` });
    }
  });

  it.each([-1, 2, 3, NaN])("has nothing at %d", (index) => {
    log.add("a");
    log.add("b");
    expect(() => log.at(index)).toThrow(RangeError);
  });

  it("cuts a line after MAX_EVENT_TEXT characters", () => {
    for (const length of [MAX_EVENT_TEXT - 1, MAX_EVENT_TEXT, MAX_EVENT_TEXT + 1]) log.add("x".repeat(length));
    expect(texts().map(({ length }) => length)).toEqual([MAX_EVENT_TEXT - 1, MAX_EVENT_TEXT, MAX_EVENT_TEXT]);
  });
});

/** A monitor and a relay that a test makes tell of what happens. */
class Sources extends TestMonitor {
  readonly observers = new Observers<BmsObserver & RelayObserver>();
  observe(observer: BmsObserver & RelayObserver): void {
    // The one that is both: the recorder.
    if (!this.observed) this.observers.add(observer);
    this.observed = true;
  }
  private observed = false;
}

describe("what is recorded", () => {
  const record = (storage = new FaultyStorage()) => {
    const sources = new Sources();
    const settings = startSettings(storage);
    new EventRecorder(log, {
      monitor: sources,
      relay: sources,
      settings,
      build: { version: "1.2.3", build: "abc" },
    });
    return { sources, settings };
  };

  it("the start, with what was wrong with the stored settings", () => {
    const storage = new FaultyStorage();
    storage.put("settings", "relay", "}");
    record(storage);
    expect(texts()).toEqual(["Started, firmware 1.2.3 (abc).", "Settings: relay is corrupt."]);
  });

  it("online and offline, alarms by name when they change, writes, the relay", () => {
    const { sources } = record();
    sources.observers.tell("bmsOnlineChanged", true);
    for (const bits of [0, 1 << 11, (1 << 11) | 1, 1, 1, 1 << 28]) {
      sources.telemetry.set(FIELDS.alarmCode, bits);
      sources.observers.tell("bmsUpdated", sources);
    }
    sources.observers.tell("writeResolved", { lastCommand: "charge_mos off: confirmed by the BMS." } as Writes);
    sources.observers.tell("relaySwitched", true);
    sources.observers.tell("relaySwitched", false);
    sources.observers.tell("bmsOnlineChanged", false);
    expect(texts().slice(1)).toEqual([
      "BMS online.",
      "Alarm raised: cell_undervoltage.",
      "Alarm raised: wire_resistance.",
      "Alarm cleared: cell_undervoltage.",
      "Alarm cleared: wire_resistance.",
      "Alarm raised: gps_lock.",
      "Write: charge_mos off: confirmed by the BMS.",
      "Relay switched on.",
      "Relay switched off.",
      "BMS offline.",
    ]);
  });

  it("groups of settings by name, and nothing of what was set", () => {
    const { settings } = record();
    settings.update("api", { token: "a-secret-that-is-long-enough" });
    settings.update("network", { password: "hunter2hunter2" });
    settings.update("mqtt", { password: "mosquitto" });
    settings.update("snmp", { community: "hush" });
    expect(texts().slice(1)).toEqual(
      ["api", "network", "mqtt", "snmp"].map((group) => `Settings of the group ${group} changed.`),
    );
  });
});
