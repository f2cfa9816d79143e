/** The values of the BMS. Only current ones: while the BMS is offline there are no samples. */
import { cellMask, MAX_CELLS, VOLTAGES, WIRE_RESISTANCES } from "jk-bms/cells";
import { blockOf, getterOf, offsetOf, type Getter } from "jk-bms/fields";
import { TELEMETRY, type BlockImage, type BlockType } from "jk-bms/types";
import { alarmBits, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import { CHARGE_STAGES, unknownAlarms } from "../catalogue/computed";
import { CONCERNS, isWell } from "../conditions/table";
import type { Pack } from "../catalogue/pack";
import { currentBlock, currentResult, read } from "../catalogue/read";
import { concernsOfAny } from "../packs/bank";
import type { BusPack } from "../packs/types";
import type { Value as RowValue } from "../catalogue/row";
import { OUTPUT_TABLE, TELEMETRY_TABLE, telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import { isOne, type Description, type Group, type Parts, type Value, type Values } from "./family";

const MILLI = 3;
/** 1 Ah is 3,600 C: from thousandths of an ampere-hour to tenths of a coulomb the factor is 36. */
export const COULOMBS = 36;
const COULOMB_DECIMALS = -2;
const PERCENT_DECIMALS = 2;
/** Of a number. */
const BITS = 32;

const ROWS: readonly TelemetryRow[] = Object.freeze(
  [...TELEMETRY_TABLE, ...OUTPUT_TABLE].filter(({ metric }) => metric),
  true,
);

function descriptionOf({ metric, title, quantity: { decimals, unit } }: TelemetryRow): Description {
  const shift = unit === "%" ? PERCENT_DECIMALS : unit === "Ah" ? COULOMB_DECIMALS : 0;
  return { name: `bms_${metric}`, help: title, decimals: decimals + shift };
}

/** Of ROWS, in the metrics' units. One loop without look-ups, as in `writeRows` of the catalogue. */
export function rowValues(pack: Pack): readonly Values[] {
  const rows = ROWS;
  const count = rows.length;
  // At once: an array that grows is copied, and needs the memory of both.
  const values = new Array<Value>(count);
  let index = 0;
  // Outside the loop: XS recreates block-scoped variables on every iteration.
  let row: TelemetryRow;
  let source: TelemetryRow["source"];
  let unit = "";
  let value: RowValue | undefined;
  // Most rows read the same block as the previous one.
  let block = 0;
  let where: BlockType;
  let image: BlockImage | undefined;
  while (index < count) {
    row = rows[index] as TelemetryRow;
    ({ source } = row);
    if (typeof source === "function") value = currentResult(source, pack);
    else {
      where = blockOf(source);
      if (where !== block) {
        block = where;
        image = currentBlock(pack, where);
      }
      value = image?.view[getterOf(source) as Getter](offsetOf(source), image.littleEndian);
    }
    if (value !== undefined) {
      ({ unit } = row.quantity);
      if (row.quantity.kind === "boolean") value = value ? 1 : 0;
      else if (unit === "Ah") value = (value as number) * COULOMBS;
    }
    values[index] = value as Value;
    index++;
  }
  return values;
}

/** One 16-bit value per cell, from byte `first` of the telemetry; undefined for absent cells. */
function cellWords({ view, littleEndian }: BlockImage, present: number, first: number): readonly Value[] {
  const words = new Array<Value>(BITS - Math.clz32(present));
  let cell = 0;
  while (present) {
    words[cell] = present & 1 ? view.getUint16(first + 2 * cell, littleEndian) : undefined;
    cell++;
    present >>>= 1;
  }
  return words;
}

const CHARGE_STAGE = telemetryRow("pack.chargeStage");

/** A bit for each alarm; without the samples of those that are not known. */
function alarmValues(pack: Pack): Values {
  const bits = alarmBits(pack);
  const unknown = bits === undefined ? 0 : unknownAlarms(pack);
  if (!unknown) return bits;
  return ALARMS_TABLE.map((_, row) => (isRaised(unknown, row) ? undefined : Number(isRaised(bits as number, row))));
}

/** The bit of its charge stage. */
function stageBits(pack: Pack): Value {
  const stage = read(CHARGE_STAGE, pack);
  return stage === undefined ? undefined : 1 << CHARGE_STAGES.indexOf(stage as string);
}

/** Of the families of CELLS_AND_ALARMS, in their order. */
function otherValues(pack: BusPack, parts: Parts | undefined): readonly Values[] {
  const telemetry = currentBlock(pack, TELEMETRY);
  // Without a label for a pack it is the verdict on all of them.
  const concerns = parts ? concernsOfAny(parts.monitor.packs) : pack.concerns;
  const present = telemetry ? cellMask(telemetry) : 0;
  return [
    telemetry && cellWords(telemetry, present, VOLTAGES),
    telemetry && cellWords(telemetry, present, WIRE_RESISTANCES),
    alarmValues(pack),
    stageBits(pack),
    isOne(isWell(concerns)),
    concerns as unknown as number,
  ];
}

const CELL_NUMBERS = Object.freeze(
  Array.from({ length: MAX_CELLS }, (_, cell) => `${cell + 1}`),
  true,
);

const CELLS_AND_ALARMS: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_cell_voltage_volts",
      help: "Voltage of a cell",
      decimals: MILLI,
      label: "cell",
      names: CELL_NUMBERS,
    },
    {
      name: "bms_cell_wire_resistance_ohms",
      help: "Resistance of a cell's balance lead",
      decimals: MILLI,
      label: "cell",
      names: CELL_NUMBERS,
    },
    {
      name: "bms_alarm",
      help: "Whether the BMS reports the alarm",
      label: "alarm",
      names: ALARMS_TABLE.map(({ name }) => name),
    },
    {
      name: "bms_charge_stage",
      help: "Whether this is the stage of the charge",
      label: "stage",
      names: CHARGE_STAGES,
    },
    {
      name: "bms_well",
      help: "Whether nothing needs attention; without a pack's label of all packs: 0 while one is offline",
    },
    {
      name: "bms_concern",
      help: "Whether this needs attention; without a pack's label of any pack",
      label: "concern",
      names: CONCERNS,
    },
  ],
  true,
);

export const BMS_GROUPS: readonly Group[] = Object.freeze(
  [
    { descriptions: ROWS.map(descriptionOf), values: rowValues },
    { descriptions: CELLS_AND_ALARMS, values: otherValues },
  ],
  true,
);
