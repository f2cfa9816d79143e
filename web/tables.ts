// Made by web/build.mjs from the firmware's tables: not to be edited.
import type { BooleanField, ChoiceField, NumberField, TextField } from "../src/settings/field";

type Bare<T> = Omit<T, "default">;
export type FormField = Bare<BooleanField> | Bare<NumberField> | Bare<ChoiceField> | Bare<TextField>;

export type ParameterName =
  | "cell_count"
  | "capacity_ah"
  | "bluetooth_name"
  | "balance_enabled"
  | "balance_trigger_voltage"
  | "balance_start_voltage"
  | "max_balance_current"
  | "cell_uvp_voltage"
  | "cell_uvpr_voltage"
  | "cell_ovp_voltage"
  | "cell_ovpr_voltage"
  | "cell_rcv_voltage"
  | "power_off_voltage"
  | "charge_otp"
  | "charge_otpr"
  | "charge_utp"
  | "charge_utpr"
  | "discharge_otp"
  | "discharge_otpr"
  | "mos_otp"
  | "mos_otpr";

/** The objects of the configuration document. */
export type ParameterObject = "battery" | "balance" | "protections" | "temperature";

export interface ParameterRow {
  readonly name: ParameterName;
  readonly kind: "number" | "integer" | "boolean" | "text";
  /** Inclusive, in units of 10 ** -decimals; of a text, characters. */
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
  readonly unit: string;
  readonly object: ParameterObject;
  readonly member: string;
}

export const PARAMETERS: readonly ParameterRow[] = [
  {
    name: "cell_count",
    kind: "integer",
    min: 1,
    max: 24,
    decimals: 0,
    unit: "cells",
    object: "battery",
    member: "cellCount",
  },
  {
    name: "capacity_ah",
    kind: "number",
    min: 100,
    max: 1000000,
    decimals: 3,
    unit: "Ah",
    object: "battery",
    member: "capacityAh",
  },
  {
    name: "bluetooth_name",
    kind: "text",
    min: 1,
    max: 12,
    decimals: 0,
    unit: "characters",
    object: "battery",
    member: "bluetoothName",
  },
  {
    name: "balance_enabled",
    kind: "boolean",
    min: 0,
    max: 1,
    decimals: 0,
    unit: "",
    object: "balance",
    member: "enabled",
  },
  {
    name: "balance_trigger_voltage",
    kind: "number",
    min: 1,
    max: 500,
    decimals: 3,
    unit: "V",
    object: "balance",
    member: "triggerVoltage",
  },
  {
    name: "balance_start_voltage",
    kind: "number",
    min: 1000,
    max: 5000,
    decimals: 3,
    unit: "V",
    object: "balance",
    member: "startVoltage",
  },
  {
    name: "max_balance_current",
    kind: "number",
    min: 0,
    max: 10000,
    decimals: 3,
    unit: "A",
    object: "balance",
    member: "maxCurrent",
  },
  {
    name: "cell_uvp_voltage",
    kind: "number",
    min: 0,
    max: 5000,
    decimals: 3,
    unit: "V",
    object: "protections",
    member: "cellUvpVoltage",
  },
  {
    name: "cell_uvpr_voltage",
    kind: "number",
    min: 0,
    max: 5000,
    decimals: 3,
    unit: "V",
    object: "protections",
    member: "cellUvprVoltage",
  },
  {
    name: "cell_ovp_voltage",
    kind: "number",
    min: 0,
    max: 5000,
    decimals: 3,
    unit: "V",
    object: "protections",
    member: "cellOvpVoltage",
  },
  {
    name: "cell_ovpr_voltage",
    kind: "number",
    min: 0,
    max: 5000,
    decimals: 3,
    unit: "V",
    object: "protections",
    member: "cellOvprVoltage",
  },
  {
    name: "cell_rcv_voltage",
    kind: "number",
    min: 0,
    max: 5000,
    decimals: 3,
    unit: "V",
    object: "protections",
    member: "cellRcvVoltage",
  },
  {
    name: "power_off_voltage",
    kind: "number",
    min: 0,
    max: 5000,
    decimals: 3,
    unit: "V",
    object: "protections",
    member: "powerOffVoltage",
  },
  {
    name: "charge_otp",
    kind: "number",
    min: -500,
    max: 1200,
    decimals: 1,
    unit: "°C",
    object: "temperature",
    member: "chargeOtp",
  },
  {
    name: "charge_otpr",
    kind: "number",
    min: -500,
    max: 1200,
    decimals: 1,
    unit: "°C",
    object: "temperature",
    member: "chargeOtpr",
  },
  {
    name: "charge_utp",
    kind: "number",
    min: -500,
    max: 1200,
    decimals: 1,
    unit: "°C",
    object: "temperature",
    member: "chargeUtp",
  },
  {
    name: "charge_utpr",
    kind: "number",
    min: -500,
    max: 1200,
    decimals: 1,
    unit: "°C",
    object: "temperature",
    member: "chargeUtpr",
  },
  {
    name: "discharge_otp",
    kind: "number",
    min: -500,
    max: 1200,
    decimals: 1,
    unit: "°C",
    object: "temperature",
    member: "dischargeOtp",
  },
  {
    name: "discharge_otpr",
    kind: "number",
    min: -500,
    max: 1200,
    decimals: 1,
    unit: "°C",
    object: "temperature",
    member: "dischargeOtpr",
  },
  {
    name: "mos_otp",
    kind: "number",
    min: -500,
    max: 1200,
    decimals: 1,
    unit: "°C",
    object: "temperature",
    member: "mosOtp",
  },
  {
    name: "mos_otpr",
    kind: "number",
    min: -500,
    max: 1200,
    decimals: 1,
    unit: "°C",
    object: "temperature",
    member: "mosOtpr",
  },
];

