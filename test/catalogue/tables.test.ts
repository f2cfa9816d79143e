import type { JkBms } from "jk-bms/jk-bms";
import { WRITE_NAMES } from "jk-bms/writes";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { BmsLink } from "../../src/bms/link.ts";
import { COMMANDS_TABLE, findCommand } from "../../src/catalogue/commands.ts";
import { findSetting, SETTINGS_TABLE } from "../../src/catalogue/settings.ts";
import { rangeMessage, toRaw } from "../../src/catalogue/validate.ts";
import { COMMANDS } from "../api/documents";

/**
 * POST /api/bms/settings (docs/openapi.yaml), written out: name, alias, kind, range; and the place in GET /api/bms/config.
 */
const DOCUMENTED: readonly [string, string, string, string, string, string, string][] = [
  ["cell_count", "cellcount", "integer", "1", "24", "cells", "battery.cellCount"],
  ["capacity_ah", "capacity", "number", "0.1", "1000", "Ah", "battery.capacityAh"],
  ["bluetooth_name", "blename", "text", "1", "12", "characters", "battery.bluetoothName"],
  ["balance_enabled", "balanceenabled", "boolean", "", "", "", "balance.enabled"],
  ["balance_trigger_voltage", "balancetrigger", "number", "0.001", "0.500", "V", "balance.triggerVoltage"],
  ["balance_start_voltage", "startbalance", "number", "1.000", "5.000", "V", "balance.startVoltage"],
  ["max_balance_current", "maxbalancecurrent", "number", "0.000", "10.000", "A", "balance.maxCurrent"],
  ["cell_uvp_voltage", "celluvp", "number", "0.000", "5.000", "V", "protections.cellUvpVoltage"],
  ["cell_uvpr_voltage", "celluvpr", "number", "0.000", "5.000", "V", "protections.cellUvprVoltage"],
  ["cell_ovp_voltage", "cellovp", "number", "0.000", "5.000", "V", "protections.cellOvpVoltage"],
  ["cell_ovpr_voltage", "cellovpr", "number", "0.000", "5.000", "V", "protections.cellOvprVoltage"],
  ["cell_rcv_voltage", "cellrcv", "number", "0.000", "5.000", "V", "protections.cellRcvVoltage"],
  ["power_off_voltage", "poweroff", "number", "0.000", "5.000", "V", "protections.powerOffVoltage"],
  ["charge_otp", "chargeotp", "number", "-50.0", "120.0", "°C", "temperature.chargeOtp"],
  ["charge_otpr", "chargeotpr", "number", "-50.0", "120.0", "°C", "temperature.chargeOtpr"],
  ["charge_utp", "chargeutp", "number", "-50.0", "120.0", "°C", "temperature.chargeUtp"],
  ["charge_utpr", "chargeutpr", "number", "-50.0", "120.0", "°C", "temperature.chargeUtpr"],
  ["discharge_otp", "dischargeotp", "number", "-50.0", "120.0", "°C", "temperature.dischargeOtp"],
  ["discharge_otpr", "dischargeotpr", "number", "-50.0", "120.0", "°C", "temperature.dischargeOtpr"],
  ["mos_otp", "mosotp", "number", "-50.0", "120.0", "°C", "temperature.mosOtp"],
  ["mos_otpr", "mosotpr", "number", "-50.0", "120.0", "°C", "temperature.mosOtpr"],
];

/**
 * Byte offset of each setting's register in its block (docs/jk-modbus.md, "Settings" and "Device info"), to catch a row that reads its
 * neighbour.
 */
const OFFSETS: Record<string, number> = {
  cell_count: 0x6c,
  capacity_ah: 0x7c,
  bluetooth_name: 0x28,
  balance_enabled: 0x78,
  balance_trigger_voltage: 0x14,
  balance_start_voltage: 0x84,
  max_balance_current: 0x48,
  cell_uvp_voltage: 0x04,
  cell_uvpr_voltage: 0x08,
  cell_ovp_voltage: 0x0c,
  cell_ovpr_voltage: 0x10,
  cell_rcv_voltage: 0x20,
  power_off_voltage: 0x28,
  charge_otp: 0x4c,
  charge_otpr: 0x50,
  charge_utp: 0x5c,
  charge_utpr: 0x60,
  discharge_otp: 0x54,
  discharge_otpr: 0x58,
  mos_otp: 0x64,
  mos_otpr: 0x68,
};

