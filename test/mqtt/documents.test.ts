import { readFileSync } from "node:fs";
import * as FIELDS from "jk-bms/field-table";
import { JsonWriter } from "json/writer";
import { expect, it } from "vitest";
import { writeState } from "../../src/mqtt/documents";
import { Discovery, subjectOf } from "../../src/mqtt/discovery";
import { MAX_DOCUMENT, MAX_ID } from "../../src/mqtt/limits";
import { writeResult } from "../../src/mqtt/results";
import { Topics, type Group } from "../../src/mqtt/topics";
import { MAX_SENTENCE } from "../../src/bms/limits";
import { fillToTheBrim, mqttParts, type MqttParts } from "../support/mqtt/mqtt-parts";
import { parsed, type MqttDocuments } from "../support/mqtt/mqtt-documents";
import { mqttPage } from "../support/mqtt/mqtt-page";

const GROUPS: readonly Group[] = ["telemetry", "cells", "config", "relay", "diagnostics"];
const WIDE = "\u{1F50B}";

function text(group: Group, parts: MqttParts): string {
  const buffer = new Uint8Array(MAX_DOCUMENT);
  const json = new JsonWriter().begin(buffer);
  writeState(json, group, parts.monitor.pack, parts);
  return new TextDecoder().decode(buffer.subarray(0, json.end()));
}

const written = <Name extends Group>(group: Name, parts: MqttParts): MqttDocuments[Name] =>
  parsed(group, text(group, parts));

it.each(GROUPS)("%s fits its buffer at its longest", (group) => {
  const parts = mqttParts();
  fillToTheBrim(parts);
  parts.monitor.pack.telemetry.set(FIELDS.alarmCode, -1);
  parts.settings.relay = { ...parts.settings.relay, name: WIDE.repeat(32) };
  parts.settings.device = { ...parts.settings.device, hostname: "h".repeat(32) };
  const most = 0x7fffffff;
  const statistics = { requests: most, replies: most, timeouts: most, crcErrors: most, exceptions: most };
  Object.assign(parts, {
    uptime: () => 0xffffffff,
    statistics: () => ({ ...statistics, discarded: most, lastReplyTime: most, wakeTriggers: most }),
    energy: { stored: { charged: 3.6e15, discharged: 3.6e15 } },
    flashHistory: { recorder: { energyOf: () => 16_777_214 } },
  });
  expect(written(group, parts)).toBeDefined();
  expect(written("cells", parts).cells).toHaveLength(32);
  expect(written("telemetry", parts).alarms).toHaveLength(30);
});

it("the longest result fits its buffer", () => {
  const buffer = new Uint8Array(MAX_DOCUMENT);
  const json = new JsonWriter().begin(buffer);
  const name = "\u0001".repeat(32);
  writeResult(json, { id: "\u0001".repeat(MAX_ID), name, status: "confirmed", message: "x".repeat(MAX_SENTENCE) });
  expect(json.end()).toBeLessThan(MAX_DOCUMENT);
});

it("unread values are null", () => {
  const parts = mqttParts();
  parts.monitor.pack.configurationLoaded = false;
  expect(written("cells", parts)).toEqual({ cells: null });
  expect(written("config", parts)).toMatchObject({
    loaded: false,
    balance: { enabled: null },
    commands: { balance: null },
  });
  expect(written("telemetry", parts)).toMatchObject({ soc: null, pack: { voltage: null } });
  parts.monitor.pack.telemetry.set(FIELDS.soc, 55);
  const { soc, name, info } = written("telemetry", parts);
  expect([soc, name, info.maxCells]).toEqual([55, null, null]);
  parts.monitor.pack.deviceInfo.set(FIELDS.bluetoothName, "Pack").set(FIELDS.totalRuntime, 7);
  expect(written("telemetry", parts)).toMatchObject({ name: "Pack", info: { totalRuntimeSeconds: 7 } });
});