export type CommandName =
  "charge_mos" | "discharge_mos" | "balance" | "emergency" | "display_always_on" | "temperature_sensors_disabled";

export const COMMANDS: readonly CommandName[] = [
  "charge_mos",
  "discharge_mos",
  "balance",
  "emergency",
  "display_always_on",
  "temperature_sensors_disabled",
];

export type AlarmName =
  | "wire_resistance"
  | "mosfet_overtemperature"
  | "cell_count"
  | "current_sensor"
  | "fully_charged"
  | "battery_overvoltage"
  | "charge_overcurrent"
  | "charge_short_circuit"
  | "charge_overtemperature"
  | "charge_undertemperature"
  | "internal_communication"
  | "cell_undervoltage"
  | "battery_undervoltage"
  | "discharge_overcurrent"
  | "discharge_short_circuit"
  | "discharge_overtemperature"
  | "charge_mosfet"
  | "discharge_mosfet"
  | "gps_disconnected"
  | "change_password"
  | "discharge_on_failed"
  | "battery_overtemperature"
  | "temperature_sensor"
  | "parallel_module"
  | "short_circuit_release"
  | "discharge_overcurrent_2"
  | "discharge_overcurrent_3"
  | "discharge_undertemperature"
  | "gps_lock"
  | "cell_overvoltage";

export interface AlarmRow {
  readonly name: AlarmName;
  readonly fault: boolean;
}

/** By the bit of the alarm word. */
export const ALARMS: readonly AlarmRow[] = [
  { name: "wire_resistance", fault: true },
  { name: "mosfet_overtemperature", fault: true },
  { name: "cell_count", fault: true },
  { name: "current_sensor", fault: true },
  { name: "fully_charged", fault: false },
  { name: "battery_overvoltage", fault: true },
  { name: "charge_overcurrent", fault: true },
  { name: "charge_short_circuit", fault: true },
  { name: "charge_overtemperature", fault: true },
  { name: "charge_undertemperature", fault: true },
  { name: "internal_communication", fault: true },
  { name: "cell_undervoltage", fault: true },
  { name: "battery_undervoltage", fault: true },
  { name: "discharge_overcurrent", fault: true },
  { name: "discharge_short_circuit", fault: true },
  { name: "discharge_overtemperature", fault: true },
  { name: "charge_mosfet", fault: true },
  { name: "discharge_mosfet", fault: true },
  { name: "gps_disconnected", fault: true },
  { name: "change_password", fault: false },
  { name: "discharge_on_failed", fault: true },
  { name: "battery_overtemperature", fault: true },
  { name: "temperature_sensor", fault: true },
  { name: "parallel_module", fault: true },
  { name: "short_circuit_release", fault: true },
  { name: "discharge_overcurrent_2", fault: true },
  { name: "discharge_overcurrent_3", fault: true },
  { name: "discharge_undertemperature", fault: true },
  { name: "gps_lock", fault: true },
  { name: "cell_overvoltage", fault: true },
];

