/**
 * The project's own MIB, docs/BMS-MONITOR-MIB.txt, in Net-SNMP's arc for private experiments (netSnmpPlaypen, 8072.9999.9999). Instances
 * whose value is unknown do not exist.
 */
import { cellPresent, cellResistance, cellVoltage, MAX_CELLS } from "jk-bms/cells";
import { TELEMETRY } from "jk-bms/types";
import { arcs } from "snmp-agent/oid";
import type { Arcs, Subtree, Value } from "snmp-agent/types";
import { sentenceOf } from "../bms/write-report";
import { alarmBits, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import { unknownAlarms } from "../catalogue/computed";
import { concernsText, DEVICE, deviceCodes } from "../conditions/table";
import type { Pack } from "../catalogue/pack";
import { currentBlock, read } from "../catalogue/read";
import type { TelemetryRow } from "../catalogue/telemetry";
import { JOULES_PER_WATT_HOUR } from "../energy/limits";
import { concernsOfAny } from "../packs/bank";
import type { SnmpContext } from "./context";
import { OBJECT_NUMBERS, rowOf, syntaxOf } from "./telemetry-syntax";

export const ROOT = arcs(1, 3, 6, 1, 4, 1, 8072, 9999, 9999, 485);

/* Notifications: of the first pack (of a further one OF_PACK more), the relay, and a test. */
export const CAME_ONLINE = 1;
export const WENT_OFFLINE = 2;
export const ALARM_RAISED = 3;
export const ALARM_CLEARED = 4;
export const RELAY_CHANGED = 5;
const TEST = 6;
export const OF_PACK = 6;
/** What needs attention has changed: of the first, and of a further one. */
export const CONCERNS_CHANGED = 11;
export const PACK_CONCERNS_CHANGED = 12;
/** And of the monitor itself. */
export const MONITOR_CONCERNS_CHANGED = 13;
/** A setting of a pack has changed, and not by a confirmed write. */
export const SETTING_CHANGED = 14;
/** Of bmsMonitor. */
export const CONCERNS_OBJECT = 2;
export const MONITOR_CONCERNS_OBJECT = 3;
export const CHANGE_OBJECT = 4;

/** snmpTrapOID. */
export const trapOf = (notification: number): Arcs => ROOT + arcs(0, notification);
export const TEST_TRAP = trapOf(TEST);

export function readRow(value: Value, pack: Pack, row: TelemetryRow): void {
  const known = read(row, pack);
  if (known === undefined) return;
  if (typeof known === "boolean") return value.truth(known);
  if (typeof known === "string") return value.text(known);
  const syntax = syntaxOf(row);
  if (syntax === "Counter32") value.counter(known);
  else if (syntax === "Unsigned32") value.gauge(known);
  else value.integer(known);
}

/** bmsTelemetry */
export const BMS_TELEMETRY: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 1),
    objects: arcs(...OBJECT_NUMBERS),
    read(value, { pack }, object) {
      const row = rowOf(object);
      if (row) readRow(value, pack, row);
    },
  },
  true,
);

/** The number of the first cell after cell `row`; 0: there is none. */
export function nextCell(pack: Pack, row: number): number {
  const telemetry = currentBlock(pack, TELEMETRY);
  if (telemetry) for (let cell = row; cell < MAX_CELLS; cell++) if (cellPresent(telemetry, cell)) return cell + 1;
  return 0;
}

export function readCell(value: Value, pack: Pack, object: number, row: number): void {
  const telemetry = currentBlock(pack, TELEMETRY);
  if (!telemetry || row < 1 || row > MAX_CELLS || !cellPresent(telemetry, row - 1)) return;
  value.gauge(object === 2 ? cellVoltage(telemetry, row - 1) : cellResistance(telemetry, row - 1));
}

/** bmsCellTable: the row is the cell number, which is column 1, not accessible (RFC 2578, section 7.7). */
export const BMS_CELL_TABLE: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 2, 1),
    objects: arcs(2, 3),
    nextRow: ({ pack }, row) => nextCell(pack, row),
    read: (value, { pack }, object, row) => readCell(value, pack, object, row),
  },
  true,
);

