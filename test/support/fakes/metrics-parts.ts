import { Turns } from "../../../src/endpoints/turns";
import { Counters } from "http-server/service";
import * as FIELDS from "jk-bms/field-table";
import { WriteCounters } from "../../../src/bms/write-counters";
import type { Parts } from "../../../src/metrics/family";
import { StillMonitor } from "../bms/still-monitor";
import { FakeRelay, FakeSensors, FakeSettings } from "./fake-parts";
import { NO_CONDITIONS } from "./no-conditions";

class MetricsMonitor extends StillMonitor {
  uptime = 3600;
  readonly writeCounters = new WriteCounters();
  bus: Parts["monitor"]["bus"] = {
    statistics: {
      requests: 310,
      replies: 300,
      timeouts: 7,
      silences: 3,
      noises: 2,
      others: 1,
      echoes: 1,
      instead: 0,
      late: 4,
      crcErrors: 2,
      foreign: 0,
      torn: 0,
      exceptions: 1,
      discarded: 40,
      lastReplyTime: 13,
      wakeTriggers: 5,
      doubted: 6,
    },
  };

  constructor() {
    super();
    Object.assign(this.pack, { telemetryAge: 1, polls: 100, lostPolls: 3, readMode: "registers" });
    this.pack.telemetry
      .setCells([3300, 3301, undefined, 3299], [50, 51, 0, 53])
      .set(FIELDS.soc, 55)
      .set(FIELDS.packVoltage, 52_700)
      .set(FIELDS.packPower, 1_500_000)
      .set(FIELDS.packCurrent, -28_000)
      .set(FIELDS.remainingCapacity, 155_219)
      .set(FIELDS.fullCapacity, 280_000)
      .set(FIELDS.temperatureSensors, 0b111)
      .set(FIELDS.mosfetTemperature, 203)
      .set(FIELDS.battery1Temperature, -15)
      .set(FIELDS.battery2Temperature, 777)
      .set(FIELDS.alarmCode, 1 << 11);
    this.pack.deviceInfo.set(FIELDS.model, 'JK"\\').set(FIELDS.powerOnTimes, 7);
    this.pack.setup.set(FIELDS.capacity, 280_000);
  }
}

/** All sources of the metrics, with values for each. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- tests change what it has
export function metricsParts() {
  const settings = new FakeSettings();
  const http = new Counters();
  const parts = {
    monitor: new MetricsMonitor(),
    settings,
    relay: new FakeRelay(settings),
    sensors: new FakeSensors(),
    energy: { stored: { charged: 3600, discharged: 7 } },
    memory: {
      slots: 16_000,
      chunks: 20_000,
      free: 90_000,
      leastFree: 41_000,
      largestBlock: 30_000,
      collections: 12,
    } as {
      -readonly [Name in keyof Parts["memory"]]: Parts["memory"][Name];
    },
    records: { failures: [21, 22], wear: 23 },
    start: { safe: false, reason: "panic", restarts: 3, where: "main, pc 0x400d1a2b" },
    parts: { problems: ["part-failed\tled\tin use"], faults: 25 },
    conditions: NO_CONDITIONS,
    scrapes: new Turns(1),
    http: () => http,
    build: { softwareName: "monitor", version: "0.1.0", build: "abc", boardVersion: "test" },
  };
  return parts satisfies Parts;
}