/** Codes of what needs attention. */
export type ConcernCode =
  | "offline"
  | "alarm"
  | "emergency"
  | "sensors-ignored"
  | "cell-high"
  | "cell-low"
  | "temperature-high"
  | "temperature-low"
  | "discharging-off"
  | "discharging-blocked"
  | "charging-off"
  | "charging-blocked"
  | "low-charge"
  | "spread"
  | "wires"
  | "link"
  | "settings-unread"
  | "other-master"
  | "contradiction"
  | "carries-nothing"
  | "off-voltage"
  | "swapped"
  | "shared-address"
  | "no-identity"
  | "same-identity"
  | "limits-differ"
  | "cells-differ"
  | "link-weak"
  | "tail-old"
  | "late"
  | "energy-short"
  | "behind";

/** The same of the device itself. */
export type DeviceConcernCode = "clock-unknown" | "clock-doubtful" | "storage-failed" | "weak-wifi" | "part-failed";

/** Last reported telemetry; null: never reported, or not available. */
export interface Telemetry {
  readonly online: boolean;
  readonly name: string | null;
  readonly model: string | null;
  readonly batteryType: string | null;
  readonly cellCount: number | null;
  readonly soc: number | null;
  readonly capacityAh: number | null;
  readonly remainingCapacityAh: number | null;
  readonly cycles: number | null;
  readonly cycleCapacityAh: number | null;
  readonly stateOfHealth: number | null;
  readonly runtimeSeconds: number | null;
  readonly averageCellVoltage: number | null;
  readonly detailLogsCount: number | null;
  readonly timeEnterSleepSeconds: number | null;
  readonly emergencyTimeSeconds: number | null;
  readonly alarmCode: number | null;
  readonly info: {
    readonly maxCells: number | null;
    readonly hardwareVersion: string | null;
    readonly softwareVersion: string | null;
    readonly serialNumber: string | null;
    readonly manufactureDate: string | null;
    readonly totalRuntimeSeconds: number | null;
    readonly powerOnTimes: number | null;
    readonly uart1Protocol: number | null;
    readonly canProtocol: number | null;
    readonly uart2Protocol: number | null;
  };
  readonly pack: {
    readonly voltage: number | null;
    readonly current: number | null;
    readonly power: number | null;
    readonly heatingCurrent: number | null;
    readonly heating: boolean | null;
    readonly chargeMosfet: boolean | null;
    readonly dischargeMosfet: boolean | null;
    readonly precharging: boolean | null;
    readonly balancing: boolean | null;
    readonly balanceCurrent: number | null;
    readonly chargerPlugged: boolean | null;
    readonly chargeStage: string | null;
    readonly chargeStageSeconds: number | null;
    readonly dryContact1: boolean | null;
    readonly dryContact2: boolean | null;
    readonly maxChargeCurrent: number | null;
    readonly maxDischargeCurrent: number | null;
  };
  readonly cellsSummary: {
    readonly minVoltage: number | null;
    readonly minCell: number | null;
    readonly maxVoltage: number | null;
    readonly maxCell: number | null;
    readonly delta: number | null;
  };
  readonly temperatures: {
    readonly mosfet: number | null;
    readonly battery1: number | null;
    readonly battery2: number | null;
    readonly battery3?: number | null;
    readonly battery4?: number | null;
    readonly battery5?: number | null;
  };
}