it.each([
  ["nothing has ended yet", { requests: 1, replies: 0, timeouts: 0, exceptions: 0 }, null],
  ["one is under way", { requests: 11, replies: 10, timeouts: 0, exceptions: 0 }, 100],
  ["one had no reply", { requests: 10, replies: 9, timeouts: 1, exceptions: 0 }, 90],
  ["one was refused", { requests: 3, replies: 2, timeouts: 0, exceptions: 1 }, 66.7],
])("link quality is the share of replies among completed requests: %s", (_, counts, quality) => {
  const parts = mqttParts();
  const others = { crcErrors: 0, discarded: 0, lastReplyTime: 0, wakeTriggers: 0 };
  Object.assign(parts, { statistics: () => ({ ...counts, ...others }) });
  expect(written("diagnostics", parts).link.quality).toBe(quality);
});

it("energy is published in kilowatt-hours if it is counted", () => {
  const parts = mqttParts();
  parts.monitor.pack.telemetry.set(FIELDS.soc, 55);
  expect(written("telemetry", parts).energy).toBeUndefined();
  Object.assign(parts, { energy: { stored: { charged: 1234.9 * 3600, discharged: 3600 } } });
  expect(written("telemetry", parts).energy).toEqual({ chargedKwh: 1.234, dischargedKwh: 0.001 });
  const days = [1234.9, 0, NaN, 16_777_214];
  Object.assign(parts, { flashHistory: { recorder: { energyOf: (index: number) => days[index] } } });
  expect(written("telemetry", parts).energy).toEqual({
    chargedKwh: 1.234,
    dischargedKwh: 0.001,
    chargedTodayKwh: 1.234,
    dischargedTodayKwh: 0,
    chargedYesterdayKwh: null,
    dischargedYesterdayKwh: 16_777.214,
  });
  Object.assign(parts, { flashHistory: undefined });
  // What was counted before could not be read yet.
  Object.assign(parts, { energy: { stored: undefined } });
  expect(written("telemetry", parts).energy).toEqual({ chargedKwh: null, dischargedKwh: null });
});

it("the diagnostics include the reset reason, the crash location and free memory", () => {
  const parts = mqttParts();
  expect(written("diagnostics", parts)).not.toHaveProperty("crashedAt");
  const memory = { free: 90_000, leastFree: 41_000, largestBlock: 30_000 };
  Object.assign(parts, { start: { safe: true, reason: "panic", restarts: 3, where: "main, pc 0x400d1a2b" }, memory });
  expect(written("diagnostics", parts)).toMatchObject({
    safeMode: true,
    startReason: "panic",
    restarts: 3,
    crashedAt: "main, pc 0x400d1a2b",
    memory,
  });
});

function sent(discovery: Discovery, buffer: Uint8Array): string {
  let text = "";
  for (let length; (length = discovery.send());) text += new TextDecoder().decode(buffer.subarray(0, length));
  return text;
}

it("the discovery document has the counted length, and no piece is too long", () => {
  const parts = mqttParts();
  const longest = WIDE.repeat(64);
  parts.settings.mqtt = { ...parts.settings.mqtt, baseTopic: longest, discoveryPrefix: longest };
  parts.settings.device = { ...parts.settings.device, name: WIDE.repeat(32) };
  parts.settings.relay = { ...parts.settings.relay, name: WIDE.repeat(32) };
  Object.assign(parts, { energy: { stored: undefined } });
  const buffer = new Uint8Array(MAX_DOCUMENT);
  const topics = new Topics(parts.network, parts.settings);
  const discovery = new Discovery(subjectOf(parts, topics, parts.monitor.pack, ""), new JsonWriter(), buffer);
  let counting = 1;
  while (!discovery.count(4)) counting++;
  const { bytes } = discovery;
  const text = sent(discovery, buffer);
  // Throws when it is another length than was counted.
  expect(new TextEncoder().encode(text)).toHaveLength(bytes);
  const { cmps } = parsed("discovery", text);
  expect(counting).toBe(Math.ceil((Object.keys(cmps).length + 2) / 4));
  expect(Object.values(cmps).filter(({ p }) => p === "switch")).toHaveLength(8);
  expect(Object.keys(cmps)).toContain("energy_chargedKwh");
  // There is no history: Home Assistant removes what it may have had.
  expect(cmps["energy_chargedTodayKwh"]).toEqual({ p: "sensor" });
});

