/** What a pack tells only from some firmware on, by captures of several, and at the versions that brought it. */
import * as FIELDS from "jk-bms/field-table";
import { describe, expect, it } from "vitest";
import { lowestOf, temperatureSpan } from "../../src/catalogue/computed.ts";
import { read } from "../../src/catalogue/read.ts";
import { telemetryRow } from "../../src/catalogue/telemetry.ts";
import { capture } from "../support/bms/captures.ts";
import { TestImage, TestMonitor } from "../support/bms/bms-link.ts";

const FRAME_HEAD = 6;

function imageOf(name: string): TestImage {
  const image = new TestImage(true);
  new Uint8Array(image.view.buffer).set(capture(name).subarray(FRAME_HEAD, FRAME_HEAD + image.view.byteLength));
  image.valid = true;
  return image;
}

/** A pack as captured: without device information where its reporter showed none. */
function packOf(telemetry: string, deviceInfo?: string): TestMonitor {
  const pack = new TestMonitor();
  pack.telemetry = imageOf(telemetry);
  if (deviceInfo) pack.deviceInfo = imageOf(deviceInfo);
  return pack;
}

const told = (pack: TestMonitor, ...names: string[]): unknown[] =>
  names.map((name) => read(telemetryRow(name.includes(".") ? name : `pack.${name}`), pack));

const NEWER = ["chargeStage", "chargeStageSeconds", "dryContact1", "dryContact2"];
const DOING = ["heating", "heatingCurrent", "balancing", "balanceCurrent", "precharging", "chargerPlugged"];
const PROTOCOLS = ["info.uart1Protocol", "info.canProtocol", "info.uart2Protocol"];
const NOTHING = [false, 0, false, 0, false, false];
const UNKNOWN = [undefined, undefined, undefined, undefined];

describe("the pack tells what its reporters saw", () => {
  // Values of SOURCES.md, and of the frames by the offsets of docs/jk-modbus.md.
  it.each([
    ["14.20", "syssi-ble-v11", UNKNOWN, [false, 510, false, 0, false, false], [1, 4, 11]],
    ["14.20", "syssi-ble-v14", UNKNOWN, NOTHING, [1, 4, 1]],
    ["15.10", "mppsolar-jkpb", UNKNOWN, NOTHING, [1, 0, 1]],
    ["15.38", "syssi-ble-v15", ["bulk", 0, false, false], NOTHING, [0, 4, 15]],
    ["15.41", "dbus-sb", ["bulk", 0, false, false], NOTHING, [0, 4, 1]],
    ["15.41", "sergymb-live", ["bulk", 0, false, false], NOTHING, [14, 0, 1]],
    ["19.27", "syssi-ble-v19", ["float", 4_995, false, false], NOTHING, [14, 0, 21]],
  ] as const)("of firmware %s, %s", (version, source, newer, doing, protocols) => {
    const name = (type: number): string =>
      ({
        "mppsolar-jkpb": `${source}_t0${type}_addr1_PB2A16S15P_15.10`,
        "sergymb-live": `${source}_t0${type}_addr1_PB2A16S20P_15.41`,
        "dbus-sb": `${source}_t0${type}_addr3_PB2A16S20P_15.41`,
      })[source as string] ?? `${source}_t0${type}`;
    const pack = packOf(name(2), name(3));
    expect(read(telemetryRow("info.softwareVersion"), pack)).toBe(version);
    expect(told(pack, ...NEWER)).toEqual(newer);
    expect(told(pack, ...DOING)).toEqual(doing);
    expect(told(pack, ...PROTOCOLS)).toEqual(protocols);
  });

  /** As published beside the bytes: SOURCES.md. */
  const SEEN: Readonly<Record<string, Readonly<Record<string, number | string | boolean>>>> = {
    "syssi-ble-v14_t02": {
      "pack.voltage": 49.526,
      "pack.current": 0,
      "cellsSummary.minVoltage": 2.851,
      "cellsSummary.minCell": 11,
      "cellsSummary.maxVoltage": 3.175,
      "cellsSummary.maxCell": 1,
      "cellsSummary.delta": 0.324,
      "temperatures.battery1": 16.8,
      "temperatures.battery2": 17,
      "temperatures.mosfet": 18.2,
      soc: 50,
      stateOfHealth: 100,
      remainingCapacityAh: 1.007,
      cycles: 0,
      runtimeSeconds: 124_641,
      "pack.chargeMosfet": true,
      "pack.dischargeMosfet": true,
      "pack.heating": false,
    },
    "syssi-ble-v15_t02": {
      "pack.voltage": 53.224,
      "pack.current": 31.881,
      "cellsSummary.minVoltage": 3.32,
      "cellsSummary.minCell": 13,
      "cellsSummary.maxVoltage": 3.337,
      "cellsSummary.maxCell": 16,
      "cellsSummary.delta": 0.017,
      "temperatures.battery1": 13.4,
      "temperatures.battery2": 12.8,
      "temperatures.mosfet": 12.9,
      soc: 25,
      stateOfHealth: 100,
      remainingCapacityAh: 49.286,
      capacityAh: 200,
      cycles: 9,
      runtimeSeconds: 24_530_060,
      "pack.chargeMosfet": true,
      "pack.dischargeMosfet": true,
      "pack.heating": false,
    },
    "syssi-ble-v19_t02": {
      "pack.voltage": 54.028,
      "pack.current": -0.727,
      "cellsSummary.minVoltage": 3.374,
      "cellsSummary.minCell": 10,
      "cellsSummary.maxVoltage": 3.381,
      "cellsSummary.maxCell": 1,
      "cellsSummary.delta": 0.007,
      "temperatures.battery1": 11.9,
      "temperatures.battery2": 12.7,
      "temperatures.mosfet": 12.8,
      soc: 100,
      stateOfHealth: 100,
      remainingCapacityAh: 312.898,
      capacityAh: 314,
      cycles: 5,
      runtimeSeconds: 3_609_276,
      detailLogsCount: 62,
      batteryType: "LiFePO4",
      "pack.chargeMosfet": true,
      "pack.dischargeMosfet": true,
      "pack.heating": false,
    },
    "sergymb-live_t02_addr1_PB2A16S20P_15.41": {
      cellCount: 8,
      "pack.voltage": 27.765,
      "pack.current": -0.386,
      soc: 99,
      stateOfHealth: 100,
      cycles: 85,
      capacityAh: 314,
    },
  };

  it.each(Object.entries(SEEN))("of %s", (name, values) => {
    const pack = packOf(name);
    pack.online = true;
    for (const [path, seen] of Object.entries(values)) {
      const row = telemetryRow(path);
      const value = read(row, pack);
      if (typeof seen !== "number") expect([path, value]).toEqual([path, seen]);
      // To the decimals that are shown.
      else
        expect(Math.abs((value as number) / 10 ** row.quantity.decimals - seen), path).toBeLessThanOrEqual(
          0.5 / 10 ** row.quantity.decimals + 1e-9,
        );
    }
  });

  it("of one that does not tell its version the charge stage is unknown, whatever its timer says", () => {
    const pack = packOf("phinix-parallel_t02_addr0_master");
    expect(pack.telemetry.view.getUint16(0x110, true)).toBe(26_531);
    expect(told(pack, ...NEWER)).toEqual(UNKNOWN);
    expect(told(pack, ...PROTOCOLS)).toEqual([undefined, undefined, undefined]);
    expect(told(pack, ...DOING)).toEqual([false, undefined, ...NOTHING.slice(2)]);
  });

  it("of what it was set to, its limits", () => {
    const pack = packOf("dbus-sb_t02_addr3_PB2A16S20P_15.41");
    expect(told(pack, "maxChargeCurrent", "maxDischargeCurrent")).toEqual([undefined, undefined]);
    pack.setup = imageOf("dbus-sb_t01_addr3_PB2A16S20P_15.41");
    const { view } = pack.setup;
    const set = [view.getUint32(0x2c, true), view.getUint32(0x38, true)];
    expect(Math.min(...set)).toBeGreaterThan(0);
    expect(told(pack, "maxChargeCurrent", "maxDischargeCurrent")).toEqual(set);
  });
});

