/**
 * What the records of the history have, of which recorder, layout, API and page know nothing else (docs/history.md): fields by the names
 * that the API shows, and in its order. Another field takes another version of the ring's `kind` (layout.ts).
 */
import {
  ANY,
  BYTE,
  FOUR_BITS,
  FROM_1,
  LEAST,
  LONG,
  MOST,
  ONE_BIT,
  ONE_DECIMAL,
  PLUS_100,
  PLUS_128,
  recordOf,
  type RecordTable,
  ROW,
  SIGNED,
  SIX_BITS,
  STEP_2,
  STEP_10,
  STEP_100,
  THREE_BYTES,
  THREE_DECIMALS,
  TWO_DECIMALS,
  WORD,
} from "flash-log/field";

/** Readings in mV, mA, mAh and mΩ; W, Wh, %, °C and all others in whole units. */
const PACK_VOLTAGE = WORD | TWO_DECIMALS | STEP_10;
const CELL_VOLTAGE = WORD | THREE_DECIMALS;
const SPREAD = BYTE | THREE_DECIMALS | STEP_2;
const POWER = WORD | SIGNED | STEP_10;
const CURRENT = WORD | SIGNED | ONE_DECIMAL | STEP_100;
const CAPACITY = WORD | ONE_DECIMAL | STEP_100;
const TEMPERATURE = BYTE | PLUS_100;
const DISTANCES = BYTE | PLUS_128 | THREE_DECIMALS | ROW;
/** An address: 15 is unknown. */
const ADDRESS = FOUR_BITS;

/** Ten minutes of the bank. */
export const FINE_RECORD = recordOf(
  "fine",
  {
    /** At the end, like the voltage. */
    soc: BYTE,
    voltage: PACK_VOLTAGE,
    /** Mean. */
    power: POWER,
    minPower: POWER | LEAST,
    maxPower: POWER | MOST,
    minCellVoltage: CELL_VOLTAGE | LEAST,
    /** From 1. */
    minCell: BYTE,
    delta: SPREAD | MOST,
    minTemperature: TEMPERATURE | LEAST,
    maxTemperature: TEMPERATURE | MOST,
    /** With replies, 0 to 10. */
    minutes: FOUR_BITS,
    alarm: ONE_BIT | ANY,
    /** A pack of the bank was missing. */
    packMissing: ONE_BIT | ANY,
    /** The relay was on. */
    relay: ONE_BIT | ANY,
  },
  ["minCell"],
);

/** An hour of a pack. */
export const HOUR_RECORD = recordOf("hours", {
  pack: BYTE,
  /** At the end, like the voltage. */
  soc: BYTE,
  voltage: PACK_VOLTAGE,
  /** Mean. */
  current: CURRENT,
  delta: CELL_VOLTAGE | MOST,
  maxTemperature: TEMPERATURE | MOST,
  /** With replies, 0 to 60. */
  minutes: SIX_BITS,
  alarm: ONE_BIT | ANY,
});

/** A day of the bank. */
export const DAY_RECORD = recordOf(
  "days",
  {
    charged: THREE_BYTES,
    discharged: THREE_BYTES,
    minSoc: BYTE | LEAST,
    maxSoc: BYTE | MOST,
    minCellVoltage: CELL_VOLTAGE | LEAST,
    minCell: BYTE,
    minCellPack: ADDRESS,
    maxCellVoltage: CELL_VOLTAGE | MOST,
    maxCell: BYTE,
    maxCellPack: ADDRESS,
    deltaAtRest: SPREAD | MOST,
    deltaUnderLoad: SPREAD | MOST,
    minTemperature: TEMPERATURE | LEAST,
    maxTemperature: TEMPERATURE | MOST,
    /** Seen in it: bit n is row n of ALARMS_TABLE. */
    alarms: LONG | ANY,
    cycles: WORD | MOST,
    /** With replies, 0 to 144; on a day of 25 hours 150. */
    tenMinutes: BYTE,
  },
  ["maxCellPack", "minCellPack"],
);

/** Cells of a pack, ROW_LENGTH in a record. */
const CELLS_RECORD = recordOf("cells", {
  pack: BYTE,
  /** Number of the first cell of the record, 1 or 17. */
  firstCell: BYTE | FROM_1,
  /** Mean of all cells of the pack at rest, and full. */
  meanAtRest: CELL_VOLTAGE,
  meanFull: CELL_VOLTAGE,
  /** Distance of each from these. */
  atRest: DISTANCES,
  full: DISTANCES,
  /** Resistance of each balance wire. */
  wires: BYTE | THREE_DECIMALS | ROW,
  cycles: WORD,
  /** That the BMS has learned. */
  capacityAh: CAPACITY,
});

export const FINE_FIELDS = FINE_RECORD.fields;
export const HOUR_FIELDS = HOUR_RECORD.fields;
export const DAY_FIELDS = DAY_RECORD.fields;
export const CELLS_FIELDS = CELLS_RECORD.fields;

/** In the order of the rings. */
export const RECORDS: readonly RecordTable[] = Object.freeze(
  [FINE_RECORD, HOUR_RECORD, DAY_RECORD, CELLS_RECORD],
  true,
);
