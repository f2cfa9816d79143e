/** GET /api: the monitor document's summary and the relay document's device state in one. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Context } from "./context";
import { reply } from "./replies";

/** Version of the telemetry contract (bms-monitor-api: Versioning). */
const PROTOCOL_VERSION = 1;

export function getSummary(context: Context, exchange: Exchange): void {
  reply(context, exchange, 200, writeSummary);
}

function writeSummary(json: JsonWriter, context: Context): void {
  const uptime = context.uptime();
  json.boolean("success", true);
  json.integer("protocolVersion", PROTOCOL_VERSION);
  json.integer("uptime", uptime);
  json.open("data");
  writeDevice(json, context);
  writeNetwork(json, context);
  json.open("bms");
  context.writeSummary(json, context.monitor);
  json.close();
  writeSystem(json, context, uptime);
  if (context.settings.monitoring.fitted) writeMonitoring(json, context);
  writeConnectivity(json, context);
  json.close();
}

function writeDevice(json: JsonWriter, { build, network, settings }: Context): void {
  json.open("device");
  json.string("id", network.mac.replaceAll(":", "").toLowerCase());
  json.string("name", settings.device.name);
  json.string("hostname", settings.device.hostname);
  json.string("software", build.softwareName);
  json.string("version", build.version);
  json.close();
}

function writeNetwork(json: JsonWriter, { network }: Context): void {
  json.open("network");
  json.string("mode", network.mode);
  json.string("ip", network.ip);
  json.string("networkType", network.type);
  json.string("macAddress", network.mac);
  json.string("localIP", network.ip);
  json.string("gatewayIP", network.gateway);
  json.string("subnetMask", network.subnetMask);
  json.string("dnsIP1", network.dns1);
  json.string("dnsIP2", network.dns2);
  json.boolean("cable", network.cable);
  json.close();
}

function writeSystem(json: JsonWriter, { build, settings }: Context, uptime: number): void {
  json.open("system");
  json.integer("uptime", uptime);
  json.string("hostname", settings.device.hostname);
  json.string("softwareName", build.softwareName);
  json.string("softwareVersion", build.version);
  json.string("softwareBuild", build.build);
  json.string("boardVersion", build.boardVersion);
  json.close();
}

/** What is not measured is published as 0, as the monitor document has it for a missing sensor. */
function writeMonitoring(json: JsonWriter, { relay, sensors, settings }: Context): void {
  const { temperature, voltages, inputs } = settings.monitoring;
  json.open("monitoring");
  json.string("tempName0", temperature.name);
  json.decimal("temp0", sensors.temperature ?? 0, 1);
  json.string("voltageDCName0", voltages[0].name);
  json.decimal("voltageDC0", sensors.voltage(0) ?? 0, 3);
  json.string("voltageDCName1", voltages[1].name);
  json.decimal("voltageDC1", sensors.voltage(1) ?? 0, 3);
  json.string("voltageDCName2", voltages[2].name);
  json.decimal("voltageDC2", sensors.voltage(2) ?? 0, 3);
  json.string("sensorInputName0", inputs[0].name);
  json.integer("sensorInputValue0", sensors.input(0));
  json.string("sensorInputName1", inputs[1].name);
  json.integer("sensorInputValue1", sensors.input(1));
  if (settings.relay.fitted) {
    json.string("relay0Name", relay.name);
    json.integer("relay0Value", relay.value);
  }
  json.close();
}

function writeConnectivity(json: JsonWriter, { settings }: Context): void {
  json.open("connectivity");
  json.boolean("snmp", settings.snmp.enabled);
  json.boolean("api", settings.api.enabled);
  json.string("community", settings.snmp.community);
  json.close();
}