// Of this series from 11 on: two digits in front of the point.
describe("the versions", () => {
  const stage = ["absorption", 77];
  const contacts = [false, true];
  it.each([
    ["11.50", UNKNOWN],
    ["14.99", UNKNOWN],
    ["15.3", UNKNOWN],
    ["15.34", UNKNOWN],
    ["15.35", [...stage, undefined, undefined]],
    ["15.36", [...stage, ...contacts]],
    ["15.41", [...stage, ...contacts]],
    ["19.10", [...stage, ...contacts]],
    ["20.01", [...stage, ...contacts]],
    ["", UNKNOWN],
  ])("%s", (version, expected) => {
    const pack = new TestMonitor();
    pack.telemetry.set(FIELDS.chargeStage, 1).set(FIELDS.chargeStageTime, 77).set(FIELDS.dryContacts, 0x05);
    pack.deviceInfo.set(FIELDS.softwareVersion, version);
    expect(told(pack, ...NEWER)).toEqual(expected);
  });

  it.each([
    ["11.288", undefined, undefined, undefined],
    ["11.55", undefined, undefined, undefined],
    ["13.99", undefined, undefined, undefined],
    ["14.00", -7_720, 0, 15],
    ["19.27", -7_720, 0, 15],
    ["", undefined, undefined, undefined],
  ])("%s: heating current and probes 4 and 5, which firmware before 14 has not", (version, current, fourth, fifth) => {
    const pack = new TestMonitor();
    pack.telemetry
      .set(FIELDS.temperatureSensors, 0xff)
      .set(FIELDS.mosfetTemperature, 210)
      .set(FIELDS.battery1Temperature, 200)
      .set(FIELDS.battery2Temperature, 190)
      .set(FIELDS.battery3Temperature, 210)
      .set(FIELDS.battery4Temperature, 0)
      .set(FIELDS.battery5Temperature, fifth ?? 0)
      .set(FIELDS.heatingCurrent, -7_720);
    if (version) pack.deviceInfo.set(FIELDS.softwareVersion, version);
    expect(told(pack, "heatingCurrent", "temperatures.battery4", "temperatures.battery5")).toEqual([
      current,
      fourth,
      fifth,
    ]);
    // As the bank reads it, too.
    const { setup, telemetry } = pack;
    for (const blocks of [pack, { setup, telemetry, whole: pack }])
      expect(lowestOf(temperatureSpan(blocks)!)).toBe(fourth ?? 190);
  });

  it("a stage that is not documented is unknown, and its time too", () => {
    const pack = new TestMonitor();
    pack.deviceInfo.set(FIELDS.softwareVersion, "15.41");
    for (const [code, name] of ["bulk", "absorption", "float", undefined, undefined].entries()) {
      pack.telemetry.set(FIELDS.chargeStage, code).set(FIELDS.chargeStageTime, 5);
      expect(told(pack, "chargeStage", "chargeStageSeconds")).toEqual([name, name && 5]);
    }
  });
});
