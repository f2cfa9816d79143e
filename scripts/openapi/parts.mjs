/** The parts of docs/openapi.yaml that derive from the catalogue, by name. Bundled, because it reads the firmware's tables. */
import { readFileSync } from "node:fs";
import { MAX_CELLS } from "../../modules/jk-bms/cells";
import * as FIELDS from "../../modules/jk-bms/field-table";
import {
  blockOf,
  decimalsOf as settingDecimals,
  getterOf,
  lengthOf,
  unitOf as settingUnit,
} from "../../modules/jk-bms/fields";
import { DEVICE_INFO, SETUP, TELEMETRY } from "../../modules/jk-bms/types";
import { JsonWriter } from "../../modules/json/writer";
import { SERVICES } from "../../modules/notification-services/services";
import { OFFLINE_POLLS, OFFLINE_TIME } from "../../src/packs/limits";
import { ENDING_OUTCOMES } from "../../src/bms/write-counters";
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { BATTERY_TYPES, CHARGE_STAGES } from "../../src/catalogue/computed";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { CONCERNS, DEVICE_CONDITIONS, DEVICE_ROW, holdOf, severityOf, unitOf } from "../../src/conditions/table";
import { writeConfiguration, writeStatus, writeSummary } from "../../src/catalogue/document";
import { setupRows, setupSwitches, writeSetup } from "../../src/catalogue/setup";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { FURTHER_DEGREES } from "../../src/catalogue/quantities";
import { MOST_TODAY } from "../../src/events/limits";
import { HISTORY_ROWS } from "../../src/endpoints/limits";
import { countOf, decimalsOf, isBoolean } from "../../modules/flash-log/field";
import { RECORDS } from "../../src/history/records";
import { LAST } from "../../src/endpoints/packs";
import { ROWS as PACK_ROWS } from "../../src/packs/bank";
import { BAUD_RATES, MAX_ADDRESS, MAX_NAME, MAX_PACKS } from "../../src/settings/limits";
import { SUMMARY, TELEMETRY_TABLE, telemetryRow } from "../../src/catalogue/telemetry";

/** Range of a register, by the method that reads it. */
const LIMITS = {
  getUint8: [0, 0xff],
  getInt8: [-0x80, 0x7f],
  getUint16: [0, 0xffff],
  getInt16: [-0x8000, 0x7fff],
  getUint32: [0, 0xffffffff],
  getInt32: [-0x80000000, 0x7fffffff],
};

/** Ranges of computed numbers, in units of 10 ** -decimals; numbers not listed have none. */
const CELL = LIMITS[getterOf(FIELDS.averageCellVoltage)];
const NUMBER = [0, MAX_CELLS];
const DEGREES = LIMITS[getterOf(FIELDS.mosfetTemperature)];
const WATTS = Math.round(LIMITS[getterOf(FIELDS.packPower)][1] / 10);
const COMPUTED = {
  soc: [0, 100],
  stateOfHealth: [0, 100],
  cellCount: NUMBER,
  capacityAh: LIMITS[getterOf(FIELDS.capacity)],
  "info.maxCells": LIMITS[getterOf(FIELDS.maxCells)],
  "info.uart1Protocol": LIMITS[getterOf(FIELDS.uart1Protocol)],
  "info.canProtocol": LIMITS[getterOf(FIELDS.canProtocol)],
  "info.uart2Protocol": LIMITS[getterOf(FIELDS.uart2Protocol)],
  "pack.power": [-WATTS, WATTS],
  "pack.heatingCurrent": LIMITS[getterOf(FIELDS.heatingCurrent)],
  "pack.chargeStageSeconds": LIMITS[getterOf(FIELDS.chargeStageTime)],
  "cellsSummary.minVoltage": CELL,
  "cellsSummary.minCell": NUMBER,
  "cellsSummary.maxVoltage": CELL,
  "cellsSummary.maxCell": NUMBER,
  "cellsSummary.delta": CELL,
  "temperatures.mosfet": DEGREES,
  "temperatures.battery1": DEGREES,
  "temperatures.battery2": DEGREES,
  "temperatures.battery3": DEGREES,
  "temperatures.battery4": DEGREES,
  "temperatures.battery5": DEGREES,
};

