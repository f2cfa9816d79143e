/** Cells of a pack over weeks, from raw records by docs/history.md. */
import { describe, expect, it } from "vitest";
import { cellRanges, rangeOf } from "../../web/cell-ranges";
import {
  driftLines,
  driftsOf,
  MIN_DRIFT,
  MIN_GROWTH,
  MIN_WEEKS,
  MOST_WEEKS,
  spreadOf,
  stepOf,
  weeksOf as ofPack,
} from "../../web/past/cells";
import { cellRows, hourRows } from "../../web/past/records";
import { PAST_TEXTS } from "../../web/texts/later/past";
import { Random } from "../fuzz/random";
import { cellsRecord, DAY, hourRecord, todayOf } from "../support/web/past-data";

const MONDAY = 1_799_625_600;
const WEEK = 7 * DAY;

describe("records of hours", () => {
  it("are those of their pack, unknown where nothing was measured, not zero", () => {
    const bytes = Buffer.concat([
      hourRecord(MONDAY, 2, { soc: 40, current: -12.3, spread: 17 }),
      hourRecord(MONDAY, 1, {}),
      hourRecord(undefined, 1, { soc: 1 }),
    ]);
    expect(hourRows(bytes)).toMatchObject([
      { time: MONDAY, step: 3_600, pack: 2, soc: 40, spread: 17 },
      { time: MONDAY, pack: 1, soc: undefined, current: undefined, spread: undefined },
    ]);
    expect(hourRows(bytes)[0]!.current).toBeCloseTo(-12.3);
  });
});

describe("records of cells", () => {
  it("have the distance of each cell, and none of a cell that is not there", () => {
    const [week] = cellRows(cellsRecord(MONDAY, 3, { rest: [-5, 0, 5] }));
    expect(week).toMatchObject({ time: MONDAY, step: WEEK, pack: 3 });
    expect(week!.rest).toEqual([-5, 0, 5, ...Array.from({ length: 13 }, () => undefined)]);
    expect(week!.full.every((one) => one === undefined)).toBe(true);
    expect(spreadOf(week!.rest)).toEqual({ spread: 10, cell: 1 });
    expect(spreadOf(week!.full)).toBeUndefined();
  });

  it("have the resistance of each wire, and the capacity that the BMS has learned", () => {
    const [week] = cellRows(cellsRecord(MONDAY, 3, { rest: [0], wire: [58, 0], capacity: 278.4 }));
    expect(week!.wire.slice(0, 3)).toEqual([58, 0, undefined]);
    expect(week!.capacity).toBeCloseTo(278.4);
    expect(cellRows(cellsRecord(MONDAY, 3, {}))[0]!.capacity).toBeUndefined();
  });

  it("are a week apart, and a month from five packs on; one pack need not be named", () => {
    const of = (count: number) =>
      cellRows(
        Buffer.concat(Array.from({ length: count }, (_, pack) => cellsRecord(MONDAY, pack + 1, { rest: [pack] }))),
      );
    expect([stepOf(of(4)), stepOf(of(5))]).toEqual([WEEK, 31 * DAY]);
    expect(ofPack(of(4), 2).map(({ pack }) => pack)).toEqual([2]);
    expect(ofPack(of(1)).map(({ pack }) => pack)).toEqual([1]);
    expect(ofPack([])).toEqual([]);
  });

  it("of more than 16 cells are two, of other packs their own", () => {
    const sixteen = Array.from({ length: 16 }, (_, cell) => cell);
    const bytes = Buffer.concat([
      cellsRecord(MONDAY, 1, { rest: sixteen }),
      cellsRecord(MONDAY, 1, { rest: [-9, 60] }, 16),
      cellsRecord(MONDAY, 2, { rest: [1] }),
      // Its first half is missing.
      cellsRecord(MONDAY + WEEK, 2, { rest: [1] }, 16),
    ]);
    const rows = cellRows(bytes);
    expect(rows.map(({ pack }) => pack)).toEqual([1, 2]);
    expect(rows[0]!.rest.slice(0, 18)).toEqual([...sixteen, -9, 60]);
    expect(spreadOf(rows[0]!.rest)).toEqual({ spread: 69, cell: 17 });
  });
});

/** `of`: distance of the second of three cells by week. */
const weeksOf = (count: number, of: (week: number) => number | undefined) =>
  cellRows(
    Buffer.concat(
      Array.from({ length: count }, (_, week) => {
        const distance = of(week);
        return cellsRecord(MONDAY + week * WEEK, 1, { rest: [3, distance, -3] });
      }),
    ),
  );

