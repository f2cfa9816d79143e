import { JsonWriter } from "json/writer";
import { describe, expect, it } from "vitest";
import { LAST_KNOWN, REST, writeRows, writeStatus, type Representation } from "../../src/catalogue/document";
import { FURTHER_DEGREES } from "../../src/catalogue/quantities";
import { OUTPUT_TABLE, TELEMETRY_TABLE } from "../../src/catalogue/telemetry";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { readLast } from "../../src/catalogue/read";
import { grouped, type Row } from "../../src/catalogue/row";
import { FakePack } from "../support/fakes/fake-monitor";
import { jsonText } from "../support/json-text";
import fc, { runs } from "../support/property";

const ALL: readonly Row[] = [...TELEMETRY_TABLE, ...OUTPUT_TABLE, ...PARAMETERS_TABLE];
const PACK = new FakePack();

type Members = Record<string, unknown>;

/** The members of `rows` in their order, an object where the first of its rows is. */
function membersOf(rows: readonly Row[]): Members {
  const members: Members = {};
  for (const row of rows) {
    const value = readLast(row, PACK);
    const [name, member] = row.path.split(".") as [string, string?];
    if (value === undefined && row.quantity === FURTHER_DEGREES) {
      // The object is where its rows are.
      members[name] ??= undefined;
      continue;
    }
    const shown = typeof value === "number" ? value / 10 ** row.quantity.decimals : (value ?? null);
    if (member === undefined) members[name] = shown;
    else members[name] = { ...(members[name] as Members | undefined), [member]: shown };
  }
  return members;
}

const written = (
  rows: readonly Row[],
  isFirst: boolean,
  isLast: boolean,
  representation: Representation = LAST_KNOWN,
): string =>
  jsonText((json) => {
    if (!isFirst) json.boolean("before", true);
    writeRows(json, PACK, rows, representation);
    if (!isLast) json.boolean("after", true);
  });
const expected = (rows: readonly Row[], isFirst: boolean, isLast: boolean): string =>
  JSON.stringify({
    ...(isFirst ? {} : { before: true }),
    ...membersOf(rows),
    ...(isLast ? {} : { after: true }),
  });

describe("rows are JSON with their members", () => {
  it("any of them in any order", () => {
    expect(new Set(ALL.map(({ path }) => path)).size).toBe(ALL.length);
    fc.assert(
      fc.property(fc.shuffledSubarray([...ALL]), fc.boolean(), fc.boolean(), (rows, isFirst, isLast) => {
        expect(written(grouped(rows), isFirst, isLast)).toBe(expected(rows, isFirst, isLast));
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ["telemetry", TELEMETRY_TABLE],
    ["outputs", OUTPUT_TABLE],
    ["parameters", PARAMETERS_TABLE],
  ] as const)("any of the %s in the order of the table", (_, table) => {
    fc.assert(
      fc.property(fc.subarray<Row>([...table]), fc.boolean(), fc.boolean(), (rows, isFirst, isLast) => {
        expect(written(rows, isFirst, isLast)).toBe(expected(rows, isFirst, isLast));
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(ALL.map((row) => [row.path, row] as const))("%s alone, and all others without it", (_, row) => {
    for (const rows of [[row], grouped(ALL.filter((other) => other !== row))])
      expect(written(rows, true, true)).toBe(expected(rows, true, true));
  });
});

it("the tables have the rows of an object together", () => {
  for (const table of [TELEMETRY_TABLE, OUTPUT_TABLE, PARAMETERS_TABLE]) expect(grouped<Row>(table)).toEqual(table);
});

it("a document that does not fit is refused, and nothing is written beyond its room", () => {
  const room = jsonText((json) => writeStatus(json, PACK, REST)).length;
  for (let length = 0; length <= room; length++) {
    const buffer = new Uint8Array(room + 100).fill(0x2a);
    const json = new JsonWriter().begin(buffer.subarray(50, 50 + length)).open();
    writeStatus(json, PACK, REST);
    json.close();
    expect(json.fits).toBe(length === room);
    if (length < room) expect(() => json.end()).toThrow(RangeError);
    else expect(json.end()).toBe(room);
    const outside = [...buffer.subarray(0, 50), ...buffer.subarray(50 + length)];
    expect(outside.every((byte) => byte === 0x2a)).toBe(true);
  }
});
