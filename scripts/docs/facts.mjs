/** Facts that the docs are checked against: the code's limits by folder, and the command-line options. */
import * as httpServer from "../../modules/http-server/limits.ts";
import * as jkBms from "../../modules/jk-bms/limits.ts";
import * as modbusRtu from "../../modules/modbus-rtu/limits.ts";
import * as snmpAgent from "../../modules/snmp-agent/limits.ts";
import * as tlsSocket from "../../modules/tls-socket/limits.ts";
import * as access from "../../src/access/limits.ts";
import * as api from "../../src/api/limits.ts";
import * as bms from "../../src/bms/limits.ts";
import * as energy from "../../src/energy/limits.ts";
import * as events from "../../src/events/limits.ts";
import * as health from "../../src/health/limits.ts";
import * as history from "../../src/history/limits.ts";
import * as metrics from "../../src/metrics/limits.ts";
import * as mqtt from "../../src/mqtt/limits.ts";
import * as network from "../../src/network/limits.ts";
import * as relay from "../../src/relay/limits.ts";
import * as resources from "../../src/resources/limits.ts";
import * as sensors from "../../src/sensors/limits.ts";
import * as settings from "../../src/settings/limits.ts";
import * as snmp from "../../src/snmp/limits.ts";
import * as update from "../../src/update/limits.ts";
import * as web from "../../src/web/limits.ts";
import { FIELDS, registerOf } from "../../modules/jk-bms/fields";
import { HELP } from "../../host-sim/command-line";

export const limits = {
  httpServer,
  jkBms,
  modbusRtu,
  snmpAgent,
  tlsSocket,
  access,
  api,
  bms,
  energy,
  events,
  health,
  history,
  metrics,
  mqtt,
  network,
  relay,
  resources,
  sensors,
  settings,
  snmp,
  update,
  web,
};
export const OPTIONS = ["--engine", ...HELP.matchAll(/--[a-z][\w-]*/g)].map(String);

/** "u16" of "getUint16": type names as used on the protocol page. */
const typeOf = ({ getter }) =>
  getter?.replace(/^get(.)\D*(\d+)$/, (_, kind, bits) => kind.toLowerCase() + bits) ?? "ascii";

export const REGISTERS = Object.fromEntries(
  Object.entries(FIELDS).map(([name, field]) => [
    name,
    { register: registerOf(field), type: typeOf(field), length: field.length },
  ]),
);