/** Remarks in addition to the title. */
const REMARKS = {
  online: `False after ${OFFLINE_POLLS} polls or ${OFFLINE_TIME / 1000} s without a reply, whichever is later.`,
  batteryType: "Empty until it is known, or if the BMS reports a code that is not documented.",
  capacityAh: "The nominal capacity once the settings are loaded, until then the learned full capacity.",
  soc: "Unknown if the BMS says more than 100.",
  stateOfHealth: "Unknown if the BMS says more than 100.",
  cycleCapacityAh: "Charge that went through the pack in its life.",
  emergencyTimeSeconds: "0 while emergency mode is off.",
  alarmCode:
    "As the BMS sends them, but bit 4 of a pack that is not full is bit 29; neither until the settings are read, unless a cell is above the usual limit of its chemistry; 0: no alarm.",
  cellsSummary: "Computed from `cells`. The first of equal cells counts; 0 while `cells` is empty.",
  "info.maxCells": "Cells that the model takes.",
  "info.manufactureDate": "YYMMDD, as the BMS reports it.",
  "pack.current": "Positive while charging, negative while discharging, as the BMS reports it.",
  "pack.power": "With the sign of the current.",
  "info.uart1Protocol":
    "By its number in the vendor's app: 0 4G/GPS, 1 JK RS485 Modbus, 13 the same at 9,600 baud, 15 a bus master.",
  "info.canProtocol": "By its number in the vendor's app.",
  "info.uart2Protocol": "As of UART1; it follows the DIP switch.",
  "pack.chargeMosfet": "The output, off also while a protection acts.",
  "pack.dischargeMosfet": "The output, off also while a protection acts.",
  "pack.chargeStage": "What the BMS asks of its charger; empty: unknown, as of firmware before 15.35.",
  "pack.chargeStageSeconds": "0 of firmware before 15.35.",
  "pack.dryContact1": "Closed; false also of firmware before 15.36.",
  "pack.dryContact2": "Closed; false also of firmware before 15.36.",
  "pack.maxChargeCurrent": "As set in the pack.",
  "pack.maxDischargeCurrent": "As set in the pack.",
  temperatures:
    "A missing sensor is published as 0; of `battery3` to `battery5` only those are there that the pack has.",
  "balance.enabled": "The BMS may balance the cells.",
};

const ENUMS = { batteryType: BATTERY_TYPES, "pack.chargeStage": CHARGE_STAGES };

const scaled = (units, decimals) => Number(`${units}e-${decimals}`);

/** Schema of a row's value in a document. */
function schemaOf({ path, title, source, quantity: { kind, decimals, unit } }) {
  const measured = kind === "number" || unit === "s" ? ` in ${unit}` : "";
  const precision = decimals ? `, at most ${decimals} decimal${decimals > 1 ? "s" : ""}` : "";
  const description = [`${title}${measured}${precision}.`, REMARKS[path]].filter(Boolean).join(" ");
  if (kind === "boolean") return { description, type: "boolean" };
  const computed = typeof source === "function";
  if (kind === "text")
    return ENUMS[path]
      ? { description, type: "string", enum: [...ENUMS[path], ""] }
      : { description, type: "string", maxLength: computed ? undefined : lengthOf(source) };
  const [minimum, maximum] = (computed ? COMPUTED[path] : LIMITS[getterOf(source)]) ?? [];
  return {
    description,
    type: kind === "integer" ? "integer" : "number",
    minimum: minimum && scaled(minimum, decimals),
    maximum: maximum && scaled(maximum, decimals),
  };
}

function objectOf(members, description) {
  const required = Object.keys(members);
  return { description, type: "object", additionalProperties: false, required, properties: members };
}

/** The same with members that need not be there. */
function withOptional(schema, members) {
  Object.assign(schema.properties, members);
  return schema;
}

/** Left out where it is absent. */
const isFurther = ({ quantity }) => quantity === FURTHER_DEGREES;

/** Members of a document by row, with objects for paths such as `pack.voltage`. */
function membersOf(rows) {
  const members = {};
  for (const row of rows) {
    const [object, member] = row.path.split(".");
    if (!member) members[object] = schemaOf(row);
    else (members[object] ??= objectOf({}, REMARKS[object])).properties[member] = schemaOf(row);
  }
  for (const [object, { properties, required }] of Object.entries(members))
    required?.push(
      ...Object.keys(properties).filter(
        (member) => !isFurther(rows.find(({ path }) => path === `${object}.${member}`)),
      ),
    );
  return members;
}

