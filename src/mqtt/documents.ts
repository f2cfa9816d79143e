/** The retained state documents. */
import { MAX_CELLS } from "jk-bms/cells";
import type { LinkStatistics } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import { BUS_MODES } from "../bms/bus-modes";
import { alarmBits, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import { COMMANDS_TABLE, readSwitch } from "../catalogue/commands";
import { codeOf, DEVICE, deviceCodes, writeConcerns } from "../conditions/table";
import { LIVE, writeCells, writeConfiguration, writeTelemetry, type Published } from "../catalogue/document";
import type { Pack } from "../catalogue/pack";
import { TELEMETRY_TABLE } from "../catalogue/telemetry";
import { JOULES_PER_WATT_HOUR } from "../energy/limits";
import { concernsOfAny } from "../packs/bank";
import type { BusPack } from "../packs/types";
import { MODES } from "../relay/modes";
import type { Group } from "./topics";
import type { Sources } from "./types";

/** Decimals of a watt-hour counter in kWh. */
const KWH_DECIMALS = 3;
/** Decimals of the link quality. */
const PERCENT_DECIMALS = 1;

/** Of the state: the counters, then those of Recorder.energyOf in its order. */
export const ENERGY_MEMBERS: readonly string[] = Object.freeze(
  ["", "Today", "Yesterday"].flatMap((day) => [`charged${day}Kwh`, `discharged${day}Kwh`]),
  true,
);
export const COUNTERS = 2;

/** Of an alarm, then of a condition: its end, its beginning. Then that a setting of the pack has changed. */
export const ALARM_EVENTS: readonly string[] = Object.freeze(
  ["ended", "raised", "condition_ended", "condition_raised", "setting_changed"],
  true,
);
const SETTING_CHANGED = ALARM_EVENTS.length - 1;

const onOff = (on: boolean): string => (on ? "on" : "off");

/** Length of `writeState`'s `published`: a value per row of the telemetry, then one per cell. */
export const PUBLISHED_VALUES = TELEMETRY_TABLE.length + MAX_CELLS;

/**
 * Writes the state of `group` of a pack: null for unknown values; a value within its dead band of the last published one keeps that one.
 * @param sources the device, where the pack's topics are the device's too
 */
export function writeState(
  json: JsonWriter,
  group: Group,
  pack: BusPack,
  sources: Sources | undefined,
  published?: Published,
): void {
  json.open();
  switch (group) {
    case "telemetry":
      writeTelemetry(json, pack, LIVE, published);
      writeAlarms(json, pack);
      // The device's verdict is on all of its packs.
      writeConcerns(json, sources ? concernsOfAny(sources.monitor.packs) : pack.concerns);
      if (sources) writeEnergy(json, sources);
      break;
    case "cells":
      writeCells(json, pack, LIVE, published?.subarray(TELEMETRY_TABLE.length));
      break;
    case "config":
      writeConfiguration(json, pack, LIVE);
      writeCommands(json, pack);
      break;
    case "relay":
      if (sources) writeRelay(json, sources);
      break;
    case "diagnostics":
      if (sources) writeDiagnostics(json, sources);
  }
  json.close();
}

/**
 * Writes the event that the alarm of this row, or the condition, was raised, or has ended.
 * @param first number of the first of these conditions; undefined: alarms
 */
export function writeAlarmEvent(json: JsonWriter, row: number, raised: boolean, first: number | undefined): void {
  const isAlarm = first === undefined;
  json.open().string("event_type", ALARM_EVENTS[Number(raised) + (isAlarm ? 0 : 2)] as string);
  if (isAlarm) json.string("alarm", ALARMS_TABLE[row]?.name ?? String(row)).close();
  else json.string("condition", codeOf(first + row)).close();
}

/** Writes the event that a setting of the pack has changed: by its log (src/events/types.ts), of many how many they are. */
export function writeChange(
  json: JsonWriter,
  [, name = "", before = "", value = "", unit = "", , by = "", count]: readonly string[],
): void {
  json.open().string("event_type", ALARM_EVENTS[SETTING_CHANGED] as string);
  if (name) json.string("setting", name).string("before", before).string("value", value).string("unit", unit);
  else json.integer("count", Number(count));
  json.string("by", by).close();
}

/** Writes the names of the active alarms. */
function writeAlarms(json: JsonWriter, pack: Pack): void {
  const bits = alarmBits(pack);
  if (bits === undefined) return void json.null("alarms");
  const raised = bits ? ALARMS_TABLE.filter((_, row) => isRaised(bits, row)) : [];
  json.strings(
    "alarms",
    raised.map(({ name }) => name),
  );
}

function writeEnergy(json: JsonWriter, { energy, flashHistory }: Sources): void {
  if (!energy) return;
  json.open("energy");
  const { charged = NaN, discharged = NaN } = energy.stored ?? {};
  writeKwh(json, 0, charged / JOULES_PER_WATT_HOUR);
  writeKwh(json, 1, discharged / JOULES_PER_WATT_HOUR);
  if (flashHistory)
    for (let member = COUNTERS; member < ENERGY_MEMBERS.length; member++)
      writeKwh(json, member, flashHistory.recorder.energyOf(member - COUNTERS));
  json.close();
}

/** NaN: unknown. */
function writeKwh(json: JsonWriter, member: number, wattHours: number): void {
  const key = ENERGY_MEMBERS[member] as string;
  if (wattHours >= 0) json.decimal(key, Math.floor(wattHours), KWH_DECIMALS);
  else json.null(key);
}

function writeCommands(json: JsonWriter, pack: Pack): void {
  json.open("commands");
  for (const row of COMMANDS_TABLE) {
    const on = readSwitch(row, pack);
    if (on === undefined) json.null(row.name);
    else json.string(row.name, onOff(on));
  }
  json.close();
}

function writeRelay(json: JsonWriter, { relay, settings }: Sources): void {
  json.boolean("fitted", settings.relay.fitted);
  json.string("name", relay.name);
  json.string("state", onOff(relay.value === 1));
  json.string("mode", MODES[relay.mode]);
}

function writeDiagnostics(json: JsonWriter, sources: Sources): void {
  const { build, network, settings } = sources;
  json.integer("uptime", sources.uptime());
  json.string("software", build.softwareName);
  json.string("version", build.version);
  json.string("hostname", settings.device.hostname);
  json.string("ip", network.ip);
  writeHealth(json, sources);
  json.string("bmsMode", BUS_MODES[Number(sources.monitor.listening)] as string);
  if (network.rssi !== undefined) json.integer("rssi", network.rssi);
  json.strings("concerns", deviceCodes(sources.conditions.presentOf(DEVICE)));
  writeLink(json, sources.statistics());
}

function writeLink(json: JsonWriter, link: LinkStatistics | undefined): void {
  json.open("link");
  if (!link) return void json.null("quality").null("timeouts").close();
  const { exceptions, replies, requests, timeouts } = link;
  // A request in progress does not count yet.
  const ended = replies + exceptions + timeouts;
  if (ended) json.decimal("quality", Math.round((replies * 1000) / ended), PERCENT_DECIMALS);
  else json.null("quality");
  json.integer("requests", requests);
  json.integer("replies", replies);
  json.integer("timeouts", timeouts);
  json.integer("crcErrors", link.crcErrors);
  json.integer("exceptions", exceptions);
  json.integer("discarded", link.discarded);
  json.integer("lastReplyTime", link.lastReplyTime);
  json.close();
}

function writeHealth(json: JsonWriter, { start, memory }: Sources): void {
  if (start) {
    json.boolean("safeMode", start.safe);
    json.string("startReason", start.reason);
    json.integer("restarts", start.restarts);
    if (start.where) json.string("crashedAt", start.where);
  }
  if (memory?.free === undefined) return;
  json.open("memory");
  json.integer("free", memory.free);
  json.integer("leastFree", memory.leastFree ?? 0);
  json.integer("largestBlock", memory.largestBlock ?? 0);
  json.close();
}
