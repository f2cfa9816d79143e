import { Cursor } from "flash-log/cursor";
import { offsetOf } from "flash-log/field";
import { PAYLOAD } from "flash-log/layout";
import * as FIELDS from "jk-bms/field-table";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { NorFlash } from "../../host-sim/nor-flash";
import { milliwatts } from "../../src/catalogue/computed";
import { BankSum } from "../../src/packs/bank-sum";
import * as layout from "../../src/history/layout";
import {
  BACK_SECONDS,
  CLOCK_JUMP,
  FINE_SECONDS,
  LONGEST_BETWEEN,
  LONGEST_RUN,
  SAVE_SECONDS,
  MAX_UNTIMED,
  REBUILD_RECORDS,
  REST_MILLIAMPERES,
  REST_SECONDS,
} from "../../src/history/limits";
import { writeState } from "../../src/runtime/state";
import { RecordStore } from "../../src/history/record-store";
import { LocalTime } from "../../src/settings/local-time";
import { FINE_FIELDS } from "../../src/history/records";
import { forgetUnfinished, Recorder } from "../../src/history/recorder";
import { FaultyStorage } from "../support/fakes/storage";
import { table } from "../support/table";
import { footerOf } from "../support/time-zones";
import { TestMonitor } from "../support/bms/bms-link";
import { HISTORY_AT, HISTORY_BANK_BYTES } from "../../src/runtime/retained";

const { CELLS, DAYS, FINE, HOURS } = layout;
/** Midnight in Berlin, in winter. */
const MIDNIGHT = 1_800_054_000;
const OFFSET = 3_600;
const DAY = 86_400;

let board: SimulatedBoard;
let storage: FaultyStorage;
let flash: NorFlash;
let store: RecordStore;
let recorder: Recorder;
/** Seconds since 1970 and since the start; whether the device knows the first. */
let utc: number;
let uptime: number;
let isKnown: boolean;
let joules: {
  chargedJoules: number;
  dischargedJoules: number;
  stored: { charged: number; discharged: number } | undefined;
};
let monitor: TestMonitor;
let bank: BankSum;
/** Undefined: OFFSET all year. */
let local: LocalTime | undefined;
const relay = { value: 0 as 0 | 1 };

function start(kept = false): void {
  uptime = 0;
  store = new RecordStore(flash);
  bank = new BankSum({ monitor: { packs: [monitor] }, uptime: () => uptime });
  recorder = new Recorder(store, {
    time: () => (isKnown ? utc : undefined),
    uptime: () => uptime,
    energy: joules,
    relay: relay,
    monitor: { packs: [monitor] },
    start: { intact: kept },
    storage,
    offsetAt: (time) => local?.offsetAt(time) ?? OFFSET,
  });
}

beforeEach(() => {
  board = new SimulatedBoard();
  board.powerOn();
  storage = new FaultyStorage(board);
  flash = new NorFlash(layout.FIRST_SECTOR + layout.SECTORS);
  utc = MIDNIGHT;
  isKnown = true;
  local = undefined;
  relay.value = 0;
  joules = { chargedJoules: 1e6, dischargedJoules: 2e6, stored: undefined };
  monitor = new TestMonitor();
  monitor.identity = { address: 3, name: "", serial: "" };
  pack({});
  start();
});
afterEach(() => board.powerOff());

interface Values {
  readonly soc?: number;
  readonly watts?: number;
  readonly milliamperes?: number;
  readonly cells?: readonly number[];
  readonly alarms?: number;
}
function pack({ soc = 50, watts = 0, milliamperes = 20 * watts, cells = [3300, 3310], alarms = 0 }: Values): void {
  monitor.telemetry
    .set(FIELDS.soc, soc)
    .set(FIELDS.packPower, Math.abs(watts) * 1000)
    .set(FIELDS.packCurrent, milliamperes)
    .set(FIELDS.packVoltage, 52_340)
    .set(FIELDS.alarmCode, alarms)
    .set(FIELDS.cycles, 77)
    .set(FIELDS.fullCapacity, 279_960)
    .setCells(
      cells,
      cells.map((_, index) => 60 + index),
    );
}

function update(): void {
  bank.update(monitor, milliwatts(monitor)!);
  recorder.update(monitor, bank);
}

/** A reply, and seconds until the next. */
function reply(values: Values = {}, seconds = 10): void {
  pack(values);
  update();
  pass(seconds);
}
function pass(seconds: number): void {
  utc += seconds;
  uptime += seconds;
}
/** Nothing happens until then. */
const until = (time: number): void => pass(time - utc);
/** Replies until `seconds` have passed. */
function run(seconds: number, values: Values = {}, interval = 10): void {
  for (const end = utc + seconds; utc < end;) reply(values, interval);
}

interface Read {
  readonly time: number | undefined;
  readonly bytes: readonly number[];
}
function read(ring: number): Read[] {
  const cursor = new Cursor(store.rings[ring]!);
  const list: Read[] = [];
  while (cursor.next()) list.push({ time: cursor.time, bytes: [...cursor.record.subarray(PAYLOAD, -1)] });
  return list;
}
const times = (ring: number): (number | undefined)[] => read(ring).map(({ time }) => time);

const word = (value: number): [number, number] => [value >> 8, value & 0xff];
const signed = (value: number): [number, number] => word(value + 0x8000);
const U = 0xff;

describe("the range of each cell", () => {
  const ranges = (count: number): number[][] =>
    Array.from({ length: count }, (_, cell) => [...recorder.cellRanges.subarray(4 * cell, 4 * cell + 4)]);
  const UNKNOWN = [U, U, U, U];

  it("is that of the day so far, goes on over a restart, and begins anew at midnight", () => {
    expect(ranges(32)).toEqual(Array.from({ length: 32 }, () => UNKNOWN));
    reply({ cells: [3300, 3310] });
    reply({ cells: [3290, 3305] });
    reply({ cells: [3295, 3320] });
    const day = [[...word(3290), ...word(3300)], [...word(3305), ...word(3320)], UNKNOWN];
    expect(ranges(3)).toEqual(day);
    recorder.save();
    start(true);
    expect(ranges(3)).toEqual(day);
    reply({ cells: [3280, 3310] });
    expect(ranges(1)).toEqual([[...word(3280), ...word(3300)]]);
    run(DAY, { cells: [3301, 3302] });
    expect(ranges(2)).toEqual([
      [...word(3301), ...word(3301)],
      [...word(3302), ...word(3302)],
    ]);
  });

  it("has all 32 cells, and nothing of those that are not there", () => {
    reply({ cells: Array.from({ length: 32 }, (_, cell) => 3300 + cell) });
    expect(ranges(32).map(([, low]) => low)).toEqual(Array.from({ length: 32 }, (_, cell) => (3300 + cell) & 0xff));
    expect(recorder.cellRanges).toHaveLength(128);
  });

  it("is unknown after a power cut", () => {
    reply();
    recorder.save();
    start();
    expect(ranges(1)).toEqual([UNKNOWN]);
  });
});

