/** GET /api: the monitor document's summary and the relay document's device state combined. */
import { lowerCase } from "ascii/case";
import type { Exchange } from "http-server/types";
import { writeDecimal } from "json/decimal";
import type { JsonWriter } from "json/writer";
import { reviseSummary, SUMMARY_ITEMS as ROWS, writeSummary } from "../catalogue/document";
import type { Context, Dialect, Sources } from "./context";
import type { Rendered } from "./rendered";
import { replyKept, SUCCESS } from "./replies";

/** Version of the telemetry contract (docs/api.md, "Versioning"). */
const PROTOCOL_VERSION = 1;
const BEGINNING = `${SUCCESS},"protocolVersion":${PROTOCOL_VERSION}`;

/** What `writeSystem` writes before its first number. */
const SYSTEM_UPTIME = '"system":{"uptime":';

/** A state ends with the relay and the inputs. */
const SWITCHES = 8;

/** The document shows something of every part. */
type Whole = Context<keyof Sources>;

/**
 * Items of a document that is revised in place. Before them are the rows of the BMS, last in the document; each of them takes two places:
 * where it begins and where it ends. The first of the numbers in that place is the number, the second is that of the key (see `keyOf`) at UPTIME.
 */
const UPTIME = ROWS;
const SYSTEM = ROWS + 2;
const TEMPERATURE = ROWS + 4;
const VOLTAGE = ROWS + 6;
const CHANNELS = 3;
export const SUMMARY_ITEMS = VOLTAGE + 2 * CHANNELS;
/** Bytes by which its numbers may grow before it is written whole. */
export const SUMMARY_SLACK = 32;
/** Stands for a number that is not measured. */
const UNMEASURED = -0x80000000;

export function getSummary(context: Whole, exchange: Exchange): void {
  if (!context.dialect.community || context.reader)
    replyKept(context, exchange, context.summary, readerStateOf, writeReaderDocument, reviseDocument);
  else replyKept(context, exchange, context.summary, stateOf, writeDocument, reviseDocument);
}

/** A digital input may change between two samples. Less than SWITCHES. */
const switchesOf = ({ relay, sensors }: Sources): number => relay.value + 2 * sensors.input(0) + 4 * sensors.input(1);

/**
 * A sum of numbers that only grow, so it changes when any of them does. They cover what can change within a second; network data may be a
 * second old.
 */
function stateOf({ device, pack }: Whole): number | undefined {
  const { revision } = pack;
  const { samples } = device.sensors;
  if (samples === undefined) return undefined;
  return SWITCHES * (revision + samples + device.settings.revision + device.uptime()) + switchesOf(device);
}

/** Below 0, so that a reader never gets the bytes kept for a client that may write, nor the other way round. */
function readerStateOf(context: Whole): number | undefined {
  const state = stateOf(context);
  return state === undefined ? undefined : -1 - state;
}

/** What the document shows besides its items: it only grows, unless a switch or the mode changes, or another client asks. */
function keyOf({ device, dialect, reader }: Whole, switches: number): number | undefined {
  const { revision } = device.network;
  if (revision === undefined) return undefined;
  const key =
    2 * SWITCHES * (revision + device.settings.revision) + switches + (device.monitor.listening ? SWITCHES : 0);
  return !dialect.community || reader ? -1 - key : key;
}

/** Only its numbers have changed: those that have are written over the old ones. */
function reviseDocument(document: Rendered, into: Uint8Array, context: Whole, state: number): boolean {
  const { sensors, settings } = context.device;
  const uptime = context.device.uptime();
  if (keyOf(context, (state < 0 ? -1 - state : state) % SWITCHES) !== document.numbers[UPTIME + 1]) return false;
  let moved = revise(document, into, UPTIME, uptime, 0, 0);
  moved = reviseAgain(document, into, uptime, moved);
  if (settings.monitoring.fitted) {
    moved = revise(document, into, TEMPERATURE, sensors.temperature, 1, moved);
    // Not a `for` with its own variable: XS recreates it in each iteration.
    let channel = 0;
    while (channel < CHANNELS) {
      moved = revise(document, into, VOLTAGE + 2 * channel, sensors.voltage(channel), 3, moved);
      channel++;
    }
  }
  // What the monitor would ask it for.
  moved = reviseSummary(document, into, context.pack, moved);
  // Not NaN.
  return moved === moved;
}