describe("drift", () => {
  it("is that of the line through the weeks", () => {
    expect(
      driftsOf(
        weeksOf(10, (week) => 20 - 2 * week),
        "rest",
      ),
    ).toEqual([{ cell: 2, drift: expect.closeTo(-2, 9) as number }]);
    expect(
      driftsOf(
        weeksOf(10, (week) => week - 4),
        "rest",
      ),
    ).toEqual([{ cell: 2, drift: expect.closeTo(1, 9) as number }]);
  });

  it(`needs ${MIN_WEEKS} weeks with a record`, () => {
    const falling = (week: number): number => -2 * week;
    expect(driftsOf(weeksOf(MIN_WEEKS - 1, falling), "rest")).toBeUndefined();
    expect(driftsOf(weeksOf(MIN_WEEKS, falling), "rest")).toHaveLength(1);
    expect(driftsOf(weeksOf(MIN_WEEKS + 1, falling), "rest")).toHaveLength(1);
    // Of the cell, too: the others have enough.
    expect(
      driftsOf(
        weeksOf(MIN_WEEKS, (week) => (week ? falling(week) : undefined)),
        "rest",
      ),
    ).toEqual([]);
    // When full there is none.
    expect(driftsOf(weeksOf(MIN_WEEKS, falling), "full")).toBeUndefined();
  });

  it(`is told from ${MIN_DRIFT} mV a week on`, () => {
    // In steps of a whole mV: two in five weeks, three in five.
    expect(
      driftsOf(
        weeksOf(21, (week) => Math.floor((week * 2) / 5)),
        "rest",
      ),
    ).toHaveLength(0);
    expect(
      driftsOf(
        weeksOf(21, (week) => Math.floor((week * 3) / 5)),
        "rest",
      ),
    ).toHaveLength(1);
  });

  it("is not told where the distance only scatters", () => {
    let told = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = new Random(seed);
      told += driftsOf(
        weeksOf(8, () => random.below(21) - 10),
        "rest",
      )!.length;
    }
    expect(told).toBeLessThan(8);
  });

  it(`is of the newest ${MOST_WEEKS} weeks`, () => {
    const late = (week: number): number => (week < 20 ? -2 * week : -40);
    expect(driftsOf(weeksOf(20 + MOST_WEEKS, late), "rest")).toEqual([]);
    expect(driftsOf(weeksOf(4 + MOST_WEEKS, late), "rest")).toHaveLength(1);
  });

  it.each([
    [MIN_GROWTH - 1, "No cell drifts by 0.5 mV a week or more."],
    [MIN_GROWTH, "The spread at rest has grown by 5 mV, but not by one cell's steady drift."],
    [MIN_GROWTH + 1, "The spread at rest has grown by 6 mV, but not by one cell's steady drift."],
  ])("a spread that has grown by %i mV without one is called neither still nor a drift", (growth, line) => {
    // The lowest is now this cell, now that.
    const weeks = cellRows(
      Buffer.concat(
        Array.from({ length: 12 }, (_, week) => {
          const low = week < 6 ? 0 : -growth;
          return cellsRecord(MONDAY + week * WEEK, 1, {
            rest: [0, 0, 0, 0].map((_, cell) => (cell === week % 4 ? low : 0)),
          });
        }),
      ),
    );
    expect(driftsOf(weeks, "rest")).toEqual([]);
    expect(driftLines(weeks, PAST_TEXTS.en, "en").map((text) => text.replaceAll(/\s/g, " "))).toEqual([line]);
    // Of one cell nothing of it is said.
    expect(driftLines(weeks, PAST_TEXTS.en, "en", 1)).toEqual([]);
  });

  it("is said in words, in both languages, the fastest first", () => {
    const lines = (...asked: Parameters<typeof driftLines>): string[] =>
      driftLines(...asked).map((line) => line.replaceAll(/\s/g, " "));
    const weeks = cellRows(
      Buffer.concat(
        Array.from({ length: 8 }, (_, week) =>
          cellsRecord(MONDAY + week * WEEK, 1, { rest: [week, 0, -2 * week], full: [0, 0, -5 * week] }),
        ),
      ),
    );
    expect(lines(weeks, PAST_TEXTS.en, "en")).toEqual([
      "Cell 3 falls behind by 2.0 mV a week at rest.",
      "Cell 1 pulls ahead by 1.0 mV a week at rest.",
      "Cell 3 falls behind by 5.0 mV a week when full.",
    ]);
    expect(lines(weeks, PAST_TEXTS.pt, "pt")[0]).toBe(
      "A célula 3 cai 2,0 mV por semana em relação à média em repouso.",
    );
    expect(
      lines(
        weeksOf(6, () => 3),
        PAST_TEXTS.en,
        "en",
      ),
    ).toEqual(["No cell drifts by 0.5 mV a week or more."]);
    expect(
      lines(
        weeksOf(5, () => 3),
        PAST_TEXTS.en,
        "en",
      ),
    ).toEqual(["It takes 6 weeks of records to tell whether a cell drifts."]);
  });
});

describe("today's range of each cell", () => {
  const ranges = cellRanges(todayOf([[3_290, 3_310], undefined, [0, 65_534]]));
  const cell = (number: number, voltage: number) => ({ number, voltage, wireResistanceMilliOhm: 60 });

  it("is unknown of a cell that has not been seen, and has what is measured now", () => {
    expect(ranges).toHaveLength(32);
    expect([ranges[0], ranges[1], ranges[2]]).toEqual([[3.29, 3.31], undefined, [0, 65.534]]);
    expect(rangeOf(ranges, cell(1, 3.3))).toEqual([3.29, 3.31]);
    expect(rangeOf(ranges, cell(1, 3.28))).toEqual([3.28, 3.31]);
    expect(rangeOf(ranges, cell(1, 3.32))).toEqual([3.29, 3.32]);
    expect(rangeOf(ranges, cell(2, 3.3))).toBeUndefined();
    expect(rangeOf(undefined, cell(1, 3.3))).toBeUndefined();
  });

  it("of an answer that was cut is that of the cells that are whole", () => {
    const bytes = Uint8Array.from(todayOf([[3_290, 3_310]]));
    expect(cellRanges(bytes.subarray(0, 6))).toEqual([[3.29, 3.31]]);
  });
});