describe("ten minutes", () => {
  it("are recorded when they are over, with all that is known", () => {
    monitor.telemetry
      .set(FIELDS.temperatureSensors, 7)
      .set(FIELDS.battery1Temperature, -55)
      .set(FIELDS.battery2Temperature, 184);
    relay.value = 1;
    reply({ soc: 49, watts: -1000, cells: [3300, 3290, 3320] });
    reply({ soc: 48, watts: 3000, cells: [3280, 3295, 3300], alarms: 1 << 11 });
    pass(FINE_SECONDS - 30);
    reply({ soc: 47, watts: 100 });
    expect(read(FINE)).toEqual([]);
    reply();
    expect(read(FINE)).toEqual([
      {
        time: MIDNIGHT,
        bytes: [
          47,
          ...word(5234),
          ...signed(70),
          ...signed(-100),
          ...signed(300),
          ...word(3280),
          15,
          95,
          118,
          2 | 0x10 | 0x40,
          1,
        ],
      },
    ]);
  });

  it("say what is unknown: ones, not zero", () => {
    pack({});
    monitor.telemetry.setCells([]);
    update();
    pass(FINE_SECONDS);
    update();
    expect(read(FINE)[0]!.bytes.slice(9)).toEqual([U, U, U, U, U, 1, U]);
  });

  it("without a reply leave a gap", () => {
    run(FINE_SECONDS);
    pass(3 * FINE_SECONDS);
    run(FINE_SECONDS + 10);
    expect(times(FINE)).toEqual([MIDNIGHT, MIDNIGHT + 4 * FINE_SECONDS]);
  });

  it("with a single reply have all of its values", () => {
    pass(3);
    run(FINE_SECONDS - 7);
    pass(-2);
    reply({ soc: 52 }, FINE_SECONDS);
    reply();
    expect(read(FINE).map(({ bytes }) => bytes[0])).toEqual([50, 52]);
  });

  it("count the minutes with replies", () => {
    run(FINE_SECONDS + 10, {}, 60);
    expect(read(FINE)[0]!.bytes[offsetOf(FINE_FIELDS.minutes) - PAYLOAD]).toBe(10);
  });
});

it("an hour of the pack is recorded when it is over", () => {
  run(1800, { watts: 100, milliamperes: 2000, cells: [3300, 3345] });
  run(1810, { watts: -300, milliamperes: -6000, soc: 44, alarms: 1 << 11 });
  const mean = (180 * 2000 - 180 * 6000) / 360 / 100;
  expect(read(HOURS)).toEqual([
    {
      time: MIDNIGHT,
      bytes: [3, 44, ...word(5234), ...signed(mean), ...word(45), U, 60 | 0x40],
    },
  ]);
});

it("an hour counts its minutes with replies", () => {
  run(300);
  pass(3_300);
  reply();
  expect(read(HOURS)[0]!.bytes.at(-1)).toBe(5);
});

describe("a day", () => {
  it("is recorded at the owner's midnight", () => {
    run(10_000, { soc: 30, watts: -200, cells: [3100, 3300], alarms: 2 });
    joules.dischargedJoules += 3_600_000;
    run(10_000, { soc: 90, watts: 0, milliamperes: REST_MILLIAMPERES, cells: [3340, 3350, 3336] });
    joules.chargedJoules += 7_200_000;
    run(DAY - 20_000, { soc: 60, alarms: 4 }, 100);
    expect(times(DAYS)).toEqual([]);
    reply();
    expect(read(DAYS)).toEqual([
      {
        time: MIDNIGHT,
        bytes: [
          ...[0, ...word(2000)],
          ...[0, ...word(1000)],
          ...[30, 90],
          ...[...word(3100), 1],
          ...[...word(3350), 2],
          ...[7, 100],
          ...[U, U],
          ...[0, 0, 0, 6],
          ...word(77),
          144,
          0x33,
        ],
      },
    ]);
  });

  it("follows the other, each with its own energy", () => {
    for (let day = 0; day < 3; day++) {
      joules.chargedJoules += 3_600 * (day + 1);
      run(DAY, {}, 200);
    }
    reply();
    expect(read(DAYS).map(({ time, bytes }) => [time, bytes[2]])).toEqual([
      [MIDNIGHT, 0],
      [MIDNIGHT + DAY, 2],
      [MIDNIGHT + 2 * DAY, 3],
    ]);
  });
});

describe("where the clock skips midnight", () => {
  it.each([
    ["America/Santiago", "2026-09-04"],
    ["America/Havana", "2026-03-06"],
    ["Africa/Cairo", "2026-04-22"],
    ["Asia/Beirut", "2026-03-27"],
    // And back, an hour before midnight or after it.
    ["America/Santiago", "2026-04-02"],
    ["America/Havana", "2026-10-30"],
    ["Africa/Cairo", "2026-10-27"],
    ["Asia/Beirut", "2026-10-23"],
  ])("%s from %s: a record each day, dated at its first moment", (name, from) => {
    local = new LocalTime({ time: { zone: footerOf(name), offset: 0 } });
    const date = new Intl.DateTimeFormat("en-CA", { timeZone: name });
    utc = Date.parse(`${from}T12:00:00Z`) / 1_000;
    run(5 * DAY, {}, 300);
    const days = times(DAYS).map((time) => [date.format((time! - 1) * 1_000), date.format(time! * 1_000)]);
    const dates = Array.from({ length: 6 }, (_, day) =>
      new Date(Date.parse(`${from}T00:00:00Z`) + (day - 1) * DAY * 1_000).toISOString().slice(0, 10),
    );
    expect(days).toEqual(dates.slice(1).map((day, index) => [dates[index], day]));
  });
});

