/**
 * UPS-MIB (RFC 1628), as far as a battery is an uninterruptible power supply: no input, bypass, test, control or configuration. While the
 * BMS is offline, the status says so and the measurements do not exist. Nor does the model: NUT's driver looks for the available objects
 * once, at its start, and refuses to start without the model, so it never starts without the measurements. Of several packs it is the bank.
 */
import * as FIELDS from "jk-bms/field-table";
import { decimalsOf, type Field } from "jk-bms/fields";
import { arcs } from "snmp-agent/oid";
import type { Subtree, Value } from "snmp-agent/types";
import { rescale } from "../catalogue/decimal";
import { charge } from "../catalogue/computed";
import type { Pack } from "../catalogue/pack";
import { currentResult, read, readNumber } from "../catalogue/read";
import { telemetryRow } from "../catalogue/telemetry";
import { batteryStatus, batteryTemperature, dischargeCurrent, minutesLeft, onBattery, outputOn } from "./battery";
import type { SnmpContext } from "./context";
import { UPS_WELL_KNOWN_ALARMS } from "./ups-alarms";

const MANUFACTURER = "JIKONG";

/** upsOutputSource */
const OTHER = 1;
const NONE = 2;
const NORMAL = 3;
const BATTERY = 5;

/** Number of output lines. */
const LINES = 1;

const MODEL = telemetryRow("model");
const VERSION = telemetryRow("info.softwareVersion");

/** Writes a field in units of 10 ** -decimals, if known. */
function report(value: Value, pack: Pack, field: Field, decimals: number): void {
  const known = readNumber(field, pack);
  if (known !== undefined) value.integer(rescale(known, decimalsOf(field), decimals));
}

export const UPS_IDENT: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 33, 1, 1),
    objects: arcs(1, 2, 3, 4, 5, 6),
    read(value, { device: { build, settings }, pack, state }, object) {
      switch (object) {
        case 1:
          return value.text(MANUFACTURER);
        case 2:
        case 3: {
          const text = read(object === 2 ? MODEL : VERSION, state.batteryOf(pack));
          return typeof text === "string" ? value.text(text) : undefined;
        }
        case 4:
          return value.text(`${build.softwareName} ${build.version}`);
        case 5:
          return value.text(settings.device.name);
        case 6:
          return value.text("");
      }
    },
  },
  true,
);

export const UPS_BATTERY: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 33, 1, 2),
    objects: arcs(1, 2, 3, 4, 5, 6, 7),
    read(value, context, object) {
      const { device, state } = context;
      const pack = state.batteryOf(context.pack);
      if (object === 1) return value.integer(batteryStatus(pack));
      if (!pack.online) return;
      switch (object) {
        case 2:
          return value.integer(state.secondsOnBattery(device.centiseconds()));
        case 3: {
          const minutes = state.bank?.isComplete === false ? undefined : minutesLeft(pack);
          return minutes === undefined ? undefined : value.integer(minutes);
        }
        case 4:
          return value.integer((currentResult(charge, pack) as number | undefined) ?? 0);
        case 5:
          return report(value, pack, FIELDS.packVoltage, 1);
        case 6:
          return report(value, pack, FIELDS.packCurrent, 1);
        case 7: {
          const temperature = batteryTemperature(pack);
          return temperature === undefined ? undefined : value.integer(rescale(temperature, 1, 0));
        }
      }
    },
  },
  true,
);

function outputSource(pack: Pack): number {
  if (!pack.online) return OTHER;
  if (!outputOn(pack)) return NONE;
  return onBattery(pack) ? BATTERY : NORMAL;
}

export const UPS_OUTPUT: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 33, 1, 4),
    objects: arcs(1, 3),
    read: (value, { pack, state }, object) => value.integer(object === 1 ? outputSource(state.batteryOf(pack)) : LINES),
  },
  true,
);

/** The pack's terminals; the RMS value of a DC voltage is the voltage itself. */
export const UPS_OUTPUT_TABLE: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 33, 1, 4, 4, 1),
    objects: arcs(2, 3, 4),
    nextRow: ({ pack, state }, row) => (row < LINES && outputOn(state.batteryOf(pack)) ? row + 1 : 0),
    read(value, context, object, row) {
      const pack = context.state.batteryOf(context.pack);
      if (row !== LINES || !outputOn(pack)) return;
      const amperes = dischargeCurrent(pack);
      switch (object) {
        case 2:
          return report(value, pack, FIELDS.packVoltage, 0);
        case 3:
          return value.integer(rescale(amperes, decimalsOf(FIELDS.packCurrent), 1));
        case 4:
          return amperes ? report(value, pack, FIELDS.packPower, 0) : value.integer(0);
      }
    },
  },
  true,
);

export const UPS_ALARMS_PRESENT: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 33, 1, 6),
    objects: arcs(1),
    read: (value, { state }) => value.gauge(state.alarmCount),
  },
  true,
);

/** upsAlarmTable: each well-known alarm has a fixed row, its own number, so that a row never changes its meaning. */
export const UPS_ALARM_TABLE: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 33, 1, 6, 2, 1),
    objects: arcs(2, 3),
    nextRow: ({ state }, row) => state.nextAlarm(row),
    read(value, { state }, object, row) {
      if (!state.hasAlarm(row)) return;
      if (object === 2) return value.identifier(UPS_WELL_KNOWN_ALARMS, row);
      value.ticks(state.alarmTime(row));
    },
  },
  true,
);
