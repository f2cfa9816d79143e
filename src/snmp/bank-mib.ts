/**
 * Of several packs: the bank, and tables of all packs by their addresses. Rows are read as they are asked for, so a pack takes no memory here.
 * With one pack there is none of it.
 */
import { arcs } from "snmp-agent/oid";
import type { Subtree, Value } from "snmp-agent/types";
import { concernsText } from "../conditions/table";
import type { Pack } from "../catalogue/pack";
import type { BusPack } from "../packs/types";
import { ALARM_COLUMNS, nextAlarm, nextCell, readAlarm, readCell, readRow, ROOT } from "./bms-mib";
import type { SnmpContext } from "./context";
import { OBJECT_NUMBERS, rowOf } from "./telemetry-syntax";

/** Above the numbers of cells and alarms. */
const SPLIT = 64;
/** Column of bmsPacksTable less object of bmsTelemetry. */
export const FIRST_TELEMETRY = 10;

/** Columns of bmsPacksTable; the address is column 1, not accessible. */
export const PACK_NAME = 2;
const PACK_SWAPPED = 3;
const PACK_AGE = 4;
export const PACK_CONCERNS = 5;

/** The row of a pack in bmsPacksTable, and of its alarm `line` in bmsPacksAlarmTable. */
export const packRow = ({ identity: { address } }: BusPack): number => address + 1;
export const alarmRow = (pack: BusPack, line: number): number => packRow(pack) * SPLIT + line;

/** Of several packs that with the lowest address from `from` on. */
function packFrom({ device, state }: SnmpContext, from: number): BusPack | undefined {
  let found: BusPack | undefined;
  if (state.bank)
    for (const pack of device.monitor.packs) {
      const { address } = pack.identity;
      if (address >= from && (!found || address < found.identity.address)) found = pack;
    }
  return found;
}

function packAt(context: SnmpContext, address: number): BusPack | undefined {
  const pack = packFrom(context, address);
  return pack?.identity.address === address ? pack : undefined;
}

/** bmsBank: its values are those of bankOf, of which the third is the state of charge. */
const COMPLETE = 3;
/** The first that has a unit; the extremes' packs and cells, and the counts, have none. */
const isPlain = (object: number): boolean => object < COMPLETE || [11, 12, 14, 15, 17, 19].includes(object);

export const BMS_BANK: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 8),
    objects: arcs(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
    read(value, { state: { bank } }, object) {
      if (!bank) return;
      const { values } = bank;
      if (object === COMPLETE) return value.truth(values[0] === values[1]);
      const known = values[object - (object < COMPLETE ? 1 : 2)] as number;
      if (known !== known) return;
      if (isPlain(object)) value.gauge(known);
      else value.integer(known);
    },
  },
  true,
);

export const PACKS_TABLE: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 9, 1),
    objects: arcs(
      ...[PACK_NAME, PACK_SWAPPED, PACK_AGE, PACK_CONCERNS],
      ...OBJECT_NUMBERS.map((object) => object + FIRST_TELEMETRY),
    ),
    split: 1,
    nextRow(context, row) {
      const pack = packFrom(context, row);
      return pack ? packRow(pack) : 0;
    },
    read(value, context, object, row) {
      const pack = packAt(context, row - 1);
      if (!pack) return;
      const { telemetryAge } = pack;
      if (object === PACK_NAME) return value.text(pack.identity.name);
      if (object === PACK_SWAPPED) return value.truth(pack.isSwapped);
      if (object === PACK_CONCERNS) return value.text(concernsText(pack.concerns));
      if (object === PACK_AGE) return telemetryAge === undefined ? undefined : value.gauge(telemetryAge);
      const telemetry = rowOf(object - FIRST_TELEMETRY);
      if (telemetry) readRow(value, pack, telemetry);
    },
  },
  true,
);

/** The row after `row` of a table with several lines a pack, of which `next` is the next; 0: there is none. */
function nextLine(context: SnmpContext, row: number, next: (pack: Pack, line: number) => number): number {
  const address = Math.floor(row / SPLIT) - 1;
  let pack = packFrom(context, address);
  let line = pack?.identity.address === address ? row % SPLIT : 0;
  while (pack) {
    line = next(pack, line);
    if (line) return alarmRow(pack, line);
    pack = packFrom(context, packRow(pack));
  }
  return 0;
}

function readLine(
  context: SnmpContext,
  value: Value,
  object: number,
  row: number,
  read: (value: Value, pack: Pack, object: number, line: number) => void,
): void {
  const pack = packAt(context, Math.floor(row / SPLIT) - 1);
  if (pack) read(value, pack, object, row % SPLIT);
}

export const PACKS_CELL_TABLE: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 10, 1),
    objects: arcs(2, 3),
    split: SPLIT,
    nextRow: (context, row) => nextLine(context, row, nextCell),
    read: (value, context, object, row) => readLine(context, value, object, row, readCell),
  },
  true,
);

export const PACKS_ALARM_TABLE: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 11, 1),
    objects: ALARM_COLUMNS,
    split: SPLIT,
    nextRow: (context, row) => nextLine(context, row, nextAlarm),
    read: (value, context, object, row) => readLine(context, value, object, row, readAlarm),
  },
  true,
);
