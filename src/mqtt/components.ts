/**
 * The entities that Home Assistant makes of the device, from the tables; keys in its short forms
 * (https://www.home-assistant.io/integrations/mqtt/#supported-abbreviations-in-mqtt-discovery-messages).
 */
import type { JsonWriter } from "json/writer";
import { ALARMS_TABLE, type AlarmRow } from "../catalogue/alarms";
import { COMMANDS_TABLE, type CommandRow } from "../catalogue/commands";
import { SETTINGS_TABLE, type Range, type SettingRow } from "../catalogue/settings";
import { SHOWN, TELEMETRY_TABLE, type TelemetryRow } from "../catalogue/telemetry";
import type { Topics } from "./topics";

/** What the document says besides the tables, as it is when the writing begins: it is written twice and must not change in between. */
export interface Subject {
  readonly topics: Topics;
  readonly name: string;
  readonly software: string;
  readonly version: string;
  readonly board: string;
  /** Empty while unknown, as the address. */
  readonly mac: string;
  readonly ip: string;
  /** The relay's name; undefined: none is fitted. */
  readonly relay: string | undefined;
  readonly energy: boolean;
  /** Seconds after which a value that was not told again is taken for lost. */
  readonly expireAfter: number;
}

/** Commands that everybody wants to see; the others are there, but not enabled. */
const SHOWN_COMMANDS = 3;

const ENERGY = Object.freeze(
  [
    { member: "chargedKwh", title: "Energy charged" },
    { member: "dischargedKwh", title: "Energy discharged" },
  ],
  true,
);

const DIAGNOSTICS = Object.freeze(
  [
    { key: "link_quality", member: "link.quality", title: "BMS link quality", unit: "%", duration: false },
    { key: "link_timeouts", member: "link.timeouts", title: "BMS link timeouts", unit: "", duration: false },
    { key: "uptime", member: "uptime", title: "Uptime", unit: "s", duration: true },
  ],
  true,
);

/** Writes the component at `index`, a member of the object that is open. False past the last. */
export function writeComponent(json: JsonWriter, index: number, subject: Subject): boolean {
  let at = index;
  const telemetry = TELEMETRY_TABLE[at];
  if (telemetry) return writeTelemetry(json, telemetry, subject);
  at -= TELEMETRY_TABLE.length;
  const alarm = ALARMS_TABLE[at];
  if (alarm) return writeAlarm(json, alarm, subject);
  at -= ALARMS_TABLE.length;
  const command = COMMANDS_TABLE[at];
  if (command) return writeCommand(json, command, at < SHOWN_COMMANDS, subject);
  at -= COMMANDS_TABLE.length;
  const setting = SETTINGS_TABLE[at];
  if (setting) return writeSetting(json, setting, subject);
  at -= SETTINGS_TABLE.length;
  const diagnostic = DIAGNOSTICS[at];
  if (diagnostic) return writeDiagnostic(json, diagnostic, subject);
  at -= DIAGNOSTICS.length;
  if (subject.energy) {
    const counter = ENERGY[at];
    if (counter) return writeEnergy(json, counter, subject);
    at -= ENERGY.length;
  }
  return at === 0 && subject.relay !== undefined && writeRelay(json, subject.relay, subject);
}

/** Whether the BMS answers or not, as long as the device is there. */
export function writeDeviceAvailability(json: JsonWriter, { topics }: Subject): void {
  json.openArray("avty").open().string("t", topics.availability).close().closeArray();
}

function begin(json: JsonWriter, platform: string, key: string, title: string, { topics }: Subject): void {
  json.open(key).string("p", platform).string("name", title).string("uniq_id", `${topics.id}_${key}`);
}

function end(json: JsonWriter): true {
  json.close();
  return true;
}

/** Optional members: what is empty is left out. */
function text(json: JsonWriter, key: string, value: string): void {
  if (value) json.string(key, value);
}

function hide(json: JsonWriter, shown: boolean): void {
  if (!shown) json.boolean("en", false);
}

/** The state of most sensors is the document's own `stat_t`: the telemetry. */
function writeTelemetry(json: JsonWriter, row: TelemetryRow, subject: Subject): true {
  const { path, title, quantity } = row;
  const key = path.replace(".", "_");
  if (quantity.kind === "boolean") {
    begin(json, "binary_sensor", key, title, subject);
    json.string("dev_cla", "connectivity").string("ent_cat", "diagnostic");
    json.string("stat_t", subject.topics.bms).string("pl_on", "online").string("pl_off", "offline");
    writeDeviceAvailability(json, subject);
    return end(json);
  }
  begin(json, "sensor", key, title, subject);
  // What is not known is null, which a template shows as "None": unknown to Home Assistant.
  json.string("val_tpl", `{{value_json.${path}}}`);
  if (quantity.kind !== "text") {
    text(json, "dev_cla", quantity.deviceClass);
    text(json, "unit_of_meas", quantity.unit);
    text(json, "stat_cla", quantity.stateClass);
    json.integer("sug_dsp_prc", quantity.decimals);
  }
  if (path.startsWith("info.")) json.string("ent_cat", "diagnostic");
  json.integer("exp_aft", subject.expireAfter);
  hide(json, (row.flags & SHOWN) !== 0);
  return end(json);
}

