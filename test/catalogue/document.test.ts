import * as FIELDS from "jk-bms/field-table";
import { decimalsOf } from "jk-bms/fields";
import type { JsonWriter } from "json/writer";
import { describe, expect, it } from "vitest";
import { writeConfiguration, writeStatus, writeSummary } from "../../src/catalogue/document.ts";
import { maxBalanceCurrent } from "../../src/catalogue/computed.ts";
import { read } from "../../src/catalogue/read.ts";
import { OUTPUT_TABLE, TELEMETRY_TABLE, telemetryRow } from "../../src/catalogue/telemetry.ts";
import type { Pack } from "../../src/catalogue/pack.ts";
import { TestMonitor } from "../support/bms/bms-link.ts";
import { jsonText } from "../support/json-text.ts";
import { EXPECTED } from "../support/bms/walked-pack.ts";
import { unitOf } from "../support/bms/unit-of";

const written = (write: (json: JsonWriter, monitor: Pack) => void, monitor: Pack): string =>
  jsonText((json) => write(json, monitor));

const status = (monitor: Pack): unknown => JSON.parse(written(writeStatus, monitor));

/**
 * The document, which is JSON as `JSON.stringify` writes it and has at least these members: those of rows that were added since are
 * compared in test/system/what-is-known.test.ts.
 */
function expectDocument(text: string, members: string): void {
  const document: unknown = JSON.parse(text);
  expect(text).toBe(JSON.stringify(document));
  expect(document).toMatchObject(JSON.parse(members) as object);
}

/** The values of a real pack (capture dbus-sb_t02), discharging. */
function packed(): TestMonitor {
  const monitor = new TestMonitor();
  monitor.telemetry
    .setCells([3346, 3345, undefined, 3344, 3344, 3346], [83, 80, 0, 74, 77, 75])
    .set(FIELDS.averageCellVoltage, 3345)
    .set(FIELDS.packVoltage, 53527)
    .set(FIELDS.packCurrent, -12345)
    .set(FIELDS.packPower, 660795)
    .set(FIELDS.mosfetTemperature, 221)
    .set(FIELDS.battery1Temperature, -5)
    .set(FIELDS.battery2Temperature, 205)
    .set(FIELDS.temperatureSensors, 0xff)
    .set(FIELDS.alarmCode, 0x80000001)
    .set(FIELDS.soc, 87)
    .set(FIELDS.remainingCapacity, 243600)
    .set(FIELDS.fullCapacity, 251000)
    .set(FIELDS.cycles, 12)
    .set(FIELDS.cycleCapacity, 3251)
    .set(FIELDS.stateOfHealth, 99)
    .set(FIELDS.runtime, 2728790)
    .set(FIELDS.detailLogsCount, 127)
    .set(FIELDS.timeEnterSleep, 86400)
    .set(FIELDS.emergencyTime, 7)
    .set(FIELDS.batteryType, 0);
  monitor.setup
    .set(FIELDS.cellCount, 16)
    .set(FIELDS.capacity, 280000)
    .set(FIELDS.balanceEnabled, 1)
    .set(FIELDS.balanceStartVoltage, 3450)
    .set(FIELDS.balanceTriggerVoltage, 5)
    .set(FIELDS.maxBalanceCurrent, 2000)
    .set(FIELDS.cellUvpVoltage, 2600)
    .set(FIELDS.cellUvprVoltage, 2650)
    .set(FIELDS.cellOvpVoltage, 3650)
    .set(FIELDS.cellOvprVoltage, 3448)
    .set(FIELDS.cellRcvVoltage, 3451)
    .set(FIELDS.powerOffVoltage, 2500)
    .set(FIELDS.chargeOtp, 700)
    .set(FIELDS.chargeOtpr, 605)
    .set(FIELDS.chargeUtp, -200)
    .set(FIELDS.chargeUtpr, -105)
    .set(FIELDS.dischargeOtp, 710)
    .set(FIELDS.dischargeOtpr, 610)
    .set(FIELDS.mosOtp, 1000)
    .set(FIELDS.mosOtpr, 800);
  monitor.deviceInfo
    .set(FIELDS.model, "JK_PB2A16S20P")
    .set(FIELDS.maxCells, 0)
    .set(FIELDS.hardwareVersion, "15A")
    .set(FIELDS.softwareVersion, "15.41")
    .set(FIELDS.totalRuntime, 45895200)
    .set(FIELDS.powerOnTimes, 31)
    .set(FIELDS.bluetoothName, 'BB"02')
    .set(FIELDS.manufactureDate, "230115")
    .set(FIELDS.serialNumber, "4060123456");
  return monitor;
}

