/** Converts a block to the API's JSON: the API's field names and units, limited to the bytes available. */
import {
  cellMask,
  cellPresent,
  cellResistance,
  cellsPresent,
  cellVoltage,
  highestCell,
  lowestCell,
} from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { blockOf, decimalsOf, getterOf, lengthOf, offsetOf, readRaw, readText, type Field } from "jk-bms/fields";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "jk-bms/types";
import { setupRows, setupSwitches } from "../src/catalogue/setup";

type Json = Record<string, unknown>;

const BATTERY_TYPES = ["LiFePO4", "Li-ion", "LTO"];

/** [member, field]: a number in its unit, or a text; with `true`, a boolean. */
type Row = readonly [member: string, field: Field, boolean?: true];

const SETTINGS_ROWS: Record<string, readonly Row[]> = {
  battery: [
    ["cellCount", FIELDS.cellCount],
    ["capacityAh", FIELDS.capacity],
  ],
  balance: [
    ["enabled", FIELDS.balanceEnabled, true],
    ["startVoltage", FIELDS.balanceStartVoltage],
    ["triggerVoltage", FIELDS.balanceTriggerVoltage],
    ["maxCurrent", FIELDS.maxBalanceCurrent],
  ],
  protections: [
    ["cellUvpVoltage", FIELDS.cellUvpVoltage],
    ["cellUvprVoltage", FIELDS.cellUvprVoltage],
    ["cellOvpVoltage", FIELDS.cellOvpVoltage],
    ["cellOvprVoltage", FIELDS.cellOvprVoltage],
    ["cellRcvVoltage", FIELDS.cellRcvVoltage],
    ["powerOffVoltage", FIELDS.powerOffVoltage],
  ],
  temperature: [
    ["chargeOtp", FIELDS.chargeOtp],
    ["chargeOtpr", FIELDS.chargeOtpr],
    ["chargeUtp", FIELDS.chargeUtp],
    ["chargeUtpr", FIELDS.chargeUtpr],
    ["dischargeOtp", FIELDS.dischargeOtp],
    ["dischargeOtpr", FIELDS.dischargeOtpr],
    ["mosOtp", FIELDS.mosOtp],
    ["mosOtpr", FIELDS.mosOtpr],
  ],
};

/** From firmware 19 on; both 0: not in use (docs/jk-modbus.md, "Settings"). */
const DISCHARGE_UTP_ROWS: readonly Row[] = [
  ["dischargeUtp", FIELDS.dischargeUtp],
  ["dischargeUtpr", FIELDS.dischargeUtpr],
];

/** All others of the settings, and those behind the passwords of the device information, which are set in the vendor's app. */
const othersOf = (block: BlockType): readonly Row[] =>
  setupRows().filter(
    ([, field]) =>
      blockOf(field) === block &&
      ![...Object.values(SETTINGS_ROWS), DISCHARGE_UTP_ROWS].flat().some(([, other]) => other === field),
  );

const SWITCH_ROWS: readonly Row[] = [
  ["switchWord", FIELDS.switchWord],
  ["chargeEnabled", FIELDS.chargeEnabled, true],
  ["dischargeEnabled", FIELDS.dischargeEnabled, true],
];

const TELEMETRY_ROWS: readonly Row[] = [
  ["soc", FIELDS.soc],
  ["remainingCapacityAh", FIELDS.remainingCapacity],
  ["fullChargeCapacityAh", FIELDS.fullCapacity],
  ["cycles", FIELDS.cycles],
  ["cycleCapacityAh", FIELDS.cycleCapacity],
  ["stateOfHealth", FIELDS.stateOfHealth],
  ["runtimeSeconds", FIELDS.runtime],
  ["averageCellVoltage", FIELDS.averageCellVoltage],
  ["detailLogsCount", FIELDS.detailLogsCount],
  ["timeEnterSleepSeconds", FIELDS.timeEnterSleep],
  ["emergencyTimeSeconds", FIELDS.emergencyTime],
  ["alarmCode", FIELDS.alarmCode],
];

const PACK_ROWS: readonly Row[] = [
  ["voltage", FIELDS.packVoltage],
  ["current", FIELDS.packCurrent],
  ["powerMagnitude", FIELDS.packPower],
];

const TEMPERATURE_ROWS: readonly Row[] = [
  ["mosfet", FIELDS.mosfetTemperature],
  ["battery1", FIELDS.battery1Temperature],
  ["battery2", FIELDS.battery2Temperature],
];

