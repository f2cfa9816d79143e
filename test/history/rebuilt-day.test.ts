import { valueOf, write } from "flash-log/field";
import { describe, expect, it } from "vitest";
import { NorFlash } from "../../host-sim/nor-flash";
import { FINE, FIRST_SECTOR, SECTORS } from "../../src/history/layout";
import { FINE_SECONDS, REST_MILLIAMPERES } from "../../src/history/limits";
import { absorb, RebuiltDay } from "../../src/history/rebuilt-day";
import { RecordStore } from "../../src/history/record-store";
import { DAY_FIELDS, DAY_RECORD, FINE_FIELDS, FINE_RECORD } from "../../src/history/records";

type Values<Fields> = Partial<Record<keyof Fields, number>>;

function recordOf<Fields extends Readonly<Record<string, number>>>(
  bytes: number,
  fields: Fields,
  values: Values<Fields>,
): Uint8Array {
  const record = new Uint8Array(bytes).fill(0xff);
  for (const [name, reading] of Object.entries(values)) write(record, 0, fields[name]!, reading as number);
  return record;
}
const fineOf = (values: Values<typeof FINE_FIELDS>): Uint8Array => recordOf(FINE_RECORD.bytes, FINE_FIELDS, values);
const dayOf = (values: Values<typeof DAY_FIELDS>): Uint8Array => recordOf(DAY_RECORD.bytes, DAY_FIELDS, values);

describe("ten minutes", () => {
  /** 50 V: at rest up to 50 W. */
  const spreads = (power: Values<typeof FINE_FIELDS>): (number | undefined)[] => {
    const day = dayOf({});
    absorb(day, fineOf({ voltage: 50_000, delta: 20, ...power }), REST_MILLIAMPERES, undefined);
    return [DAY_FIELDS.deltaAtRest, DAY_FIELDS.deltaUnderLoad].map((field) => valueOf(day, field));
  };

  it("are at rest while no more than the resting current flowed, either way", () => {
    expect(spreads({ minPower: -50, maxPower: 50 })).toEqual([20, undefined]);
    expect(spreads({ minPower: -50, maxPower: 60 })).toEqual([undefined, 20]);
    expect(spreads({ minPower: -60, maxPower: 50 })).toEqual([undefined, 20]);
  });

  it("whose power or voltage is unknown are not called rest", () => {
    expect(spreads({ minPower: 0 })).toEqual([undefined, 20]);
    expect(spreads({ maxPower: 0 })).toEqual([undefined, 20]);
    const day = dayOf({});
    absorb(day, fineOf({ delta: 20, minPower: 0, maxPower: 0 }), REST_MILLIAMPERES, undefined);
    expect(valueOf(day, DAY_FIELDS.deltaAtRest)).toBeUndefined();
  });

  it("count if there were replies in them", () => {
    const day = dayOf({});
    for (const minutes of [{ minutes: 10 }, { minutes: 0 }, {}, { minutes: 1 }])
      absorb(day, fineOf(minutes), REST_MILLIAMPERES, undefined);
    expect(valueOf(day, DAY_FIELDS.tenMinutes)).toBe(2);
  });

  it("name the pack of an extreme only where none is known", () => {
    const day = dayOf({
      minCellVoltage: 3_000,
      minCell: 4,
      minCellPack: 7,
      maxCellVoltage: 3_500,
      maxCell: 5,
      maxCellPack: 8,
    });
    const packs = (): (number | undefined)[] =>
      [DAY_FIELDS.minCellPack, DAY_FIELDS.maxCellPack].map((field) => valueOf(day, field));
    absorb(day, fineOf({ minCellVoltage: 3_200, minCell: 1, delta: 10 }), REST_MILLIAMPERES, 3);
    expect(packs()).toEqual([7, 8]);
    absorb(day, fineOf({ minCellVoltage: 2_900, minCell: 1, delta: 10 }), REST_MILLIAMPERES, 3);
    expect(packs()).toEqual([3, 8]);
    absorb(day, fineOf({ minCellVoltage: 2_800, minCell: 1, delta: 10 }), REST_MILLIAMPERES, undefined);
    expect(packs()).toEqual([undefined, 8]);
  });
});

it("takes the ten minutes of its day until this run began, and no others", () => {
  const DAY = 86_400;
  const midnight = 20_833 * DAY;
  const store = new RecordStore(new NorFlash(FIRST_SECTOR + SECTORS));
  for (const [time, soc] of [
    [midnight - FINE_SECONDS, 10],
    [midnight, 50],
    [undefined, 20],
    [midnight + FINE_SECONDS, 60],
    [midnight + 2 * FINE_SECONDS, 90],
  ] as const)
    store.append(FINE, fineOf({ soc }), time, 0);
  const into = dayOf({});
  const rebuilt = new RebuiltDay(store.rings[FINE]!, midnight / DAY, { offsetAt: () => 0 });
  while (rebuilt.advance(into, midnight + FINE_SECONDS, REST_MILLIAMPERES, undefined));
  expect([DAY_FIELDS.minSoc, DAY_FIELDS.maxSoc].map((field) => valueOf(into, field))).toEqual([50, 60]);
});