describe("a power cut within a day", () => {
  const wattHours = (): (number | undefined)[] => [
    recorder.today.number,
    recorder.today.chargedWattHours,
    recorder.today.dischargedWattHours,
  ];
  const TODAY = (MIDNIGHT + OFFSET) / DAY;
  /** 5 Wh in, 3 out. */
  function charge(): void {
    run(600, {}, 200);
    joules.chargedJoules += 5 * 3_600;
    joules.dischargedJoules += 3 * 3_600;
    run(600, {}, 200);
  }

  it("loses nothing of its energy that was counted", () => {
    charge();
    expect(wattHours()).toEqual([TODAY, 5, 3]);
    start();
    expect(wattHours()).toEqual([undefined, undefined, undefined]);
    reply();
    expect(wattHours()).toEqual([TODAY, 5, 3]);
    charge();
    expect(wattHours()).toEqual([TODAY, 10, 6]);
    until(MIDNIGHT + DAY);
    reply();
    expect(read(DAYS).map(({ time, bytes }) => [time, bytes[2], bytes[5]])).toEqual([[MIDNIGHT, 10, 6]]);
    expect(wattHours()).toEqual([TODAY + 1, 0, 0]);
  });

  it("before the time is known again counts what comes before that, too", () => {
    charge();
    isKnown = false;
    start();
    charge();
    isKnown = true;
    reply();
    expect(wattHours()).toEqual([TODAY, 10, 6]);
  });

  it("that lasts until another day ends the day as far as it is known", () => {
    charge();
    until(MIDNIGHT + 3 * DAY);
    isKnown = false;
    start();
    charge();
    isKnown = true;
    reply();
    expect(wattHours()).toEqual([TODAY + 3, 5, 3]);
    // Its one record of ten minutes.
    const cells = [...word(3_300), 1, ...word(3_310), U, 5, U];
    const temperatures = [U, U];
    expect(read(DAYS)).toEqual([
      { time: MIDNIGHT, bytes: [0, 0, 5, 0, 0, 3, 50, 50, ...cells, ...temperatures, U, U, U, U, U, U, 1, 0x33] },
    ]);
    start();
    reply();
    expect(wattHours()).toEqual([TODAY + 3, 5, 3]);
  });

  it.each(["", "1 2 3 4", "1 2 3", "-1 2 3 4", "1.5 NaN 3 4", "a b c d"])("finds no start in %j", (text) => {
    charge();
    writeState(storage, "day", text);
    start();
    reply();
    reply();
    expect(wattHours()).toEqual([TODAY, 0, 0]);
  });

  it("goes on although the start of the day can be neither stored nor read", () => {
    storage.failsToRead = ["day"];
    storage.writesLeft = 0;
    start();
    charge();
    expect(wattHours()).toEqual([TODAY, 5, 3]);
  });

  it("takes the counters back a little, but no day below 0", () => {
    charge();
    until(MIDNIGHT + DAY);
    reply();
    joules.chargedJoules -= 3_600;
    start();
    reply();
    expect(wattHours()).toEqual([TODAY + 1, 0, 0]);
  });
});

describe("what a power cut leaves of a day in flash", () => {
  /** A day's bytes behind its energy, and without alarms and cycles. */
  const extremes = (bytes: readonly number[]): readonly number[] => [...bytes.slice(6, 18), ...bytes.slice(24)];
  /** Three ten minutes at rest, the second in use, the third cold; then what is cut. */
  function live(): void {
    monitor.telemetry.set(FIELDS.temperatureSensors, 7);
    monitor.telemetry.set(FIELDS.battery1Temperature, 211).set(FIELDS.battery2Temperature, 235);
    run(600, { soc: 61, watts: 20, cells: [3_301, 3_298, 3_304] });
    run(600, { soc: 48, watts: -900, cells: [3_170, 3_190, 3_120] });
    monitor.telemetry.set(FIELDS.battery1Temperature, -34);
    run(600, { soc: 55, watts: 0, cells: [3_310, 3_290, 3_300] });
    monitor.telemetry.set(FIELDS.battery1Temperature, 211);
    run(300, { soc: 5, cells: [2_900, 2_901, 2_902] });
  }
  /** The charge, the lowest and the highest cell, spreads at rest and in use, temperatures; minutes, packs. */
  const LIVED = [48, 61, ...word(3_120), 3, ...word(3_310), U, 10, 35, 97, 124, 3, 0x33];

  it("is in the day that goes on, beside what comes", () => {
    live();
    start();
    run(600, { soc: 50, cells: [3_305, 3_330, 3_306] });
    until(MIDNIGHT + DAY);
    reply();
    const [day] = read(DAYS);
    const lived = [...LIVED];
    // The highest cell is now known by its number, and another ten minutes and the begun ones are counted.
    lived.splice(5, 4, ...word(3_330), 2, 13);
    lived[12] = lived[12]! + 2;
    expect(extremes(day!.bytes)).toEqual(lived);
  });

  it("is what is known, also where some of its ten minutes do not know it", () => {
    monitor.telemetry.set(FIELDS.temperatureSensors, 7);
    monitor.telemetry.set(FIELDS.battery1Temperature, 211).set(FIELDS.battery2Temperature, 235);
    run(600);
    monitor.telemetry.set(FIELDS.temperatureSensors, 0);
    run(600);
    reply();
    start();
    reply();
    until(MIDNIGHT + DAY);
    reply();
    expect(extremes(read(DAYS)[0]!.bytes).slice(10, 12)).toEqual([121, 124]);
  });

  it("is in the day whose end was not seen", () => {
    live();
    until(MIDNIGHT + DAY + 5_000);
    start();
    reply({ soc: 1, cells: [2_000, 4_000] });
    expect(read(DAYS).map(({ time }) => time)).toEqual([MIDNIGHT]);
    expect(extremes(read(DAYS)[0]!.bytes)).toEqual(LIVED);
    // Nothing of it is in today, and the other way round.
    until(MIDNIGHT + 2 * DAY);
    reply();
    expect(extremes(read(DAYS)[1]!.bytes)).toEqual([
      1,
      1,
      ...word(2_000),
      1,
      ...word(4_000),
      2,
      254,
      U,
      121,
      124,
      1,
      0x33,
    ]);
  });

  it("is read in steps, and nothing of other days or of this run", () => {
    // Two days and a half in the three sectors that are read, half a day of it of today; the ten minutes of the cut are lost.
    utc -= 2 * DAY;
    run(2 * DAY, { soc: 10, cells: [2_800, 2_900] }, 300);
    run(DAY / 2, { soc: 70, cells: [3_300, 3_340] }, 300);
    start();
    const looks = Math.ceil((2.5 * 144) / REBUILD_RECORDS);
    let reads = 0;
    const flashRead = flash.read.bind(flash);
    flash.read = (buffer, at) => {
      reads++;
      return flashRead(buffer, at);
    };
    for (let step = 0; step < looks + 20; step++) {
      reads = 0;
      reply({ soc: 60, cells: [3_310, 3_320] }, 60);
      // Ten minutes that are over among it.
      expect(reads).toBeLessThan(REBUILD_RECORDS + 4 * 15);
    }
    run(DAY / 2 - 60 * (looks + 20), { soc: 60, cells: [3_310, 3_320] }, 300);
    reply();
    const day = read(DAYS).at(-1)!;
    expect(day.time).toBe(MIDNIGHT);
    expect(extremes(day.bytes)).toEqual([60, 70, ...word(3_300), 1, ...word(3_340), U, 20, U, U, U, 143, 0x33]);
  });

  it("is read again if that is interrupted by a restart, and the day's end is recorded once", () => {
    live();
    run(20 * 600, { soc: 55, cells: [3_300, 3_299, 3_301] }, 300);
    const lived = [...LIVED];
    lived.splice(2, 3, ...word(2_900), 1);
    lived[12] = 3 + 20;
    until(MIDNIGHT + DAY);
    start();
    reply();
    expect(read(DAYS)).toEqual([]);
    recorder.save();
    start(true);
    for (let step = 0; step < 10; step++) reply();
    expect(read(DAYS).map(({ time, bytes }) => [time, extremes(bytes)])).toEqual([[MIDNIGHT, lived]]);
    recorder.save();
    start(true);
    start();
    run(300);
    expect(read(DAYS)).toHaveLength(1);
  });

  it("belongs to no other day if midnight comes first", () => {
    live();
    run(20 * 600, { soc: 30, cells: [3_300, 3_310, 3_320] }, 300);
    until(MIDNIGHT + DAY - 10);
    start();
    reply({ soc: 62 });
    run(600, { soc: 62 });
    until(MIDNIGHT + 2 * DAY);
    reply();
    expect(read(DAYS).map(({ time, bytes }) => [time, bytes[6], bytes[7]])).toEqual([
      [MIDNIGHT, 30, 62],
      [MIDNIGHT + DAY, 62, 62],
    ]);
  });
});