it.each([
  ["are unknown: nothing is said of them, or Home Assistant would forget what the user has enabled", undefined, 0, 0],
  ["are eight: those behind them are removed", 0xff, 16, 48],
  ["have a gap", 0b1011, 6, 58],
  ["are as many as can be", 0xffffffff, 64, 0],
])("cells that %s", (_, mask, shown, removed) => {
  const parts = mqttParts();
  const { pack } = parts.monitor;
  if (mask !== undefined) pack.telemetry.set(FIELDS.cellsPresent, mask);
  const buffer = new Uint8Array(MAX_DOCUMENT);
  const subject = subjectOf(parts, new Topics(parts.network, parts.settings), pack, "");
  const discovery = new Discovery(subject, new JsonWriter(), buffer);
  while (!discovery.count(100));
  const { cmps } = parsed("discovery", sent(discovery, buffer));
  const cells = Object.entries(cmps).filter(([key]) => key.startsWith("cell_"));
  const isGone = (component: object): boolean => Object.keys(component).length === 1;
  expect([cells.filter(([, one]) => !isGone(one)).length, cells.filter(([, one]) => isGone(one)).length]).toEqual([
    shown,
    removed,
  ]);
  if (mask === 0b1011) expect(Object.keys(cmps["cell_3_voltage"]!)).toEqual(["p"]);
});

it.each([
  [-61, true],
  [undefined, false],
])("a Wi-Fi signal of %s dBm is announced and told: %s", (rssi, is) => {
  const parts = mqttParts();
  Object.assign(parts.network, { rssi });
  expect("rssi" in written("diagnostics", parts)).toBe(is);
  const buffer = new Uint8Array(MAX_DOCUMENT);
  const subject = subjectOf(parts, new Topics(parts.network, parts.settings), parts.monitor.pack, "");
  const discovery = new Discovery(subject, new JsonWriter(), buffer);
  while (!discovery.count(100));
  const { cmps } = parsed("discovery", sent(discovery, buffer));
  expect(Object.keys(cmps["wifi_signal"]!).length > 1).toBe(is);
});

it("the discovery document omits unknown addresses", () => {
  const parts = mqttParts();
  const buffer = new Uint8Array(MAX_DOCUMENT);
  const addresses = (network: Partial<MqttParts["network"]>): string[] => {
    const subject = subjectOf(
      { ...parts, network: { ...parts.network, ...network } },
      new Topics(parts.network, parts.settings),
      parts.monitor.pack,
      "",
    );
    const discovery = new Discovery(subject, new JsonWriter(), buffer);
    while (!discovery.count(100));
    const { dev } = JSON.parse(sent(discovery, buffer)) as { dev: object };
    return Object.keys(dev).filter((key) => key === "cns" || key === "cu");
  };
  expect(addresses({ mac: "24:A1:60:01:02:03", ip: "192.168.1.7" })).toEqual(["cns", "cu"]);
  expect(addresses({ mac: "", ip: "" })).toEqual([]);
});

it.each([undefined, "https://github.com/somebody/jk-bms-monitor"])(
  "its origin has the project's address: %s",
  (homepage) => {
    const parts = mqttParts();
    const buffer = new Uint8Array(MAX_DOCUMENT);
    const build = { ...parts.build, ...(homepage && { homepage }) };
    const subject = subjectOf({ ...parts, build }, new Topics(parts.network, parts.settings), parts.monitor.pack, "");
    const discovery = new Discovery(subject, new JsonWriter(), buffer);
    while (!discovery.count(100));
    const { o } = JSON.parse(sent(discovery, buffer)) as { o: { url?: string } };
    expect(o.url).toBe(homepage);
  },
);

it("the discovery document is aborted when it no longer matches the count", () => {
  const parts = mqttParts();
  const buffer = new Uint8Array(MAX_DOCUMENT);
  const subject = { ...subjectOf(parts, new Topics(parts.network, parts.settings), parts.monitor.pack, "") };
  const discovery = new Discovery(subject, new JsonWriter(), buffer);
  while (!discovery.count(100));
  Object.assign(subject, { name: `${subject.name}!` });
  expect(() => sent(discovery, buffer)).toThrow(RangeError);
});

it("docs/mqtt.md is generated from the tables: node scripts/mqtt-docs.mjs writes it", async () => {
  const page = await mqttPage();
  expect(readFileSync("docs/mqtt.md", "utf8")).toBe(page);
  // Nothing aligned: a longer row does not change the others.
  expect(page).toContain("| `pack.power` | W |");
  expect(page.split("\n").filter((line) => /^\|.* {2}\|/.test(line))).toEqual([]);
});
