/** The one rule behind every interface: what is known of a pack, and what is not. */
import * as FIELDS from "jk-bms/field-table";
import { describe, expect, it } from "vitest";
import { alarmBits, alarmsAfter, ALARMS_TABLE, faultBits, isRaised } from "../../src/catalogue/alarms.ts";
import { COMMANDS_TABLE, findCommand, readLastSwitch, readSwitch } from "../../src/catalogue/commands.ts";
import { concernsOf } from "../../src/conditions/judgement.ts";
import { concernsText } from "../../src/conditions/table.ts";
import * as computed from "../../src/catalogue/computed.ts";
import { ABSENT_PROBE } from "../../src/catalogue/limits.ts";
import { read, readLast, readNumber } from "../../src/catalogue/read.ts";
import { findParameter, type ParameterRow } from "../../src/catalogue/parameters.ts";
import { TELEMETRY_TABLE, telemetryRow } from "../../src/catalogue/telemetry.ts";
import { TestImage, TestMonitor } from "../support/bms/bms-link.ts";

/** All blocks read, every probe there, two cells, and something in each field that is asked for here. */
function known(): TestMonitor {
  const pack = new TestMonitor();
  pack.telemetry
    .setCells([3300, undefined, 3310])
    .set(FIELDS.soc, 87)
    .set(FIELDS.packPower, 5000)
    .set(FIELDS.fullCapacity, 251_000)
    .set(FIELDS.temperatureSensors, 0xff)
    .set(FIELDS.mosfetTemperature, 221);
  pack.setup.set(FIELDS.capacity, 280_000);
  pack.deviceInfo.set(FIELDS.model, "JK_PB2A16S20P").set(FIELDS.bluetoothName, "Bank");
  return pack;
}

const pathsOf = (wanted: (value: unknown) => boolean, pack: TestMonitor, how = read): string[] =>
  TELEMETRY_TABLE.filter((row) => wanted(how(row, pack))).map(({ path }) => path);
const isKnown = (value: unknown): boolean => value !== undefined;

describe("telemetry", () => {
  it("of an offline pack is unknown except that it is offline; the last known values remain", () => {
    const pack = known();
    pack.online = false;
    expect(pathsOf(isKnown, pack)).toEqual(["online"]);
    expect(read(telemetryRow("online"), pack)).toBe(false);
    expect(readNumber(FIELDS.soc, pack)).toBeUndefined();
    expect(readLast(telemetryRow("soc"), pack)).toBe(87);
    expect(readLast(telemetryRow("capacityAh"), pack)).toBe(280_000);
  });

  it("before the first block is unknown except that the BMS is online", () => {
    const pack = new TestMonitor();
    expect(pathsOf(isKnown, pack)).toEqual(["online"]);
    expect(pathsOf(isKnown, pack, readLast)).toEqual(["online"]);
    expect(readNumber(FIELDS.soc, pack)).toBeUndefined();
  });

  it.each([
    ["soc", FIELDS.soc],
    ["stateOfHealth", FIELDS.stateOfHealth],
  ] as const)(
    "%s of 100 % is known, of 101 and 255 % it is not, on every interface that reads its row",
    (path, field) => {
      const pack = known();
      for (const [raw, value] of [
        [0, 0],
        [100, 100],
        [101, undefined],
        [255, undefined],
      ] as const) {
        pack.telemetry.set(field, raw);
        expect([read(telemetryRow(path), pack), readLast(telemetryRow(path), pack)]).toEqual([value, value]);
      }
    },
  );

  it("a capacity of 0 is unknown, from the settings and as the BMS has learned it", () => {
    const pack = known();
    pack.setup.set(FIELDS.capacity, 0);
    expect(read(telemetryRow("capacityAh"), pack)).toBeUndefined();
    pack.setup.valid = false;
    expect(read(telemetryRow("capacityAh"), pack)).toBe(251_000);
    pack.telemetry.set(FIELDS.fullCapacity, 0);
    expect(read(telemetryRow("capacityAh"), pack)).toBeUndefined();
  });

  it("a number of 0 is known; an empty text is not", () => {
    const pack = known();
    pack.telemetry.set(FIELDS.soc, 0);
    pack.deviceInfo.set(FIELDS.bluetoothName, "");
    expect(read(telemetryRow("soc"), pack)).toBe(0);
    expect(readNumber(FIELDS.soc, pack)).toBe(0);
    expect(read(telemetryRow("name"), pack)).toBeUndefined();
    expect(read(telemetryRow("model"), pack)).toBe("JK_PB2A16S20P");
  });
});

