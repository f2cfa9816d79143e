// Made by web/build.mjs from src/history/records.ts: not to be edited.
import type { Field } from "../../modules/flash-log/field";

/** A kind of record, whose fields have these values. */
export interface Table<Values> {
  /** Bytes of a record. */
  readonly bytes: number;
  readonly fields: { readonly [Name in keyof Values]: Field };
}

/** In the units of GET /api/history; undefined: unknown. */
export interface FineValues {
  readonly soc: number | undefined;
  readonly voltage: number | undefined;
  readonly power: number | undefined;
  readonly minPower: number | undefined;
  readonly maxPower: number | undefined;
  readonly minCellVoltage: number | undefined;
  readonly minCell: number | undefined;
  readonly delta: number | undefined;
  readonly minTemperature: number | undefined;
  readonly maxTemperature: number | undefined;
  readonly minutes: number | undefined;
  readonly alarm: boolean | undefined;
  readonly packMissing: boolean | undefined;
  readonly relay: boolean | undefined;
}
export const FINE: Table<FineValues> = {
  bytes: 22,
  fields: {
    soc: 5,
    voltage: 5254,
    power: 1577096,
    minPower: 5771402,
    maxPower: 9965708,
    minCellVoltage: 4195982,
    minCell: 20,
    delta: 8392208,
    minTemperature: 4718609,
    maxTemperature: 8912914,
    minutes: 262163,
    alarm: 12681235,
    packMissing: 12689427,
    relay: 12697619,
  },
};

/** In the units of GET /api/history; undefined: unknown. */
export interface HoursValues {
  readonly pack: number | undefined;
  readonly soc: number | undefined;
  readonly voltage: number | undefined;
  readonly current: number | undefined;
  readonly delta: number | undefined;
  readonly maxTemperature: number | undefined;
  readonly minutes: number | undefined;
  readonly alarm: boolean | undefined;
}
export const HOURS: Table<HoursValues> = {
  bytes: 16,
  fields: {
    pack: 5,
    soc: 6,
    voltage: 5255,
    current: 1579657,
    delta: 8390283,
    maxTemperature: 8912909,
    minutes: 393230,
    alarm: 12697614,
  },
};

/** In the units of GET /api/history; undefined: unknown. */
export interface DaysValues {
  readonly charged: number | undefined;
  readonly discharged: number | undefined;
  readonly minSoc: number | undefined;
  readonly maxSoc: number | undefined;
  readonly minCellVoltage: number | undefined;
  readonly minCell: number | undefined;
  readonly minCellPack: number | undefined;
  readonly maxCellVoltage: number | undefined;
  readonly maxCell: number | undefined;
  readonly maxCellPack: number | undefined;
  readonly deltaAtRest: number | undefined;
  readonly deltaUnderLoad: number | undefined;
  readonly minTemperature: number | undefined;
  readonly maxTemperature: number | undefined;
  readonly alarms: number | undefined;
  readonly cycles: number | undefined;
  readonly tenMinutes: number | undefined;
}
export const DAYS: Table<DaysValues> = {
  bytes: 32,
  fields: {
    charged: 261,
    discharged: 264,
    minSoc: 4194315,
    maxSoc: 8388620,
    minCellVoltage: 4195981,
    minCell: 15,
    minCellPack: 294942,
    maxCellVoltage: 8390288,
    maxCell: 18,
    maxCellPack: 262174,
    deltaAtRest: 8392211,
    deltaUnderLoad: 8392212,
    minTemperature: 4718613,
    maxTemperature: 8912918,
    alarms: 12583319,
    cycles: 8388763,
    tenMinutes: 29,
  },
};

/** In the units of GET /api/history; undefined: unknown. */
export interface CellsValues {
  readonly pack: number | undefined;
  readonly firstCell: number | undefined;
  readonly meanAtRest: number | undefined;
  readonly meanFull: number | undefined;
  readonly atRest: readonly (number | undefined)[];
  readonly full: readonly (number | undefined)[];
  readonly wires: readonly (number | undefined)[];
  readonly cycles: number | undefined;
  readonly capacityAh: number | undefined;
}
export const CELLS: Table<CellsValues> = {
  bytes: 64,
  fields: {
    pack: 5,
    firstCell: 2097158,
    meanAtRest: 1671,
    meanFull: 1673,
    atRest: 17827339,
    full: 17827355,
    wires: 16778795,
    cycles: 187,
    capacityAh: 6845,
  },
};
