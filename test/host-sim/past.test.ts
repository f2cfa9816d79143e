/** The invented past of `--history`, read back by the product's own reader, ring by ring. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cursor } from "flash-log/cursor";
import { recordsIn } from "flash-log/layout";
import { beforeAll, describe, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { NorFlash, SECTOR_BYTES } from "../../host-sim/nor-flash";
import { givePast } from "../../host-sim/past/board-past";
import { fillPast, MAX_PAST_DAYS, type PastOptions } from "../../host-sim/past/past";
import { CODES, EVENT_CODE, EVENT_COUNT, EVENT_LENGTH, EVENT_TEXT } from "../../src/events/record-bytes";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { type Field, valueOf } from "flash-log/field";
import * as layout from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";
import { CELLS_FIELDS, DAY_FIELDS, FINE_FIELDS, HOUR_FIELDS } from "../../src/history/records";
import { LocalTime } from "../../src/settings/local-time";
import { messageText } from "../../web/messages";
import { en } from "../../web/texts/en";

const DAY = 86_400;
const HOUR = 3_600;
/** 12:37 in Lisbon. */
const NOW = Date.UTC(2026, 10, 23, 12, 37) / 1_000;
const ZONE = "Europe/Lisbon WET0WEST,M3.5.0/1,M10.5.0";
const lisbon = new LocalTime({ time: { zone: ZONE, offset: 0 } });
const offsetAt = (utc: number): number => lisbon.offsetAt(utc);
const PARTITION = layout.FIRST_SECTOR + layout.SECTORS;

