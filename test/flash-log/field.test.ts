/** The numbers of a record: each has bits of its own, and is read back as it was written. */
import { describe, expect, it } from "vitest";
import * as f from "../../modules/flash-log/field";
import { PAYLOAD } from "../../modules/flash-log/layout";
import { RECORDS } from "../../src/history/records";
import fc from "../support/property";

const { BYTE, FOUR_BITS, LONG, ONE_BIT, recordOf, ROW, SIX_BITS, storedAt, THREE_BYTES, valueOf, WORD } = f;

const bitsIn = (field: f.Field): number => f.bitsOf(field) || 8 * f.bytesOf(field);
/** The greatest number that is not unknown. */
const mostIn = (field: f.Field): number => 2 ** bitsIn(field) - (f.bitsOf(field) === 1 ? 1 : 2);
const count = (field: f.Field): number => f.countOf(field) || 1;

/** Numbers of the bits that a field has in a record, counted from its first byte. */
const placeOf = (field: f.Field): number[] => {
  const record = new Uint8Array(128);
  for (let index = 0; index < count(field); index++) f.forget(record, 0, field, index);
  return [...record].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) & 1).map((bit) => 8 * at + bit),
  );
};

const SIZES = [BYTE, WORD, THREE_BYTES, LONG, ONE_BIT, FOUR_BITS, SIX_BITS, BYTE | ROW, WORD | ROW];
/** Records of any fields, up to what an offset can say. */
const tables = fc
  .array(fc.constantFrom(...SIZES), { minLength: 1, maxLength: 12 })
  .map((kinds) => recordOf("any", Object.fromEntries(kinds.map((kind, index) => [`field${index}`, kind]))))
  .filter(({ bytes }) => bytes <= 100);

const checkPlaces = ({ fields, bytes }: f.RecordTable): void => {
  const all = Object.values(fields).map(placeOf);
  const bits = all.flat();
  expect(new Set(bits).size).toBe(bits.length);
  all.forEach((place, index) => {
    const field = Object.values(fields)[index]!;
    expect(place).toHaveLength(bitsIn(field) * count(field));
  });
  expect(Math.min(...bits)).toBe(8 * PAYLOAD);
  // Its check is the last byte, and none is left out.
  expect(new Set(bits.map((bit) => bit >> 3)).size).toBe(bytes - PAYLOAD - 1);
};

/** Writes each number of a field, reads it back, and looks whether another has changed. */
const checkNumbers = ({ fields, bytes }: f.RecordTable, start = 0): void => {
  const record = new Uint8Array(start + bytes).fill(0);
  const numbers = Object.entries(fields).flatMap(([name, field]) =>
    Array.from({ length: count(field) }, (_, index) => ({ name, field, index })),
  );
  const all = (): (number | undefined)[] => numbers.map(({ field, index }) => storedAt(record, start, field, index));
  numbers.forEach(({ name, field, index }, place) => {
    for (const value of [mostIn(field), 0, 1]) {
      const before = all();
      f.store(record, start, field, value, index);
      expect([name, all()]).toEqual([name, before.with(place, value)]);
    }
    const before = all();
    f.forget(record, start, field, index);
    // A boolean is unknown with its byte alone.
    expect([name, all()]).toEqual([name, before.with(place, f.isBoolean(field) ? 1 : undefined)]);
    f.store(record, start, field, 0, index);
  });
};

describe("fields", () => {
  it("of any record have bits of their own, without a gap", () => {
    fc.assert(fc.property(tables, checkPlaces));
  });

  it("of any record are read back at their extremes and unknown, and leave all others alone", () => {
    fc.assert(fc.property(tables, fc.integer({ min: 0, max: 30 }), checkNumbers));
  });

  it.each(RECORDS)("of the history's $name do so, too", (table) => {
    checkPlaces(table);
    checkNumbers(table);
  });

  it.each(RECORDS)("of the history's $name are unknown in an erased record", ({ fields, bytes }) => {
    const erased = new Uint8Array(bytes).fill(0xff);
    for (const field of Object.values(fields))
      for (let index = 0; index < count(field); index++) expect(valueOf(erased, field, index)).toBeUndefined();
  });

  it("are behind each other in their order, but for those that are to be the last", () => {
    const { fields, bytes } = recordOf("any", { a: BYTE, b: BYTE, c: WORD, d: BYTE }, ["b", "a"]);
    expect(Object.entries(fields).map(([name, field]) => [name, f.offsetOf(field)])).toEqual([
      ["a", 9],
      ["b", 8],
      ["c", 5],
      ["d", 7],
    ]);
    expect(bytes).toBe(11);
  });
});

