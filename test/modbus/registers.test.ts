/** What the registers say of packs in any state: scales and signs, the limits of the types, states, and what is not known. */
import * as FIELDS from "jk-bms/field-table";
import type { Field } from "jk-bms/fields";
import { beforeEach, describe, expect, it, test } from "vitest";
import { SNAPSHOT_MS } from "../../src/modbus/limits";
import { NONE, plus, type Conditions } from "../../src/conditions/set";
import { bit } from "../../src/conditions/table";
import { type Reader, Registers } from "../../src/modbus/registers";
import type { ModbusDevice } from "../../src/modbus/types";
import { FakePack } from "../support/fakes/fake-monitor";
import { model, type Values } from "../support/modbus/sunspec-clients";
import { poweredBoard } from "../support/system/simulated-board";

const UNKNOWN = -0x8000_0000;
const LENGTHS: Readonly<Record<number, number>> = { 802: 64, 713: 9, 714: 20, 804: 64 };
const PLACES: Readonly<Record<number, number>> = { 802: 40_070, 713: 40_134, 714: 40_143, 803: 40_163, 804: 40_134 };

let board: ReturnType<typeof poweredBoard>;
let packs: FakePack[];
let registers: Registers;
/** What the watcher has found, by pack, of CONCERNS. */
let present: Conditions[];
let stored: { charged: number; discharged: number } | undefined;

/** Registers, or the exception. */
function read(
  unit: number,
  register: number,
  quantity: number,
  reader: Reader = { snapshot: undefined },
): Buffer | number {
  const exception = registers.read(unit, register, quantity, 0, reader);
  return exception || Buffer.from(registers.buffer.slice(0, 2 * quantity));
}

function valuesOf(unit: number, id: number): Values {
  const words = read(unit, PLACES[id] as number, LENGTHS[id] as number);
  if (typeof words === "number") throw new Error(`exception ${words}`);
  return model(words, 0).values;
}

const own = (unit: number, index: number): number => (read(unit, 1_000 + 2 * index, 2) as Buffer).readInt32BE(0);

/** Fields of the telemetry of pack `index`. */
const set = (index: number, ...fields: readonly (readonly [Field, number])[]): void => {
  for (const [field, value] of fields) packs[index]!.telemetry.set(field, value);
};

/** `count` packs at the addresses from 1 on, charging with 10 A at 50 V and half full. */
function start(count: number): void {
  packs = Array.from({ length: count }, (_, index) => {
    const pack = new FakePack();
    pack.index = index;
    pack.identity = { address: index + 1, name: "", serial: "" };
    pack.telemetry.setCells(Array<number>(16).fill(3_125));
    pack.setup.set(FIELDS.capacity, 280_000).set(FIELDS.maxChargeCurrent, 100_000);
    pack.setup.set(FIELDS.maxDischargeCurrent, 150_000);
    return pack;
  });
  packs.forEach((_, index) =>
    set(
      index,
      [FIELDS.soc, 50],
      [FIELDS.packVoltage, 50_000],
      [FIELDS.packCurrent, 10_000],
      [FIELDS.packPower, 500_000],
      [FIELDS.remainingCapacity, 140_000],
      [FIELDS.batteryType, 0],
      [FIELDS.alarmCode, 0],
      [FIELDS.chargeMos, 1],
      [FIELDS.dischargeMos, 1],
    ),
  );
  stored = undefined;
  present = [];
  registers = new Registers({
    build: { softwareName: "jk-bms-monitor", version: "1.2.3" },
    monitor: { packs },
    conditions: { presentOf: (index: number) => present[index] ?? NONE },
    get energy() {
      return { stored };
    },
    network: { ip: "192.0.2.1", mac: "24:6F:28:01:02:03", subnetMask: "" },
    uptime: () => 77,
  } as unknown as ModbusDevice);
}

beforeEach(() => {
  board = poweredBoard({ ticks: 0x7fff_ffff - 2_000 });
  start(1);
});

/** The first, a middle and the last of three packs; and of one the only one. */
const EACH = [
  [1, 0],
  [3, 0],
  [3, 1],
  [3, 2],
] as const;