/** The actual states reported by the BMS, as opposed to the configured ones. */
export interface Outputs {
  readonly wireAlarms: number | null;
  readonly probes: number | null;
}

export type GroupName =
  | "device"
  | "api"
  | "bms"
  | "packs"
  | "relay"
  | "monitoring"
  | "snmp"
  | "modbus"
  | "syslog"
  | "notify"
  | "network"
  | "time"
  | "mqtt";

/** Path of a setting without list indices: the same name for each item of a list. */
export type FieldName =
  | "device.name"
  | "device.hostname"
  | "device.proxyHost"
  | "device.proxyAddress"
  | "device.statusLed"
  | "api.enabled"
  | "api.token"
  | "bms.address"
  | "bms.baud"
  | "bms.readMode"
  | "bms.interval"
  | "bms.gap"
  | "bms.mode"
  | "packs.first"
  | "packs.further.address"
  | "packs.further.name"
  | "relay.name"
  | "relay.mode"
  | "relay.source"
  | "relay.pack"
  | "relay.onAt"
  | "relay.offAt"
  | "relay.minimumOn"
  | "relay.minimumOff"
  | "relay.failSafe"
  | "relay.failSafeAfter"
  | "relay.start"
  | "relay.activeLevel"
  | "relay.fitted"
  | "monitoring.temperature.name"
  | "monitoring.temperature.kind"
  | "monitoring.temperature.resistance25"
  | "monitoring.temperature.beta"
  | "monitoring.temperature.seriesResistance"
  | "monitoring.temperature.slope"
  | "monitoring.temperature.offset"
  | "monitoring.voltages.name"
  | "monitoring.voltages.ratio"
  | "monitoring.voltages.offset"
  | "monitoring.inputs.name"
  | "monitoring.inputs.activeLevel"
  | "monitoring.inputs.debounce"
  | "monitoring.fitted"
  | "snmp.enabled"
  | "snmp.community"
  | "snmp.contact"
  | "snmp.location"
  | "snmp.receiver1"
  | "snmp.receiver2"
  | "modbus.enabled"
  | "modbus.port"
  | "modbus.clients"
  | "syslog.host"
  | "syslog.port"
  | "syslog.facility"
  | "notify.language"
  | "notify.alarms"
  | "notify.cleared"
  | "notify.offlineAfter"
  | "notify.soc"
  | "notify.temperature"
  | "notify.spread"
  | "notify.device"
  | "notify.master"
  | "notify.ca"
  | "notify.kind1"
  | "notify.url1"
  | "notify.channel1"
  | "notify.token1"
  | "notify.kind2"
  | "notify.url2"
  | "notify.channel2"
  | "notify.token2"
  | "network.ssid"
  | "network.password"
  | "network.bssid"
  | "network.addressing"
  | "network.address"
  | "network.mask"
  | "network.gateway"
  | "network.dns1"
  | "network.dns2"
  | "network.accessPointPassword"
  | "time.server"
  | "time.server2"
  | "time.offset"
  | "time.zone"
  | "mqtt.enabled"
  | "mqtt.host"
  | "mqtt.port"
  | "mqtt.tls"
  | "mqtt.ca"
  | "mqtt.user"
  | "mqtt.password"
  | "mqtt.baseTopic"
  | "mqtt.interval"
  | "mqtt.discovery"
  | "mqtt.discoveryPrefix";