describe("the energy of today and yesterday, as published", () => {
  const published = (): number[] => [0, 1, 2, 3].map((index) => recorder.energyOf(index));
  /** In and out, Wh, stored or not yet. */
  function flow(charged: number, discharged: number, isStored = true): void {
    reply();
    joules.chargedJoules += charged * 3_600;
    joules.dischargedJoules += discharged * 3_600;
    reply();
    const { chargedJoules, dischargedJoules } = joules;
    if (isStored) joules.stored = { charged: chargedJoules, discharged: dischargedJoules };
  }

  it("is that of the owner's days", () => {
    flow(5, 3);
    expect(published()).toEqual([5, 3, NaN, NaN]);
    until(MIDNIGHT + DAY - 20);
    flow(1, 0);
    // Yesterday is read from flash, and again once another day has ended.
    for (let day = 1; day < 4; day++) {
      until(MIDNIGHT + day * DAY);
      flow(10 * day, 0);
      expect(published()).toEqual([10 * day, 0, day > 1 ? 10 * (day - 1) : 6, day > 1 ? 0 : 3]);
    }
    start();
    reply();
    expect(published()).toEqual([30, 0, 20, 0]);
    recorder.save();
    start(true);
    expect(published()).toEqual([30, 0, 20, 0]);
  });

  it("is unknown, not 0, without a clock, without the stored counters, before two replies, and for days without a record", () => {
    expect(published()).toEqual([NaN, NaN, NaN, NaN]);
    flow(5, 3, false);
    expect(published()).toEqual([NaN, NaN, NaN, NaN]);
    flow(0, 0);
    expect(published()).toEqual([5, 3, NaN, NaN]);
    isKnown = false;
    expect(published()).toEqual([NaN, NaN, NaN, NaN]);
    isKnown = true;
    until(MIDNIGHT + 2 * DAY);
    expect(published()).toEqual([NaN, NaN, NaN, NaN]);
    reply();
    expect(published()).toEqual([0, 0, NaN, NaN]);
  });

  it("is of a silent pack's yesterday what was counted until then", () => {
    flow(5, 3);
    pass(DAY);
    expect(published()).toEqual([NaN, NaN, 5, 3]);
    reply();
    expect(published()).toEqual([0, 0, 5, 3]);
  });

  it("is never taken back by a power cut", () => {
    flow(5, 3);
    const { stored } = joules;
    flow(2, 1, false);
    expect(published()).toEqual([5, 3, NaN, NaN]);
    // What was not stored is lost.
    joules = { chargedJoules: stored!.charged, dischargedJoules: stored!.discharged, stored };
    start();
    reply();
    expect(published()).toEqual([5, 3, NaN, NaN]);
  });

  it("is there once a day that ended while the power was off is recorded", () => {
    flow(5, 3);
    start();
    until(MIDNIGHT + DAY);
    expect(published()).toEqual([NaN, NaN, NaN, NaN]);
    reply();
    expect(published().slice(2)).toEqual([5, 3]);
  });

  it("is in one record of the day, though the clock was set forth and back", () => {
    flow(5, 3);
    utc = MIDNIGHT + DAY;
    flow(1, 1);
    utc = MIDNIGHT + 3600;
    flow(2, 2);
    until(MIDNIGHT + DAY + 60);
    reply();
    expect(times(DAYS)).toEqual([MIDNIGHT]);
    expect(published().slice(2)).toEqual([8, 6]);
  });

  it("is in one record of the day, though the clock was past midnight too early", () => {
    utc = MIDNIGHT + DAY - 7_200;
    flow(5, 3);
    until(MIDNIGHT + DAY + 60);
    flow(1, 1);
    utc = MIDNIGHT + DAY - 5_400;
    flow(2, 2);
    expect(times(DAYS)).toEqual([]);
    until(MIDNIGHT + DAY + 60);
    reply();
    expect(times(DAYS)).toEqual([MIDNIGHT]);
    expect(published().slice(2)).toEqual([8, 6]);
    start();
    reply();
    expect(published()).toEqual([0, 0, 8, 6]);
  });

  it("is taken back with the day that ended too early, though it went one way only", () => {
    utc = MIDNIGHT + DAY - 7_200;
    flow(5, 0);
    until(MIDNIGHT + DAY + 60);
    reply();
    utc = MIDNIGHT + DAY - 5_400;
    reply();
    expect(published().slice(0, 2)).toEqual([5, 0]);
  });

  it("is that of the same day where the clock was a little past midnight too early", () => {
    flow(5, 3);
    until(MIDNIGHT + DAY + 60);
    flow(1, 1);
    utc = MIDNIGHT + DAY - CLOCK_JUMP / 2;
    flow(2, 2);
    until(MIDNIGHT + DAY + 60);
    flow(4, 4);
    expect(published()).toEqual([4, 4, 8, 6]);
    expect(times(DAYS)).toEqual([MIDNIGHT, MIDNIGHT]);
  });

  it("of a new device is counted from its first reply", () => {
    joules = { chargedJoules: 0, dischargedJoules: 0, stored: undefined };
    start();
    flow(0, 3);
    flow(0, 2);
    expect(published().slice(0, 2)).toEqual([0, 5]);
  });

  it("between the last reply of a day and the first of the next is of the next, after a power cut too", () => {
    flow(5, 3);
    until(MIDNIGHT + DAY);
    flow(0, 0);
    joules.chargedJoules += 7_200;
    until(MIDNIGHT + 2 * DAY);
    flow(0, 0);
    expect(published()).toEqual([2, 0, 0, 0]);
    start();
    reply();
    expect(published()).toEqual([2, 0, 0, 0]);
  });
});