describe("a model read in pieces", () => {
  /** 803 of fifteen packs, where its second piece begins; of it the current of the fifth string. */
  const [BEGIN, SECOND, STRING] = [40_163, 40_288, 28 + 32 * 4 + 6 - 125];
  const amperes = (words: Buffer | number): number => (words as Buffer).readInt16BE(2 * STRING) / 10;
  const setAll = (current: number): void => packs.forEach((_, at) => set(at, [FIELDS.packCurrent, current]));

  test.each([
    [SNAPSHOT_MS - 1, -10],
    [SNAPSHOT_MS, 20],
    [SNAPSHOT_MS + 1, 20],
  ])("is of one moment until %i ms later", (ms, expected) => {
    start(15);
    const reader: Reader = { snapshot: undefined };
    read(1, BEGIN, 125, reader);
    setAll(-20_000);
    board.clock.runFor(ms);
    expect(amperes(read(1, SECOND, 125, reader))).toBe(expected);
  });

  it("is of now where it is read again", () => {
    start(15);
    const reader: Reader = { snapshot: undefined };
    read(1, BEGIN, 125, reader);
    read(1, SECOND, 125, reader);
    setAll(-20_000);
    expect(amperes(read(1, SECOND, 125, reader))).toBe(20);
    // To its end: nothing is kept.
    for (let at = BEGIN; at < BEGIN + 508; at += 127) read(1, at, 127, reader);
    expect(reader.snapshot).toBeUndefined();
  });

  it("of two units in turn is each unit's", () => {
    start(15);
    packs.forEach(({ telemetry }, at) => telemetry.setCells(Array<number>(24).fill(3_000 + at)));
    const reader: Reader = { snapshot: undefined };
    const last = (unit: number): number => (read(unit, 40_198 + 125, 15, reader) as Buffer).readUInt16BE(2 * 11);
    read(101, 40_198, 125, reader);
    expect(last(115)).toBe(3_014);
    read(115, 40_198, 125, reader);
    read(1, BEGIN, 125, reader);
    expect([last(108), last(101), amperes(read(1, SECOND, 125, reader))]).toEqual([3_007, 3_000, -10]);
  });
});

it("the unit of a pack at address 0 is 100", () => {
  packs[0]!.identity = { address: 0, name: "", serial: "" };
  expect(valuesOf(100, 804)).toMatchObject({ Idx: 1, SoC: 50 });
  expect([read(101, 40_000, 2), read(99, 40_000, 2)]).toEqual([11, 11]);
});

describe("signs and scales", () => {
  test.each([
    [1, -500, -10, 280, 14_340, 0, 1, -1],
    [3, -1_500, -30, 840, 43_000, 1, 2, 0],
  ])("of %i packs", (count, W, A, AHRtg, WHRtg, W_SF, WHRtg_SF, AHRtg_SF) => {
    start(count);
    expect(valuesOf(1, 802)).toMatchObject({ W, A, AHRtg, WHRtg, W_SF, WHRtg_SF, AHRtg_SF });
    expect(valuesOf(1, 802)).toMatchObject({ WChaDisChaMax_SF: W_SF, V: 50, SoC: 50, SoC_SF: -1, V_SF: -2 });
    expect(valuesOf(1, 802)).toMatchObject({ AChaMax: count * 100, ADisChaMax: count * 150, AMax_SF: -1 });
    expect(valuesOf(1, 802)).toMatchObject({ WChaRteMax: count * 5_120, WDisChaRteMax: count * 7_680 });
    expect(valuesOf(1, 714)).toMatchObject({ DCA: A, DCW: W });
    // The own block has the API's sign.
    expect([own(1, 2), own(1, 3)]).toEqual([count * 10_000, count * 50_000]);
    for (let index = 0; index < count; index++) set(index, [FIELDS.packCurrent, -10_000]);
    expect(valuesOf(1, 802)).toMatchObject({ W: -W, A: -A });
    expect([own(1, 2), own(1, 3)]).toEqual([-count * 10_000, -count * 50_000]);
    // Never by the value.
    expect(valuesOf(101, 802)).toMatchObject({ W: 500, W_SF: 0, AHRtg_SF: -1 });
  });

  test("of energy: what is charged is absorbed", () => {
    stored = { charged: 3_600 * 1_234_567.9, discharged: 3_599 };
    expect(valuesOf(1, 714)).toMatchObject({ DCWhAbs: 1_234_567, DCWhInj: 0 });
    expect([own(1, 18), own(1, 19)]).toEqual([1_234_567, 0]);
    start(3);
    stored = { charged: 3_600, discharged: 7_200 };
    expect([own(1, 18), own(1, 19), own(102, 18), own(102, 19)]).toEqual([1, 2, UNKNOWN, UNKNOWN]);
  });
});

