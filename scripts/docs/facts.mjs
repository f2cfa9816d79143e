/**
 * Facts that the docs are checked against: the code's limits by folder, XS's memory, the sizes of the flash's
 * partitions, and the command-line options.
 */
import { readFileSync } from "node:fs";
import * as httpClient from "../../modules/http-client/limits.ts";
import * as httpServer from "../../modules/http-server/limits.ts";
import * as jkBms from "../../modules/jk-bms/limits.ts";
import { PACKED_BYTES } from "../../modules/jk-bms/packed-blocks.ts";
import { LOG_BYTES } from "../../modules/jk-bms/system-log.ts";
import * as modbus from "../../modules/modbus/limits.ts";
import * as modbusTcp from "../../src/modbus/limits.ts";
import * as posixTz from "../../modules/posix-tz/limits.ts";
import * as snmpAgent from "../../modules/snmp-agent/limits.ts";
import * as tlsSocket from "../../modules/tls-socket/limits.ts";
import * as access from "../../src/auth/limits.ts";
import * as api from "../../src/api/limits.ts";
import * as bms from "../../src/bms/limits.ts";
import * as catalogue from "../../src/catalogue/limits.ts";
import * as conditionLimits from "../../src/conditions/limits.ts";
import { OWNED, ownedHold } from "../../src/conditions/table.ts";
import * as energy from "../../src/energy/limits.ts";
import * as events from "../../src/events/limits.ts";
import * as health from "../../src/health/limits.ts";
import * as history from "../../src/history/limits.ts";
import * as metrics from "../../src/metrics/limits.ts";
import * as mqtt from "../../src/mqtt/limits.ts";
import * as network from "../../src/network/limits.ts";
import * as notify from "../../src/notify/limits.ts";
import * as packs from "../../src/packs/limits.ts";
import * as relay from "../../src/relay/limits.ts";
import * as resources from "../../src/endpoints/limits.ts";
import * as sensors from "../../src/sensors/limits.ts";
import * as settings from "../../src/settings/limits.ts";
import * as snmp from "../../src/snmp/limits.ts";
import * as syslog from "../../src/syslog/limits.ts";
import * as update from "../../src/update/limits.ts";
import * as web from "../../src/web/limits.ts";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { getterOf, lengthOf, registerOf } from "../../modules/jk-bms/fields";
import { HELP } from "../../host-sim/command-line";
import { BUDGETS, MAX_FIRST } from "../size/budget.mjs";
import { TOLERANCE } from "../size/sizes.mjs";
import * as retained from "../../src/runtime/retained.ts";
import manifest from "../../manifest.json";
import esp32 from "../../boards/esp32/manifest.json";

const { creation } = manifest;
const memory = {
  SLOTS: creation.heap.initial,
  CHUNKS: creation.chunk.initial,
  STACK: creation.stack,
  /** All of it, bytes: a slot has 16, of the heap and of the stack. */
  XS: (creation.heap.initial + creation.stack) * 16 + creation.chunk.initial,
  /** Messages in the queue to XS. */
  QUEUE: esp32.defines.task.queueLength,
};

/** Bytes by the partition's name. */
const partitions = Object.fromEntries(
  readFileSync("boards/esp32/partitions.csv", "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split(/,\s*/))
    .map(([name, , , , size]) => [name, Number(size)]),
);

/** s: a value has to be beyond the owner's threshold for so long. */
const conditions = { ...conditionLimits, OWNED_HOLD: ownedHold(OWNED.indexOf("soc")) };

const flash = {
  IMAGE_4MB: BUDGETS["4MB"].image,
  IMAGE: BUDGETS.more.image,
  PAGE_4MB: BUDGETS["4MB"].page,
  PAGE: BUDGETS.more.page,
  MAX_FIRST,
  TOLERANCE,
};

export const limits = {
  httpClient,
  httpServer,
  jkBms: { ...jkBms, LOG_BYTES, PACKED_BYTES },
  modbus,
  modbusTcp,
  posixTz,
  snmpAgent,
  tlsSocket,
  memory,
  partitions,
  flash,
  access,
  api,
  bms,
  catalogue,
  conditions,
  energy,
  events,
  health,
  history,
  metrics,
  mqtt,
  network,
  notify,
  packs,
  relay,
  resources,
  retained,
  sensors,
  settings,
  snmp,
  syslog,
  update,
  web,
};
export const OPTIONS = ["--engine", ...HELP.matchAll(/--[a-z][\w-]*/g)].map(String);

/** "u16" of "getUint16": type names as used on the protocol page. */
const typeOf = (field) =>
  getterOf(field)?.replace(/^get(.)\D*(\d+)$/, (_, kind, bits) => kind.toLowerCase() + bits) ?? "ascii";

export const REGISTERS = Object.fromEntries(
  Object.entries(FIELDS).map(([name, field]) => [
    name,
    { register: registerOf(field), type: typeOf(field), length: lengthOf(field) },
  ]),
);
