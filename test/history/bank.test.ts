/** Several packs recorded at once: ten minutes and days of the bank, hours and cells of each. */
import { Cursor } from "flash-log/cursor";
import { PAYLOAD } from "flash-log/layout";
import { valueOf } from "flash-log/field";
import * as FIELDS from "jk-bms/field-table";
import { offsetOf } from "jk-bms/fields";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { NorFlash } from "../../host-sim/nor-flash";
import { milliwatts } from "../../src/catalogue/computed";
import { periodOf } from "../../src/history/calendar";
import { History } from "../../src/history/history";
import * as layout from "../../src/history/layout";
import { FINE_SECONDS, SAVE_SECONDS, MANY_PACKS, REST_SECONDS, SLOT_SECONDS } from "../../src/history/limits";
import { forgetUnfinished, Recorder } from "../../src/history/recorder";
import { RecordStore } from "../../src/history/record-store";
import { RECORDS } from "../../src/history/records";
import { BankSum } from "../../src/packs/bank-sum";
import { BANK_SETTLING } from "../../src/packs/limits";
import { CELLS_AT, CELLS_BYTES } from "../../src/runtime/retained";
import { MAX_PACKS } from "../../src/settings/limits";
import { HISTORY_PACKS } from "../../src/runtime/retained";
import { TestMonitor } from "../support/bms/bms-link";
import { FaultyStorage } from "../support/fakes/storage";

const { CELLS, DAYS, FINE, HOURS } = layout;
/** Midnight on Monday, 1 March 2027, in UTC. */
const MIDNIGHT = Date.UTC(2027, 2, 1) / 1_000;
const DAY = 86_400;
const HOUR = 3_600;
const WEEK = 7 * DAY;

let board: SimulatedBoard;
let flash: NorFlash;
let store: RecordStore;
let recorder: Recorder;
let bank: BankSum;
let history: History;
let utc: number;
let uptime: number;
let isKnown: boolean;
let packs: { readonly identity: { address: number }; readonly monitor: TestMonitor; isSilent: boolean }[];
const monitor = {
  get packs() {
    return packs;
  },
};
const settings = { bms: { address: 7 } };
const energy = { chargedJoules: 0, dischargedJoules: 0, stored: undefined };

function start(kept = false): void {
  uptime = 0;
  bank = new BankSum({ monitor, uptime: () => uptime });
  history = new History({ uptime: () => uptime });
  store = new RecordStore(flash);
  recorder = new Recorder(store, {
    time: () => (isKnown ? utc : undefined),
    uptime: () => uptime,
    energy,
    relay: { value: 0 },
    start: { intact: kept },
    storage: new FaultyStorage(board),
    offsetAt: () => 0,
    monitor,
  });
}

interface Values {
  readonly soc?: number;
  readonly watts?: number;
  readonly cells?: readonly number[];
  readonly alarms?: number;
  readonly capacity?: number;
}

function set(index: number, { soc = 50, watts = 0, cells = [3300, 3310], alarms = 0, capacity = 100 }: Values): void {
  packs[index]!.monitor.telemetry.set(FIELDS.soc, soc)
    .set(FIELDS.packPower, Math.abs(watts) * 1_000)
    .set(FIELDS.packCurrent, watts * 20)
    .set(FIELDS.packVoltage, 50_000 + 100 * index)
    .set(FIELDS.alarmCode, alarms)
    .set(FIELDS.cycles, 10 * (index + 1))
    .set(FIELDS.fullCapacity, capacity * 1_000)
    .setCells(cells);
}

function use(count: number): void {
  packs = Array.from({ length: count }, (_, index) => ({
    identity: { address: index ? index : settings.bms.address },
    monitor: new TestMonitor(),
    isSilent: false,
  }));
  packs.forEach((_, index) => set(index, {}));
}

