/** Values computed from several fields. Undefined: unknown. */
import { cellsPresent, extremeCells, MAX_CELLS, VOLTAGES } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { isPowerRight } from "jk-bms/doubt";
import { decimalsOf, lengthOf, offsetOf, readRaw, type Field } from "jk-bms/fields";
import { MAX_CHARGE, UNREPORTED } from "jk-bms/limits";
import type { BlockImage } from "jk-bms/types";
import { writableByName } from "jk-bms/writes";
import { ABSENT_PROBE, FULL_CHARGE, NEAR_FULL } from "./limits";
import type { Blocks, Pack } from "./pack";
import { WATTS } from "./quantities";

type Integer = number | undefined;

/** Battery chemistry by BMS code (0x130D). */
export const BATTERY_TYPES = Object.freeze(["LiFePO4", "Li-ion", "LTO"], true);

/** The usual over-voltage limit of a cell, mV, by BATTERY_TYPES: while a pack's own is not known, a cell above it is too high. */
const LFP_LIMIT = 3_650;
const USUAL_LIMITS: readonly number[] = Object.freeze([LFP_LIMIT, 4_200, 2_700], true);

/** What the pack asks of its charger, by code (0x1312). */
export const CHARGE_STAGES = Object.freeze(["bulk", "absorption", "float"], true);

/** The first firmware with what earlier ones leave at 0 or fill otherwise, as the five characters of its version (docs/jk-modbus.md, "Telemetry"). */
export const FIRMWARE_14 = 0x31342e3030;
export const FIRMWARE_15_35 = 0x31352e3335;
export const FIRMWARE_15_36 = 0x31352e3336;
export const FIRMWARE_19 = 0x31392e3030;

/** Presence bits at 0x12D0, 1: probe present (docs/jk-modbus.md, "Telemetry"). */
const MOSFET_PROBE = 0;
const BATTERY1_PROBE = 1;
const BATTERY2_PROBE = 2;
const BATTERY3_PROBE = 3;
const BATTERY4_PROBE = 4;
const BATTERY5_PROBE = 5;

/** Milliwatts in half a unit of WATTS. */
const HALF = 10 ** (decimalsOf(FIELDS.packPower) - WATTS.decimals) / 2;

const DOT = 0x2e;
const LETTER_A = 0x41;
const LETTER_P = 0x50;
const LETTER_S = 0x53;

/** mA. */
const TEN_AMPERES = 10_000;
/** Of a model whose name does not state its current: that of JK's largest, 600 A. */
const UNKNOWN_TENS = 60;

/** Switch bit that disables the temperature probes. */
export const PROBES_OFF = writableByName("temperature_sensors_disabled").mask;

export const isOnline = ({ online }: Pack): boolean => online;

/** Battery chemistry; undefined if the BMS reports an unknown code. */
export function batteryType({ telemetry }: Pack): string | undefined {
  return telemetry.valid ? BATTERY_TYPES[readRaw(telemetry, FIELDS.batteryType)] : undefined;
}

/** Number of cells detected by the BMS. */
export const cellCount = ({ telemetry }: Pack): Integer => (telemetry.valid ? cellsPresent(telemetry) : undefined);

/** Whether the firmware is `since` or newer; not of a pack that does not report it. */
export function isSince({ deviceInfo: { valid, view } }: Pick<Pack, "deviceInfo">, since: number): boolean {
  const offset = offsetOf(FIELDS.softwareVersion);
  return valid && view.getUint32(offset) * 0x100 + view.getUint8(offset + 4) >= since;
}

/** Undefined of a code that is not documented. */
export const chargeStage = ({ telemetry }: Pack): string | undefined =>
  telemetry.valid ? CHARGE_STAGES[readRaw(telemetry, FIELDS.chargeStage)] : undefined;

/** Seconds. */
export const chargeStageTime = (pack: Pack): Integer =>
  chargeStage(pack) === undefined ? undefined : readRaw(pack.telemetry, FIELDS.chargeStageTime);

const isClosed = ({ telemetry }: Pack, bit: number): boolean | undefined =>
  telemetry.valid ? (readRaw(telemetry, FIELDS.dryContacts) & bit) !== 0 : undefined;

