/** /web/device: the device, its network and its link to the BMS. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { writeNotifications } from "../endpoints/notifications";
import { reply } from "../endpoints/replies";
import type { WebContext } from "./context";
import { leaderOf } from "../packs/bank";
import type { Updater, WebDevice } from "./types";

export function getDevice(context: WebContext<keyof WebDevice>, exchange: Exchange): void {
  reply(context, exchange, 200, (json) => {
    const { device } = context;
    const { build, network, updater } = device;
    json.boolean("success", true).open("data");
    json.integer("uptime", device.uptime());
    writeNumber(json, "time", device.time?.());
    json.string("version", build.version).string("build", build.build).string("board", build.boardVersion);
    json.string("mac", network.mac);
    writeStart(json, device);
    writeMemory(json, device);
    writeLink(json, device);
    writeNetwork(json, device);
    writeServices(json, device);
    if (updater) {
      json.open("update");
      writeUpdate(json, updater);
      json.close();
    }
    json.close();
  });
}

export function writeUpdate(json: JsonWriter, { state, signed, received, size, error }: Updater): void {
  json.string("state", state).boolean("signed", signed);
  json.integer("received", received).integer("size", size).string("error", error);
}

function writeNumber(json: JsonWriter, key: string, value: number | undefined): void {
  if (value === undefined) json.null(key);
  else json.integer(key, value);
}

function writeMemory(json: JsonWriter, { memory }: WebDevice): void {
  json.open("memory");
  writeNumber(json, "slots", memory?.slots);
  writeNumber(json, "chunks", memory?.chunks);
  writeNumber(json, "free", memory?.free);
  writeNumber(json, "leastFree", memory?.leastFree);
  writeNumber(json, "largestBlock", memory?.largestBlock);
  json.close();
}

function writeStart(json: JsonWriter, { start, settings, parts }: WebDevice): void {
  if (!start) return;
  const { reason, restarts, where, safe } = start;
  const { problems } = settings;
  json.open("start").string("reason", reason).integer("restarts", restarts).string("where", where);
  json.boolean("safeMode", safe).strings("problems", problems);
  json.strings("parts", parts?.problems ?? []).close();
}

function writeLink(json: JsonWriter, device: WebDevice): void {
  const { monitor } = device;
  const statistics = device.statistics();
  const { online, readMode = "" } = leaderOf(monitor.packs);
  json.open("link");
  json.boolean("online", online).string("readMode", readMode);
  json.string("mode", monitor.listening ? "listen" : "poll");
  json.integer("polls", statistics?.requests ?? 0).integer("replies", statistics?.replies ?? 0);
  json.integer("timeouts", statistics?.timeouts ?? 0).integer("crcErrors", statistics?.crcErrors ?? 0);
  json.integer("exceptions", statistics?.exceptions ?? 0).integer("discarded", statistics?.discarded ?? 0);
  json.integer("replyTime", statistics?.lastReplyTime ?? 0);
  json.close();
}

function writeServices(json: JsonWriter, { mqtt, snmp, modbus, syslog, notify, sntp }: WebDevice): void {
  if (mqtt) {
    json.open("mqtt").string("state", mqtt.state).string("problem", mqtt.problem);
    writeNumber(json, "connectedFor", mqtt.connectedFor);
    json.integer("published", mqtt.published).integer("received", mqtt.received).close();
  }
  if (snmp) {
    json.open("snmp").boolean("running", snmp.running);
    json.integer("packets", snmp.packets).integer("badCommunityNames", snmp.badCommunityNames).close();
  }
  if (modbus) {
    json.open("modbus").boolean("running", modbus.running).strings("clients", modbus.addresses);
    json.integer("requests", modbus.requests).integer("writes", modbus.writes).integer("refused", modbus.refused);
    writeNumber(json, "age", modbus.age);
    json.close();
  }
  if (syslog) {
    json
      .open("syslog")
      .boolean("running", syslog.running)
      .string("address", syslog.address ?? "");
    json.integer("sent", syslog.sent).close();
  }
  if (notify) {
    writeNotifications(json.open("notify"), notify);
    json.close();
  }
  if (!sntp) return;
  json.open("sntp").string("problem", sntp.problem);
  writeNumber(json, "age", sntp.age);
  json.close();
}

function writeNetwork(json: JsonWriter, { network, networkControl }: WebDevice): void {
  json.open("network");
  json.string("mode", network.mode).string("type", network.type).string("ip", network.ip);
  json.string("gateway", network.gateway).string("mask", network.subnetMask);
  json.string("dns1", network.dns1).string("dns2", network.dns2).boolean("cable", network.cable);
  json.string("ssid", networkControl?.ssid ?? "");
  writeNumber(json, "rssi", networkControl?.rssi);
  json.string("reason", networkControl?.reason ?? "");
  json.close();
}
