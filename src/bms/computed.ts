/** Telemetry values that are not one field of a block, but worked out from several. */
import { cellsPresent, cellVoltage, extremeCells, MAX_CELLS } from "jk-bms/cells";
import { FIELDS, readRaw, type Field } from "jk-bms/fields";
import type { BlockImage } from "jk-bms/types";
import type { Monitor } from "./types";

/** The BMS's numbers for the chemistry (0x130D); texts of the decisions. */
const BATTERY_TYPES = Object.freeze(["LiFePO4", "Li-ion", "LTO"], true);

/** Presence bits at 0x12D0, 1: the probe is there (jk-modbus: 2.2). */
export const MOSFET_PROBE = 0;
export const BATTERY1_PROBE = 1;
export const BATTERY2_PROBE = 2;

/** The chemistry; empty when the BMS gives a number that is not known. */
export function batteryType({ telemetry }: Monitor): string {
  return telemetry.valid ? (BATTERY_TYPES[readRaw(telemetry, FIELDS.batteryType)] ?? "") : "";
}

/** Cells that the BMS sees. */
export const cellCount = ({ telemetry }: Monitor): number => (telemetry.valid ? cellsPresent(telemetry) : 0);

/**
 * Which cells are the lowest and the highest, as `extremeCells` has it. What writes several of the values below finds it once and
 * hands it to each.
 */
export const extremesOf = ({ telemetry }: Monitor): number => (telemetry.valid ? extremeCells(telemetry) : 0);

/** Number of the lowest cell, from 1; 0 without cells. Worked out here: the BMS's own fields lag behind the cells. */
export const minCell = (monitor: Monitor, extremes = extremesOf(monitor)): number => extremes & 0xff;
export const maxCell = (monitor: Monitor, extremes = extremesOf(monitor)): number => extremes >> 8;

/** Millivolts of the cell with this number; 0 for number 0. */
const voltageOf = ({ telemetry }: Monitor, cell: number): number => (cell ? cellVoltage(telemetry, cell - 1) : 0);
export const minVoltage = (monitor: Monitor, extremes?: number): number =>
  voltageOf(monitor, minCell(monitor, extremes));
export const maxVoltage = (monitor: Monitor, extremes?: number): number =>
  voltageOf(monitor, maxCell(monitor, extremes));
export const cellDelta = (monitor: Monitor, extremes = extremesOf(monitor)): number =>
  maxVoltage(monitor, extremes) - minVoltage(monitor, extremes);

/** Milliwatts with the sign of the current: the BMS sends a magnitude. */
export function packPower({ telemetry }: Monitor): number {
  if (!telemetry.valid) return 0;
  const power = readRaw(telemetry, FIELDS.packPower);
  return readRaw(telemetry, FIELDS.packCurrent) < 0 ? -power : power;
}

/**
 * Milliampere-hours: the design capacity once the setup has been read, before that the learned full capacity. Offline
 * the last value stays.
 */
export function capacity({ telemetry, setup }: Monitor): number {
  if (setup.valid) return readRaw(setup, FIELDS.capacity);
  return telemetry.valid ? readRaw(telemetry, FIELDS.fullCapacity) : 0;
}

function temperature({ telemetry }: Monitor, field: Field, probe: number): number {
  if (!telemetry.valid) return 0;
  const present = (readRaw(telemetry, FIELDS.temperatureSensors) >> probe) & 1;
  return present ? readRaw(telemetry, field) : 0;
}

/** Tenths of a degree Celsius; 0 when the BMS reports the probe as absent. */
export const mosfetTemperature = (monitor: Monitor): number =>
  temperature(monitor, FIELDS.mosfetTemperature, MOSFET_PROBE);
export const battery1Temperature = (monitor: Monitor): number =>
  temperature(monitor, FIELDS.battery1Temperature, BATTERY1_PROBE);
export const battery2Temperature = (monitor: Monitor): number =>
  temperature(monitor, FIELDS.battery2Temperature, BATTERY2_PROBE);

/**
 * Cells that the model can take. Older firmware reports 0: then the number before the S in the model name
 * (JK_PB2A16S20P: 16).
 */
export function maxCells({ deviceInfo }: Monitor): number {
  if (!deviceInfo.valid) return 0;
  return readRaw(deviceInfo, FIELDS.maxCells) || cellsInModel(deviceInfo);
}

function cellsInModel({ view }: BlockImage): number {
  const { offset, length } = FIELDS.model;
  const end = offset + length;
  let count = 0;
  let code = 0;
  for (let at = offset; at < end; at++) {
    code = view.getUint8(at);
    if (!code) break;
    if (code >= 0x30 && code <= 0x39) count = count * 10 + (code - 0x30);
    else if (count && code === 0x53 && count <= MAX_CELLS) return count;
    else count = 0;
  }
  return 0;
}