export const dryContact1 = (pack: Pack): boolean | undefined => isClosed(pack, 2);
export const dryContact2 = (pack: Pack): boolean | undefined => isClosed(pack, 4);

function protocol({ deviceInfo }: Pack, field: Field): Integer {
  const number = deviceInfo.valid ? readRaw(deviceInfo, field) : UNREPORTED;
  return number === UNREPORTED ? undefined : number;
}

export const uart1Protocol = (pack: Pack): Integer => protocol(pack, FIELDS.uart1Protocol);
export const canProtocol = (pack: Pack): Integer => protocol(pack, FIELDS.canProtocol);
export const uart2Protocol = (pack: Pack): Integer => protocol(pack, FIELDS.uart2Protocol);

/** The lowest and highest cells, in the form of `extremeCells`; 0 without cells. */
export const extremesOf = ({ telemetry }: Blocks): number =>
  telemetry.valid ? (telemetry.extremes ?? extremeCells(telemetry)) : 0;

/** Number of the lowest cell, from 1. Computed here because the BMS's own fields lag behind the cell voltages. */
export const minCell = (pack: Pack): Integer => extremesOf(pack) & 0xff || undefined;
export const maxCell = (pack: Pack): Integer => extremesOf(pack) >> 8 || undefined;

/** Millivolts. */
export const minVoltage = (pack: Blocks): Integer => voltageOf(pack, extremesOf(pack) & 0xff);
export const maxVoltage = (pack: Blocks): Integer => voltageOf(pack, extremesOf(pack) >> 8);
export function cellDelta(pack: Blocks): Integer {
  const extremes = extremesOf(pack);
  return extremes
    ? (voltageOf(pack, extremes >> 8) as number) - (voltageOf(pack, extremes & 0xff) as number)
    : undefined;
}

const voltageOf = ({ telemetry: { view, littleEndian } }: Blocks, cell: number): Integer =>
  cell ? view.getUint16(VOLTAGES + 2 * cell - 2, littleEndian) : undefined;

/** Of the alarm word: "fully charged" on one firmware, cell over-voltage on others; and, of this firmware, cell over-voltage alone. */
const FULL_OR_HIGH = 1 << 4;
const CELL_HIGH = 1 << 29;

/**
 * The alarm word, in which bit 4 means a full pack: else it is bit 29, or neither while that is not known; unless `asSent`. As last known, of a
 * pack that is offline too.
 */
export function alarmCode(pack: Blocks, asSent = false): Integer {
  const { telemetry } = pack;
  if (!telemetry.valid) return undefined;
  const bits = readRaw(telemetry, FIELDS.alarmCode);
  if (asSent || !(bits & FULL_OR_HIGH)) return bits;
  const full = isFull(pack);
  return full ? bits : ((bits & ~FULL_OR_HIGH) | (full === false ? CELL_HIGH : 0)) >>> 0;
}

/** Bits of the alarm word that are neither raised nor not: all before the first telemetry, and what bit 4 means while the setup is not known. */
export function unknownAlarms(pack: Blocks): number {
  const { telemetry } = pack;
  if (!telemetry.valid) return ~0;
  return readRaw(telemetry, FIELDS.alarmCode) & FULL_OR_HIGH && isFull(pack) === undefined
    ? FULL_OR_HIGH | CELL_HIGH
    : 0;
}

/** Undefined: not known. Without a setup only that it is not, of a cell that is too high for its chemistry. */
function isFull(pack: Blocks): boolean | undefined {
  const { telemetry, setup } = pack;
  const highest = maxVoltage(pack) ?? 0;
  if (!setup.valid)
    return highest > (USUAL_LIMITS[readRaw(telemetry, FIELDS.batteryType)] ?? LFP_LIMIT) ? false : undefined;
  if (highest >= readRaw(setup, FIELDS.cellOvpVoltage)) return false;
  if (readRaw(telemetry, FIELDS.soc) >= FULL_CHARGE) return true;
  // 0 on older firmware.
  const charged = readRaw(setup, FIELDS.cellRcvVoltage);
  return charged > 0 && readRaw(telemetry, FIELDS.averageCellVoltage) >= charged - NEAR_FULL;
}