it("the energy of a day without counters is unknown, not 0", () => {
  joules = undefined as never;
  start();
  run(DAY, {}, 600);
  reply();
  expect(recorder.energyOf(0)).toBeNaN();
  expect([recorder.today.chargedWattHours, read(DAYS)[0]!.bytes.slice(0, 6)]).toEqual([undefined, [U, U, U, U, U, U]]);
});

describe("a week of cells", () => {
  const WEEK = 7 * DAY;
  /** The Monday before. */
  const monday = Math.floor((MIDNIGHT + OFFSET + 3 * DAY) / WEEK) * WEEK - 3 * DAY - OFFSET;
  beforeEach(() => (utc = monday));

  it("has their distances from the mean at rest and full, and their wires", () => {
    run(REST_SECONDS + FINE_SECONDS, { milliamperes: REST_MILLIAMPERES, cells: [3300, 3310, 3290, 3304] });
    run(FINE_SECONDS, { watts: 50, milliamperes: 1500, soc: 100, cells: [3450, 3500, 3450, 3400] });
    run(FINE_SECONDS, { watts: 50, milliamperes: 5000, soc: 90, cells: [3200, 3200, 3200, 3000] });
    until(monday + WEEK);
    reply();
    const none = Array.from({ length: 12 }, () => U);
    expect(read(CELLS)).toEqual([
      {
        time: monday,
        bytes: [
          ...[3, 0],
          ...word(3301),
          ...word(3450),
          ...[127, 137, 117, 131, ...none],
          ...[128, 178, 128, 78, ...none],
          ...[60, 61, 62, 63, ...none],
          ...word(77),
          ...word(2800),
        ],
      },
    ]);
  });

  it("is of a pack at rest up to a hundredth of its capacity an hour, too", () => {
    // Of 279.96 Ah.
    run(REST_SECONDS + 60, { milliamperes: 2_800 });
    until(monday + WEEK);
    run(REST_SECONDS + 60, { milliamperes: -2_799 });
    until(monday + 2 * WEEK);
    reply();
    expect(times(CELLS)).toEqual([monday + WEEK]);
  });

  it("of a pack of 24 cells takes two records", () => {
    const cells = Array.from({ length: 24 }, (_, index) => 3300 + index);
    run(REST_SECONDS + 2 * FINE_SECONDS, { milliamperes: 0, cells });
    until(monday + WEEK);
    reply({ cells });
    expect(read(CELLS).map(({ bytes }) => [bytes[1], bytes.slice(6, 22).filter((byte) => byte !== U).length])).toEqual([
      [0, 16],
      [16, 8],
    ]);
  });

  it("has nothing of the week before", () => {
    run(REST_SECONDS + FINE_SECONDS, { milliamperes: 0 });
    until(monday + WEEK);
    run(FINE_SECONDS, { watts: 500 });
    until(monday + 2 * WEEK);
    reply();
    expect(times(CELLS)).toEqual([monday]);
  });

  it("without rest or full charge is none", () => {
    run(3 * FINE_SECONDS, { watts: 500 });
    until(monday + WEEK);
    reply();
    expect(read(CELLS)).toEqual([]);
  });
});

describe("a restart", () => {
  it("goes on with the ten minutes, the hour and the day, with the time it had", () => {
    run(300, { watts: 1000, soc: 20 });
    joules.chargedJoules += 3_600_000;
    reply({ watts: 1000 }, 0);
    recorder.save();
    isKnown = false;
    start(true);
    run(300, { watts: 3000 });
    reply();
    const [fine] = read(FINE);
    expect([fine!.time, fine!.bytes.slice(3, 5)]).toEqual([MIDNIGHT, signed(Math.round((31 * 100 + 30 * 300) / 61))]);
    isKnown = true;
    until(MIDNIGHT + DAY);
    reply();
    expect(read(DAYS)[0]!.bytes.slice(0, 7)).toEqual([0, ...word(1000), 0, 0, 0, 20]);
  });

  it("without a clock before and after it knows no time", () => {
    isKnown = false;
    run(300);
    recorder.save();
    start(true);
    expect(recorder.startedAt).toBeUndefined();
    run(FINE_SECONDS + 10);
    expect(times(FINE)).toEqual([undefined]);
  });

  it("without notice loses what came after it was last kept", () => {
    run(SAVE_SECONDS + 10, { watts: 1000 });
    run(SAVE_SECONDS - 20, { watts: 9000 });
    start(true);
    expect(recorder.startedAt).toBe(utc);
    until(MIDNIGHT + FINE_SECONDS);
    reply();
    expect(read(FINE)[0]!.bytes.slice(3, 5)).toEqual(signed(100));
  });

  // docs/history.md, "What is lost".
  it.each([
    { end: "an ordered restart", isKept: true, keeps: true, least: 10, watts: 900, wattHours: 5 },
    { end: "a panic", isKept: true, keeps: false, least: 20, watts: 100, wattHours: 5 },
    { end: "a power cut", isKept: false, keeps: false, least: 50, watts: 0, wattHours: 5 },
  ])("after $end has of the day and its ten minutes what docs/history.md says", (row) => {
    reply({ soc: 90, watts: 100 });
    joules.chargedJoules += 5 * 3_600;
    run(SAVE_SECONDS + 10, { soc: 20, watts: 100 });
    // Not kept yet.
    run(SAVE_SECONDS - 20, { soc: 10, watts: 900 });
    if (row.keeps) recorder.save();
    start(row.isKept);
    reply({ soc: 50, watts: 0 });
    until(MIDNIGHT + FINE_SECONDS);
    reply({ soc: 50, watts: 0 });
    until(MIDNIGHT + DAY);
    reply();
    const [day] = read(DAYS);
    expect([day!.bytes[2], day!.bytes[6]]).toEqual([row.wattHours, row.least]);
    const at = offsetOf(FINE_FIELDS.maxPower) - PAYLOAD;
    const most = read(FINE)[0]!.bytes.slice(at, at + 2);
    expect(most).toEqual(signed(row.watts / 10));
  });

  it.each(["a power cut", "content of another kind"])("after %s begins anew", (what) => {
    run(300, { soc: 5 });
    recorder.save();
    if (what !== "a power cut") board.kept[HISTORY_AT + HISTORY_BANK_BYTES]! ^= 1;
    start(what !== "a power cut");
    reply({ soc: 50 });
    until(MIDNIGHT + DAY);
    reply();
    expect(read(DAYS)[0]!.bytes[6]).toBe(50);
  });
});