describe("what a type cannot hold is the nearest that it can", () => {
  test.each([
    [3_276_600, 3_276.6],
    [3_276_700, 3_276.7],
    [3_276_800, 3_276.7],
    [2_000_000_000, 3_276.7],
  ])("%i mA", (current, expected) => {
    set(0, [FIELDS.packCurrent, current]);
    expect(valuesOf(1, 802)["A"]).toBe(-expected);
    set(0, [FIELDS.packCurrent, -current]);
    expect(valuesOf(1, 802)["A"]).toBe(expected);
  });

  test.each([
    [32_766_000, 32_766],
    [32_767_000, 32_767],
    [32_768_000, 32_767],
    [2_000_000_000, 32_767],
  ])("%i mW", (power, expected) => {
    set(0, [FIELDS.packPower, power]);
    expect(valuesOf(1, 802)["W"]).toBe(-expected);
    set(0, [FIELDS.packCurrent, -1]);
    expect(valuesOf(1, 802)["W"]).toBe(expected);
  });

  test.each([
    [655_330, 655.33],
    [655_340, 655.34],
    [655_350, 655.34],
    [2_000_000_000, 655.34],
  ])("%i mV", (voltage, expected) => {
    set(0, [FIELDS.packVoltage, voltage]);
    expect(valuesOf(1, 802)["V"]).toBe(expected);
  });

  test.each([
    [0x7fff_fffe, 0x7fff_fffe],
    [0x7fff_ffff, 0x7fff_ffff],
    [0x8000_0000, 0x7fff_ffff],
    [0xffff_ffff, 0x7fff_ffff],
  ])("%i cycles", (cycles, expected) => {
    set(0, [FIELDS.cycles, cycles]);
    expect(valuesOf(1, 802)["NCyc"]).toBe(expected);
  });

  test("capacity, energy and rates", () => {
    packs[0]!.setup.set(FIELDS.capacity, 2_000_000_000).set(FIELDS.maxChargeCurrent, 2_000_000_000);
    set(0, [FIELDS.remainingCapacity, -5]);
    expect(valuesOf(1, 802)).toMatchObject({ AHRtg: 6_553.4, WHRtg: 655_340, WChaRteMax: 65_534, AChaMax: 6_553.4 });
    expect(valuesOf(1, 713)["WHAvail"]).toBe(0);
  });
});