/** Milliwatts, signed like the current: the BMS reports only the magnitude. */
export function milliwatts({ telemetry }: Blocks): Integer {
  if (!telemetry.valid) return undefined;
  const power = readRaw(telemetry, FIELDS.packPower);
  return readRaw(telemetry, FIELDS.packCurrent) < 0 ? -power : power;
}

/**
 * Milliwatts to be counted as energy; undefined: unknown, or what the BMS says of it contradicts itself, or is more than its board can bear (twice
 * what its model is named after: JK_PB2A16S20P, 200 A).
 */
export function countedPower(pack: Pack): Integer {
  const { telemetry, deviceInfo } = pack;
  const power = milliwatts(pack);
  if (
    power === undefined ||
    (telemetry.contradicts && !(readRaw(telemetry, FIELDS.packVoltage) && isPowerRight(telemetry)))
  )
    return undefined;
  const limits = Math.abs(readRaw(telemetry, FIELDS.packCurrent)) / (2 * TEN_AMPERES);
  // Every board can bear that: its name takes XS longer to read than all else here.
  if (limits <= 1) return power;
  const tensOfAmperes = (deviceInfo.valid && numberInModel(deviceInfo, LETTER_P)) || UNKNOWN_TENS;
  return limits > tensOfAmperes ? undefined : power;
}

/** In units of WATTS, rounded half away from zero. */
export function power(pack: Blocks): Integer {
  const exact = milliwatts(pack);
  if (exact === undefined) return undefined;
  return ((exact < 0 ? exact - HALF : exact + HALF) / (2 * HALF)) | 0;
}

/** Milliampere-hours: the design capacity once the setup has been read, until then the learned full capacity; none has 0. */
export function capacity({ telemetry, setup }: Blocks): Integer {
  if (setup.valid) return readRaw(setup, FIELDS.capacity) || undefined;
  return (telemetry.valid && readRaw(telemetry, FIELDS.fullCapacity)) || undefined;
}

type Measured = Pick<Blocks, "telemetry">;

/** Of a block that is valid, %; what is above 100 is no state of charge, or of health. */
export function percent(telemetry: BlockImage, field: Field): Integer {
  const value = readRaw(telemetry, field);
  return value <= MAX_CHARGE ? value : undefined;
}

export const charge = ({ telemetry }: Measured): Integer =>
  telemetry.valid ? percent(telemetry, FIELDS.soc) : undefined;
export const health = ({ telemetry }: Measured): Integer =>
  telemetry.valid ? percent(telemetry, FIELDS.stateOfHealth) : undefined;

/** Tenths of a degree Celsius; undefined if the probe is absent, whatever its bit says, or the BMS is set to ignore its probes. */
function temperature({ telemetry, setup }: Blocks, field: Field, probe: number): Integer {
  if (!telemetry.valid || !((readRaw(telemetry, FIELDS.temperatureSensors) >> probe) & 1)) return undefined;
  if (setup.valid && readRaw(setup, FIELDS.switchWord) & PROBES_OFF) return undefined;
  const tenths = readRaw(telemetry, field);
  return tenths === ABSENT_PROBE ? undefined : tenths;
}

export const mosfetTemperature = (pack: Blocks): Integer => temperature(pack, FIELDS.mosfetTemperature, MOSFET_PROBE);
export const battery1Temperature = (pack: Pack): Integer =>
  temperature(pack, FIELDS.battery1Temperature, BATTERY1_PROBE);
export const battery2Temperature = (pack: Pack): Integer =>
  temperature(pack, FIELDS.battery2Temperature, BATTERY2_PROBE);

/** Boards without this probe repeat the MOSFETs' temperature in its register, with its bit set. */
export function battery3Temperature(pack: Pack): Integer {
  const tenths = temperature(pack, FIELDS.battery3Temperature, BATTERY3_PROBE);
  return tenths === undefined || tenths === readRaw(pack.telemetry, FIELDS.mosfetTemperature) ? undefined : tenths;
}
export const battery4Temperature = (pack: Pack): Integer =>
  temperature(pack, FIELDS.battery4Temperature, BATTERY4_PROBE);