describe("status", () => {
  it("matches the expected text exactly", () => {
    expectDocument(
      written(writeStatus, packed()),
      '{"online":true,"name":"BB\\"02","model":"JK_PB2A16S20P","batteryType":"LiFePO4","cellCount":5,"soc":87,' +
        '"capacityAh":280,"remainingCapacityAh":243.6,"cycles":12,"cycleCapacityAh":3.251,"stateOfHealth":99,' +
        '"runtimeSeconds":2728790,"averageCellVoltage":3.345,"detailLogsCount":127,"timeEnterSleepSeconds":86400,' +
        '"emergencyTimeSeconds":7,"alarmCode":2147483649,' +
        '"info":{"maxCells":16,"hardwareVersion":"15A","softwareVersion":"15.41","serialNumber":"4060123456",' +
        '"manufactureDate":"230115","totalRuntimeSeconds":45895200,"powerOnTimes":31},' +
        '"pack":{"voltage":53.527,"current":-12.345,"power":-660.8},' +
        '"cellsSummary":{"minVoltage":3.344,"minCell":4,"maxVoltage":3.346,"maxCell":1,"delta":0.002},' +
        '"temperatures":{"mosfet":22.1,"battery1":-0.5,"battery2":20.5},' +
        '"cells":[{"number":1,"voltage":3.346,"wireResistanceMilliOhm":83},' +
        '{"number":2,"voltage":3.345,"wireResistanceMilliOhm":80},' +
        '{"number":4,"voltage":3.344,"wireResistanceMilliOhm":74},' +
        '{"number":5,"voltage":3.344,"wireResistanceMilliOhm":77},' +
        '{"number":6,"voltage":3.346,"wireResistanceMilliOhm":75}]}',
    );
  });

  it("is the same from a little-endian frame", () => {
    const fromFrame = packed();
    const big = fromFrame.telemetry;
    const swapped = new DataView(big.view.buffer.slice(0));
    const swap16 = (offset: number): void => swapped.setUint16(offset, big.view.getUint16(offset), true);
    const swap32 = (offset: number): void => swapped.setUint32(offset, big.view.getUint32(offset), true);
    for (let offset = 0; offset < 0x40; offset += 2) swap16(offset);
    for (let offset = 0x4a; offset < 0x8a; offset += 2) swap16(offset);
    for (const offset of [0x44, 0x8a, 0x9c, 0x9e, 0xd4]) swap16(offset);
    for (const offset of [0x40, 0x90, 0x94, 0x98, 0xa0, 0xa8, 0xac, 0xb0, 0xb4, 0xbc, 0x104, 0x108]) swap32(offset);
    const monitor: Pack = Object.assign(packed(), { telemetry: { view: swapped, littleEndian: true, valid: true } });
    expect(status(monitor)).toEqual(status(packed()));
  });

  it("has zeros, empty texts and no cells before any reply", () => {
    const monitor = new TestMonitor();
    monitor.online = false;
    monitor.configurationLoaded = false;
    expectDocument(
      written(writeStatus, monitor),
      '{"online":false,"name":"","model":"","batteryType":"","cellCount":0,"soc":0,"capacityAh":0,' +
        '"remainingCapacityAh":0,"cycles":0,"cycleCapacityAh":0,"stateOfHealth":0,"runtimeSeconds":0,' +
        '"averageCellVoltage":0,"detailLogsCount":0,"timeEnterSleepSeconds":0,"emergencyTimeSeconds":0,"alarmCode":0,' +
        '"info":{"maxCells":0,"hardwareVersion":"","softwareVersion":"","serialNumber":"","manufactureDate":"",' +
        '"totalRuntimeSeconds":0,"powerOnTimes":0},"pack":{"voltage":0,"current":0,"power":0},' +
        '"cellsSummary":{"minVoltage":0,"minCell":0,"maxVoltage":0,"maxCell":0,"delta":0},' +
        '"temperatures":{"mosfet":0,"battery1":0,"battery2":0},"cells":[]}',
    );
  });

  it("shows nothing of an invalid image", () => {
    const monitor = packed();
    for (const image of [monitor.telemetry, monitor.setup, monitor.deviceInfo]) image.valid = false;
    const blank = new TestMonitor();
    expect(status(monitor)).toEqual(status(blank));
    expect(written(writeConfiguration, monitor)).toBe(written(writeConfiguration, blank));
  });

  it("keeps the last known values while offline", () => {
    const monitor = packed();
    monitor.online = false;
    expect(status(monitor)).toEqual({ ...(status(packed()) as object), online: false });
  });
});