beforeEach(() => {
  board = new SimulatedBoard();
  board.powerOn();
  flash = new NorFlash(layout.FIRST_SECTOR + layout.SECTORS);
  utc = MIDNIGHT;
  isKnown = true;
  use(3);
  start();
});
afterEach(() => board.powerOff());

function reply(index: number): void {
  const pack = Object.assign(packs[index]!.monitor, {
    index,
    identity: { name: "", serial: "", ...packs[index]!.identity },
  });
  const power = milliwatts(pack)!;
  bank.update(pack, power);
  history.update(pack, bank);
  recorder.update(pack, bank);
}
/** Without a reply. */
function passTo(time: number): void {
  uptime += time - utc;
  utc = time;
}
/** Rounds of all that answer, until `seconds` have passed. */
function run(seconds: number, interval = 10): void {
  for (const end = utc + seconds; utc < end; utc += interval, uptime += interval)
    packs.forEach(({ isSilent }, index) => void (isSilent || reply(index)));
}
function fallSilent(index: number): void {
  packs[index]!.isSilent = true;
  bank.interrupt(index);
  recorder.interrupt(index);
}

type Row = Record<string, unknown> & { readonly time: number | undefined };
/** As the API has them. */
function rows(ring: number): Row[] {
  const fields = Object.entries(RECORDS[ring]!.fields);
  const list: Row[] = [];
  for (const cursor = new Cursor(store.rings[ring]!); cursor.next();) {
    const row: Record<string, unknown> = {};
    for (const [name, field] of fields) row[name] = valueOf(cursor.record, field);
    list.push({ ...row, time: cursor.time });
  }
  return list;
}
const payloads = (ring: number): number[][] => {
  const list: number[][] = [];
  for (const cursor = new Cursor(store.rings[ring]!); cursor.next();) list.push([...cursor.record.subarray(PAYLOAD)]);
  return list;
};

describe("the packs change in the middle of an hour", () => {
  /** The bus is closed meanwhile. */
  function replace(change: () => void): void {
    packs.forEach((_, index) => fallSilent(index));
    change();
    settings.bms.address = packs[0]!.identity.address;
    for (const pack of packs) pack.isSilent = false;
  }
  afterEach(() => void (settings.bms.address = 7));
  const currents = (): Map<number, number> =>
    new Map(
      packs.map(({ identity, monitor: { telemetry } }) => [
        identity.address,
        telemetry.view.getInt32(offsetOf(FIELDS.packCurrent), telemetry.littleEndian) / 100,
      ]),
    );
  function check(known: ReadonlyMap<number, number>, minutes: Readonly<Record<number, number>>): void {
    const found: Record<number, number> = {};
    for (const { pack, current, minutes: some } of rows(HOURS)) {
      expect([pack, current]).toEqual([pack, known.get(pack as number)]);
      found[pack as number] = (found[pack as number] ?? 0) + Number(some);
    }
    expect(found).toEqual(minutes);
  }

  it.each([0, 1, 2])("pack %d is taken out: no record has two packs", (gone) => {
    packs.forEach((_, index) => set(index, { watts: 100 * (index + 1), cells: [3_200 + index, 3_300 + index] }));
    const known = currents();
    const addresses = packs.map(({ identity }) => identity.address);
    run(HOUR / 2);
    replace(() => void packs.splice(gone, 1));
    run(HOUR / 2 + 60);
    check(known, Object.fromEntries(addresses.map((address, index) => [address, index === gone ? 30 : 60])));
  });

  it.each([0, 1, 3])("a pack is put in at place %d", (place) => {
    packs.forEach((_, index) => set(index, { watts: 100 * (index + 1) }));
    run(HOUR / 2);
    const other = { identity: { address: 9 }, monitor: new TestMonitor(), isSilent: false };
    replace(() => void packs.splice(place, 0, other));
    set(place, { watts: 5_000 });
    run(HOUR / 2 + 60);
    check(currents(), Object.fromEntries(packs.map((pack) => [pack.identity.address, pack === other ? 30 : 60])));
  });

  it("the cells' ranges of the day are those of one first pack", () => {
    set(0, { cells: [2_900, 3_600] });
    run(600);
    replace(() => void packs.splice(0, 1));
    set(0, { cells: [3_300, 3_310] });
    run(600);
    const view = new DataView(recorder.cellRanges.slice().buffer);
    expect([view.getUint16(0), view.getUint16(2)]).toEqual([3_300, 3_300]);
  });
});