/** Accepted values of a setting, for the table. Numbers have all decimals: the last one is the register's resolution. */
function accepted({ kind, min, max, decimals, unit }) {
  if (kind === "boolean") return "on/off, true/false, 1/0, or a JSON boolean";
  if (kind === "text") return `text, ${min} to ${max} printable ASCII ${unit}, not all blanks`;
  const whole = kind === "integer" ? "integer, " : "";
  return `${whole}${scaled(min, decimals).toFixed(decimals)} to ${scaled(max, decimals).toFixed(decimals)} ${unit}`;
}

const table = (rows) => rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A real pack (test/fixtures/captures/SOURCES.md), as the firmware renders it; the serial number is invented. */
const CAPTURE = "test/fixtures/captures/dbus-sb";
const HEAD = 6;

function imageOf(block, name) {
  const digits = readFileSync(`${CAPTURE}_t0${block}_addr3_${name}.hex`, "utf8").replace(/^#.*$/gm, "");
  const bytes = Uint8Array.from(digits.match(/[\da-f]{2}/gi) ?? [], (pair) => parseInt(pair, 16));
  return { view: new DataView(bytes.buffer, HEAD), littleEndian: true, valid: true };
}

const pack = {
  online: true,
  configurationLoaded: true,
  telemetry: imageOf(TELEMETRY, "PB2A16S20P_15.41"),
  setup: imageOf(SETUP, "PB2A16S20P_15.41"),
  deviceInfo: imageOf(DEVICE_INFO, "PB2A16S20P_15.41"),
};

function rendered(write) {
  const buffer = new Uint8Array(8192);
  const json = new JsonWriter().begin(buffer).open();
  write(json, pack);
  return JSON.parse(new TextDecoder().decode(buffer.subarray(0, json.close().end())));
}

/** What the columns of the history are; null is unknown. */
const COLUMNS = {
  pack: "Address of the pack",
  soc: "State of charge at the end, %",
  voltage: "Voltage at the end, V",
  power: "Mean power, W, positive when charging",
  minPower: "Least power, W",
  maxPower: "Greatest power, W",
  current: "Mean current, A, positive when charging",
  minCellVoltage: "Lowest voltage of a cell, V",
  minCell: "Number of that cell, from 1",
  minCellPack: "Address of its pack; null if it is 15, or unknown after a power cut",
  maxCellVoltage: "Highest voltage of a cell, V",
  maxCell: "Number of that cell, from 1",
  maxCellPack: "Address of its pack; null if it is 15, or unknown after a power cut",
  delta: "Greatest spread of the cells, V",
  deltaAtRest: "Greatest spread of the cells at rest, V",
  deltaUnderLoad: "Greatest spread of the cells under load, V",
  minTemperature: "Lowest temperature of the battery, °C",
  maxTemperature: "Highest temperature of the battery, °C",
  minutes: "Minutes with replies",
  alarm: "There was an alarm",
  packMissing: "A pack of the bank was missing",
  relay: "The relay was on",
  charged: "Energy charged, Wh",
  discharged: "Energy discharged, Wh",
  minSoc: "Least state of charge, %",
  maxSoc: "Greatest state of charge, %",
  alarms: "Alarms seen: bit n is bit n of `alarmCode`",
  cycles: "Cycles",
  tenMinutes: "Ten minutes with replies",
  firstCell: "Number of the first cell of this row, from 1",
  meanAtRest: "Mean voltage of all cells of the pack at rest, V",
  meanFull: "Mean voltage of all cells of the pack when full, V",
  atRest: "Distance of each cell from the mean at rest, V",
  full: "Distance of each cell from the mean when full, V",
  wires: "Resistance of each balance wire, Ω",
  capacityAh: "Capacity that the BMS has learned, Ah",
};

function columnSchema(name, field) {
  if (!COLUMNS[name]) throw new Error(`no description of ${name}`);
  const description = `${COLUMNS[name]}.`;
  const number = { type: [isBoolean(field) ? "boolean" : decimalsOf(field) ? "number" : "integer", "null"] };
  const count = countOf(field);
  return count
    ? { description, type: "array", minItems: count, maxItems: count, items: number }
    : { description, ...number };
}

/** What each setting of the pack is; behind it in parentheses what its firmware must be. */
const TRIGGERS =
  "0 nothing, 1 low charge, 2 pack and 4 cell over-voltage, 3 pack and 5 cell under-voltage, 6 charge and 7 discharge over-current, 8 battery and 9 MOSFET over-temperature, 10 any alarm, 11 low temperature, 12 the vendor's app, 13 high charge, 14 MOSFET fault";
const SETTINGS = {
  smartSleepVoltage: "Cell voltage below which smart sleep begins",
  cellUvpVoltage: "Cell under-voltage protection (UVP)",
  cellUvprVoltage: "Its release (UVPR)",
  cellOvpVoltage: "Cell over-voltage protection (OVP)",
  cellOvprVoltage: "Its release (OVPR)",
  balanceTriggerVoltage: "Difference between cells from which on they are balanced",
  soc100Voltage: "Cell voltage at which the state of charge becomes 100 %",
  soc0Voltage: "Cell voltage at which it becomes 0 %",
  cellRcvVoltage: "Cell voltage that the pack asks of its charger (RCV)",
  cellRfvVoltage: "The same in float (RFV)",
  powerOffVoltage: "Cell voltage at which the BMS switches itself off",
  maxChargeCurrent: "Highest charge current",
  chargeOcpDelay: "How long a higher one may flow",
  chargeOcpRelease: "After how long charging is tried again",
  maxDischargeCurrent: "Highest discharge current",
  dischargeOcpDelay: "How long a higher one may flow",
  dischargeOcpRelease: "After how long discharging is tried again",
  shortCircuitRelease: "After how long it is tried again after a short circuit",
  maxBalanceCurrent: "Highest balance current",
  chargeOtp: "Charge over-temperature protection (OTP)",
  chargeOtpr: "Its release (OTPR)",
  dischargeOtp: "Discharge over-temperature protection (OTP)",
  dischargeOtpr: "Its release (OTPR)",
  chargeUtp: "Charge under-temperature protection (UTP)",
  chargeUtpr: "Its release (UTPR)",
  mosOtp: "MOSFET over-temperature protection (OTP)",
  mosOtpr: "Its release (OTPR)",
  cellCount: "Cells in series",
  capacity: "Design capacity",
  shortCircuitDelay: "How long a short circuit may last",
  balanceStartVoltage: "Cell voltage from which on cells are balanced",
  deviceAddress: "Address, as the DIP switch has it",
  prechargeTime: "How long the output is pre-charged",
  heatingStart: "Temperature at which the heating starts",
  heatingStop: "Temperature at which it stops",
  smartSleepTime: "After how long smart sleep begins",
  dischargeUtp: "Discharge under-temperature protection: firmware 19 and later, where it is in use",
  dischargeUtpr: "Its release",
  rcvTime: "How long the charge voltage (RCV) is asked for",
  rfvTime: "How long the float voltage (RFV) is",
  rebulkCharge: "State of charge below which bulk charging begins again: firmware 19 and later",
  emergencyDuration: "How long emergency mode lasts, where the firmware has a time for it",
  storePeriod: "Interval at which the BMS stores data",
  buzzerTrigger: `What sounds the buzzer. ${TRIGGERS}`,
  buzzerOn: "Value at which it sounds: of a temperature in °C, of a charge in %",
  buzzerOff: "Value at which it is silent again",
  dry1Trigger: "What closes the first dry contact, as of the buzzer",
  dry1On: "Value at which it closes",
  dry1Off: "Value at which it opens again",
  dry2Trigger: "What closes the second dry contact, as of the buzzer",
  dry2On: "Value at which it closes",
  dry2Off: "Value at which it opens again",
};
const SETTING_SWITCHES = {
  heating: "The heating is used",
  temperatureSensorsDisabled: "Temperature sensors are ignored",
  gpsHeartbeat: "GPS heartbeat",
  rs485: "The shared port is RS485, not CAN",
  displayAlwaysOn: "The display stays on",
  specialCharger: "Special charger",
  smartSleep: "Smart sleep is used",
  parallelLimiterOff: "The parallel current limiter is off",
  timedStoredData: "Data are stored at intervals",
  floatMode: "Float charging is used",
  buttonEmergency: "The button starts emergency mode",
  dryContactsIntermittent: "Dry contacts alarm intermittently",
  dischargeOcp2: "Second level of the discharge over-current protection",
  dischargeOcp3: "Third level of it",
  gpsLocksCharging: "Charging can be locked by GPS",
  gpsLocksDischarging: "Discharging can be locked by GPS",
};
/** Only of a pack that has them. */
const OPTIONAL_SETTINGS = [
  "dischargeUtp",
  "dischargeUtpr",
  ...setupRows().flatMap(([name, field]) => (blockOf(field) === DEVICE_INFO ? [name] : [])),
];

function setupSchema() {
  const members = {
    ageSeconds: {
      description:
        "Seconds since the setup was last read from the BMS. A write that has been confirmed since is in it all the same.",
      type: "integer",
      minimum: 0,
    },
  };
  const described = (texts, name) => {
    if (!texts[name]) throw new Error(`no description of the setting ${name}`);
    return texts[name];
  };
  for (const [name, field] of setupRows()) {
    const unit = settingUnit(field);
    const description = `${described(SETTINGS, name)}${unit ? `, ${unit}` : ""}.`;
    members[name] = { description, type: settingDecimals(field) ? "number" : "integer" };
  }
  for (const [name, what] of [
    ["chargeEnabled", "Charging"],
    ["dischargeEnabled", "Discharging"],
    ["balanceEnabled", "Balancing"],
  ])
    members[name] = { description: `${what} is allowed.`, type: "boolean" };
  const switches = setupSwitches().map((name) => [
    name,
    { description: `${described(SETTING_SWITCHES, name)}.`, type: "boolean" },
  ]);
  members.switches = objectOf(Object.fromEntries(switches), "The switch word, 0x1114.");
  const schema = objectOf(members);
  schema.required = schema.required.filter((name) => !OPTIONAL_SETTINGS.includes(name));
  return schema;
}

const AGO = { description: "In a row without a time: it began so many seconds ago.", type: "integer", minimum: 0 };

function seriesSchema({ fields }) {
  const time = {
    description: "When it began, seconds since 1970; null: the clock is not known.",
    type: ["integer", "null"],
    minimum: 0,
  };
  const columns = Object.entries(fields).map(([name, field]) => [name, columnSchema(name, field)]);
  return withOptional(objectOf({ time, ...Object.fromEntries(columns) }), { ago: AGO });
}

const rowName = (name) => `${name[0].toUpperCase()}${name.slice(1)}Row`;

const historySchemas = {
  History: objectOf({
    success: { $ref: "#/components/schemas/Succeeded" },
    data: objectOf({
      series: { description: "What the rows are.", type: "string", enum: RECORDS.map(({ name }) => name) },
      rows: {
        description: "The oldest first.",
        type: "array",
        maxItems: HISTORY_ROWS,
        items: { anyOf: RECORDS.map(({ name }) => ({ $ref: `#/components/schemas/${rowName(name)}` })) },
      },
      next: { description: "`from` of the rest; null: this is all.", type: ["integer", "null"], minimum: 0 },
    }),
  }),
  ...Object.fromEntries(RECORDS.map((series) => [rowName(series.name), seriesSchema(series)])),
};

/** A value of the catalogue that is null while it is unknown. */
function orNull(path, description) {
  const schema = schemaOf(telemetryRow(path));
  return { ...schema, description: description ?? schema.description, type: [schema.type, "null"] };
}

const ADDRESS = { description: "Address of the pack.", type: "integer", minimum: 0, maximum: MAX_ADDRESS };
const COUNT = { type: "integer", minimum: 0, maximum: MAX_PACKS };

/** The pack that has the greatest or least of a value, and the value. */
const extremeSchema = (description, members) => ({
  ...objectOf({ pack: ADDRESS, ...members }, `${description} of the packs of which it is known; null: of none.`),
  type: ["object", "null"],
});

/** Without bounds: those of a pack do not hold for a sum. */
/** Of a pack or the bank: whether all is well, and what is not. */
const verdict = (well, whose) => ({
  well: { description: `True: ${well}.`, type: "boolean" },
  concerns: {
    description: `${whose}: what needs attention, the most urgent first; empty: all is well. There may be further codes in later versions.`,
    type: "array",
    items: { type: "string", enum: CONCERNS },
  },
});

/** Codes by the unit of their value, and of their limit. */
const unitsOfCodes = () =>
  [...new Set(CONCERNS.map((_, row) => unitOf(row)))]
    .filter(Boolean)
    .map((unit) => `${unit} of ${CONCERNS.filter((_, row) => unitOf(row) === unit).join(", ")}`)
    .join("; ");

/** What there is of a pack. */
const condition = {
  code: {
    description: "A code of `concerns`, or the name of an alarm. There may be further ones in later versions.",
    type: "string",
    enum: [...CONCERNS, ...ALARMS_TABLE.map(({ name }) => name)],
  },
  severity: {
    description: "A notice is a status of the pack, such as fully_charged.",
    type: "string",
    enum: ["fault", "warning", "notice"],
  },
  since: {
    description: "Seconds since 1970; null while the clock is not set.",
    type: ["integer", "null"],
  },
  value: {
    description: `What is judged, as last known: ${unitsOfCodes()}. Null of all others.`,
    type: ["number", "null"],
  },
  limit: { description: "What it was compared with, in the same unit; null: there is none.", type: ["number", "null"] },
  today: {
    description: `How often it has begun since midnight by the device's zone; while the clock is not set, since it was last, or since the start. Null: more has begun than is counted.`,
    type: ["integer", "null"],
    minimum: 0,
    maximum: MOST_TODAY,
  },
};

const RELEASE = {
  description: "Of an alarm whose countdown runs: seconds until the BMS releases what it has stopped.",
  type: "integer",
  minimum: 1,
};

const conditionsSchema = (rest) => ({
  description: `What is wrong with this pack, as in \`GET /api/conditions\`${rest}.`,
  type: "array",
  items: { $ref: "#/components/schemas/PackCondition" },
});

/** docs/api.md has it: of packs, and of the device. */
const conditionsTable = (codes, first) => `| Code | Severity | Lasts before it counts | \`value\` and \`limit\` |
|---|---|---|---|
${codes.map((code, row) => `| \`${code}\` | ${severityOf(code)} | ${holdOf(first + row) ? `${holdOf(first + row)} s` : ""} | ${unitOf(first + row)} |`).join("\n")}
`;
export const CONDITIONS_TABLES = [conditionsTable(CONCERNS, 0), conditionsTable(DEVICE_CONDITIONS, DEVICE_ROW)];

const sumSchema = (text) => ({
  description: `${text}, of the packs that are online; null while it is unknown of one of them, or none is.`,
  type: ["number", "null"],
});

const alarmCode = schemaOf(telemetryRow("alarmCode"));
const CELL_NUMBER = { description: "Number of the cell, from 1.", type: "integer", minimum: 1, maximum: MAX_CELLS };
const cellOf = (path) => ({ cell: CELL_NUMBER, voltage: schemaOf(telemetryRow(path)) });

const HEARD = {
  description: "Addresses of packs that another master is answered by, and that the settings do not have.",
  type: "array",
  maxItems: MAX_ADDRESS + 1,
  items: ADDRESS,
};

/** Those that one pack can have and another not; the rest is told before anything begins. */
const PACK_REFUSALS = ["offline", "not-loaded", "other-pack", "listening"];

const packsSchemas = {
  Packs: objectOf({
    success: { $ref: "#/components/schemas/Succeeded" },
    data: objectOf({
      bank: { $ref: "#/components/schemas/Bank" },
      packs: {
        description: "In the order of the settings.",
        type: "array",
        minItems: 1,
        maxItems: MAX_PACKS,
        items: { $ref: "#/components/schemas/PackInShort" },
      },
      heard: HEARD,
    }),
  }),
  Search: objectOf({
    success: { $ref: "#/components/schemas/Succeeded" },
    data: objectOf({
      searching: { description: "A search is under way.", type: "boolean" },
      waiting: {
        description: "It asks nothing yet, until the line has been silent for long enough.",
        type: "boolean",
      },
      baud: {
        description: "Baud rate that is searched, or was last; before the first search that of the settings.",
        type: "integer",
        enum: BAUD_RATES,
      },
      searched: {
        description: "Addresses that it has dealt with at this baud rate, or the last one had.",
        type: "integer",
        minimum: 0,
        maximum: MAX_ADDRESS + 1,
      },
      problem: { description: "Why it has ended early, as a sentence; empty: it has not.", type: "string" },
      found: {
        description: "By address; packs of the settings that are online are among them.",
        type: "array",
        maxItems: MAX_ADDRESS + 1,
        items: objectOf({
          address: ADDRESS,
          baud: { description: "Baud rate at which it answers.", type: "integer", enum: BAUD_RATES },
          model: orNull("model", "As in its status; null: it does not report it."),
          serialNumber: orNull("info.serialNumber", "As in its status; null: it does not report it."),
          cells: {
            description: "Cells that it is set to; null: it does not report it.",
            type: ["integer", "null"],
            minimum: 1,
          },
          configured: { description: "It is one of the packs of the settings, at their baud rate.", type: "boolean" },
        }),
      },
      heard: HEARD,
    }),
  }),
  PacksSetting: objectOf({
    success: { $ref: "#/components/schemas/Succeeded" },
    data: objectOf({
      running: { description: "Not all packs have their outcome yet.", type: "boolean" },
      setting: {
        description: "Name of the parameter; null: there was none since the start.",
        type: ["string", "null"],
        enum: [...PARAMETERS_TABLE.map(({ name }) => name), null],
      },
      problem: {
        description: "Why it has ended before its last pack, as a sentence; empty: it has not.",
        type: "string",
      },
      packs: {
        description: "All packs of the settings, in their order, which is that of the writes.",
        type: "array",
        minItems: 1,
        maxItems: MAX_PACKS,
        items: objectOf({
          address: ADDRESS,
          name: {
            description: "The owner's name of the pack; empty: it has none.",
            type: "string",
            maxLength: MAX_NAME,
          },
          outcome: {
            description:
              "How the write has ended, or why there was none; null: it is still to come, or will not come (`problem`).",
            type: ["string", "null"],
            enum: [...ENDING_OUTCOMES, ...PACK_REFUSALS, null],
          },
          message: {
            description: "The same as a sentence, as in `lastCommand` or the error of a refusal; empty: none yet.",
            type: "string",
          },
        }),
      },
    }),
  }),
  Bank: objectOf({
    packs: { ...COUNT, description: "Packs of the settings.", minimum: 1 },
    online: { ...COUNT, description: "Packs that are online." },
    ...verdict("all packs are online and nothing needs attention of any", "Of any pack"),
    complete: {
      description: "All packs are online. Otherwise the sums are those of the packs that are.",
      type: "boolean",
    },
    capacityAh: sumSchema("Sum of the capacities in Ah"),
    soc: {
      description:
        "State of charge in %, at most 1 decimal, weighted by capacity, of the packs that are online; null while it is unknown of one of them, or none is.",
      type: ["number", "null"],
      minimum: 0,
      maximum: 100,
    },
    remainingCapacityAh: sumSchema("Sum of the remaining capacities in Ah"),
    voltage: orNull("pack.voltage", "Mean voltage in V of the packs that are online; null: none is."),
    current: sumSchema("Sum of the currents in A, positive while charging"),
    power: sumSchema("Sum of the powers in W, positive while charging"),
    minCell: extremeSchema("The lowest cell", cellOf("cellsSummary.minVoltage")),
    maxCell: extremeSchema("The highest cell", cellOf("cellsSummary.maxVoltage")),
    maxDelta: extremeSchema("The widest spread of the cells of one pack", {
      delta: schemaOf(telemetryRow("cellsSummary.delta")),
    }),
    maxTemperature: extremeSchema("The highest temperature of a battery", {
      temperature: schemaOf(telemetryRow("temperatures.battery1")),
    }),
    alarms: {
      description: "The packs that are online and report alarms.",
      type: "array",
      maxItems: MAX_PACKS,
      items: objectOf({ pack: ADDRESS, alarmCode: { ...alarmCode, minimum: 1 } }),
    },
  }),
  Condition: withOptional(
    objectOf({
      ...condition,
      code: { ...condition.code, enum: [...DEVICE_CONDITIONS, ...condition.code.enum] },
      value: { ...condition.value, description: `${condition.value.description} dBm of weak-wifi.` },
    }),
    { pack: { ...ADDRESS, description: "Address of the pack; not there: it is the device's own." }, release: RELEASE },
  ),
  PackCondition: withOptional(objectOf(condition), { release: RELEASE }),
  PackInShort: objectOf({
    address: ADDRESS,
    name: { description: "The owner's name of the pack.", type: "string", minLength: 1, maxLength: MAX_NAME },
    online: schemaOf(telemetryRow("online")),
    swapped: {
      description: "Another pack than before answers at this address: nothing is written to it until it is accepted.",
      type: "boolean",
    },
    shared: {
      description: "Two packs answer at this address: nothing is written to them.",
      type: "boolean",
    },
    ...verdict("it is online and nothing needs attention", "Of this pack"),
    ageSeconds: {
      description: "Seconds since its last valid telemetry reply; null before the first.",
      type: ["integer", "null"],
      minimum: 0,
    },
    ...Object.fromEntries(PACK_ROWS.map(({ path }) => [path.slice(path.indexOf(".") + 1), orNull(path)])),
    last: {
      ...objectOf(Object.fromEntries(LAST.map(({ path }) => [path.slice(path.indexOf(".") + 1), orNull(path)]))),
      description: "What was last known of a pack that is offline; null of one that is online, or has never answered.",
      type: ["object", "null"],
    },
    conditions: conditionsSchema(""),
  }),
};

const names = (rows) => rows.map(({ name }) => name);

export const PARTS = {
  "table of commands": {
    description: `| \`command\` | what is on or off |
|---|---|
${table(COMMANDS_TABLE.map(({ name, title }) => [`\`${name}\``, title]))}