/** Writes a number over the old one, if it is another. Like `reviseSummary`. */
function revise(
  document: Rendered,
  into: Uint8Array,
  item: number,
  value: number | undefined,
  decimals: number,
  moved: number,
): number {
  const { numbers, ends } = document;
  // Not NaN.
  if (moved === 0 && value === numbers[item]) return 0;
  const from = (ends[item] as number) + moved;
  const to = (ends[item + 1] as number) + moved;
  ends[item] = from;
  if (value !== numbers[item]) {
    const wasMeasured = numbers[item] !== UNMEASURED;
    // Measured now and not then, or the other way round: whole.
    if (wasMeasured !== (value !== undefined)) return NaN;
    if (value !== undefined) {
      moved += document.replace(from, to, into, writeDecimal(into, 0, value, decimals));
      numbers[item] = value;
    }
  }
  ends[item + 1] = (ends[item + 1] as number) + moved;
  return moved;
}

/** With quotes and colon. */
const nameBytes = (name: string): number => name.length + 3;

/** Writes the uptime once more: copied, if it has as many digits as the old one. */
function reviseAgain(document: Rendered, into: Uint8Array, uptime: number, moved: number): number {
  const { numbers, ends } = document;
  const from = ends[UPTIME] as number;
  const to = ends[UPTIME + 1] as number;
  const at = (ends[SYSTEM] as number) + moved;
  const end = (ends[SYSTEM + 1] as number) + moved;
  // NaN too goes there.
  if (end - at !== to - from) return revise(document, into, SYSTEM, uptime, 0, moved);
  document.repeat(at, from, to);
  numbers[SYSTEM] = uptime;
  ends[SYSTEM] = at;
  ends[SYSTEM + 1] = end;
  return moved;
}

/** Notes where a number is that has just been written. */
function note(document: Rendered | undefined, item: number, value = UNMEASURED, from: number, to: number): void {
  if (!document) return;
  document.numbers[item] = value;
  document.ends[item] = from;
  document.ends[item + 1] = to;
}

function writeDocument(json: JsonWriter, context: Whole): void {
  writeMembers(json, context, context.device.settings.snmp.community);
}

/** Without the community, a password of SNMP: for clients that may only read, and for the page, which does not show it here. */
function writeReaderDocument(json: JsonWriter, context: Whole): void {
  writeMembers(json, context, "");
}

function writeMembers(json: JsonWriter, context: Whole, community: string): void {
  const { device, dialect, summary } = context;
  const { relay, settings } = device;
  const uptime = device.uptime();
  const from = json.members(BEGINNING).length + 1 + nameBytes("uptime");
  json.integer("uptime", uptime);
  note(summary, UPTIME, uptime, from, json.length);
  if (summary) summary.numbers[UPTIME + 1] = keyOf(context, switchesOf(device)) ?? 0;
  json.open("data");
  writeDevice(json, device);
  writeNetwork(json, device);
  writeSystem(json, device, uptime, summary);
  if (dialect.relay && settings.relay.fitted) json.integer("relay", relay.value);
  if (settings.monitoring.fitted) writeMonitoring(json, device, dialect, summary);
  writeConnectivity(json, device, community);
  // Last: what is behind a number is moved when that becomes longer or shorter, as these often do.
  json.open("bms");
  writeSummary(json, context.pack, summary);
  json.close();
  json.close();
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

function writeSystem(json: JsonWriter, { build, settings }: Sources, uptime: number, summary?: Rendered): void {
  const from = json.length + 1 + SYSTEM_UPTIME.length;
  note(summary, SYSTEM, uptime, from, from + String(uptime).length);
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
function writeMonitoring(
  json: JsonWriter,
  { relay, sensors, settings }: Sources,
  { unmeasured }: Dialect,
  summary: Rendered | undefined,
): void {
  const { temperature, voltages, inputs } = settings.monitoring;
  const write = (item: number, name: string, value: number | undefined, decimals: number): void => {
    const from = json.length + 1 + nameBytes(name);
    if (value !== undefined) json.decimal(name, value, decimals);
    else if (unmeasured === null) json.null(name);
    else json.integer(name, unmeasured);
    note(summary, item, value, from, json.length);
  };
  json.open("monitoring").string("tempName0", temperature.name);
  write(TEMPERATURE, "temp0", sensors.temperature, 1);
  json.string("voltageDCName0", voltages[0].name);
  write(VOLTAGE, "voltageDC0", sensors.voltage(0), 3);
  json.string("voltageDCName1", voltages[1].name);
  write(VOLTAGE + 2, "voltageDC1", sensors.voltage(1), 3);
  json.string("voltageDCName2", voltages[2].name);
  write(VOLTAGE + 4, "voltageDC2", sensors.voltage(2), 3);
  json.string("sensorInputName0", inputs[0].name).integer("sensorInputValue0", sensors.input(0));
  json.string("sensorInputName1", inputs[1].name).integer("sensorInputValue1", sensors.input(1));
  if (settings.relay.fitted) json.string("relay0Name", relay.name).integer("relay0Value", relay.value);
  json.close();
}

function writeConnectivity(json: JsonWriter, { settings: { api, snmp } }: Sources, community: string): void {
  json.value("connectivity", { snmp: snmp.enabled, api: api.enabled, community });
}
