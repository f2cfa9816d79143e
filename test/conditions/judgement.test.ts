import * as FIELDS from "jk-bms/field-table";
import type { Field } from "jk-bms/fields";
import { beforeEach, describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { concernsOf, measurementIn } from "../../src/conditions/judgement";
import { has, hasAny, NONE, ofRow, plus, type Conditions } from "../../src/conditions/set";
import { SETTINGS_UNREAD } from "../../src/conditions/rows";
import { bit, CONCERNS, severityOf, unitOf, writeConcerns, type Concern } from "../../src/conditions/table";
import { ABSENT_PROBE, LOW_CHARGE, SPREAD_AT_REST, SPREAD_UNDER_LOAD } from "../../src/catalogue/limits";
import { TestMonitor } from "../support/bms/bms-link";
import { jsonText } from "../support/json-text";

const CELLS = 16;
let pack: TestMonitor;
/** When a row is found by its number; of the others the number says how much there is of it, or there is none. */
const BEYOND: Partial<Record<Concern, (value: number, limit: number) => boolean>> = {
  "cell-high": (value, limit) => value >= limit,
  "cell-low": (value, limit) => value <= limit,
  "temperature-high": (value, limit) => value >= limit,
  "temperature-low": (value, limit) => value <= limit,
  "low-charge": (value, limit) => value <= limit,
  spread: (value, limit) => value > limit,
  emergency: (value) => value > 0,
};

/** The number that is shown is the one that was judged, in every test. */
function found(): Concern[] {
  const bits = concernsOf(pack);
  const codes = CONCERNS.filter((_, index) => has(bits, index));
  for (const code of CONCERNS) {
    const [value, limit = 0] = measurementIn(pack, bit(code)) ?? [];
    const isBeyond = BEYOND[code];
    if (!isBeyond) expect([code, value]).toEqual([code, undefined]);
    else expect(unitOf(CONCERNS.indexOf(code))).not.toBe("");
    // Of telemetry that contradicts itself the charge is not judged.
    if (!isBeyond || !pack.online || hasAny(bits, SETTINGS_UNREAD) || codes.includes("contradiction")) continue;
    expect([code, value !== undefined && isBeyond(value, limit)]).toEqual([code, codes.includes(code)]);
  }
  return codes;
}

const telemetry = (field: Field, value: number): void => void pack.telemetry.set(field, value);
const setting = (field: Field, value: number): void => void pack.setup.set(field, value);
const cells = (lowest: number, highest: number): void =>
  void pack.telemetry.setCells([lowest, ...Array<number>(CELLS - 1).fill(highest)]);

/** A healthy LFP pack of 280 Ah at rest. */
beforeEach(() => {
  pack = new TestMonitor();
  cells(3_300, 3_310);
  for (const [field, value] of [
    [FIELDS.soc, 60],
    [FIELDS.chargeMos, 1],
    [FIELDS.dischargeMos, 1],
    [FIELDS.temperatureSensors, 0b111],
    [FIELDS.battery1Temperature, 200],
    [FIELDS.battery2Temperature, 210],
    [FIELDS.mosfetTemperature, 250],
  ] as const)
    telemetry(field, value);
  for (const [field, value] of [
    [FIELDS.capacity, 280_000],
    [FIELDS.chargeEnabled, 1],
    [FIELDS.dischargeEnabled, 1],
    [FIELDS.cellOvpVoltage, 3_650],
    [FIELDS.cellUvpVoltage, 2_600],
    [FIELDS.chargeOtp, 550],
    [FIELDS.chargeUtp, 0],
    [FIELDS.dischargeOtp, 600],
    [FIELDS.mosOtp, 800],
  ] as const)
    setting(field, value);
  pack.telemetry.valid = pack.setup.valid = true;
});

it("finds nothing about a healthy pack", () => {
  expect(found()).toEqual([]);
});

it("codes are unique", () => {
  expect(new Set(CONCERNS).size).toBe(CONCERNS.length);
});

it("knows only that a pack is offline, whatever it last reported", () => {
  telemetry(FIELDS.soc, 0);
  pack.online = false;
  expect(found()).toEqual(["offline"]);
  pack.online = true;
  pack.telemetry.valid = false;
  expect(found()).toEqual(["offline"]);
});

it("is no verdict before the settings are read", () => {
  telemetry(FIELDS.fullCapacity, 250_000);
  pack.configurationLoaded = false;
  expect(found()).toEqual(["settings-unread"]);
  pack.configurationLoaded = pack.heardOnce = true;
  expect(found()).toEqual(["settings-unread"]);
  pack.heardOnce = false;
  expect(found()).not.toContain("settings-unread");
  pack.setup.valid = false;
  expect(found()).toEqual(["settings-unread"]);
});

it("is an alarm for a fault, not for a status", () => {
  ALARMS_TABLE.forEach(({ fault }, index) => {
    telemetry(FIELDS.soc, 99);
    telemetry(FIELDS.alarmCode, 1 << index);
    expect(found()).toEqual(fault ? ["alarm"] : []);
  });
});

it.each([
  [LOW_CHARGE + 1, []],
  [LOW_CHARGE, ["low-charge"]],
  [0, ["low-charge"]],
])("at %i %%: %j", (soc, expected) => {
  telemetry(FIELDS.soc, soc);
  expect(found()).toEqual(expected);
});

describe("the spread of the cells", () => {
  // 280 Ah / 20 h = 14 A.
  it.each([
    [0, SPREAD_AT_REST, []],
    [0, SPREAD_AT_REST + 1, ["spread"]],
    [14_000, SPREAD_AT_REST + 1, ["spread"]],
    [14_001, SPREAD_AT_REST + 1, []],
    [-14_001, SPREAD_UNDER_LOAD, []],
    [-14_001, SPREAD_UNDER_LOAD + 1, ["spread"]],
    [200_000, 353, ["spread"]],
  ])("at %i mA and %i mV: %j", (current, spread, expected) => {
    telemetry(FIELDS.packCurrent, current);
    cells(3_200, 3_200 + spread);
    expect(found()).toEqual(expected);
  });

  it("knows a load without the capacity too", () => {
    setting(FIELDS.capacity, 0);
    cells(3_300, 3_400);
    telemetry(FIELDS.packCurrent, 5_000);
    expect(found()).toEqual(["spread", "contradiction"]);
    telemetry(FIELDS.packCurrent, 5_001);
    // No pack has a capacity of 0.
    expect(found()).toEqual(["contradiction"]);
  });
});

describe("cells near the pack's own limits", () => {
  it.each([
    [3_576, []],
    [3_577, ["cell-high"]],
    [3_700, ["cell-high"]],
    [2_653, []],
    [2_652, ["cell-low"]],
    [2_000, ["cell-low"]],
  ])("%i mV: %j", (voltage, expected) => {
    cells(voltage, voltage);
    expect(found()).toEqual(expected);
  });

  it("a pack without cells is near nothing", () => {
    pack.telemetry.setCells([]);
    expect(found()).toEqual([]);
  });
});

describe("temperatures near the pack's own limits", () => {
  it.each([
    // Charging, resting, discharging.
    [FIELDS.battery1Temperature, 529, [], [], []],
    [FIELDS.battery1Temperature, 530, ["temperature-high"], ["temperature-high"], []],
    [FIELDS.battery2Temperature, 579, ["temperature-high"], ["temperature-high"], []],
    [FIELDS.battery2Temperature, 580, ["temperature-high"], ["temperature-high"], ["temperature-high"]],
    [FIELDS.mosfetTemperature, 779, [], [], []],
    [FIELDS.mosfetTemperature, 780, ["temperature-high"], ["temperature-high"], ["temperature-high"]],
    [FIELDS.battery1Temperature, 21, [], [], []],
    [FIELDS.battery1Temperature, 20, ["temperature-low"], ["temperature-low"], []],
    [FIELDS.battery2Temperature, 21, [], [], []],
    [FIELDS.battery2Temperature, 20, ["temperature-low"], ["temperature-low"], []],
    [FIELDS.mosfetTemperature, -200, [], [], []],
  ] as const)("%o %i", (field, value, charging, resting, discharging) => {
    telemetry(field, value);
    [1_000, 0, -1_000].forEach((current, index) => {
      telemetry(FIELDS.packCurrent, current);
      expect(found()).toEqual([charging, resting, discharging][index]);
    });
  });

  it.each([
    ["19.00", -20, -10, -180, ["temperature-low"]],
    ["19.00", -20, -10, -179, []],
    ["19.21", 0, 5, 20, ["temperature-low"]],
    ["19.21", 0, 5, 21, []],
    // Not in use, or of a firmware that does not have it.
    ["19.21", 0, 0, -250, []],
    ["18.99", -20, -10, -250, []],
    [undefined, -20, -10, -250, []],
  ] as const)(
    "firmware %s that stops discharging at %i and starts at %i degrees, at %i tenths: %j",
    (firmware, limit, release, value, discharging) => {
      if (firmware) pack.deviceInfo.set(FIELDS.softwareVersion, firmware).valid = true;
      setting(FIELDS.chargeUtp, -400);
      setting(FIELDS.dischargeUtp, limit);
      setting(FIELDS.dischargeUtpr, release);
      telemetry(FIELDS.battery1Temperature, value);
      expect(
        [1_000, 0, -1_000].map((current) => {
          telemetry(FIELDS.packCurrent, current);
          return found();
        }),
      ).toEqual([[], [], discharging]);
    },
  );

  it("the lower of both limits applies at rest, that of discharging not while the pack is charged", () => {
    setting(FIELDS.chargeOtp, 600);
    setting(FIELDS.dischargeOtp, 550);
    telemetry(FIELDS.battery1Temperature, 540);
    const at = (current: number): Concern[] => {
      telemetry(FIELDS.packCurrent, current);
      return found();
    };
    expect([1_000, 0, -1_000].map(at)).toEqual([[], ["temperature-high"], ["temperature-high"]]);
  });

  it("an absent probe is not near anything, and one that is ignored is a concern of its own", () => {
    telemetry(FIELDS.battery1Temperature, 900);
    telemetry(FIELDS.temperatureSensors, 0b101);
    expect(found()).toEqual([]);
    telemetry(FIELDS.temperatureSensors, 0b111);
    for (const probe of [FIELDS.battery1Temperature, FIELDS.battery2Temperature]) {
      telemetry(probe, ABSENT_PROBE);
      expect(found()).toEqual([]);
    }
    setting(FIELDS.switchWord, 2);
    expect(found()).toEqual(["sensors-ignored"]);
  });
});

describe("switches", () => {
  it("off and blocked by a protection are two things", () => {
    telemetry(FIELDS.dischargeMos, 0);
    telemetry(FIELDS.chargeMos, 0);
    expect(found()).toEqual(["discharging-blocked", "charging-blocked"]);
    setting(FIELDS.dischargeEnabled, 0);
    setting(FIELDS.chargeEnabled, 0);
    expect(found()).toEqual(["discharging-off", "charging-off"]);
  });

  it("a full pack may block its charging", () => {
    telemetry(FIELDS.chargeMos, 0);
    telemetry(FIELDS.alarmCode, 1 << 4);
    // At 60 % it is none that is full.
    telemetry(FIELDS.soc, 60);
    expect(found()).toEqual(["alarm", "charging-blocked"]);
    telemetry(FIELDS.soc, 99);
    expect(found()).toEqual([]);
    setting(FIELDS.chargeEnabled, 0);
    expect(found()).toEqual(["charging-off"]);
  });

  it("the emergency mode and worn wires are concerns", () => {
    telemetry(FIELDS.emergencyTime, 60);
    telemetry(FIELDS.wireResistanceAlarms, 1 << 31);
    expect(found()).toEqual(["emergency", "wires"]);
  });

  it("telemetry that contradicts itself is one", () => {
    pack.telemetry.contradicts = true;
    expect(found()).toEqual(["contradiction"]);
  });
});

it("is written as a verdict and the codes: faults first, notices last", () => {
  const written = (bits: Conditions): unknown => JSON.parse(jsonText((json) => writeConcerns(json, bits)));
  expect(written(NONE)).toEqual({ well: true, concerns: [] });
  CONCERNS.forEach((concern, index) =>
    expect(written(ofRow(index))).toEqual({ well: severityOf(concern) === "notice", concerns: [concern] }),
  );
  expect(written(plus(ofRow(0), ofRow(2)))).toEqual({ well: false, concerns: [CONCERNS[0], CONCERNS[2]] });
  expect(written([bit("limits-differ"), bit("cells-differ"), bit("swapped")].reduce(plus))).toEqual({
    well: false,
    concerns: ["swapped", "cells-differ", "limits-differ"],
  });
});
