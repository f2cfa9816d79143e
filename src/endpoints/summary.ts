/** GET /api: the monitor document's summary and the relay document's device state combined. */
import { lowerCase } from "ascii/case";
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { writeSummary } from "../catalogue/document";
import type { Context, Dialect, Sources } from "./context";
import { reply, SUCCESS } from "./replies";

/** Version of the telemetry contract (docs/api.md, "Versioning"). */
const PROTOCOL_VERSION = 1;
const BEGINNING = `${SUCCESS},"protocolVersion":${PROTOCOL_VERSION}`;

/** The document shows something of every part. */
type SummaryContext = Context<keyof Sources>;

export function getSummary(context: SummaryContext, exchange: Exchange): void {
  if (!context.dialect.community || context.reader) reply(context, exchange, 200, writeReaderDocument);
  else reply(context, exchange, 200, writeDocument);
}

function writeDocument(json: JsonWriter, context: SummaryContext): void {
  writeMembers(json, context, context.device.settings.snmp.community);
}

/** Without the community, a password of SNMP: for clients that may only read, and for the page, which does not show it here. */
function writeReaderDocument(json: JsonWriter, context: SummaryContext): void {
  writeMembers(json, context, "");
}

function writeMembers(json: JsonWriter, { device, dialect, pack }: SummaryContext, community: string): void {
  const { relay, settings } = device;
  const uptime = device.uptime();
  json.members(BEGINNING).integer("uptime", uptime).open("data");
  writeDevice(json, device);
  writeNetwork(json, device);
  writeSystem(json, device, uptime);
  if (dialect.relay && settings.relay.fitted) json.integer("relay", relay.value);
  if (settings.monitoring.fitted) writeMonitoring(json, device, dialect);
  writeConnectivity(json, device, community);
  json.open("bms");
  writeSummary(json, pack);
  json.close().close();
}

function writeDevice(json: JsonWriter, { build, network, settings: { device } }: Sources): void {
  json.value("device", {
    id: lowerCase(network.mac.replaceAll(":", "")),
    name: device.name,
    hostname: device.hostname,
    software: build.softwareName,
    version: build.version,
  });
}

function writeNetwork(json: JsonWriter, { network }: Sources): void {
  const { ip, mac } = network;
  json.value("network", {
    mode: network.mode,
    ip,
    networkType: network.type,
    macAddress: mac,
    localIP: ip,
    gatewayIP: network.gateway,
    subnetMask: network.subnetMask,
    dnsIP1: network.dns1,
    dnsIP2: network.dns2,
    cable: network.cable,
  });
}

function writeSystem(json: JsonWriter, { build, settings }: Sources, uptime: number): void {
  json.value("system", {
    uptime,
    hostname: settings.device.hostname,
    softwareName: build.softwareName,
    softwareVersion: build.version,
    softwareBuild: build.build,
    boardVersion: build.boardVersion,
  });
}

/** The API publishes unmeasured values as 0, the monitor document's value for a missing sensor; the page gets null. */
function writeMonitoring(json: JsonWriter, { relay, sensors, settings }: Sources, { unmeasured }: Dialect): void {
  const { temperature, voltages, inputs } = settings.monitoring;
  const isFitted = settings.relay.fitted;
  json.value("monitoring", {
    tempName0: temperature.name,
    temp0: scaled(sensors.temperature, 10) ?? unmeasured,
    voltageDCName0: voltages[0].name,
    voltageDC0: scaled(sensors.voltage(0), 1000) ?? unmeasured,
    voltageDCName1: voltages[1].name,
    voltageDC1: scaled(sensors.voltage(1), 1000) ?? unmeasured,
    voltageDCName2: voltages[2].name,
    voltageDC2: scaled(sensors.voltage(2), 1000) ?? unmeasured,
    sensorInputName0: inputs[0].name,
    sensorInputValue0: sensors.input(0),
    sensorInputName1: inputs[1].name,
    sensorInputValue1: sensors.input(1),
    relay0Name: isFitted ? relay.name : undefined,
    relay0Value: isFitted ? relay.value : undefined,
  });
}

/** The double nearest to the decimal number, so JSON.stringify writes exactly that. */
const scaled = (value: number | undefined, scale: number): number | undefined =>
  value === undefined ? undefined : value / scale;

function writeConnectivity(json: JsonWriter, { settings: { api, snmp } }: Sources, community: string): void {
  json.value("connectivity", { snmp: snmp.enabled, api: api.enabled, community });
}