describe("summary", () => {
  it("matches the expected text exactly", () => {
    expectDocument(
      written(writeSummary, packed()),
      '{"online":true,"name":"BB\\"02","model":"JK_PB2A16S20P","batteryType":"LiFePO4","cellCount":5,"soc":87,' +
        '"capacityAh":280,"remainingCapacityAh":243.6,"alarmCode":2147483649,' +
        '"pack":{"voltage":53.527,"current":-12.345,"power":-660.8},"mode":"poll"}',
    );
  });

  it("says whether the monitor asks the BMS itself or listens to another that does", () => {
    expect(JSON.parse(written(writeSummary, Object.assign(packed(), { listening: true })))).toMatchObject({
      mode: "listen",
    });
  });
});

describe("configuration", () => {
  it("matches the expected text exactly", () => {
    expectDocument(
      written(writeConfiguration, packed()),
      '{"loaded":true,"battery":{"cellCount":16,"capacityAh":280,"bluetoothName":"BB\\"02"},' +
        '"balance":{"enabled":true,"triggerVoltage":0.005,"startVoltage":3.45,"maxCurrent":2},' +
        '"protections":{"cellUvpVoltage":2.6,"cellUvprVoltage":2.65,"cellOvpVoltage":3.65,"cellOvprVoltage":3.448,' +
        '"cellRcvVoltage":3.451,"powerOffVoltage":2.5},' +
        '"temperature":{"chargeOtp":70,"chargeOtpr":60.5,"chargeUtp":-20,"chargeUtpr":-10.5,"dischargeOtp":71,' +
        '"dischargeOtpr":61,"mosOtp":100,"mosOtpr":80}}',
    );
  });
});