/** What the BMS is doing, as opposed to what its switches are set to. */
const OUTPUT_ROWS: readonly Row[] = [
  ["charging", FIELDS.chargeMos, true],
  ["discharging", FIELDS.dischargeMos, true],
  ["balancing", FIELDS.balanceState, true],
  ["balanceCurrent", FIELDS.balanceCurrent],
  ["heating", FIELDS.heating, true],
  ["heatingCurrent", FIELDS.heatingCurrent],
];

const DEVICE_ROWS: readonly Row[] = [
  ["model", FIELDS.model],
  ["maxCells", FIELDS.maxCells],
  ["hardwareVersion", FIELDS.hardwareVersion],
  ["softwareVersion", FIELDS.softwareVersion],
  ["totalRuntimeSeconds", FIELDS.totalRuntime],
  ["powerOnTimes", FIELDS.powerOnTimes],
  ["name", FIELDS.bluetoothName],
  ["manufactureDate", FIELDS.manufactureDate],
  ["serialNumber", FIELDS.serialNumber],
];

/** -200 °C stands for a probe that is not there (docs/jk-modbus.md, "Telemetry"). */
const ABSENT_PROBE = -2000;

/** Available bytes of a block: offsets [from, to). */
export interface Decodable {
  readonly block: BlockType;
  readonly image: BlockImage;
  readonly from: number;
  readonly to: number;
}

export function toJson(decodable: Decodable): Json {
  const { block, image, from, to } = decodable;
  const has = (field: Field): boolean => offsetOf(field) >= from && offsetOf(field) + lengthOf(field) <= to;
  const value = ([, field, boolean]: Row): unknown => {
    if (!getterOf(field)) return readText(image, field);
    const raw = readRaw(image, field);
    if (raw === ABSENT_PROBE && TEMPERATURE_ROWS.some(([, probe]) => probe === field)) return null;
    return boolean ? raw !== 0 : raw / 10 ** decimalsOf(field);
  };
  const rows = (list: readonly Row[]): Json =>
    Object.fromEntries(list.filter(([, field]) => has(field)).map((row) => [row[0], value(row)]));
  const group = (name: string, members: Json): Json => (Object.keys(members).length ? { [name]: members } : {});

  switch (block) {
    case SETUP: {
      const groups = Object.entries(SETTINGS_ROWS).map(([name, list]) => [name, rows(list)] as const);
      const isUsed = DISCHARGE_UTP_ROWS.some(([, field]) => has(field) && readRaw(image, field));
      if (isUsed)
        groups.push(["temperature", { ...rows(SETTINGS_ROWS["temperature"] ?? []), ...rows(DISCHARGE_UTP_ROWS) }]);
      return {
        type: "settings",
        ...Object.assign({}, ...groups.map(([name, members]) => group(name, members))),
        ...rows(SWITCH_ROWS),
        ...group("others", rows(othersOf(SETUP))),
        ...(has(FIELDS.switchWord) ? { switchesOn: switchesOn(readRaw(image, FIELDS.switchWord)) } : {}),
      } as Json;
    }
    case DEVICE_INFO:
      return { type: "deviceInfo", ...rows(DEVICE_ROWS), ...group("others", rows(othersOf(DEVICE_INFO))) };
    case TELEMETRY:
      return {
        type: "realtime",
        ...(has(FIELDS.cellsPresent) ? { cellCount: cellsPresent(image) } : {}),
        ...rows(TELEMETRY_ROWS),
        ...(has(FIELDS.batteryType)
          ? { batteryType: BATTERY_TYPES[readRaw(image, FIELDS.batteryType)] ?? "unknown" }
          : {}),
        ...group("pack", rows(PACK_ROWS)),
        ...(has(FIELDS.mosfetTemperature) && from === 0 ? cells(image) : {}),
        ...group("temperatures", rows(TEMPERATURE_ROWS)),
        ...rows([["sensorsPresent", FIELDS.temperatureSensors]]),
        ...group("outputs", rows(OUTPUT_ROWS)),
      };
  }
}

const switchesOn = (word: number): string[] => setupSwitches().filter((_, bit) => (word >> bit) & 1);

function cells(image: BlockImage): Json {
  const list: Json[] = [];
  for (let index = 0; index < 32; index++)
    if (cellPresent(image, index))
      list.push({
        number: index + 1,
        voltage: cellVoltage(image, index) / 1000,
        wireResistanceMilliOhm: cellResistance(image, index),
      });
  if (!cellMask(image)) return { cells: list };
  const [lowest, highest] = [lowestCell(image), highestCell(image)];
  return {
    minVoltage: cellVoltage(image, lowest) / 1000,
    minCell: lowest + 1,
    maxVoltage: cellVoltage(image, highest) / 1000,
    maxCell: highest + 1,
    cells: list,
  };
}