function writeAlarm(json: JsonWriter, { name, title, fault }: AlarmRow, subject: Subject): true {
  begin(json, "binary_sensor", `alarm_${name}`, title, subject);
  json.string(
    "val_tpl",
    `{{None if value_json.alarms is none else 'ON' if '${name}' in value_json.alarms else 'OFF'}}`,
  );
  if (fault) json.string("dev_cla", "problem");
  json.string("ent_cat", "diagnostic").integer("exp_aft", subject.expireAfter);
  return end(json);
}

function writeSwitch(json: JsonWriter, state: string, set: string): void {
  json.string("stat_t", state).string("cmd_t", set);
  json.string("pl_on", "on").string("pl_off", "off").boolean("opt", false);
}

function writeCommand(json: JsonWriter, { name, title }: CommandRow, shown: boolean, subject: Subject): true {
  const { topics } = subject;
  begin(json, "switch", `command_${name}`, title, subject);
  json.string("val_tpl", `{{value_json.commands.${name}}}`);
  writeSwitch(json, topics.state("config"), topics.command(name));
  hide(json, shown);
  return end(json);
}

function writeRelay(json: JsonWriter, title: string, subject: Subject): true {
  const { topics } = subject;
  begin(json, "switch", "relay", title, subject);
  json.string("val_tpl", "{{value_json.state}}");
  writeSwitch(json, topics.state("relay"), topics.relay);
  writeDeviceAvailability(json, subject);
  return end(json);
}

/** A change of a protection is nothing to happen by a slip: not enabled until somebody asks for it. */
function writeSetting(json: JsonWriter, row: SettingRow, subject: Subject): true {
  const { topics } = subject;
  const { name, title } = row;
  const { decimals, kind, max, min, unit } = row.quantity;
  const path = `value_json.${row.path}`;
  begin(json, platformOf(row.quantity), `setting_${name}`, title, subject);
  if (kind === "boolean") {
    json.string("val_tpl", `{{None if ${path} is none else 'on' if ${path} else 'off'}}`);
    writeSwitch(json, topics.state("config"), topics.setting(name));
  } else {
    json.string("val_tpl", `{{${path}}}`);
    json.string("stat_t", topics.state("config")).string("cmd_t", topics.setting(name));
    json.decimal("min", min, decimals).decimal("max", max, decimals);
    if (kind === "text") json.string("mode", "text");
    else {
      json.decimal("step", 1, decimals).string("mode", "box").string("unit_of_meas", unit);
      text(json, "dev_cla", numberClass(unit));
    }
  }
  json.string("ent_cat", "config").boolean("en", false);
  return end(json);
}

function platformOf({ kind }: Range): string {
  if (kind === "boolean") return "switch";
  return kind === "text" ? "text" : "number";
}

/** Home Assistant's device class of a number with this unit. */
function numberClass(unit: string): string {
  switch (unit) {
    case "V":
      return "voltage";
    case "A":
      return "current";
    case "°C":
      return "temperature";
    default:
      return "";
  }
}

function writeDiagnostic(json: JsonWriter, row: (typeof DIAGNOSTICS)[number], subject: Subject): true {
  begin(json, "sensor", row.key, row.title, subject);
  json.string("stat_t", subject.topics.state("diagnostics")).string("val_tpl", `{{value_json.${row.member}|default}}`);
  text(json, "dev_cla", row.duration ? "duration" : "");
  text(json, "unit_of_meas", row.unit);
  json.string("stat_cla", "measurement").string("ent_cat", "diagnostic").boolean("en", false);
  writeDeviceAvailability(json, subject);
  return end(json);
}

function writeEnergy(json: JsonWriter, { member, title }: (typeof ENERGY)[number], subject: Subject): true {
  begin(json, "sensor", `energy_${member}`, title, subject);
  json.string("val_tpl", `{{value_json.energy.${member}}}`).string("dev_cla", "energy");
  json.string("unit_of_meas", "kWh").string("stat_cla", "total_increasing").integer("sug_dsp_prc", 2);
  writeDeviceAvailability(json, subject);
  return end(json);
}