describe("ten minutes of a bank", () => {
  it("have the sum of the power, the charge by capacity, and the extremes of all packs", () => {
    set(0, { soc: 40, watts: 1_000, capacity: 300 });
    set(1, { soc: 80, watts: -400, cells: [3290, 3310], capacity: 100 });
    set(2, { soc: 80, watts: 300, cells: [3300, 3350], capacity: 200, alarms: 1 << 11 });
    run(FINE_SECONDS + 10);
    expect(rows(FINE)).toEqual([
      expect.objectContaining({
        time: MIDNIGHT,
        soc: 60,
        power: 900,
        minPower: expect.any(Number) as number,
        maxPower: expect.any(Number) as number,
        minCellVoltage: 3290,
        minCell: 1,
        delta: 50,
        alarm: expect.any(Number) as number,
        minutes: 10,
        packMissing: 0,
      }),
    ]);
    expect(rows(FINE)[0]!["alarm"]).not.toBe(0);
  });

  it("go on without the first pack, and say that one is missing", () => {
    set(0, { soc: 10, watts: 5_000 });
    set(1, { soc: 60, watts: 100 });
    set(2, { soc: 60, watts: 100 });
    run(FINE_SECONDS);
    fallSilent(0);
    run(2 * FINE_SECONDS + 10);
    expect(rows(FINE).map(({ time, soc, power, packMissing }) => [time, soc, power, packMissing !== 0])).toEqual([
      [MIDNIGHT, 43, 5_200, false],
      [MIDNIGHT + FINE_SECONDS, 60, 200, true],
      [MIDNIGHT + 2 * FINE_SECONDS, 60, 200, true],
    ]);
    packs[0]!.isSilent = false;
    run(FINE_SECONDS);
    run(FINE_SECONDS);
    expect(rows(FINE).at(-1)).toMatchObject({ packMissing: 0 });
  });

  it("just after the start are not of some packs alone", () => {
    packs.forEach((_, index) => set(index, { watts: 1_000 }));
    for (const [seconds, expected] of [
      [BANK_SETTLING - 1, []],
      [BANK_SETTLING, [2_000]],
    ] as const) {
      start();
      flash = new NorFlash(layout.FIRST_SECTOR + layout.SECTORS);
      start();
      uptime = seconds;
      reply(0);
      reply(1);
      reply(0);
      utc += FINE_SECONDS;
      uptime += FINE_SECONDS;
      reply(0);
      expect(rows(FINE).map(({ maxPower }) => maxPower)).toEqual(expected);
    }
  });
});

