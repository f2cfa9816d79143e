/** GET /api: the monitor document's summary and the relay document's device state in one. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Context } from "./context";
import { NAMES } from "./names";
import { reply } from "./replies";

/** Version of the telemetry contract (bms-monitor-api: Versioning). */
const PROTOCOL_VERSION = 1;

export function getSummary(context: Context, exchange: Exchange): void {
  reply(context, exchange, 200, writeSummary);
}

function writeSummary(json: JsonWriter, context: Context): void {
  const uptime = context.uptime();
  json.boolean(NAMES.success, true);
  json.integer(NAMES.protocolVersion, PROTOCOL_VERSION);
  json.integer(NAMES.uptime, uptime);
  json.open(NAMES.data);
  writeDevice(json, context);
  writeNetwork(json, context);
  json.open(NAMES.bms);
  context.writeSummary(json, context.monitor);
  json.close();
  writeSystem(json, context, uptime);
  if (context.settings.monitoring.fitted) writeMonitoring(json, context);
  writeConnectivity(json, context);
  json.close();
}

function writeDevice(json: JsonWriter, { build, network, settings }: Context): void {
  json.open(NAMES.device);
  json.string(NAMES.id, network.mac.replaceAll(":", "").toLowerCase());
  json.string(NAMES.name, settings.device.name);
  json.string(NAMES.hostname, settings.device.hostname);
  json.string(NAMES.software, build.softwareName);
  json.string(NAMES.version, build.version);
  json.close();
}

function writeNetwork(json: JsonWriter, { network }: Context): void {
  json.open(NAMES.network);
  json.string(NAMES.mode, network.mode);
  json.string(NAMES.ip, network.ip);
  json.string(NAMES.networkType, network.type);
  json.string(NAMES.macAddress, network.mac);
  json.string(NAMES.localIP, network.ip);
  json.string(NAMES.gatewayIP, network.gateway);
  json.string(NAMES.subnetMask, network.subnetMask);
  json.string(NAMES.dnsIP1, network.dns1);
  json.string(NAMES.dnsIP2, network.dns2);
  json.boolean(NAMES.cable, network.cable);
  json.close();
}

function writeSystem(json: JsonWriter, { build, settings }: Context, uptime: number): void {
  json.open(NAMES.system);
  json.integer(NAMES.uptime, uptime);
  json.string(NAMES.hostname, settings.device.hostname);
  json.string(NAMES.softwareName, build.softwareName);
  json.string(NAMES.softwareVersion, build.version);
  json.string(NAMES.softwareBuild, build.build);
  json.string(NAMES.boardVersion, build.boardVersion);
  json.close();
}

/** What is not measured is published as 0, as the monitor document has it for a missing sensor. */
function writeMonitoring(json: JsonWriter, { relay, sensors, settings }: Context): void {
  const { temperature, voltages, inputs } = settings.monitoring;
  json.open(NAMES.monitoring);
  json.string(NAMES.tempName0, temperature.name);
  json.decimal(NAMES.temp0, sensors.temperature ?? 0, 1);
  json.string(NAMES.voltageDCName0, voltages[0].name);
  json.decimal(NAMES.voltageDC0, sensors.voltage(0) ?? 0, 3);
  json.string(NAMES.voltageDCName1, voltages[1].name);
  json.decimal(NAMES.voltageDC1, sensors.voltage(1) ?? 0, 3);
  json.string(NAMES.voltageDCName2, voltages[2].name);
  json.decimal(NAMES.voltageDC2, sensors.voltage(2) ?? 0, 3);
  json.string(NAMES.sensorInputName0, inputs[0].name);
  json.integer(NAMES.sensorInputValue0, sensors.input(0));
  json.string(NAMES.sensorInputName1, inputs[1].name);
  json.integer(NAMES.sensorInputValue1, sensors.input(1));
  if (settings.relay.fitted) {
    json.string(NAMES.relay0Name, relay.name);
    json.integer(NAMES.relay0Value, relay.value);
  }
  json.close();
}

function writeConnectivity(json: JsonWriter, { settings }: Context): void {
  json.open(NAMES.connectivity);
  json.boolean(NAMES.snmp, settings.snmp.enabled);
  json.boolean(NAMES.api, settings.api.enabled);
  json.string(NAMES.community, settings.snmp.community);
  json.close();
}