interface Row {
  readonly time: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

function past(options: Partial<PastOptions> = {}): { flash: NorFlash; rings: Row[][]; total: { charged: number } } {
  const flash = new NorFlash(PARTITION);
  const usual = { days: 400, now: NOW, offsetAt, seed: 1, packs: [1], cells: 16, capacity: 280 };
  const total = fillPast(flash, { ...usual, ...options });
  return { flash, total, rings: ringsOf(flash) };
}

function ringsOf(flash: NorFlash): Row[][] {
  return new RecordStore(flash).rings.map((ring) => {
    const rows: Row[] = [];
    for (const cursor = new Cursor(ring); cursor.next();) {
      const bytes = cursor.record.slice();
      rows.push({ time: cursor.time ?? NaN, bytes, view: new DataView(bytes.buffer) });
    }
    return rows;
  });
}

const timesOf = (rows: readonly Row[]): number[] => rows.map(({ time }) => time);
const rises = (times: readonly number[]): boolean => times.every((time, at) => !at || time > times[at - 1]!);
/** Midnights in Lisbon, the oldest first, of the days before NOW's. */
const midnights = (days: number): number[] =>
  Array.from({ length: days }, (_, index) => {
    const day = Math.floor(NOW / DAY) - days + index;
    return day * DAY - offsetAt(day * DAY - HOUR);
  });
/** Records that the ring has at least, once it has been written round. */
const least = (ring: number): number => {
  const { sectors, record } = layout.RINGS[ring]!;
  return (sectors - 2) * recordsIn(record);
};
/** In units of the API's last decimal. */
const known = (bytes: Uint8Array, field: Field, index = 0): number => {
  const value = valueOf(bytes, field, index);
  expect(value).toBeDefined();
  return value!;
};
const within = (value: number, low: number, high: number): void => {
  expect(value).toBeGreaterThanOrEqual(low);
  expect(value).toBeLessThanOrEqual(high);
};

describe("a past of 400 days", () => {
  let made: ReturnType<typeof past>;
  beforeAll(() => void (made = past()));
  const rows = (ring: number): Row[] => made.rings[ring] as Row[];

  it("has exactly these days, each from the owner's midnight, also where the clock changes", () => {
    expect(timesOf(rows(layout.DAYS))).toEqual(midnights(400));
    // 25 hours, and 23.
    const covered = new Map(rows(layout.DAYS).map(({ time, bytes }) => [time, known(bytes, DAY_FIELDS.tenMinutes)]));
    within(covered.get(Date.UTC(2026, 9, 24, 23) / 1_000)!, 120, 150);
    within(covered.get(Date.UTC(2026, 2, 29) / 1_000)!, 110, 138);
    expect(Math.max(...[...covered.values()].map(Number))).toBe(150);
  });

  it("has values in range on each day, less sun in winter, and an alarm", () => {
    for (const { bytes } of rows(layout.DAYS)) {
      const of = (name: keyof typeof DAY_FIELDS): number => known(bytes, DAY_FIELDS[name]);
      within(of("charged"), 0, 14_336 * 2);
      within(of("discharged"), 0, 14_336 * 2);
      within(of("minSoc"), 0, of("maxSoc"));
      within(of("maxSoc"), 0, 100);
      within(of("minCellVoltage"), 2_500, of("maxCellVoltage"));
      within(of("maxCellVoltage"), 3_000, 3_650);
      within(of("minCell"), 1, 16);
      within(of("maxCell"), 1, 16);
      within(of("minTemperature"), -20, 45);
      within(of("maxTemperature"), of("minTemperature"), 45);
      within(of("tenMinutes"), 1, 150);
      expect([of("minCellPack"), of("maxCellPack")]).toEqual([1, 1]);
    }
    const month = (at: number): Row[] =>
      rows(layout.DAYS).filter(({ time }) => new Date(time * 1_000).getMonth() === at);
    const mean = (list: Row[]): number =>
      list.reduce((sum, row) => sum + known(row.bytes, DAY_FIELDS.minSoc), 0) / list.length;
    expect(mean(month(5))).toBeGreaterThan(mean(month(11)) + 20);
    const low = 2 ** ALARMS_TABLE.findIndex(({ name }) => name === "cell_undervoltage");
    const alarms = rows(layout.DAYS).map(({ bytes }) => known(bytes, DAY_FIELDS.alarms));
    expect(new Set(alarms)).toEqual(new Set([0, low]));
    const cycles = rows(layout.DAYS).map(({ bytes }) => known(bytes, DAY_FIELDS.cycles));
    expect(cycles.every((value, at) => !at || value >= cycles[at - 1]!)).toBe(true);
    const charged = rows(layout.DAYS).reduce((sum, row) => sum + known(row.bytes, DAY_FIELDS.charged), 0);
    expect(Math.abs(made.total.charged - charged)).toBeLessThan(400);
  });

  it("has the ten minutes of the last 15 days and of today, with gaps, each with values in range", () => {
    const fine = rows(layout.FINE);
    expect(fine.length).toBeGreaterThanOrEqual(least(layout.FINE));
    const times = timesOf(fine);
    expect(rises(times)).toBe(true);
    expect(times.every((time) => time % 600 === 0)).toBe(true);
    expect(times.at(-1)).toBe(Math.floor(NOW / 600) * 600 - 600);
    const expected = (times.at(-1)! - times[0]!) / 600 + 1;
    within(fine.length / expected, 0.95, 0.9999);
    for (const { bytes } of fine) {
      const of = (name: keyof typeof FINE_FIELDS): number => known(bytes, FINE_FIELDS[name]);
      within(of("soc"), 0, 100);
      within(of("voltage"), 16 * 250, 16 * 365);
      within(of("power"), of("minPower"), of("maxPower"));
      within(Math.abs(of("power")), 0, 8_000);
      within(of("minCellVoltage"), 2_500, 3_650);
      within(of("delta"), 2, 300);
      within(of("maxTemperature"), of("minTemperature"), 45);
      expect(of("minutes")).toBe(10);
      within(of("minCell"), 1, 16);
    }
  });

  it("has the hours of the pack", () => {
    const hours = rows(layout.HOURS);
    expect(hours.length).toBeGreaterThanOrEqual(least(layout.HOURS));
    expect(rises(timesOf(hours))).toBe(true);
    expect(hours.at(-1)?.time).toBe(Math.floor(NOW / HOUR) * HOUR - HOUR);
    for (const { time, bytes } of hours) {
      const of = (name: keyof typeof HOUR_FIELDS): number => known(bytes, HOUR_FIELDS[name]);
      expect([time % HOUR, of("pack")]).toEqual([0, 1]);
      within(of("soc"), 0, 100);
      within(of("voltage"), 16 * 250, 16 * 365);
      within(Math.abs(of("current")), 0, 1_500);
      within(of("delta"), 1, 300);
      within(of("minutes"), 10, 60);
    }
  });

  it("has the cells of each week, one of which drifts away", () => {
    const weeks = rows(layout.CELLS);
    const mondays = timesOf(weeks);
    within(weeks.length, 54, 58);
    expect(rises(mondays)).toBe(true);
    for (const { time, bytes } of weeks) {
      expect([new Date((time + offsetAt(time)) * 1_000).getUTCDay(), (time + offsetAt(time)) % DAY]).toEqual([1, 0]);
      expect([known(bytes, CELLS_FIELDS.pack), known(bytes, CELLS_FIELDS.firstCell)]).toEqual([1, 1]);
      within(known(bytes, CELLS_FIELDS.capacityAh), 2_500, 2_800);
    }
    const distance = ({ bytes }: Row): number => known(bytes, CELLS_FIELDS.full, 2);
    const full = weeks.filter(({ bytes }) => valueOf(bytes, CELLS_FIELDS.meanFull) !== undefined);
    expect(full.length).toBeGreaterThan(20);
    expect(distance(full.at(-1)!)).toBeLessThan(distance(full[0]!) - 5);
  });

  it("has what happened: starts, cuts, alarms that came and went", () => {
    const events = rows(layout.EVENTS).map(({ time, bytes }) => ({
      time,
      code: CODES[bytes[EVENT_CODE]!],
      count: bytes[EVENT_COUNT],
      text: String.fromCharCode(...bytes.subarray(EVENT_TEXT, EVENT_TEXT + bytes[EVENT_LENGTH]!)),
    }));
    within(events.length, 60, 51 * 4);
    const times = events.map(({ time }) => time);
    expect(events.filter(({ time }, at) => at && time < times[at - 1]!)).toEqual([]);
    const codes = new Set(events.map(({ code }) => code));
    for (const code of [
      "started",
      "stopped",
      "bms-offline",
      "bms-online",
      "alarm-raised",
      "alarm-cleared",
      "write",
    ] as const)
      expect(codes).toContain(code);
    expect(events.filter(({ code }) => code === undefined)).toEqual([]);
    expect(events.find(({ code }) => code === "alarm-raised")).toMatchObject({ count: 1, text: "cell_undervoltage" });
  });

  it("leaves the sectors of the settings alone, and has worn none twice", () => {
    const { bytes, wear } = made.flash;
    expect(bytes.subarray(0, layout.FIRST_SECTOR * SECTOR_BYTES).every((byte) => byte === 0xff)).toBe(true);
    expect(wear.slice(0, layout.FIRST_SECTOR)).toEqual(Array.from({ length: layout.FIRST_SECTOR }, () => 0));
    expect(Math.max(...wear)).toBeLessThanOrEqual(3);
  });

  it("is the same again for the same seed, and another for another", () => {
    expect(past().flash.bytes).toEqual(made.flash.bytes);
    expect(past({ seed: 2 }).flash.bytes).not.toEqual(made.flash.bytes);
  });
});

describe("a past", () => {
  it("of one day has that day and today", () => {
    const { rings } = past({ days: 1 });
    expect(timesOf(rings[layout.DAYS]!)).toEqual(midnights(1));
    expect(rings[layout.FINE]![0]!.time).toBe(midnights(1)[0]);
  });

  it("of the most days has all of them", () => {
    expect(timesOf(past({ days: MAX_PAST_DAYS }).rings[layout.DAYS]!)).toEqual(midnights(MAX_PAST_DAYS));
  });

  it.each([2, 4, 15])(
    "of %d packs has as many ten minutes as of one, and its events read as the firmware's",
    (count) => {
      const packs = Array.from({ length: count }, (_, index) => index + 1);
      const { rings } = past({ packs, days: 400 });
      expect(rings[layout.FINE]!.length).toBeGreaterThanOrEqual(least(layout.FINE));
      const first = (of: Row[][]): number => of[layout.FINE]![0]!.time;
      expect(first(rings)).toBe(first(past({ days: 400 }).rings));
      const texts = rings[layout.EVENTS]!.map(({ bytes }) =>
        [
          CODES[bytes[EVENT_CODE]!],
          String.fromCharCode(...bytes.subarray(EVENT_TEXT, EVENT_TEXT + bytes[EVENT_LENGTH]!)),
        ].join("\t"),
      );
      const said = texts.map((text) => messageText(text, en));
      expect(said.filter((one) => one === undefined)).toEqual([]);
      const pack = /^Pack \d+\b/;
      // Of many in an hour the log does not keep which packs they were.
      const ofPacks = said.filter((_, at) => /^(pack-|alarm-|write).*\t./.test(texts[at]!));
      expect(ofPacks.filter((one) => !pack.test(one!))).toEqual([]);
      expect(said.join("\n")).toMatch(/Pack \d+: .*3\.(?:45|50)0.V/);
      expect(said.join("\n")).not.toMatch(/Pack {2}|Pack :/);
      expect(texts.join()).not.toContain("bms-o");
    },
  );

  it("of 15 packs of 24 cells has the hours of each, and the weak one is the last", () => {
    const packs = Array.from({ length: 15 }, (_, index) => index + 1);
    const { rings } = past({ packs, cells: 24, days: 100 });
    const hours = rings[layout.HOURS]!;
    expect(hours.length).toBeGreaterThanOrEqual(least(layout.HOURS));
    const last = hours.slice(-15);
    expect(last.map(({ bytes }) => known(bytes, HOUR_FIELDS.pack))).toEqual(packs);
    expect(new Set(timesOf(last)).size).toBe(1);
    const cells = rings[layout.CELLS]!;
    // Each month, in two records.
    expect(
      cells.slice(0, 4).map(({ bytes }) => [known(bytes, CELLS_FIELDS.pack), known(bytes, CELLS_FIELDS.firstCell)]),
    ).toEqual([
      [1, 1],
      [1, 17],
      [2, 1],
      [2, 17],
    ]);
    expect(valueOf(cells[0]!.bytes, CELLS_FIELDS.wires, 15)).toBeDefined();
    expect(valueOf(cells[1]!.bytes, CELLS_FIELDS.wires, 7)).toBeDefined();
    expect(valueOf(cells[1]!.bytes, CELLS_FIELDS.wires, 8)).toBeUndefined();
    const learned = cells.slice(0, 30).map(({ bytes }) => known(bytes, CELLS_FIELDS.capacityAh));
    expect(learned.at(-1)).toBeLessThan(0.95 * learned[0]!);
    // Address 15 is unknown there.
    const weakest = rings[layout.DAYS]!.map(({ bytes }) => valueOf(bytes, DAY_FIELDS.minCellPack));
    expect(weakest.filter((pack) => pack === undefined).length).toBeGreaterThan(weakest.length / 2);
  });

  it("replaces what the board had, in its file, and begins its counters", () => {
    const history = join(mkdtempSync(join(tmpdir(), "past-")), "history");
    const board = new SimulatedBoard({ history });
    board.powerOn();
    board.storage.write("settings", "time", { string: JSON.stringify({ version: 1, values: { zone: ZONE } }) });
    const options = { days: 3, now: NOW, seed: 1, packs: [1], cells: 16, capacity: 280 };
    const blank = readFileSync(history);
    expect(blank.every((byte) => byte === 0xff)).toBe(true);
    board.history.write(Uint8Array.of(1, 2, 3), 0);
    givePast(board, { ...options, days: 9 });
    givePast(board, options);
    expect(timesOf(ringsOf(board.history)[layout.DAYS]!)).toEqual(midnights(3));
    expect(Buffer.compare(readFileSync(history), board.history.bytes)).toBe(0);
    expect([...board.history.bytes.subarray(0, 4)]).toEqual([1, 2, 3, 0xff]);
    // The counters are those of the first: they never go back.
    const stored = board.storage.read("state", "energy");
    expect(stored && "string" in stored && stored.string).toMatch(/^\d{6,} \d{6,} \d{6,}$/);
    // The day that is not over goes on: its energy is what they count beyond its start.
    const [counted, day] = ["energy", "day"].map((key) => {
      const value = board.storage.read("state", key);
      return value && "string" in value ? value.string.split(" ").map(Number) : [];
    });
    expect(day).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
      day!.slice(0, 3).reduce((sum, one) => sum + one),
    ]);
    expect(counted![1]! - day![2]!).toBeGreaterThan(0);
    expect(board.history.wear.slice(0, layout.FIRST_SECTOR).some(Boolean)).toBe(false);
    board.powerOff();
  });

  it("takes the fixed offset where no zone is stored, or what is stored is damaged", () => {
    for (const [text, offset] of [
      ["{", 0],
      [JSON.stringify({ version: 1, values: { offset: 120 } }), 7_200],
    ] as const) {
      const board = new SimulatedBoard();
      board.powerOn();
      board.storage.write("settings", "time", { string: text });
      givePast(board, { days: 2, now: NOW, seed: 1, packs: [1], cells: 16, capacity: 280 });
      const [first] = timesOf(ringsOf(board.history)[layout.DAYS]!);
      expect((first! + offset) % DAY).toBe(0);
      board.powerOff();
    }
  });
});