export const battery5Temperature = (pack: Pack): Integer =>
  temperature(pack, FIELDS.battery5Temperature, BATTERY5_PROBE);

/** Where the temperature of each is, by its bit from BATTERY1_PROBE on. */
const PROBES: readonly number[] = Object.freeze(
  [
    offsetOf(FIELDS.battery1Temperature),
    offsetOf(FIELDS.battery2Temperature),
    offsetOf(FIELDS.battery3Temperature),
    offsetOf(FIELDS.battery4Temperature),
    offsetOf(FIELDS.battery5Temperature),
  ],
  true,
);

const hasAllProbes = ({ deviceInfo, whole }: Blocks & Partial<Pack>): boolean => {
  const info = deviceInfo ?? whole?.deviceInfo;
  return info !== undefined && isSince({ deviceInfo: info }, FIRMWARE_14);
};

/**
 * The lowest and the highest temperature of the battery, of all its probes: `lowestOf` and `highestOf` this, tenths of a degree. One loop without
 * calls of those above, because it runs at each poll.
 */
export function temperatureSpan(blocks: Blocks & Partial<Pack>): Integer {
  const { telemetry, setup } = blocks;
  if (!telemetry.valid || (setup.valid && readRaw(setup, FIELDS.switchWord) & PROBES_OFF)) return undefined;
  const { view, littleEndian } = telemetry;
  const present = readRaw(telemetry, FIELDS.temperatureSensors) >> BATTERY1_PROBE;
  const mosfet = readRaw(telemetry, FIELDS.mosfetTemperature);
  let lowest = Infinity;
  let highest = -Infinity;
  let tenths = 0;
  for (let probe = 0; present >> probe && probe < PROBES.length; probe++) {
    if (!((present >> probe) & 1)) continue;
    tenths = view.getInt16(PROBES[probe] as number, littleEndian);
    if (tenths === ABSENT_PROBE || (probe === BATTERY3_PROBE - BATTERY1_PROBE && tenths === mosfet)) continue;
    // Of a firmware without them they are 0, with their bits set.
    if (!tenths && probe > BATTERY3_PROBE - BATTERY1_PROBE && !hasAllProbes(blocks)) continue;
    if (tenths < lowest) lowest = tenths;
    if (tenths > highest) highest = tenths;
  }
  return lowest === Infinity ? undefined : (highest << 16) | (lowest & 0xffff);
}

export const highestOf = (span: number): number => span >> 16;
export const lowestOf = (span: number): number => (span << 16) >> 16;

/**
 * Maximum number of cells of the model. Older firmware reports 0: then the number before the S in the model name
 * (JK_PB2A16S20P: 16), or undefined if it has none.
 */
export function maxCells({ deviceInfo }: Pack): Integer {
  if (!deviceInfo.valid) return undefined;
  return readRaw(deviceInfo, FIELDS.maxCells) || numberInModel(deviceInfo, LETTER_S) || undefined;
}

/**
 * The model's maximum balance current in milliamperes, from the number before the A in its name (JK_PB2A16S20P: 2 A).
 */
export const maxBalanceCurrent = ({ deviceInfo }: Pack): Integer =>
  (deviceInfo.valid && 1000 * numberInModel(deviceInfo, LETTER_A)) || undefined;

/** The whole number, at most MAX_CELLS, before `letter` in the model name; 0 if none. */
function numberInModel({ view }: BlockImage, letter: number): number {
  const end = offsetOf(FIELDS.model) + lengthOf(FIELDS.model);
  let count = 0;
  let code = 0;
  let at = offsetOf(FIELDS.model);
  // Not a `for` with its own variables: XS recreates them in each iteration.
  while (at < end) {
    code = view.getUint8(at);
    at++;
    if (!code) break;
    // Ignore the fraction.
    if (code === DOT) count = NaN;
    else if (code >= 0x30 && code <= 0x39) count = count * 10 + (code - 0x30);
    else if (count && code === letter && count <= MAX_CELLS) return count;
    else count = 0;
  }
  return 0;
}
