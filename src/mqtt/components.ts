/**
 * Home Assistant's entities for the device, generated from the tables, with abbreviated keys
 * (https://www.home-assistant.io/integrations/mqtt/#supported-abbreviations-in-mqtt-discovery-messages).
 */
import { MAX_CELLS } from "jk-bms/cells";
import type { WriteName } from "jk-bms/writes";
import type { JsonWriter } from "json/writer";
import { BUS_MODES } from "../bms/bus-modes";
import { ALARMS_TABLE, type AlarmRow } from "../catalogue/alarms";
import { COMMANDS_TABLE, type CommandRow } from "../catalogue/commands";
import { BATTERY_TYPES, CHARGE_STAGES } from "../catalogue/computed";
import { PARAMETERS_TABLE, type ParameterRow } from "../catalogue/parameters";
import type { Value } from "../catalogue/row";
import { FURTHER_DEGREES } from "../catalogue/quantities";
import { SHOWN, TELEMETRY_TABLE, telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import { MODES } from "../relay/modes";
import { ALARM_EVENTS, COUNTERS, ENERGY_MEMBERS } from "./documents";
import { STATUSES } from "./results";
import type { Topics } from "./topics";

/** Inputs of the document besides the tables: a snapshot, since the document is written twice and must not change in between. */
export interface Subject {
  readonly topics: Topics;
  readonly name: string;
  readonly software: string;
  readonly version: string;
  readonly homepage: string | undefined;
  readonly board: string;
  /** Empty while unknown. */
  readonly mac: string;
  /** Address of the page; empty: none yet. */
  readonly page: string;
  /** Model, serial number and hardware version of the BMS; empty while unknown. */
  readonly model: string;
  readonly serial: string;
  readonly hardware: string;
  /** Bits of the cells that are present; 0: unknown. */
  readonly cells: number;
  /** A Wi-Fi is joined. */
  readonly wifi: boolean;
  /** Maximum of a parameter on this model, in units of its quantity; undefined: not reported. */
  readonly maxima: { readonly [Name in WriteName]?: number | undefined };
  /** What each parameter holds, by PARAMETERS_TABLE: it may be more than can be set, and Home Assistant rejects what is beyond its limits. */
  readonly states: readonly (Value | undefined)[];
  /** Name of the relay; undefined: none fitted. */
  readonly relay: string | undefined;
  readonly energy: boolean;
  /** Energy of days is known: there is a history. */
  readonly days: boolean;
  /** Seconds without an update after which Home Assistant marks a value unavailable. */
  readonly expireAfter: number;
}

/**
 * Telemetry that another entity already shows under the same name: the Bluetooth name is a parameter, balancing a command.
 */
const BLUETOOTH_NAME = "name";
/** The only one that does not come with the telemetry. */
const ONLINE = "online";
const BATTERY_TYPE = "batteryType";
const CHARGE_STAGE = "pack.chargeStage";
const BALANCE_ENABLED = "balance_enabled";

/** The first commands are enabled by default; the others are present but disabled. */
const SHOWN_COMMANDS = 3;

/** Printable ASCII, not only spaces. */
const NAME_PATTERN = "[ -~]*[!-~][ -~]*";

/** Of ENERGY_MEMBERS: the counters, then those of days. */
const ENERGY_TITLES = Object.freeze(
  ["", " today", " yesterday"].flatMap((day) => [`Energy charged${day}`, `Energy discharged${day}`]),
  true,
);
const YESTERDAY = 4;

const WIFI_SIGNAL = "wifi_signal";
/** Voltage and wire resistance. */
const EACH_CELL = 2;

/** Of the diagnostics: key, member, title, and what else describes it. */
const DIAGNOSTICS: readonly string[] = Object.freeze(
  [
    'link_quality~link.quality~BMS link quality~"unit_of_meas":"%","stat_cla":"measurement",',
    // What has no unit is counted.
    'link_timeouts~link.timeouts~BMS link timeouts~"stat_cla":"total_increasing",',
    'uptime~uptime~Uptime~"dev_cla":"duration","unit_of_meas":"s","stat_cla":"measurement",',
    // Instrumented builds and chips have it.
    `free_memory~get('memory',{}).free~Free memory~"dev_cla":"data_size","unit_of_meas":"B","stat_cla":"measurement",`,
    "restart_cause~startReason~Restart cause~",
    "device_concerns~concerns|join(' ')|default('none',true)~Device concerns~",
    `bus_mode~bmsMode~Bus mode~"dev_cla":"enum","ops":${JSON.stringify(BUS_MODES)},`,
    `${WIFI_SIGNAL}~rssi~Wi-Fi signal~"dev_cla":"signal_strength","unit_of_meas":"dBm","stat_cla":"measurement",`,
  ],
  true,
);

/** Minutes at the current of now, of a pack (`v.pack`) or the bank: key, title, value, and the sign of the current. */
const TIMES: readonly string[] = Object.freeze(
  ["time_to_full~Time to full~(100-v.soc)*v.capacityAh*0.6~", "time_to_empty~Time to empty~v.remainingCapacityAh*60~-"],
  true,
);

/** The bank's: member, the telemetry whose quantity it has, title. Values of nobody are null, and have no members. */
const BANK_ROWS: readonly string[] = Object.freeze(
  [
    "packs=cellCount=Packs",
    "online=cellCount=Packs online",
    "soc=soc=State of charge",
    "capacityAh=capacityAh=Capacity",
    "remainingCapacityAh=capacityAh=Remaining capacity",
    "voltage=pack.voltage=Voltage",
    "current=pack.current=Current",
    "power=pack.power=Power",
    "minCell.voltage=cellsSummary.delta=Lowest cell voltage",
    "maxCell.voltage=cellsSummary.delta=Highest cell voltage",
    "maxDelta.delta=cellsSummary.delta=Widest cell voltage difference",
    "maxTemperature.temperature=temperatures.mosfet=Highest temperature",
  ],
  true,
);

function writeBankComponent(json: JsonWriter, index: number, subject: Subject): boolean {
  const [path = "", like = "", title = ""] = BANK_ROWS[index]?.split("=") ?? [];
  if (!path) return writeTime(json, index - BANK_ROWS.length, subject);
  begin(json, "sensor", path.replace(".", "_"), title, subject);
  json.string("val_tpl", `{{value_json.${path}|default(none)}}`);
  writeQuantity(json, telemetryRow(like).quantity);
  json.integer("exp_aft", subject.expireAfter);
  return end(json);
}

/** Writes the component at `index` as a member of the open object. False past the last. */
export function writeComponent(json: JsonWriter, index: number, subject: Subject): boolean {
  if (subject.topics.isBank) return writeBankComponent(json, index, subject);
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
  const parameter = PARAMETERS_TABLE[at];
  if (parameter) return writeParameter(json, parameter, at, subject);
  at -= PARAMETERS_TABLE.length;
  if (at === 0) return writeAttention(json, subject);
  if (at === 1) return writeAlarmEvent(json, subject);
  at -= 2;
  if (at < TIMES.length) return writeTime(json, at, subject);
  at -= TIMES.length;
  // Before the cells are known nothing is said of them: Home Assistant would forget which the user has enabled.
  const cells = subject.cells ? EACH_CELL * MAX_CELLS : 0;
  if (at < cells) return writeCell(json, at, subject);
  at -= cells;
  // The rest is the device's.
  if (subject.topics.branch) return false;
  const diagnostic = DIAGNOSTICS[at];
  if (diagnostic) return writeDiagnostic(json, diagnostic, subject);
  at -= DIAGNOSTICS.length;
  if (at < ENERGY_TITLES.length) return writeEnergy(json, at, subject);
  at -= ENERGY_TITLES.length;
  if (at === 0) return writeRelay(json, subject);
  if (at === 1) return writeRelayMode(json, subject);
  if (at === 2) return writeRestart(json, subject);
  if (at === 3) return writeLastWrite(json, subject);
  return at === 4 && writeSafeMode(json, subject);
}

/** Available while the device is online, even if the BMS does not answer. */
function writeDeviceAvailability(json: JsonWriter, { topics }: Subject): void {
  json.openArray("avty").open().string("t", topics.availability).close().closeArray();
}

/** A component that is absent or no longer exists: Home Assistant removes a component whose configuration holds only its platform. */
function remove(json: JsonWriter, platform: string, key: string): true {
  json.open(key).string("p", platform);
  return end(json);
}

function begin(json: JsonWriter, platform: string, key: string, title: string, { topics }: Subject): void {
  json.open(key).string("p", platform).string("name", title).string("uniq_id", `${topics.id}_${key}`);
}

function end(json: JsonWriter): true {
  json.close();
  return true;
}

/** Writes an optional member; omitted when empty. */
function text(json: JsonWriter, key: string, value: string): void {
  if (value) json.string(key, value);
}

function hide(json: JsonWriter, shown: boolean): void {
  if (!shown) json.boolean("en", false);
}

/** Most sensors take their state from the document's own `stat_t`: the telemetry. */
function writeTelemetry(json: JsonWriter, row: TelemetryRow, subject: Subject): true {
  const { path, title, quantity } = row;
  const key = path.replace(".", "_");
  if (path === ONLINE) {
    begin(json, "binary_sensor", key, title, subject);
    json.string("dev_cla", "connectivity").string("ent_cat", "diagnostic");
    json.string("stat_t", subject.topics.bms).string("pl_on", "online").string("pl_off", "offline");
    writeDeviceAvailability(json, subject);
    return end(json);
  }
  if (path === BLUETOOTH_NAME) return remove(json, "sensor", key);
  const isSwitch = quantity.kind === "boolean";
  begin(json, isSwitch ? "binary_sensor" : "sensor", key, title, subject);
  // Unknown values are null; a template renders them as "None", which Home Assistant shows as unknown.
  if (isSwitch)
    json.string("val_tpl", `{{None if value_json.${path} is none else 'ON' if value_json.${path} else 'OFF'}}`);
  else json.string("val_tpl", `{{value_json.${path}${quantity === FURTHER_DEGREES ? "|default(none)" : ""}}}`);
  // Not a table: each path that it was asked for would stay among XS's keys (docs/xs.md).
  if (path === BATTERY_TYPE) writeOptions(json, BATTERY_TYPES);
  else if (path === CHARGE_STAGE) writeOptions(json, CHARGE_STAGES);
  else if (quantity.kind !== "text" && !isSwitch) writeQuantity(json, quantity);
  if (path.startsWith("info.")) json.string("ent_cat", "diagnostic");
  json.integer("exp_aft", subject.expireAfter);
  hide(json, (row.flags & SHOWN) !== 0);
  return end(json);
}

function writeQuantity(json: JsonWriter, quantity: TelemetryRow["quantity"]): void {
  text(json, "dev_cla", quantity.deviceClass);
  text(json, "unit_of_meas", quantity.unit);
  text(json, "stat_cla", quantity.stateClass);
  json.integer("sug_dsp_prc", quantity.decimals);
}

function writeOptions(json: JsonWriter, options: readonly string[]): void {
  json.string("dev_cla", "enum").strings("ops", options);
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

/** Of each alarm or condition that is raised or ends, whichever it is: its name is an attribute. */
function writeAlarmEvent(json: JsonWriter, subject: Subject): true {
  begin(json, "event", "alarm", "Alarm", subject);
  json.strings("evt_typ", ALARM_EVENTS);
  json.string("stat_t", subject.topics.alarm);
  return end(json);
}

/** On unless all is well; a BMS that is offline is not, so the entity depends on the device alone. */
function writeAttention(json: JsonWriter, subject: Subject): true {
  begin(json, "binary_sensor", "attention", "Attention", subject);
  json.string("val_tpl", "{{'OFF' if value_json.well else 'ON'}}").string("dev_cla", "problem");
  json.string("json_attr_t", subject.topics.state("telemetry"));
  json.string("json_attr_tpl", "{{dict(concerns=value_json.concerns)|to_json}}");
  json.integer("exp_aft", subject.expireAfter);
  writeDeviceAvailability(json, subject);
  return end(json);
}

/** In safe mode the BMS is not read: not a matter of its cable. */
function writeSafeMode(json: JsonWriter, subject: Subject): true {
  begin(json, "binary_sensor", "safe_mode", "Safe mode", subject);
  json.string("stat_t", subject.topics.state("diagnostics"));
  json.string("val_tpl", "{{'ON' if value_json.safeMode else 'OFF'}}").string("dev_cla", "problem");
  json.string("ent_cat", "diagnostic");
  writeDeviceAvailability(json, subject);
  return end(json);
}

function writeSwitch(json: JsonWriter, state: string, set: string): void {
  json.string("stat_t", state).string("cmd_t", set);
  json.string("pl_on", "on").string("pl_off", "off").boolean("opt", false);
}

/** A further pack is written to by requests alone: one subscription for each instead of one for each of its parameters. */
function writeRequests(json: JsonWriter, state: string, set: string, command: string): void {
  json.string("stat_t", state).string("stat_on", "on").string("stat_off", "off").string("cmd_t", set);
  json.string("pl_on", `{"command":"${command}","state":"on"}`);
  json.string("pl_off", `{"command":"${command}","state":"off"}`).boolean("opt", false);
}

function writeCommand(json: JsonWriter, { name, title }: CommandRow, shown: boolean, subject: Subject): true {
  const { topics } = subject;
  begin(json, "switch", `command_${name}`, title, subject);
  json.string("val_tpl", `{{value_json.commands.${name}}}`);
  if (topics.branch) writeRequests(json, topics.state("config"), topics.request, name);
  else writeSwitch(json, topics.state("config"), topics.command(name));
  hide(json, shown);
  return end(json);
}

function writeRelay(json: JsonWriter, subject: Subject): true {
  const { relay, topics } = subject;
  if (relay === undefined) return remove(json, "switch", "relay");
  begin(json, "switch", "relay", relay, subject);
  json.string("val_tpl", "{{value_json.state}}");
  writeSwitch(json, topics.state("relay"), topics.relay);
  writeDeviceAvailability(json, subject);
  return end(json);
}

function writeRelayMode(json: JsonWriter, subject: Subject): true {
  const { relay, topics } = subject;
  if (relay === undefined) return remove(json, "select", "relay_mode");
  begin(json, "select", "relay_mode", "Relay mode", subject);
  json.string("stat_t", topics.state("relay")).string("val_tpl", "{{value_json.mode}}");
  json.string("cmd_t", topics.request).string("cmd_tpl", '{"relayMode":"{{value}}"}');
  json.strings("ops", MODES);
  json.string("ent_cat", "config");
  writeDeviceAvailability(json, subject);
  return end(json);
}

function writeRestart(json: JsonWriter, subject: Subject): true {
  begin(json, "button", "restart", "Restart", subject);
  json.string("cmd_t", subject.topics.request).string("pl_prs", '{"restart":true}');
  json.string("dev_cla", "restart").string("ent_cat", "config");
  writeDeviceAvailability(json, subject);
  return end(json);
}

function writeParameter(json: JsonWriter, row: ParameterRow, at: number, subject: Subject): true {
  const { maxima, states, topics } = subject;
  const { name, quantity, title } = row;
  const { decimals, kind, max, min, unit } = quantity;
  const key = `setting_${name}`;
  if (name === BALANCE_ENABLED) return remove(json, "switch", key);
  begin(json, kind === "text" ? kind : "number", key, title, subject);
  // The BMS may hold a longer text than can be set, and Home Assistant rejects a state longer than the maximum.
  const value = kind === "text" ? `(value_json.${row.path}|default('None',true))[:${max}]` : `value_json.${row.path}`;
  json.string("val_tpl", `{{${value}}}`);
  json.string("stat_t", topics.state("config"));
  if (topics.branch)
    json
      .string("cmd_t", topics.request)
      .string("cmd_tpl", `{"setting":"${name}","value":{{value${kind === "text" ? "|to_json" : ""}}}}`);
  else json.string("cmd_t", topics.parameter(name));
  json.string("ent_cat", "config");
  if (kind === "text") {
    json.integer("min", min).integer("max", max).string("pattern", NAME_PATTERN).string("mode", "text");
    writeTextAvailability(json, row.path, subject);
    return end(json);
  }
  const state = Number(states[at] ?? min);
  json.decimal("min", Math.min(min, state), decimals);
  json.decimal("max", Math.max(Math.min(max, maxima[name] ?? max), state), decimals);
  json.decimal("step", 1, decimals).string("mode", "box").string("unit_of_meas", unit);
  text(json, "dev_cla", numberClass(unit));
  // Protections must not be changed by accident: disabled until the user enables the entity.
  json.boolean("en", false);
  return end(json);
}

/** Home Assistant treats "None" as ordinary text, so the entity is unavailable while the text is unknown or the BMS is offline. */
function writeTextAvailability(json: JsonWriter, path: string, { topics }: Subject): void {
  json.openArray("avty");
  json.open().string("t", topics.availability).close();
  json.open().string("t", topics.state("config"));
  json.string("val_tpl", `{{'online' if value_json.${path}|default('',true)|trim else 'offline'}}`);
  json.close().closeArray();
}

/** Result of the last request, as an event: two identical refusals are two events. */
function writeLastWrite(json: JsonWriter, subject: Subject): true {
  begin(json, "event", "last_write", "Last write", subject);
  json.strings("evt_typ", STATUSES);
  json.string("stat_t", subject.topics.result);
  json.string("val_tpl", "{{dict(value_json,event_type=value_json.status)|to_json}}").string("ent_cat", "diagnostic");
  writeDeviceAvailability(json, subject);
  return end(json);
}

/** Home Assistant's device class for a number with this unit. */
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

function writeDiagnostic(json: JsonWriter, row: string, subject: Subject): true {
  const [key = "", member = "", title = "", members = ""] = row.split("~");
  if (key === WIFI_SIGNAL && !subject.wifi) return remove(json, "sensor", key);
  begin(json, "sensor", key, title, subject);
  json.string("stat_t", subject.topics.state("diagnostics"));
  json.string("val_tpl", `{{value_json.${member}|default(none)}}`);
  json.members(`${members}"ent_cat":"diagnostic","en":false`);
  writeDeviceAvailability(json, subject);
  return end(json);
}

/** False past the last of TIMES. At rest there is none. */
function writeTime(json: JsonWriter, at: number, subject: Subject): boolean {
  const [key = "", title = "", value = "", sign = ""] = TIMES[at]?.split("~") ?? [];
  if (!key) return false;
  begin(json, "sensor", key, title, subject);
  const current = `${sign}v.${subject.topics.isBank ? "" : "pack."}current`;
  json.string(
    "val_tpl",
    `{%set v=value_json%}{%if v.soc is none%}None{%elif ${current}>0.1%}{{(${value}/(${current}))|round|int}}{%else%}None{%endif%}`,
  );
  json.members('"dev_cla":"duration","unit_of_meas":"min","stat_cla":"measurement"');
  json.integer("exp_aft", subject.expireAfter);
  return end(json);
}

/** First the voltages, then the resistances of their wires. */
function writeCell(json: JsonWriter, at: number, subject: Subject): true {
  const cell = at % MAX_CELLS;
  const isVoltage = at === cell;
  const key = `cell_${cell + 1}_${isVoltage ? "voltage" : "wire_resistance"}`;
  if (!((subject.cells >> cell) & 1)) return remove(json, "sensor", key);
  begin(json, "sensor", key, `Cell ${cell + 1} ${isVoltage ? "voltage" : "wire resistance"}`, subject);
  json.string("stat_t", subject.topics.state("cells"));
  json.string(
    "val_tpl",
    `{{(value_json.cells or [])|selectattr('number','eq',${cell + 1})|map(attribute='${isVoltage ? "voltage" : "wireResistanceMilliOhm"}')|first|default(none)}}`,
  );
  json.members(
    isVoltage
      ? '"dev_cla":"voltage","unit_of_meas":"V","sug_dsp_prc":3,"stat_cla":"measurement"'
      : '"unit_of_meas":"m\u03a9","stat_cla":"measurement"',
  );
  json.string("ent_cat", "diagnostic").integer("exp_aft", subject.expireAfter).boolean("en", false);
  return end(json);
}

function writeEnergy(json: JsonWriter, at: number, subject: Subject): true {
  const member = ENERGY_MEMBERS[at] as string;
  const key = `energy_${member}`;
  if (!(at < COUNTERS ? subject.energy : subject.days)) return remove(json, "sensor", key);
  begin(json, "sensor", key, ENERGY_TITLES[at] as string, subject);
  json.string("val_tpl", `{{value_json.energy.${member}}}`).string("dev_cla", "energy").string("unit_of_meas", "kWh");
  // Statistics of yesterday would count each day twice.
  if (at < YESTERDAY) json.string("stat_cla", "total_increasing");
  json.integer("sug_dsp_prc", 2);
  writeDeviceAvailability(json, subject);
  return end(json);
}