describe("settings table", () => {
  it("has the documented settings, no more", () => {
    expect(SETTINGS_TABLE.map(({ name }) => name)).toEqual(DOCUMENTED.map(([name]) => name));
  });

  it.each(DOCUMENTED)("%s, alias %s", (name, alias, kind, _min, _max, unit, place) => {
    const row = findSetting(name);
    expect(row).toBeDefined();
    expect(findSetting(alias)).toBe(row);
    expect(findSetting(` \t${name.toUpperCase()} `)).toBe(row);
    expect(findSetting(alias.toUpperCase())).toBe(row);
    expect(row).toMatchObject({ name, alias, path: place, quantity: { kind, unit } });
    expect(row?.title).not.toBe("");
    expect(row?.source.offset).toBe(OFFSETS[name]);
  });

  it.each(DOCUMENTED.filter(([, , kind]) => kind === "number" || kind === "integer"))(
    "%s: range at the limits, one under and one over at the register's resolution",
    (name, _alias, _kind, min, max) => {
      const row = findSetting(name);
      if (!row) throw new Error("no row");
      const unit = 10 ** -row.quantity.decimals;
      const places = row.quantity.decimals;
      expect(toRaw(row, min)).toBe(Math.round(Number(min) * 10 ** places));
      expect(toRaw(row, max)).toBe(Math.round(Number(max) * 10 ** places));
      expect(toRaw(row, Number(min))).toBe(toRaw(row, min));
      expect(toRaw(row, Number(max))).toBe(toRaw(row, max));
      expect(toRaw(row, (Number(min) - unit).toFixed(places))).toBeUndefined();
      expect(toRaw(row, (Number(max) + unit).toFixed(places))).toBeUndefined();
      expect(toRaw(row, Number((Number(min) + unit).toFixed(places)))).toBe(row.quantity.min + 1);
      expect(toRaw(row, Number((Number(max) - unit).toFixed(places)))).toBe(row.quantity.max - 1);
      const message = rangeMessage(row);
      for (const part of [name, String(Number(min)), String(Number(max)), row.quantity.unit])
        expect(message).toContain(part);
    },
  );

  it("writes at the resolution it reads with", () => {
    for (const { quantity, source } of SETTINGS_TABLE) {
      expect(quantity.decimals).toBe(source.decimals);
      if (quantity.kind !== "text") expect(quantity.unit).toBe(source.unit);
    }
  });

  it("keeps the rows of one object together, as the configuration is written", () => {
    const objects = SETTINGS_TABLE.map(({ path }) => path.split(".")[0]);
    expect(objects.filter((object, index) => object !== objects[index - 1])).toEqual([
      "battery",
      "balance",
      "protections",
      "temperature",
    ]);
  });

  it("has no name that means two settings, and is frozen", () => {
    const names = SETTINGS_TABLE.flatMap(({ name, alias }) => [name, alias]);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.isFrozen(SETTINGS_TABLE)).toBe(true);
  });
});

describe("commands table", () => {
  it("has the documented commands, no more", () => {
    expect(COMMANDS_TABLE.map(({ name }) => name)).toEqual(COMMANDS);
    expect(Object.isFrozen(COMMANDS_TABLE)).toBe(true);
  });

  it.each(COMMANDS)("%s", (name) => {
    expect(findCommand(name)?.name).toBe(name);
    expect(findCommand(` ${name.toUpperCase()}\t`)?.name).toBe(name);
    expect(findCommand(name.replaceAll("_", ""))?.name).toBe(name.includes("_") ? undefined : name);
  });
});

it("between them the tables write everything that jk-bms lets through, and nothing else", () => {
  const written = [...COMMANDS_TABLE, ...SETTINGS_TABLE].map(({ name }) => name);
  expect(written.toSorted()).toEqual(WRITE_NAMES.toSorted());
});

it("JkBms is a link for the monitor", () => {
  expectTypeOf<JkBms>().toExtend<BmsLink>();
});

it.each(["", " ", "__proto__", "constructor", "toString", "length", "0", "cell count", "cell_count_", "bаlance"])(
  "%j is neither setting nor command",
  (name) => {
    expect(findSetting(name)).toBeUndefined();
    expect(findCommand(name)).toBeUndefined();
  },
);