describe("the clock", () => {
  it("that is not known yet: records get their time once it is", () => {
    isKnown = false;
    run(3 * FINE_SECONDS + 10);
    expect(times(FINE)).toEqual([undefined, undefined, undefined]);
    isKnown = true;
    reply();
    while (store.stamp(recorder.startedAt!));
    expect(times(FINE)).toEqual([0, 1, 2, 3].map((slot) => MIDNIGHT + slot * FINE_SECONDS));
    until(MIDNIGHT + DAY);
    reply();
    // Hours are those of UTC.
    expect(times(DAYS)).toEqual([MIDNIGHT]);
  });

  it("that becomes known shortly after the start begins no other ten minutes", () => {
    isKnown = false;
    run(20);
    isKnown = true;
    run(FINE_SECONDS);
    expect(times(FINE)).toEqual([MIDNIGHT]);
  });

  it("unknown for long leaves the oldest records without a time", () => {
    isKnown = false;
    // Every other gap is longer: two records are a run.
    const slots = Array.from({ length: 2 * MAX_UNTIMED + 4 }, (_, index) => index + Math.floor(index / 2));
    const end = slots.at(-1)! + 1;
    for (let slot = 0; slot < end; slot++)
      if (slots.includes(slot)) run(FINE_SECONDS, {}, 300);
      else pass(FINE_SECONDS);
    reply();
    isKnown = true;
    while (store.stamp(recorder.startedAt!));
    // The hours are one of the runs.
    const known = slots.slice(6).map((slot) => MIDNIGHT + slot * FINE_SECONDS);
    expect(times(FINE)).toEqual([...Array.from({ length: 6 }), ...known]);
  });

  describe("known only after days", () => {
    /** Runs with constant power: the counters follow. */
    const runAt = (seconds: number, watts: number): void => {
      for (const end = utc + seconds; utc < end;) {
        reply({ watts }, 60);
        joules.chargedJoules += 60 * Math.max(0, watts);
        joules.dischargedJoules += 60 * Math.max(0, -watts);
      }
    };
    const energies = (): unknown[] =>
      read(DAYS).map(({ time, bytes }) => [
        time,
        bytes[0]! * 65_536 + bytes[1]! * 256 + bytes[2]!,
        bytes[3]! * 65_536 + bytes[4]! * 256 + bytes[5]!,
      ]);
    const today = (): (number | undefined)[] => [recorder.today.chargedWattHours, recorder.today.dischargedWattHours];

    beforeEach(() => {
      isKnown = false;
      joules.stored = { charged: 1e6, discharged: 2e6 };
    });

    it("each has its energy, and today what it has had since midnight", () => {
      until(MIDNIGHT + DAY / 2);
      runAt(2 * DAY, 1_004);
      isKnown = true;
      reply();
      expect(energies()).toEqual([
        [MIDNIGHT, expect.closeTo(12_048, -1.5), 0],
        [MIDNIGHT + DAY, expect.closeTo(24_096, -1.5), 0],
      ]);
      const [charged, discharged] = today();
      expect([charged! > 11_900, charged! <= 12_048, discharged]).toEqual([true, true, 0]);
      while (store.stamp(recorder.startedAt!));
      expect(times(FINE)).toEqual(Array.from({ length: 288 }, (_, slot) => MIDNIGHT + DAY / 2 + slot * FINE_SECONDS));
      expect(times(HOURS)).toEqual(Array.from({ length: 48 }, (_, hour) => MIDNIGHT + DAY / 2 + hour * 3_600));
      // The day goes on from there, and ends once.
      runAt(DAY / 2, -2_000);
      runAt(60, 0);
      expect(energies().slice(2)).toEqual([
        [MIDNIGHT + 2 * DAY, expect.closeTo(12_048, -2.5), expect.closeTo(24_000, -2)],
      ]);
    });

    it("a day in which nothing flowed has nothing", () => {
      until(MIDNIGHT + DAY / 2);
      runAt(DAY / 2, 500);
      runAt(DAY, 0);
      runAt(DAY / 4, -300);
      isKnown = true;
      reply();
      expect(energies()).toEqual([
        [MIDNIGHT, expect.closeTo(6_000, -1.5), 0],
        [MIDNIGHT + DAY, 0, 0],
      ]);
      expect(today()).toEqual([0, expect.closeTo(1_800, -2)]);
    });

    it("has extremes of its own", () => {
      until(MIDNIGHT + DAY / 2);
      run(DAY / 2, { soc: 20 }, 60);
      run(DAY / 2, { soc: 80 }, 60);
      isKnown = true;
      run(60);
      until(MIDNIGHT + 2 * DAY);
      reply();
      expect(read(DAYS).map(({ bytes }) => [bytes[6], bytes[7]])).toEqual([
        [20, 20],
        [50, 80],
      ]);
    });

    it("the day in which the power failed has what it had before, too", () => {
      isKnown = true;
      until(MIDNIGHT);
      runAt(DAY / 4, 1_000);
      forgetUnfinished();
      isKnown = false;
      start();
      runAt(DAY, 1_000);
      isKnown = true;
      reply();
      expect(energies()).toEqual([[MIDNIGHT, expect.closeTo(24_000, -2), 0]]);
      expect(today()[0]).toBeLessThanOrEqual(6_000);
      expect(today()[0]).toBeGreaterThan(5_800);
    });

    it("the day in which the power failed has what it had before, and the days after it have not", () => {
      isKnown = true;
      runAt(DAY / 4, 1_000);
      runAt(DAY / 4, -500);
      forgetUnfinished();
      isKnown = false;
      start();
      runAt(2 * DAY, 1_000);
      isKnown = true;
      reply();
      expect(energies()).toEqual([
        [MIDNIGHT, expect.closeTo(18_000, -2), expect.closeTo(3_000, -2)],
        [MIDNIGHT + DAY, expect.closeTo(24_000, -2), 0],
      ]);
    });

    it("so has a day in which the power failed for longer than that day", () => {
      isKnown = true;
      runAt(DAY / 4, 1_000);
      forgetUnfinished();
      isKnown = false;
      until(MIDNIGHT + 2 * DAY + DAY / 2);
      start();
      runAt(DAY, 1_000);
      isKnown = true;
      reply();
      expect(energies()).toEqual([
        [MIDNIGHT, expect.closeTo(6_000, -2), 0],
        [MIDNIGHT + 2 * DAY, expect.closeTo(12_000, -2), 0],
      ]);
    });

    it("each has what the counters have counted in it, though the load changes its sign within ten minutes", () => {
      until(MIDNIGHT + DAY / 2);
      // Of four days, in which the battery was charged by day and discharged by night, by an inverter that hunts.
      const sums = Array.from({ length: 5 }, () => [0, 0]);
      for (const end = utc + 4 * DAY; utc < end;) {
        const hour = ((utc - MIDNIGHT) / 3_600) % 24;
        const watts = utc % 120 ? -700 - 20 * hour : hour > 8 && hour < 18 ? 2_300 : 650;
        const day = sums[Math.floor((utc - MIDNIGHT) / DAY)]!;
        day[watts > 0 ? 0 : 1]! += Math.abs(watts) / 60;
        runAt(60, watts);
      }
      isKnown = true;
      reply();
      const days = energies() as number[][];
      expect(days.map(([time]) => time)).toEqual([0, 1, 2, 3].map((day) => MIDNIGHT + day * DAY));
      for (const [index, [charged, discharged]] of [...days.map(([, ...both]) => both), today()].entries()) {
        expect(Math.abs(charged! / sums[index]![0]! - 1)).toBeLessThan(0.005);
        expect(Math.abs(discharged! / sums[index]![1]! - 1)).toBeLessThan(0.005);
      }
      // All of it is somewhere.
      const all = [...days.map(([, charged]) => charged!), today()[0]!].reduce((sum, one) => sum + one, 0);
      expect(Math.abs(all - sums.reduce((sum, [charged]) => sum + charged!, 0))).toBeLessThan(5);
    });

    it("shortly before midnight has its extremes, and today the energy", () => {
      until(MIDNIGHT + DAY - 800);
      start();
      runAt(840, 3_000);
      isKnown = true;
      reply();
      expect(energies()).toEqual([[MIDNIGHT, 0, 0]]);
      expect(today()).toEqual([700, 0]);
    });

    it("has extremes without counters, too", () => {
      joules = undefined as never;
      until(MIDNIGHT + DAY / 2);
      start();
      run(DAY, { soc: 20 }, 60);
      isKnown = true;
      reply();
      expect(read(DAYS).map(({ bytes }) => bytes.slice(0, 8))).toEqual([[U, U, U, U, U, U, 20, 20]]);
    });

    it("goes on being counted for longer than there are marks, less finely", () => {
      until(MIDNIGHT + DAY / 2);
      runAt(9 * DAY, 1_000);
      isKnown = true;
      reply();
      expect(energies().slice(1)).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8].map((day): unknown[] => [MIDNIGHT + day * DAY, expect.closeTo(24_000, -2), 0]),
      );
      expect(Math.abs(today()[0]! - 12_000)).toBeLessThan(50);
    });
  });

  it("set back a little does not begin the ten minutes again", () => {
    run(FINE_SECONDS + 10);
    utc -= 10 + BACK_SECONDS;
    reply();
    run(BACK_SECONDS + FINE_SECONDS);
    expect(times(FINE)).toEqual([MIDNIGHT, MIDNIGHT + FINE_SECONDS]);
  });

  const JUMPS = [-400 * DAY, -DAY, -CLOCK_JUMP - 600, CLOCK_JUMP + 600, DAY, 400 * DAY];
  it.each([-BACK_SECONDS - FINE_SECONDS - 1, 2 * FINE_SECONDS, ...JUMPS])(
    "set by %i s records nothing twice, and what was recorded by a clock that was wrong is taken out",
    (step) => {
      run(3 * FINE_SECONDS);
      utc += step;
      run(3 * FINE_SECONDS);
      reply();
      const at = Math.floor((MIDNIGHT + 3 * FINE_SECONDS + step) / FINE_SECONDS);
      expect(times(FINE)).toEqual([
        ...(JUMPS.includes(step) ? [] : [0, 1, 2].map((slot) => MIDNIGHT + slot * FINE_SECONDS)),
        ...[0, 1, 2].map((slot) => (at + slot) * FINE_SECONDS),
      ]);
    },
  );

  table(JUMPS.filter((step) => step > 0))(
    "that is ahead at a start, and is soon set, takes out nothing that a right one has recorded",
    (step) => {
      run(3 * FINE_SECONDS + 10);
      const before = times(FINE);
      expect(before.length).toBeGreaterThanOrEqual(3);
      start();
      utc += step;
      run(60);
      utc -= step;
      run(60);
      expect(times(FINE)).toEqual(before);
    },
  );

  /** A day before it and an hour after are right. */
  function betweenRight(step: number, seconds: number, right = 2 * DAY): (number | undefined)[] {
    run(right, {}, 60);
    const before = times(FINE);
    utc += step;
    run(seconds, {}, 60);
    utc -= step;
    run(3_600, {}, 60);
    reply();
    expect(times(FINE).slice(0, before.length)).toEqual(before);
    return times(FINE).slice(before.length);
  }

  it.each(JUMPS)(
    "that was wrong by %i s for days, between times that were right, leaves no ten minutes of it",
    (step) => {
      const left = betweenRight(step, LONGEST_BETWEEN - FINE_SECONDS);
      expect(left.filter((time) => time! < utc - 3_600 - FINE_SECONDS || time! > utc)).toEqual([]);
      expect(left).toHaveLength(6);
      for (const ring of [HOURS, DAYS]) expect(times(ring).filter((time) => time! > utc)).toEqual([]);
      expect(new Set(times(DAYS)).size).toBe(times(DAYS).length);
    },
  );

  it.each([
    ["for longer than that", 2 * DAY, LONGEST_BETWEEN + DAY],
    ["from the first start on, for more than a day", 0, LONGEST_RUN + DAY],
  ])("that was wrong %s keeps its records: which of the two is wrong is unknown", (_, right, wrong) => {
    const left = betweenRight(4_000 * DAY, wrong, right);
    expect(left.filter((time) => time! > utc).length).toBeGreaterThanOrEqual(wrong / FINE_SECONDS - 1);
  });

  const event = (): void => store.appendEvent(new Uint8Array(80).fill(1), utc, uptime);
  it.each(JUMPS)("set by %i s leaves no event of the wrong time, and each of the right one", (step) => {
    run(2 * DAY, {}, 60);
    const right = [];
    for (let hour = 0; hour < 3; hour++) {
      event();
      right.push(utc);
      run(step > 0 && step < DAY ? 600 : 3_600);
    }
    for (const seconds of [60, 3 * 3_600]) {
      utc += step;
      event();
      run(seconds);
      event();
      utc -= step;
      // Before it is taken back.
      event();
      right.push(utc);
      run(600);
    }
    expect(times(layout.EVENTS)).toEqual(right);
  });

  it("that was in the future until a power cut leaves no event of it, however short it was", () => {
    run(2 * DAY, {}, 60);
    event();
    const right = utc;
    utc += 4_000 * DAY;
    event();
    run(60);
    utc -= 4_000 * DAY;
    start();
    run(60);
    expect(times(layout.EVENTS)).toEqual([right]);
  });

  it.each(JUMPS)("set by %i s, also over the end of a week, ends no week of the cells", (step) => {
    const monday = MIDNIGHT + 2 * DAY;
    const rest = (seconds: number): void => run(seconds, { milliamperes: 0 }, 60);
    utc = monday;
    rest(4 * DAY);
    // An hour before a week of the wrong clock ends, and until an hour after.
    until(monday + 7 * DAY - (((step % (7 * DAY)) + 7 * DAY) % (7 * DAY)) - 3_600);
    if (utc < monday + 4 * DAY) utc = monday + 4 * DAY;
    utc += step;
    rest(7_200);
    utc -= step;
    rest(3_600);
    expect(times(CELLS).filter((time) => time! !== monday)).toEqual([]);
    until(monday + 7 * DAY);
    rest(3_600);
    expect(times(CELLS)).toEqual([monday]);
  });

  it.each(JUMPS)("that was right for more than a day loses nothing when it is set by %i s, and back", (step) => {
    run(LONGEST_RUN + DAY / 2);
    const before = times(FINE);
    const wattHours = [recorder.today.chargedWattHours, recorder.today.dischargedWattHours];
    utc += step;
    run(3 * FINE_SECONDS);
    reply();
    expect(times(FINE).slice(0, before.length)).toEqual(before);
    expect(times(FINE)).toHaveLength(before.length + 3);
    utc -= step;
    run(3 * FINE_SECONDS);
    reply();
    expect(times(FINE)).toEqual([...before, ...[5, 6, 7].map((slot) => before.at(-1)! + slot * FINE_SECONDS)]);
    // Yesterday went on when it was today, and is part of today.
    expect(times(DAYS)).toEqual(step === -DAY ? [] : [MIDNIGHT]);
    expect([recorder.today.chargedWattHours, recorder.today.dischargedWattHours]).toEqual(wattHours);
  });

  it.each([false, true])(
    "that was in the future until a power cut leaves nothing of that; known at once: %s",
    (isAtOnce) => {
      run(DAY / 2, {}, 60);
      const before = [FINE, HOURS].map((ring) => times(ring).length);
      utc += 4_000 * DAY;
      run(DAY / 2 + 3_600, {}, 60);
      expect(times(DAYS)).not.toEqual([]);
      utc -= 4_000 * DAY;
      isKnown = isAtOnce;
      start();
      run(600);
      isKnown = true;
      run(10);
      while (store.stamp(recorder.startedAt!));
      for (const [ring, count] of before.entries()) {
        expect(
          times(ring)
            .slice(0, count)
            .filter((time) => time! > utc),
        ).toEqual([]);
        expect(times(ring).every((time) => time! <= utc)).toBe(true);
      }
      expect(times(DAYS)).toEqual([]);
      until(MIDNIGHT + 2 * DAY);
      reply();
      expect(times(DAYS)).toEqual([MIDNIGHT + DAY]);
    },
  );
});