describe("a reading", () => {
  const { fields } = recordOf("any", {
    percent: BYTE,
    watts: WORD | f.SIGNED | f.STEP_10,
    volts: WORD | f.TWO_DECIMALS | f.STEP_10,
    amperes: WORD | f.SIGNED | f.ONE_DECIMAL | f.STEP_100,
    spread: BYTE | f.THREE_DECIMALS | f.STEP_2,
    degrees: BYTE | f.PLUS_100,
    distance: BYTE | f.PLUS_128 | f.THREE_DECIMALS,
    first: BYTE | f.FROM_1,
    address: FOUR_BITS,
    flag: ONE_BIT,
  });
  const record = new Uint8Array(64);

  // Each at its least and greatest, one over and under, and rounded; the last number is what is shown, without the point.
  it.each<[keyof typeof fields, ...[number, number][]]>([
    ["percent", [-1, 0], [0.4, 0], [0.5, 1], [254, 254], [255, 254]],
    ["watts", [-327_690, -327_680], [-327_680, -327_680], [-4, 0], [5, 10], [327_660, 327_660], [327_670, 327_660]],
    ["volts", [-1, 0], [52_344, 5_234], [52_345, 5_235], [655_340, 65_534], [655_350, 65_534]],
    ["amperes", [-3_276_900, -32_768], [-149, -1], [-150, -1], [150, 2], [3_276_600, 32_766], [3_276_700, 32_766]],
    ["spread", [0, 0], [3, 4], [508, 508], [510, 508]],
    ["degrees", [-101, -100], [-100, -100], [21.4, 21], [154, 154], [155, 154]],
    ["distance", [-129, -128], [-128, -128], [0, 0], [126, 126], [127, 126]],
    ["first", [0, 1], [1, 1], [17, 17], [255, 255], [256, 255]],
    ["address", [-1, 0], [14, 14], [15, 14]],
    ["flag", [0, 0], [1, 1], [2, 1]],
  ])("of %s that does not fit becomes the nearest that does, and never unknown", (name, ...pairs) => {
    for (const [reading, shown] of pairs) {
      f.write(record, 0, fields[name], reading);
      expect([reading, valueOf(record, fields[name])]).toEqual([reading, shown]);
    }
  });

  it.each([
    ["the last", WORD, [5, 9, 7], [5, 9, 7], [true, true, true]],
    ["the least", WORD | f.LEAST, [5, 9, 5, 4], [5, 5, 5, 4], [true, false, false, true]],
    ["the greatest", WORD | f.MOST, [5, 4, 5, 9], [5, 5, 5, 9], [true, false, false, true]],
    [
      "the bits of any",
      LONG | f.ANY,
      [0, 0x8000_0001, 1, 2],
      [0, 0x8000_0001, 0x8000_0001, 0x8000_0003],
      [true, true, false, true],
    ],
  ] as const)("is taken in as %s", (_, kind, readings, results, changes) => {
    const table = recordOf("any", { before: BYTE, taken: kind });
    const bytes = new Uint8Array(table.bytes).fill(0xff);
    readings.forEach((reading, index) => {
      const hasChanged = f.take(bytes, 0, table.fields.taken, reading);
      expect([valueOf(bytes, table.fields.taken), hasChanged]).toEqual([results[index], changes[index]]);
    });
    expect(valueOf(bytes, table.fields.before)).toBeUndefined();
  });
});