describe("an hour", () => {
  it("is recorded of each pack, each with its own values", () => {
    set(0, { soc: 40, watts: 1_000 });
    set(1, { soc: 80, watts: -400, cells: [3290, 3312] });
    set(2, { soc: 85, watts: 300, alarms: 1 << 11 });
    run(HOUR + 10);
    expect(rows(HOURS)).toEqual([
      expect.objectContaining({
        time: MIDNIGHT,
        pack: 7,
        soc: 40,
        voltage: 5_000,
        current: 200,
        delta: 10,
        minutes: 60,
      }),
      expect.objectContaining({
        time: MIDNIGHT,
        pack: 1,
        soc: 80,
        voltage: 5_010,
        current: -80,
        delta: 22,
        minutes: 60,
      }),
      expect.objectContaining({
        time: MIDNIGHT,
        pack: 2,
        soc: 85,
        voltage: 5_020,
        current: 60,
        delta: 10,
        minutes: 60,
      }),
    ]);
    expect(rows(HOURS).map(({ alarm }) => alarm !== 0)).toEqual([false, false, true]);
  });

  it("has no record of a pack that did not answer in it", () => {
    fallSilent(1);
    run(HOUR + 10);
    expect(rows(HOURS).map(({ pack }) => pack)).toEqual([7, 2]);
  });

  it("goes on over a restart for each pack, with what was kept", () => {
    set(1, { watts: 1_000 });
    run(HOUR / 2);
    recorder.save();
    start(true);
    set(1, { watts: 3_000 });
    run(HOUR / 2 + 10);
    expect(rows(HOURS).map(({ pack, minutes, current }) => [pack, minutes, current])).toEqual([
      [7, 60, 0],
      [1, 60, 400],
      [2, 60, 0],
    ]);
  });

  it("is complete with as many packs as there can be", () => {
    expect(HISTORY_PACKS).toBe(MAX_PACKS);
    use(MAX_PACKS);
    start();
    run(HOUR / 2);
    recorder.save();
    start(true);
    run(HOUR / 2 + 10);
    expect(rows(HOURS)).toHaveLength(MAX_PACKS);
    expect(rows(HOURS).every(({ minutes }) => minutes === 60)).toBe(true);
  });
});

describe("a day of a bank", () => {
  it("names the packs of the lowest and the highest cell, and has the most cycles", () => {
    set(0, { soc: 20 });
    set(1, { soc: 30, cells: [3200, 3310] });
    set(2, { soc: 40, cells: [3300, 3400], alarms: 2 });
    run(HOUR);
    packs.forEach((_, index) => set(index, { soc: 90 }));
    run(DAY - HOUR, 60);
    run(10);
    expect(rows(DAYS)).toEqual([
      expect.objectContaining({
        ...{ time: MIDNIGHT, minSoc: 30, maxSoc: 90, alarms: 2, cycles: 30 },
        ...{ minCellVoltage: 3200, minCell: 1, minCellPack: 1 },
        ...{ maxCellVoltage: 3400, maxCell: 2, maxCellPack: 2 },
      }),
    ]);
  });

  it("after a power cut does not know which pack it was", () => {
    set(1, { cells: [3200, 3310] });
    run(HOUR + 10);
    start();
    set(1, {});
    run(DAY - HOUR - 10, 60);
    run(10);
    expect(rows(DAYS)[0]).toMatchObject({ minCellVoltage: 3200, minCell: 1, minCellPack: undefined });
  });

  it("was at rest while each pack had no more than its resting current, after a power cut too", () => {
    // 0.8 A of each of three.
    packs.forEach((_, index) => set(index, { watts: 40, cells: [3300, 3320] }));
    run(HOUR + 10);
    start();
    utc = MIDNIGHT + DAY - 60;
    run(120);
    expect(rows(DAYS)[0]).toMatchObject({ deltaAtRest: 20, deltaUnderLoad: undefined });
  });

  it("was so while the clock was unknown, too", () => {
    isKnown = false;
    packs.forEach((_, index) => set(index, { watts: 40, cells: [3300, 3320] }));
    run(DAY + HOUR, 60);
    isKnown = true;
    run(60);
    expect(rows(DAYS)[0]).toMatchObject({ time: MIDNIGHT, deltaAtRest: 20, deltaUnderLoad: undefined });
  });

  it("has the cells' ranges of the first pack, whatever the others have, and while one of them is exchanged", () => {
    const range = (): number[] => [...recorder.cellRanges.subarray(0, 4)];
    set(1, { cells: [3000, 3600] });
    run(60);
    const first = [0x0c, 0xe4, 0x0c, 0xe4];
    expect(range()).toEqual(first);
    packs[2]!.identity.address = 9;
    for (const index of [1, 2]) reply(index);
    expect(range()).toEqual(first);
    packs[0]!.identity.address = 8;
    set(0, { cells: [3200, 3310] });
    reply(0);
    expect(range()).toEqual([0x0c, 0x80, 0x0c, 0x80]);
  });
});