export type ChoiceName =
  | "bms.baud.115200"
  | "bms.baud.9600"
  | "bms.readMode.auto"
  | "bms.readMode.registers"
  | "bms.readMode.frames"
  | "bms.mode.auto"
  | "bms.mode.poll"
  | "bms.mode.listen"
  | "relay.mode.0"
  | "relay.mode.1"
  | "relay.mode.2"
  | "relay.source.alarm"
  | "relay.source.soc"
  | "relay.source.voltage"
  | "relay.source.fault"
  | "relay.failSafe.hold"
  | "relay.failSafe.off"
  | "relay.failSafe.on"
  | "relay.start.restore"
  | "relay.start.on"
  | "relay.start.off"
  | "relay.activeLevel.0"
  | "relay.activeLevel.1"
  | "monitoring.temperature.kind.ntc"
  | "monitoring.temperature.kind.linear"
  | "monitoring.inputs.activeLevel.0"
  | "monitoring.inputs.activeLevel.1"
  | "syslog.facility.user"
  | "syslog.facility.daemon"
  | "syslog.facility.local0"
  | "syslog.facility.local1"
  | "syslog.facility.local2"
  | "syslog.facility.local3"
  | "syslog.facility.local4"
  | "syslog.facility.local5"
  | "syslog.facility.local6"
  | "syslog.facility.local7"
  | "notify.language.en"
  | "notify.language.pt"
  | "notify.kind1.off"
  | "notify.kind1.webhook"
  | "notify.kind1.ntfy"
  | "notify.kind1.gotify"
  | "notify.kind1.telegram"
  | "notify.kind1.pushover"
  | "notify.kind2.off"
  | "notify.kind2.webhook"
  | "notify.kind2.ntfy"
  | "notify.kind2.gotify"
  | "notify.kind2.telegram"
  | "notify.kind2.pushover"
  | "network.addressing.dhcp"
  | "network.addressing.static";

/** Default names of relay and inputs. */
export type DefaultName =
  "Pack 1" | "Pack" | "Relay" | "Temperature" | "DC 1" | "DC 2" | "DC 3" | "Input 1" | "Input 2";

/** A form of the page, and the group of which it shows members. */
export const FORMS = {
  identity: "device",
  device: "device",
  api: "api",
  token: "api",
  bms: "bms",
  packs: "packs",
  relay: "relay",
  monitoring: "monitoring",
  snmp: "snmp",
  modbus: "modbus",
  syslog: "syslog",
  notify: "notify",
  wifi: "network",
  bssid: "network",
  network: "network",
  accessPoint: "network",
  time: "time",
  mqtt: "mqtt",
} as const satisfies Readonly<Record<string, GroupName>>;
export type FormName = keyof typeof FORMS;

/** The services of notifications that use a member of a target. */
export const USED_BY = {
  url: ["webhook", "ntfy", "gotify", "telegram", "pushover"],
  channel: ["ntfy", "telegram", "pushover"],
  token: ["webhook", "ntfy", "gotify", "telegram", "pushover"],
} as const;