it("a switch of the settings is true or false, and unknown before they have been read", () => {
  const row = findParameter("balance_enabled") as ParameterRow;
  const pack = new TestMonitor();
  expect(read(row, pack)).toBeUndefined();
  pack.setup.set(FIELDS.balanceEnabled, 1);
  expect(read(row, pack)).toBe(true);
  pack.setup.set(FIELDS.balanceEnabled, 0);
  expect(read(row, pack)).toBe(false);
});

describe("computed values", () => {
  it("each cell present has its number and voltage, absent cells have none", () => {
    const pack = known();
    const { minCell, maxCell, minVoltage, maxVoltage, cellDelta, cellCount } = computed;
    expect([cellCount, minCell, minVoltage, maxCell, maxVoltage, cellDelta].map((of) => of(pack))).toEqual([
      2, 1, 3300, 3, 3310, 10,
    ]);
    expect([minCell, minVoltage, maxCell, maxVoltage, cellDelta].map((of) => of(pack))).toEqual([1, 3300, 3, 3310, 10]);
  });

  it("a pack without cells has no lowest or highest cell and no spread", () => {
    const pack = known();
    pack.telemetry.setCells([]);
    expect(computed.cellCount(pack)).toBe(0);
    const { minCell, maxCell, minVoltage, maxVoltage, cellDelta } = computed;
    expect([minCell, maxCell, minVoltage, maxVoltage, cellDelta].map((of) => of(pack))).toEqual(
      Array(5).fill(undefined),
    );
  });

  it("power is negative as soon as the current is", () => {
    const pack = known();
    for (const [current, milliwatts] of [
      [1, 5000],
      [0, 5000],
      [-1, -5000],
    ] as const) {
      pack.telemetry.set(FIELDS.packCurrent, current);
      expect(computed.milliwatts(pack)).toBe(milliwatts);
    }
  });

  it.each([
    // Charge, mean and highest cell, mV; OVP is 3,650 and RCV 3,450.
    ["full", 99, 3_300, 3_300],
    ["cell over-voltage", 98, 3_300, 3_300],
    ["full", 60, 3_430, 3_440],
    ["cell over-voltage", 60, 3_429, 3_440],
    ["full", 60, 3_430, 3_649],
    ["cell over-voltage", 60, 3_430, 3_650],
    ["cell over-voltage", 100, 3_500, 3_650],
    ["cell over-voltage", 60, 3_400, 3_400],
  ])("bit 4 means %s at %i percent with a mean cell of %i and the highest of %i mV", (meaning, soc, mean, highest) => {
    const pack = known();
    pack.telemetry.set(FIELDS.alarmCode, 0b10001).set(FIELDS.soc, soc).set(FIELDS.averageCellVoltage, mean);
    pack.telemetry.setCells([3_300, highest]);
    pack.setup = new TestImage();
    expect(computed.unknownAlarms(pack)).toBe(highest > 3_650 ? 0 : 0x20000010);
    pack.setup.set(FIELDS.cellOvpVoltage, 3_650).set(FIELDS.cellRcvVoltage, 3_450);
    expect(computed.alarmCode(pack)).toBe(meaning === "full" ? 0b10001 : 0x20000001);
    expect(computed.unknownAlarms(pack)).toBe(0);
    expect(faultBits(pack)).toBe(meaning === "full" ? 1 : 0x20000001);
    pack.telemetry.set(FIELDS.alarmCode, 1);
    expect(computed.alarmCode(pack)).toBe(1);
    // Older firmware does not tell RCV.
    pack.telemetry.set(FIELDS.alarmCode, 0b10000);
    pack.setup.set(FIELDS.cellRcvVoltage, 0);
    expect(computed.alarmCode(pack)).toBe(soc >= 99 && highest < 3_650 ? 0b10000 : 0x20000000);
  });

  it.each([
    // Chemistry by its code, and its usual limit, mV.
    [0, 3_650],
    [1, 4_200],
    [2, 2_700],
    [3, 3_650],
    [255, 3_650],
  ])(
    "bit 4 while the settings are unread: of chemistry %i cell over-voltage above %i mV, else not known",
    (code, limit) => {
      const pack = known();
      pack.setup = new TestImage();
      pack.configurationLoaded = false;
      for (const soc of [63, 100])
        for (const above of [-1, 0, 1]) {
          pack.telemetry.set(FIELDS.alarmCode, 0b10001).set(FIELDS.soc, soc).set(FIELDS.batteryType, code);
          pack.telemetry.setCells([2_500, limit + above]);
          const [word, unknown] = above > 0 ? [0x20000001, 0] : [1, 0x20000010];
          expect([soc, above, computed.alarmCode(pack), computed.unknownAlarms(pack)]).toEqual([
            soc,
            above,
            word,
            unknown,
          ]);
          expect(computed.alarmCode(pack, true)).toBe(0b10001);
          expect(concernsText(concernsOf(pack)).split(" ")).toContain("settings-unread");
          // What is not known stays as it was, whichever it was; what is known does not.
          for (const before of [0, 1 << 4, 1 << 29, (1 << 29) | 2])
            expect(alarmsAfter(before, pack)).toBe((word | (before & unknown)) >>> 0);
          pack.telemetry.set(FIELDS.alarmCode, 0);
          expect([alarmsAfter(1 << 29, pack), computed.unknownAlarms(pack)]).toEqual([0, 0]);
        }
    },
  );

  it("before the first telemetry no alarm is known, and each stays as it was", () => {
    const pack = new TestMonitor();
    expect([alarmsAfter(1 << 29, pack), computed.unknownAlarms(pack)]).toEqual([1 << 29, ~0]);
  });

  it("power counts as energy up to twice the current of the model's name, and unless it contradicts itself", () => {
    const pack = known();
    const counted = (current: number, power = Math.abs(current) * 51): number | undefined => {
      pack.telemetry.set(FIELDS.packVoltage, 51_000).set(FIELDS.packCurrent, current).set(FIELDS.packPower, power);
      return computed.countedPower(pack);
    };
    for (const [model, most] of [
      ["JK_PB2A16S20P", 400_000],
      ["JK_PB2A16S15P", 300_000],
      ["JK_B2A20S150P", 1_200_000],
      ["", 1_200_000],
    ] as const) {
      pack.deviceInfo.set(FIELDS.model, model);
      expect([counted(most), counted(-most)]).toEqual([most * 51, -most * 51]);
      expect([counted(most + 1), counted(-most - 1)]).toEqual([undefined, undefined]);
    }
    expect(counted(10_000, 1_000_000)).toBe(1_000_000);
    pack.telemetry.contradicts = true;
    expect(counted(10_000, 1_000_000)).toBeUndefined();
    // A torn sense wire says nothing about the power.
    expect(counted(10_000)).toBe(510_000);
  });

  it.each([
    [1, FIELDS.battery1Temperature],
    [3, FIELDS.battery3Temperature],
    [5, FIELDS.battery5Temperature],
  ])("probe %i takes part where it is there, whatever the others say", (probe, field) => {
    const pack = known();
    const span = (): [number, number] | undefined => {
      const both = computed.temperatureSpan(pack);
      return both === undefined ? undefined : [computed.lowestOf(both), computed.highestOf(both)];
    };
    pack.telemetry.set(FIELDS.temperatureSensors, 1 | (1 << probe) | (1 << 2));
    pack.telemetry.set(FIELDS.battery2Temperature, 200).set(field, 720);
    expect(span()).toEqual([200, 720]);
    pack.telemetry.set(field, -55);
    expect(span()).toEqual([-55, 200]);
    // The MOSFETs' again, in the register of the third.
    pack.telemetry.set(field, 221);
    expect(span()).toEqual([200, probe === 3 ? 200 : 221]);
    pack.telemetry.set(field, ABSENT_PROBE);
    expect(span()).toEqual([200, 200]);
    pack.telemetry.set(field, 720).set(FIELDS.temperatureSensors, 1 | (1 << 2));
    expect(span()).toEqual([200, 200]);
    pack.telemetry.set(FIELDS.temperatureSensors, 1);
    expect(span()).toBeUndefined();
  });

  it("temperatures are unknown while the BMS ignores its probes, whatever it reports", () => {
    const pack = known();
    const word = findCommand("temperature_sensors_disabled")?.writable.mask as number;
    pack.setup.set(FIELDS.switchWord, word);
    expect(computed.mosfetTemperature(pack)).toBeUndefined();
    pack.setup.set(FIELDS.switchWord, 0xffff & ~word);
    expect(computed.mosfetTemperature(pack)).toBe(221);
    // Before the settings have been read the probes count: the BMS has not said that it ignores them.
    pack.setup = new TestImage();
    expect(computed.mosfetTemperature(pack)).toBe(221);
  });

  it.each([
    ["mosfetTemperature", FIELDS.mosfetTemperature],
    ["battery1Temperature", FIELDS.battery1Temperature],
    ["battery2Temperature", FIELDS.battery2Temperature],
  ] as const)("%s at -200 °C is that of no probe, although its bit says that it is there", (name, field) => {
    for (const littleEndian of [false, true]) {
      const pack = known();
      pack.telemetry = new TestImage(littleEndian).set(FIELDS.temperatureSensors, 0xff);
      const at = (tenths: number): number | undefined => {
        pack.telemetry.set(field, tenths);
        return computed[name](pack);
      };
      expect([ABSENT_PROBE - 1, ABSENT_PROBE, ABSENT_PROBE + 1].map(at)).toEqual([-2001, undefined, -1999]);
    }
  });

  it("the maximum cell count depends on the device information alone", () => {
    const pack = known();
    expect(computed.maxCells(pack)).toBe(16);
    pack.deviceInfo.valid = false;
    expect(computed.maxCells(pack)).toBeUndefined();
  });
});