describe("the cells of each pack", () => {
  const recorded = (): unknown[] => rows(CELLS).map(({ time, pack, firstCell }) => [time, pack, firstCell]);

  it("are recorded when the week is over, each with its own values", () => {
    set(1, { soc: 100, watts: 10, cells: [3400, 3410] });
    set(2, { cells: [3300, 3306] });
    run(REST_SECONDS + HOUR);
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    expect(rows(CELLS)).toEqual([
      expect.objectContaining({
        time: MIDNIGHT,
        pack: 7,
        firstCell: 1,
        meanAtRest: 3305,
        meanFull: undefined,
        cycles: 10,
      }),
      expect.objectContaining({
        time: MIDNIGHT,
        pack: 1,
        firstCell: 1,
        meanAtRest: undefined,
        meanFull: 3405,
        cycles: 20,
      }),
      expect.objectContaining({
        time: MIDNIGHT,
        pack: 2,
        firstCell: 1,
        meanAtRest: 3303,
        meanFull: undefined,
        cycles: 30,
      }),
    ]);
  });

  it("of a pack that is gone are recorded too, once", () => {
    run(REST_SECONDS + HOUR);
    fallSilent(2);
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    passTo(MIDNIGHT + 2 * WEEK);
    packs[2]!.isSilent = false;
    run(10 * HISTORY_PACKS);
    expect(recorded().filter((row) => (row as unknown[])[1] === 2)).toEqual([[MIDNIGHT, 2, 1]]);
  });

  it("outlast a restart without notice", () => {
    run(REST_SECONDS + HOUR);
    start(true);
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    expect(recorded()).toEqual([7, 1, 2].map((pack) => [MIDNIGHT, pack, 1]));
  });

  it("that are damaged in the retained memory are not recorded", () => {
    run(REST_SECONDS + HOUR);
    board.kept[CELLS_AT + CELLS_BYTES + 70]! ^= 1;
    start(true);
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    expect(recorded()).toEqual([7, 2].map((pack) => [MIDNIGHT, pack, 1]));
  });

  it("are at rest anew once their pack answers again", () => {
    run(REST_SECONDS - 60);
    fallSilent(2);
    packs[2]!.isSilent = false;
    run(120);
    packs.forEach((_, index) => set(index, { watts: 500 }));
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    expect(recorded()).toEqual([7, 1].map((pack) => [MIDNIGHT, pack, 1]));
  });

  it("are at rest anew after a restart: what flowed until the first reply is unknown", () => {
    run(60);
    recorder.save();
    start(true);
    utc += REST_SECONDS;
    uptime += REST_SECONDS;
    run(60);
    packs.forEach((_, index) => set(index, { watts: 500 }));
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    expect(recorded()).toEqual([]);
  });

  it("are not called full while the pack discharges", () => {
    packs.forEach((_, index) => set(index, { soc: 100, watts: -500 }));
    run(HOUR);
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    expect(recorded()).toEqual([]);
  });

  it("that are no longer there are not recorded", () => {
    set(0, { cells: [3300, 3310, 3320] });
    run(REST_SECONDS + 60);
    set(0, { cells: [3300, 3310] });
    run(120);
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    const bytes = payloads(CELLS)[0]!;
    // Distances at rest, and wires.
    for (const [from, to] of [
      [6, 22],
      [38, 54],
    ])
      expect([...bytes.slice(from, to)].filter((byte) => byte !== 0xff)).toHaveLength(2);
  });

  it("are gone after a power cut and after a factory reset", () => {
    for (const end of [() => start(false), () => (forgetUnfinished(), start(true))]) {
      run(REST_SECONDS + HOUR);
      end();
      packs.forEach((_, index) => set(index, { watts: 500 }));
      passTo(utc + WEEK);
      run(10 * HISTORY_PACKS);
      packs.forEach((_, index) => set(index, {}));
    }
    expect(recorded()).toEqual([]);
  });

  it("read before the time is known are of the week in which it becomes known", () => {
    isKnown = false;
    run(REST_SECONDS + HOUR);
    isKnown = true;
    run(10 * HISTORY_PACKS);
    packs.forEach((_, index) => set(index, { watts: 500 }));
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    expect(recorded()).toEqual([7, 1, 2].map((pack) => [MIDNIGHT, pack, 1]));
  });

  it("of a pack that has given way to another are recorded under its address", () => {
    run(REST_SECONDS + HOUR);
    packs[2]!.identity.address = 9;
    run(HOUR);
    expect(recorded()).toEqual([[MIDNIGHT, 2, 1]]);
    passTo(MIDNIGHT + WEEK);
    run(10 * HISTORY_PACKS);
    expect(recorded().slice(1)).toEqual([7, 1, 9].map((pack) => [MIDNIGHT, pack, 1]));
  });

  it.each([
    [MANY_PACKS - 1, 4],
    [MANY_PACKS, 1],
    [MANY_PACKS + 1, 1],
  ])("of %i packs are recorded %i times in a month of four weeks and some days", (count, times) => {
    use(count);
    start();
    for (let day = 0; day < 32; day++) {
      run(REST_SECONDS + FINE_SECONDS, 60);
      passTo(MIDNIGHT + (day + 1) * DAY);
    }
    // 2 April.
    expect(rows(CELLS)).toHaveLength(count * times);
    expect(new Set(rows(CELLS).map(({ pack }) => pack)).size).toBe(count);
    expect(rows(CELLS)[0]!.time).toBe(MIDNIGHT);
  });
});