/** The values of each group by path. */
export const GROUPS: Readonly<Record<GroupName, Readonly<Record<string, FormField>>>> = {
  device: {
    name: { kind: "text", rule: "name", minimum: 1, maximum: 32, form: "identity" },
    hostname: { kind: "text", form: "identity", rule: "hostname", minimum: 1, maximum: 32 },
    proxyHost: { kind: "text", rule: "host", minimum: 0, maximum: 63, form: "identity" },
    proxyAddress: { kind: "text", rule: "ipv4", minimum: 0, maximum: 15, form: "identity" },
    statusLed: { kind: "boolean" },
  },
  api: {
    enabled: { kind: "boolean" },
    token: { kind: "text", rule: "token", minimum: 16, maximum: 128, secret: true, form: "token" },
  },
  bms: {
    address: { kind: "integer", minimum: 0, maximum: 15, unit: "" },
    baud: { kind: "choice", choices: [115200, 9600] },
    readMode: { kind: "choice", choices: ["auto", "registers", "frames"] },
    interval: { kind: "integer", minimum: 500, maximum: 60000, unit: "ms" },
    gap: { kind: "integer", minimum: 30, maximum: 200, unit: "ms", isCapped: true },
    mode: { kind: "choice", choices: ["auto", "poll", "listen"] },
  },
  packs: {
    first: { kind: "text", rule: "name", minimum: 1, maximum: 32 },
    "further.0.address": { kind: "integer", minimum: 0, maximum: 15, unit: "" },
    "further.0.name": { kind: "text", rule: "name", minimum: 1, maximum: 32 },
  },
  relay: {
    name: { kind: "text", rule: "name", minimum: 1, maximum: 32 },
    mode: { kind: "choice", choices: [0, 1, 2] },
    source: { kind: "choice", choices: ["alarm", "soc", "voltage", "fault"] },
    pack: { kind: "integer", minimum: -1, maximum: 15, unit: "" },
    onAt: { kind: "number", minimum: 0, maximum: 105, unit: "% or V" },
    offAt: { kind: "number", minimum: 0, maximum: 105, unit: "% or V" },
    minimumOn: { kind: "integer", minimum: 0, maximum: 3600, unit: "s" },
    minimumOff: { kind: "integer", minimum: 0, maximum: 3600, unit: "s" },
    failSafe: { kind: "choice", choices: ["hold", "off", "on"] },
    failSafeAfter: { kind: "integer", minimum: 5, maximum: 3600, unit: "s" },
    start: { kind: "choice", choices: ["restore", "on", "off"] },
    activeLevel: { kind: "choice", choices: [0, 1] },
    fitted: { kind: "boolean" },
  },
  monitoring: {
    "temperature.name": { kind: "text", rule: "name", minimum: 1, maximum: 32 },
    "temperature.kind": { kind: "choice", choices: ["ntc", "linear"] },
    "temperature.resistance25": { kind: "number", minimum: 100, maximum: 1000000, unit: "ohm" },
    "temperature.beta": { kind: "number", minimum: 1000, maximum: 10000, unit: "K" },
    "temperature.seriesResistance": { kind: "number", minimum: 100, maximum: 1000000, unit: "ohm" },
    "temperature.slope": { kind: "number", minimum: -1000, maximum: 1000, unit: "degrees Celsius per volt" },
    "temperature.offset": { kind: "number", minimum: -300, maximum: 300, unit: "degrees Celsius" },
    "voltages.0.name": { kind: "text", rule: "name", minimum: 1, maximum: 32 },
    "voltages.0.ratio": { kind: "number", minimum: 0.01, maximum: 1000, unit: "" },
    "voltages.0.offset": { kind: "number", minimum: -100, maximum: 100, unit: "V" },
    "voltages.1.name": { kind: "text", rule: "name", minimum: 1, maximum: 32 },
    "voltages.1.ratio": { kind: "number", minimum: 0.01, maximum: 1000, unit: "" },
    "voltages.1.offset": { kind: "number", minimum: -100, maximum: 100, unit: "V" },
    "voltages.2.name": { kind: "text", rule: "name", minimum: 1, maximum: 32 },
    "voltages.2.ratio": { kind: "number", minimum: 0.01, maximum: 1000, unit: "" },
    "voltages.2.offset": { kind: "number", minimum: -100, maximum: 100, unit: "V" },
    "inputs.0.name": { kind: "text", rule: "name", minimum: 1, maximum: 32 },
    "inputs.0.activeLevel": { kind: "choice", choices: [0, 1] },
    "inputs.0.debounce": { kind: "integer", minimum: 0, maximum: 10000, unit: "ms" },
    "inputs.1.name": { kind: "text", rule: "name", minimum: 1, maximum: 32 },
    "inputs.1.activeLevel": { kind: "choice", choices: [0, 1] },
    "inputs.1.debounce": { kind: "integer", minimum: 0, maximum: 10000, unit: "ms" },
    fitted: { kind: "boolean" },
  },
  snmp: {
    enabled: { kind: "boolean" },
    community: { kind: "text", rule: "ascii", minimum: 0, maximum: 32, secret: true },
    contact: { kind: "text", rule: "ascii", minimum: 0, maximum: 64 },
    location: { kind: "text", rule: "ascii", minimum: 0, maximum: 64 },
    receiver1: { kind: "text", rule: "host", minimum: 0, maximum: 63 },
    receiver2: { kind: "text", rule: "host", minimum: 0, maximum: 63 },
  },
  modbus: {
    enabled: { kind: "boolean" },
    port: { kind: "integer", minimum: 1, maximum: 65535, unit: "" },
    clients: { kind: "text", rule: "clients", minimum: 0, maximum: 66, isKept: true },
  },
  syslog: {
    host: { kind: "text", rule: "host", minimum: 0, maximum: 63 },
    port: { kind: "integer", minimum: 1, maximum: 65535, unit: "" },
    facility: {
      kind: "choice",
      choices: ["user", "daemon", "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7"],
    },
  },
  notify: {
    language: { kind: "choice", choices: ["en", "pt"] },
    alarms: { kind: "boolean" },
    cleared: { kind: "boolean" },
    offlineAfter: { kind: "integer", minimum: 0, maximum: 86400, unit: "s" },
    soc: { kind: "integer", minimum: 0, maximum: 99, unit: "%" },
    temperature: { kind: "integer", minimum: 0, maximum: 100, unit: "degrees Celsius" },
    spread: { kind: "integer", minimum: 0, maximum: 2000, unit: "mV" },
    device: { kind: "boolean" },
    master: { kind: "boolean" },
    ca: { kind: "text", rule: "certificate", minimum: 0, maximum: 2048 },
    kind1: { kind: "choice", choices: ["off", "webhook", "ntfy", "gotify", "telegram", "pushover"] },
    url1: { kind: "text", rule: "url", minimum: 0, maximum: 128, secret: true },
    channel1: { kind: "text", rule: "key", minimum: 0, maximum: 64, secret: true },
    token1: { kind: "text", rule: "key", minimum: 0, maximum: 96, secret: true },
    kind2: { kind: "choice", choices: ["off", "webhook", "ntfy", "gotify", "telegram", "pushover"] },
    url2: { kind: "text", rule: "url", minimum: 0, maximum: 128, secret: true },
    channel2: { kind: "text", rule: "key", minimum: 0, maximum: 64, secret: true },
    token2: { kind: "text", rule: "key", minimum: 0, maximum: 96, secret: true },
  },
  network: {
    ssid: { kind: "text", rule: "utf8", minimum: 0, maximum: 32, form: "wifi" },
    password: { kind: "text", rule: "passphrase", minimum: 0, maximum: 64, secret: true, form: "wifi" },
    bssid: { kind: "text", rule: "ascii", minimum: 0, maximum: 17, form: "bssid" },
    addressing: { kind: "choice", choices: ["dhcp", "static"] },
    address: { kind: "text", rule: "ipv4", minimum: 0, maximum: 15 },
    mask: { kind: "text", rule: "mask", minimum: 0, maximum: 15, isKept: true },
    gateway: { kind: "text", rule: "ipv4", minimum: 0, maximum: 15 },
    dns1: { kind: "text", rule: "ipv4", minimum: 0, maximum: 15 },
    dns2: { kind: "text", rule: "ipv4", minimum: 0, maximum: 15 },
    accessPointPassword: {
      kind: "text",
      rule: "passphrase",
      minimum: 0,
      maximum: 63,
      secret: true,
      form: "accessPoint",
    },
  },
  time: {
    server: { kind: "text", rule: "host", minimum: 0, maximum: 63 },
    server2: { kind: "text", rule: "host", minimum: 0, maximum: 63 },
    offset: { kind: "integer", minimum: -720, maximum: 840, unit: "min" },
    zone: { kind: "text", rule: "zone", minimum: 0, maximum: 104 },
  },
  mqtt: {
    enabled: { kind: "boolean" },
    host: { kind: "text", rule: "host", minimum: 0, maximum: 63 },
    port: { kind: "integer", minimum: 1, maximum: 65535, unit: "" },
    tls: { kind: "boolean" },
    ca: { kind: "text", rule: "certificate", minimum: 0, maximum: 2048 },
    user: { kind: "text", rule: "utf8", minimum: 0, maximum: 64 },
    password: { kind: "text", rule: "utf8", minimum: 0, maximum: 128, secret: true },
    baseTopic: { kind: "text", rule: "topic", minimum: 1, maximum: 64 },
    interval: { kind: "integer", minimum: 1, maximum: 3600, unit: "s" },
    discovery: { kind: "boolean" },
    discoveryPrefix: { kind: "text", rule: "topic", minimum: 1, maximum: 64 },
  },
};