describe("computed values", () => {
  const value = (monitor: Pack, path: string): unknown => read(telemetryRow(path), monitor);

  it("capacity is the learned one until the settings have been read", () => {
    const monitor = packed();
    monitor.setup.valid = false;
    expect(value(monitor, "capacityAh")).toBe(251000);
  });

  it("an absent probe is unknown, each by its own bit", () => {
    for (const [bits, mosfet, battery1, battery2] of [
      [0b000, undefined, undefined, undefined],
      [0b001, 221, undefined, undefined],
      [0b010, undefined, -5, undefined],
      [0b100, undefined, undefined, 205],
    ] as const) {
      const monitor = packed();
      monitor.telemetry.set(FIELDS.temperatureSensors, bits);
      expect(value(monitor, "temperatures.mosfet")).toBe(mosfet);
      expect(value(monitor, "temperatures.battery1")).toBe(battery1);
      expect(value(monitor, "temperatures.battery2")).toBe(battery2);
    }
  });

  it("power has the sign of the current and 2 decimals, rounded half away from zero", () => {
    for (const [current, power, published] of [
      [-1, 12345, -1235],
      [1, 12345, 1235],
      [0, 12344, 1234],
      [-1, 12344, -1234],
      [-1, 4, 0],
      [-1, 0, 0],
      [1, 4_000_000_000, 400_000_000],
    ] as const) {
      const monitor = packed();
      monitor.telemetry.set(FIELDS.packCurrent, current).set(FIELDS.packPower, power);
      expect(value(monitor, "pack.power")).toBe(published);
    }
  });

  it.each([
    ["JK_PB2A16S20P", 0, 16],
    ["JK_PB2A16S20P", 24, 24],
    ["JK-PB1A8S10P", 0, 8],
    ["JK_B2A20S150P", 0, 20],
    ["JK_B2A99S", 0, undefined],
    ["JK_BMS", 0, undefined],
    ["S16S", 0, 16],
    ["", 0, undefined],
    // The most that is taken, and one over.
    ["JK_PB2A32S20P", 0, 32],
    ["JK_PB2A33S20P", 0, undefined],
    ["JK_PB2A9S20P", 0, 9],
    ["JK_PB2A:S", 0, undefined],
    ["JK_PB2A/S", 0, undefined],
  ])("maxCells of model %s with %i reported is %j", (model, reported, cells) => {
    const monitor = packed();
    monitor.deviceInfo.set(FIELDS.model, model).set(FIELDS.maxCells, reported);
    expect(value(monitor, "info.maxCells")).toBe(cells);
  });

  it("a model name ends with its field, and at a NUL in it", () => {
    const monitor = packed();
    monitor.deviceInfo.set(FIELDS.maxCells, 0).set(FIELDS.model, "JK_PB2A_XXXXX16");
    expect(value(monitor, "info.maxCells")).toBeUndefined();
    monitor.deviceInfo.set(FIELDS.model, "JK_PB2A\0x16S");
    expect(value(monitor, "info.maxCells")).toBeUndefined();
  });

  it.each([
    ["JK_PB2A16S20P", 2000],
    ["JK-PB1A8S10P", 1000],
    ["JK_PB0.6A16S", undefined],
    ["JK_PB", undefined],
  ])("the maximum balance current of model %s is %j mA", (model, milliamperes) => {
    const monitor = packed();
    monitor.deviceInfo.set(FIELDS.model, model);
    expect(maxBalanceCurrent(monitor)).toBe(milliamperes);
    monitor.deviceInfo.valid = false;
    expect(maxBalanceCurrent(monitor)).toBeUndefined();
  });

  it.each([
    [0, "LiFePO4"],
    [1, "Li-ion"],
    [2, "LTO"],
    [3, undefined],
    [255, undefined],
  ])("batteryType %i is %j", (type, text) => {
    const monitor = packed();
    monitor.telemetry.set(FIELDS.batteryType, type);
    expect(value(monitor, "batteryType")).toBe(text);
  });

  it("the cell summary takes the first of equal cells, and covers the 32nd", () => {
    const monitor = packed();
    monitor.telemetry.setCells(Array.from({ length: 32 }, (_, index) => (index === 31 ? 3000 : 3300)));
    expect(value(monitor, "cellCount")).toBe(32);
    expect(value(monitor, "cellsSummary.minCell")).toBe(32);
    expect(value(monitor, "cellsSummary.maxCell")).toBe(1);
    expect(value(monitor, "cellsSummary.delta")).toBe(300);
  });
});

describe("telemetry table", () => {
  it("has exactly the rows of the interface walks", () => {
    expect(TELEMETRY_TABLE.map(({ path }) => path).toSorted()).toEqual(EXPECTED.map(({ path }) => path).toSorted());
  });

  it("publishes no field with more decimals than it has, and keeps its unit", () => {
    for (const { quantity, source } of [...TELEMETRY_TABLE, ...OUTPUT_TABLE]) {
      if (typeof source === "function") continue;
      expect(quantity.decimals).toBe(decimalsOf(source));
      expect(quantity.unit).toBe(unitOf(source));
    }
  });

  it("is frozen, and rejects an unknown path", () => {
    expect(Object.isFrozen(TELEMETRY_TABLE)).toBe(true);
    expect(() => telemetryRow("pack")).toThrow(new RangeError("no telemetry field pack"));
    expect(() => telemetryRow("voltage")).toThrow(RangeError);
  });
});