it("a week begins on Monday, a month on its first day", () => {
  const day = (text: string): number => Date.parse(text) / DAY / 1_000;
  for (const [date, monday, first] of [
    ["2027-02-28", "2027-02-22", "2027-02-01"],
    ["2027-03-01", "2027-03-01", "2027-03-01"],
    ["2028-02-29", "2028-02-28", "2028-02-01"],
    ["2028-12-31", "2028-12-25", "2028-12-01"],
  ] as const) {
    expect(periodOf(day(date), 1)).toBe(day(monday));
    expect(periodOf(day(date), MANY_PACKS)).toBe(day(first));
  }
});

it("the last 12 hours are the bank's", () => {
  set(0, { soc: 40, watts: 1_000, capacity: 100 });
  set(1, { soc: 80, watts: -400, cells: [3290, 3310], capacity: 100 });
  set(2, { soc: 90, watts: 300, cells: [3300, 3350], capacity: 100 });
  run(SLOT_SECONDS);
  expect([history.soc(0), history.power(0), history.lowestCell(0), history.highestCell(0)]).toEqual([
    70, 900, 3290, 3350,
  ]);
  // The slot begins within a round: the charge is told with the next.
  uptime--;
  reply(0);
  uptime++;
  for (const index of [1, 2]) reply(index);
  expect(history.has(1)).toBe(false);
  reply(0);
  expect([history.has(1), history.soc(1)]).toEqual([true, 70]);
});

it("what is kept is kept of each pack, as it was at most SAVE_SECONDS ago", () => {
  run(SAVE_SECONDS + 20);
  set(2, { soc: 99 });
  run(10);
  set(2, {});
  start(true);
  passTo(MIDNIGHT + HOUR);
  run(20);
  // Of the reply with 99 it was not kept.
  expect(rows(HOURS).map(({ pack, soc }) => [pack, soc])).toEqual([
    [7, 50],
    [1, 50],
    [2, 50],
  ]);
  expect(payloads(HOURS)).toHaveLength(3);
});