describe.each(EACH)("of %i packs, number %i", (count, index) => {
  beforeEach(() => start(count));
  const all = (...fields: readonly (readonly [Field, number])[]): void => packs.forEach((_, at) => set(at, ...fields));

  test.each([
    ["charging", 200, 50, 4],
    ["at rest", 199, 50, 6],
    ["at rest", -199, 50, 6],
    ["discharging", -200, 50, 3],
    ["full", 0, 100, 5],
    ["empty", 0, 0, 2],
  ])("%s with %i mA at %i %%", (_, current, soc, expected) => {
    all([FIELDS.packCurrent, 0], [FIELDS.soc, soc]);
    set(index, [FIELDS.packCurrent, current]);
    expect(valuesOf(1, 802)).toMatchObject({ ChaSt: expected, DoD: 100 - soc });
    expect(valuesOf(101 + index, 802)["ChaSt"]).toBe(expected);
  });

  it("is connected while a MOSFET conducts", () => {
    all([FIELDS.chargeMos, 0], [FIELDS.dischargeMos, 0]);
    expect(valuesOf(1, 802)).toMatchObject({ State: 1, SetOp: 2, Evt1: 0 });
    expect([own(1, 14), own(1, 15)]).toEqual([0, 0]);
    set(index, [FIELDS.dischargeMos, 1]);
    for (const unit of [1, 101 + index]) {
      expect(valuesOf(unit, 802)).toMatchObject({ State: 3, SetOp: 1 });
      expect([own(unit, 14), own(unit, 15)]).toEqual([0, 1]);
    }
    expect(valuesOf(101 + index, 804)).toMatchObject({ St: 3, ConSt: 2 });
    set(index, [FIELDS.chargeMos, 1], [FIELDS.dischargeMos, 0]);
    expect([own(1, 14), own(1, 15)]).toEqual([1, 0]);
    expect(valuesOf(101 + index, 804)).toMatchObject({ St: 3, ConSt: 1 });
  });

  it("has its alarm in the bank's word and events; without a conducting MOSFET that is a fault", () => {
    set(index, [FIELDS.alarmCode, 1 << 12]);
    expect(valuesOf(1, 802)).toMatchObject({ EvtVnd1: 1 << 12, Evt1: 1 << 11, Evt2: 0, State: 3 });
    expect(valuesOf(101 + index, 804)).toMatchObject({ EvtVnd1: 1 << 12, Evt1: 1 << 11 });
    expect([valuesOf(1, 713)["Sta"], own(1, 13)]).toEqual([1, 1 << 12]);
    all([FIELDS.chargeMos, 0], [FIELDS.dischargeMos, 0]);
    expect([valuesOf(1, 802)["State"], valuesOf(1, 713)["Sta"]]).toEqual([99, 2]);
    // A reminder is none.
    set(index, [FIELDS.alarmCode, 1 << 19]);
    expect([valuesOf(1, 802)["State"], valuesOf(1, 713)["Sta"], valuesOf(1, 802)["Evt1"]]).toEqual([1, 0, 0]);
  });

  it.each([
    ...(["emergency", "carries-nothing", "settings-unread"] as const).map((code) => [code, 1 << 26] as const),
    ...(["swapped", "shared-address"] as const).map((code) => [code, (1 << 26) | (1 << 28)] as const),
    // Silence and alarms have bits of their own.
    ...(["offline", "alarm"] as const).map((code) => [code, 0] as const),
  ])("has its condition %s in the bank's second word and events", (code, events) => {
    present[index] = bit(code);
    for (const unit of [1, 101 + index])
      expect(valuesOf(unit, 802)).toMatchObject({ EvtVnd1: 0, EvtVnd2: bit(code), Evt1: events });
    expect(valuesOf(101 + index, 804)).toMatchObject({ EvtVnd1: 0, EvtVnd2: bit(code), Evt1: events });
    for (let other = 0; other < count; other++)
      if (other !== index) expect(valuesOf(101 + other, 802)).toMatchObject({ EvtVnd2: 0, Evt1: 0 });
  });

  it("has no bit for behind: bit 31 would say that the word is not in use", () => {
    present[index] = plus(bit("behind"), bit("emergency"));
    for (const unit of [1, 101 + index])
      expect(valuesOf(unit, 802)).toMatchObject({ EvtVnd2: bit("emergency"), Evt1: 1 << 26 });
    present[index] = bit("behind");
    expect(valuesOf(1, 802)).toMatchObject({ EvtVnd2: 0, Evt1: 0 });
  });

  it("has the extremes", () => {
    const cells = Array<number>(16).fill(3_125);
    packs[index]!.telemetry.setCells(cells.with(4, 3_001).with(15, 3_401));
    set(index, [FIELDS.stateOfHealth, 71], [FIELDS.cycles, 70_000]);
    const pack = { CellVMin: 3.001, CellVMax: 3.401, SoH: 71, NCyc: 70_000 };
    expect(valuesOf(1, 802)).toMatchObject({ ...pack, CellVMinStr: index + 1, CellVMaxStr: index + 1 });
    expect(valuesOf(101 + index, 802)).toMatchObject({ ...pack, CellVMinStr: index + 1, CellVMaxStr: index + 1 });
    expect([6, 7, 8, 9, 10].map((at) => own(1, at))).toEqual([71, 70_000, 3_001, 3_401, 400]);
    expect(valuesOf(101 + index, 804)).toMatchObject({ ...pack, Idx: index + 1 });
  });

  it("without a known chemistry leaves energies and rates unknown, of the bank too, and nothing else", () => {
    set(index, [FIELDS.batteryType, 9]);
    const unknown = { WHRtg: undefined, WChaRteMax: undefined, WDisChaRteMax: undefined };
    expect(valuesOf(1, 802)).toMatchObject({ ...unknown, SoC: 50, AHRtg: count * 280, AChaMax: count * 100 });
    expect(valuesOf(101 + index, 802)).toMatchObject({ ...unknown, SoC: 50, AHRtg: 280 });
    expect(valuesOf(1, 713)).toMatchObject({ WHRtg: undefined, WHAvail: undefined, SoC: 50 });
  });

  it("whose setup has not been read leaves its limits unknown, of the bank too", () => {
    packs[index]!.setup.valid = false;
    const unknown = { AChaMax: undefined, ADisChaMax: undefined, WChaRteMax: undefined, WDisChaRteMax: undefined };
    expect(valuesOf(1, 802)).toMatchObject({ ...unknown, SoC: 50 });
    expect(valuesOf(101 + index, 802)).toMatchObject({ ...unknown, SoC: 50 });
  });

  it("of which nothing has been read, though it is online, is not known, and so the bank is not", () => {
    packs[index]!.telemetry.valid = false;
    for (const unit of [1, 101 + index]) expect(read(unit, 40_072, 62)).toBe(11);
    expect([0, 1, 2, 3, 4, 5].map((at) => own(1, at))).toEqual(Array<number>(6).fill(UNKNOWN));
    expect(Array.from({ length: 16 }, (_, at) => own(101 + index, at))).toEqual(Array<number>(16).fill(UNKNOWN));
    expect((read(1, 40_070, 2) as Buffer).readUInt32BE(0)).toBe((802 << 16) | 62);
  });

  it("the counts are there while nothing is known, and nothing behind them", () => {
    for (const pack of packs) pack.online = false;
    const head = (unit: number, register: number, quantity: number): unknown => {
      const words = read(unit, register, quantity);
      return typeof words === "number"
        ? words
        : Array.from({ length: quantity }, (_, at) => words.readUInt16BE(2 * at));
    };
    // Of the unit alone: nothing of who was read before.
    read(101, 40_134, 4);
    expect([head(101 + index, 40_136, 2), head(101 + index, 40_200, 2)]).toEqual([
      [index + 1, 1],
      [index + 1, 1],
    ]);
    expect([head(101 + index, 40_136, 3), head(101 + index, 40_138, 1)]).toEqual([11, 11]);
    expect([head(101 + index, 40_200, 3), head(101 + index, 40_202, 1)]).toEqual([11, 11]);
    expect([head(1, 40_145, 3), head(1, 40_145, 4), head(1, 40_148, 1)]).toEqual([[0, 0, 0], 11, 11]);
    expect([head(1, 40_165, 1), head(1, 40_165, 2), head(1, 40_166, 1)]).toEqual([[count], 11, 11]);
    expect([head(1, 40_072, 1), head(1, 40_136, 1)]).toEqual([11, 11]);
  });

  it("that is silent has no values, and the others' are the bank's", () => {
    packs[index]!.online = false;
    expect(read(101 + index, 40_072, 62)).toBe(11);
    if (count === 1) return expect(read(1, 40_072, 62)).toBe(11);
    expect(valuesOf(1, 802)).toMatchObject({ W: -1_000, A: -20, AHRtg: 560, SoC: 50, Evt1: 1, State: 3 });
    expect([own(1, 16), own(1, 17), own(1, 2)]).toEqual([3, 2, 20_000]);
  });
});