/** Accessible columns of bmsAlarmTable. */
export const ALARM_NAME = 2;
export const ALARM_TITLE = 3;
const ALARM_FAULT = 4;
const ALARM_ACTIVE = 5;

export const ALARM_COLUMNS = arcs(ALARM_NAME, ALARM_TITLE, ALARM_FAULT, ALARM_ACTIVE);

/** The number of the alarm after alarm `row`; 0: there is none. */
export const nextAlarm = (_pack: Pack, row: number): number => (row < ALARMS_TABLE.length ? row + 1 : 0);

export function readAlarm(value: Value, pack: Pack, object: number, row: number): void {
  const alarm = ALARMS_TABLE[row - 1];
  if (!alarm) return;
  switch (object) {
    case ALARM_NAME:
      return value.text(alarm.name);
    case ALARM_TITLE:
      return value.text(alarm.title);
    case ALARM_FAULT:
      return value.truth(alarm.fault);
    case ALARM_ACTIVE: {
      const bits = alarmBits(pack);
      if (bits === undefined || isRaised(unknownAlarms(pack), row - 1)) return;
      return value.truth(isRaised(bits, row - 1));
    }
  }
}

/** bmsAlarmTable: all alarms the BMS can report. Bit n of the alarm word is row n + 1, which is column 1, not accessible. */
export const BMS_ALARM_TABLE: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 3, 1),
    objects: ALARM_COLUMNS,
    nextRow: ({ pack }, row) => nextAlarm(pack, row),
    read: (value, { pack }, object, row) => readAlarm(value, pack, object, row),
  },
  true,
);

/** bmsWrites: the write queue. */
export const BMS_WRITES: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 4),
    objects: arcs(1, 2, 3, 4),
    read(value, { device: { monitor }, pack }, object) {
      const { writes } = monitor;
      const last = writes.lastOf(pack);
      switch (object) {
        case 1:
          return value.truth(writes.pending);
        case 2:
          return value.text(last ? sentenceOf(last) : "");
        case 3:
          return last && value.truth(last.outcome === "confirmed");
        case 4:
          return value.truth(monitor.listening);
      }
    },
  },
  true,
);

/** Objects of bmsRelay. */
export const RELAY_NAME = 1;
export const RELAY_ON = 2;
const RELAY_MODE = 3;

export const BMS_RELAY: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 5),
    objects: arcs(RELAY_NAME, RELAY_ON, RELAY_MODE),
    read(value, { device: { relay, settings } }, object) {
      if (!settings.relay.fitted) return;
      switch (object) {
        case RELAY_NAME:
          return value.text(relay.name);
        case RELAY_ON:
          return value.truth(relay.value === 1);
        case RELAY_MODE:
          return value.integer(relay.mode);
      }
    },
  },
  true,
);

/** bmsMonitor: the monitor itself. */
export const BMS_MONITOR: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 7),
    objects: arcs(1, CONCERNS_OBJECT, MONITOR_CONCERNS_OBJECT, CHANGE_OBJECT),
    read(value, { device: { conditions, start, monitor }, state }, object) {
      if (object === CHANGE_OBJECT) return value.text(state.change);
      if (object === CONCERNS_OBJECT) return value.text(concernsText(concernsOfAny(monitor.packs)));
      if (object === MONITOR_CONCERNS_OBJECT) return value.text(deviceCodes(conditions.presentOf(DEVICE)).join(" "));
      if (start) value.truth(start.safe);
    },
  },
  true,
);

/** bmsEnergy, watt-hours. */
export const BMS_ENERGY: Subtree<SnmpContext> = Object.freeze(
  {
    oid: ROOT + arcs(1, 6),
    objects: arcs(1, 2),
    read(value, { device: { energy } }, object) {
      const stored = energy?.stored;
      if (stored) value.counter(Math.floor((object === 1 ? stored.charged : stored.discharged) / JOULES_PER_WATT_HOUR));
    },
  },
  true,
);