it("a factory reset forgets what is not complete, and all records", () => {
  run(3 * FINE_SECONDS + 300, { soc: 7 });
  forgetUnfinished();
  expect(store.discard()).toBe(true);
  start(true);
  expect([FINE, HOURS, DAYS].map((ring) => read(ring))).toEqual([[], [], []]);
  while (store.work());
  // But for the marks of what is erased ahead.
  expect(flash.bytes.filter((byte) => byte !== 0xff)).toHaveLength(layout.RINGS.length);
  start(true);
  reply();
  until(MIDNIGHT + DAY);
  reply();
  expect(read(DAYS)[0]!.bytes[6]).toBe(50);
});

it("an event goes into its ring", () => {
  const record = new Uint8Array(layout.RINGS[layout.EVENTS]!.record).fill(7);
  store.appendEvent(record, undefined, 90);
  while (store.stamp(MIDNIGHT));
  expect(read(layout.EVENTS)).toEqual([{ time: MIDNIGHT + 90, bytes: [...record.subarray(PAYLOAD, -1)] }]);
});

it("flash that fails is counted, and nothing else fails", () => {
  flash.eraseBlock = flash.write = () => {
    throw new Error("ESP_FAIL");
  };
  run(2 * FINE_SECONDS + 10);
  // Two records, and all sectors of the ring of ten minutes.
  expect(store.failures).toEqual([2, layout.RINGS[FINE]!.sectors]);
});

