/** The retained states. */
import type { JsonWriter } from "json/writer";
import { alarmBits, ALARMS_TABLE } from "../bms/alarms-table";
import { commandState } from "../bms/command-state";
import { COMMANDS_TABLE } from "../bms/commands-table";
import { writeCells, writeConfiguration, writeTelemetry } from "../bms/json";
import type { Group } from "./topics";
import type { Sources } from "./types";

/** Of a watt-hour counter in kWh. */
const KWH_DECIMALS = 3;
/** Of the link quality. */
const PERCENT_DECIMALS = 1;

export const onOff = (on: boolean): string => (on ? "on" : "off");

/** Writes the state of `group`. False, and nothing of worth is written, while it is not known. */
export function writeState(json: JsonWriter, group: Group, sources: Sources): boolean {
  const { monitor } = sources;
  switch (group) {
    case "telemetry":
      if (!monitor.telemetry.valid) return false;
      json.open();
      writeTelemetry(json, monitor);
      writeAlarms(json, sources);
      writeEnergy(json, sources);
      break;
    case "cells":
      if (!monitor.telemetry.valid) return false;
      json.open();
      writeCells(json, monitor);
      break;
    case "config":
      if (!monitor.configurationLoaded) return false;
      json.open();
      writeConfiguration(json, monitor);
      writeCommands(json, sources);
      break;
    case "relay":
      json.open();
      writeRelay(json, sources);
      break;
    case "diagnostics":
      json.open();
      writeDiagnostics(json, sources);
  }
  json.close();
  return true;
}

/** The names of the alarms that are raised. */
function writeAlarms(json: JsonWriter, { monitor }: Sources): void {
  const bits = alarmBits(monitor);
  json.openArray("alarms");
  for (const { bit, name } of ALARMS_TABLE) if ((bits >>> bit) & 1) json.string(undefined, name);
  json.closeArray();
}

function writeEnergy(json: JsonWriter, { energy }: Sources): void {
  if (!energy) return;
  json.open("energy");
  json.decimal("chargedKwh", Math.round(energy.charged), KWH_DECIMALS);
  json.decimal("dischargedKwh", Math.round(energy.discharged), KWH_DECIMALS);
  json.close();
}

function writeCommands(json: JsonWriter, { monitor }: Sources): void {
  json.open("commands");
  for (const row of COMMANDS_TABLE) json.string(row.name, onOff(commandState(monitor, row)));
  json.close();
}

function writeRelay(json: JsonWriter, { relay, settings }: Sources): void {
  json.boolean("fitted", settings.relay.fitted);
  json.string("name", relay.name);
  json.string("state", onOff(relay.value === 1));
  json.string("mode", relay.mode === 0 ? "manual" : relay.mode === 1 ? "automatic" : "disabled");
}

function writeDiagnostics(json: JsonWriter, sources: Sources): void {
  const { build, network, settings } = sources;
  json.integer("uptime", sources.uptime());
  json.string("software", build.softwareName);
  json.string("version", build.version);
  json.string("hostname", settings.device.hostname);
  json.string("ip", network.ip);
  const link = sources.statistics();
  if (!link) return;
  json.open("link");
  const { exceptions, replies, requests, timeouts } = link;
  // One that is under way says nothing yet.
  const ended = replies + exceptions + timeouts;
  if (ended) json.decimal("quality", Math.round((replies * 1000) / ended), PERCENT_DECIMALS);
  json.integer("requests", requests);
  json.integer("replies", replies);
  json.integer("timeouts", timeouts);
  json.integer("crcErrors", link.crcErrors);
  json.integer("exceptions", exceptions);
  json.integer("discarded", link.discarded);
  json.integer("lastReplyTime", link.lastReplyTime);
  json.close();
}