describe("switches", () => {
  it("each follows its own register or bit", () => {
    for (const row of COMMANDS_TABLE) {
      const { field, mask } = row.writable;
      const pack = known();
      const image = field === FIELDS.emergencyTime ? pack.telemetry : pack.setup;
      image.set(field, mask || 1);
      expect([row.name, readSwitch(row, pack), readLastSwitch(row, pack)]).toEqual([row.name, true, true]);
      image.set(field, mask ? 0xffff & ~mask : 0);
      expect([row.name, readSwitch(row, pack), readLastSwitch(row, pack)]).toEqual([row.name, false, false]);
      pack.online = false;
      expect([row.name, readSwitch(row, pack), readLastSwitch(row, pack)]).toEqual([row.name, undefined, false]);
      image.valid = false;
      expect([row.name, readLastSwitch(row, pack)]).toEqual([row.name, undefined]);
    }
  });

  it("emergency mode is on while its countdown runs", () => {
    const pack = known();
    const row = findCommand(" Emergency ");
    for (const [seconds, on] of [
      [1800, true],
      [1, true],
      [0, false],
    ] as const) {
      pack.telemetry.set(FIELDS.emergencyTime, seconds);
      expect(row && readSwitch(row, pack)).toBe(on);
    }
  });
});

describe("alarms", () => {
  it("each is raised by its own bit", () => {
    const pack = known();
    pack.telemetry.set(FIELDS.soc, 99);
    pack.setup.set(FIELDS.cellOvpVoltage, 3_650);
    ALARMS_TABLE.forEach(({ name }, bit) => {
      pack.telemetry.set(FIELDS.alarmCode, 1 << bit);
      const bits = alarmBits(pack) as number;
      expect(ALARMS_TABLE.filter((_, index) => isRaised(bits, index)).map((row) => row.name)).toEqual([name]);
    });
    pack.telemetry.set(FIELDS.alarmCode, 0);
    expect(alarmBits(pack)).toBe(0);
  });

  it("all are unknown while the BMS is offline", () => {
    const pack = known();
    pack.telemetry.set(FIELDS.alarmCode, 0xffff);
    pack.online = false;
    expect(alarmBits(pack)).toBeUndefined();
  });

  it("all are faults except the full battery and the password reminder; every name is unique", () => {
    expect(ALARMS_TABLE.filter(({ fault }) => !fault).map(({ name }) => name)).toEqual([
      "fully_charged",
      "change_password",
    ]);
    expect(new Set(ALARMS_TABLE.map(({ name }) => name)).size).toBe(30);
  });
});