it("wear is that of the most worn sector, over a restart and until a factory reset", () => {
  expect(store.wear).toBe(1);
  run(30 * DAY, {}, 300);
  const worn = Math.max(...flash.wear);
  expect(worn).toBeGreaterThan(1);
  expect(store.wear).toBe(worn);
  start(true);
  expect(store.wear).toBe(worn);
  store.discard();
  expect(store.wear).toBe(1);
});

it("at a start only sectors without the mark of an erase that came to its end are erased", () => {
  const erases = (): number => flash.wear.reduce((sum, count) => sum + count, 0);
  while (store.work());
  expect(erases()).toBe(layout.RINGS.length);
  run(3 * DAY, {}, 300);
  while (store.work());
  const before = erases();
  expect(before).toBeGreaterThan(layout.RINGS.length);
  start(true);
  while (store.work());
  expect(erases()).toBe(before);
  // An erase of the sector that comes next had been cut short: it looks blank.
  flash.bytes.fill(0xff, (layout.FIRST_SECTOR + 3) * 4_096, (layout.FIRST_SECTOR + 4) * 4_096);
  start(true);
  while (store.work());
  expect(erases()).toBe(before + 1);
});

it("a hundred days leave what each ring holds, and the flash evenly worn", () => {
  for (let day = 0; day < 100; day++) {
    run(DAY, { soc: day, milliamperes: 0 }, 300);
    while (store.work());
  }
  reply();
  const fine = times(FINE);
  expect(fine.length).toBeGreaterThanOrEqual(10 * 144);
  expect(fine).toEqual(fine.map((_, index) => MIDNIGHT + 100 * DAY - (fine.length - index) * FINE_SECONDS));
  expect(times(HOURS).length).toBeGreaterThanOrEqual(31 * 24);
  expect(read(DAYS).map(({ time, bytes }) => [time, bytes[6]])).toEqual(
    Array.from({ length: 100 }, (_, day) => [MIDNIGHT + day * DAY, day]),
  );
  expect(times(CELLS).length).toBe(15);
  expect(Math.max(...flash.wear)).toBeLessThanOrEqual(8);
  expect(flash.wear.slice(0, layout.FIRST_SECTOR).every((wear) => !wear)).toBe(true);
});