Commands need the BMS online, not its settings loaded. With several packs, one whose voltage is not that of the connected packs is connected to
them only with \`force\` (docs/api.md, "Write queue").
`,
  },
  "table of settings": {
    description: `| \`setting\` | alias | what it sets | \`value\` |
|---|---|---|---|
${table(PARAMETERS_TABLE.map(({ name, alias, title, quantity }) => [`\`${name}\``, `\`${alias}\``, title, accepted(quantity)]))}

The ranges are this interface's; a model of the BMS may allow less and refuse the write, which \`lastCommand\` then says. A value finer
than the register's resolution, the last decimal above, is rounded half away from zero after its range has been checked. Text of a
number: optional sign, digits, optionally a dot and digits; nothing else. Settings need the BMS online and its settings loaded.
`,
  },
  "names of commands": { enum: names(COMMANDS_TABLE) },
  "names of settings": { enum: names(PARAMETERS_TABLE) },
  "kinds of services": { enum: ["off", ...Object.keys(SERVICES)] },
  "example of the summary": { bms: rendered(writeSummary) },
  "example of the status": { data: { ageSeconds: 0, ...rendered(writeStatus), conditions: [] } },
  "example of the configuration": { data: { ageSeconds: 0, ...rendered(writeConfiguration) } },
  "example of the setup": { data: { ageSeconds: 0, ...rendered(writeSetup) } },
  "schemas of the packs": packsSchemas,
  "schemas of the history": historySchemas,
  "schemas of the pack": {
    BmsSummary: objectOf({
      ...membersOf(TELEMETRY_TABLE.filter(({ flags }) => flags & SUMMARY)),
      mode: {
        description:
          "`poll`: the device asks the BMS. `listen`: it sends nothing, and shows what another master on the bus is answered; writes are refused.",
        type: "string",
        enum: ["poll", "listen"],
      },
    }),
    BmsStatus: objectOf({
      ageSeconds: {
        description: "Seconds since the last valid telemetry reply of the BMS; null before the first.",
        type: ["integer", "null"],
        minimum: 0,
      },
      ...membersOf(TELEMETRY_TABLE),
      cells: {
        description: "The cells that the BMS sees, by number.",
        type: "array",
        maxItems: MAX_CELLS,
        items: { $ref: "#/components/schemas/Cell" },
      },
      conditions: conditionsSchema(", as many as there is room for"),
    }),
    BmsConfiguration: objectOf({
      ageSeconds: {
        description:
          "Seconds since the setup was last read from the BMS. A write that has been confirmed since is in it all the same.",
        type: "integer",
        minimum: 0,
      },
      loaded: { description: "The setup has been read; always true here.", type: "boolean", const: true },
      ...membersOf(PARAMETERS_TABLE),
    }),
    BmsSetup: setupSchema(),
  },
};
