import { write } from "flash-log/field";
import { expect } from "vitest";
import { NorFlash } from "../../host-sim/nor-flash";
import { midnightOf } from "../../src/history/calendar";
import { energyOfDay } from "../../src/history/day-energy";
import { DAYS, FIRST_SECTOR, SECTORS } from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";
import { DAY_FIELDS, DAY_RECORD } from "../../src/history/records";
import { table } from "../support/table";

const DAY = 20_833;

table([14, 0, -11])("a day has the sum of its records, whatever the clock showed between them", (hours) => {
  const zone = { offsetAt: () => 3_600 * hours };
  const store = new RecordStore(new NorFlash(FIRST_SECTOR + SECTORS));
  for (const [day, charged, discharged] of [
    [DAY - 2, 1, 2],
    [DAY - 1, 4, 8],
    [DAY, 16, 32],
    [DAY + 1, 64, 128],
    [DAY, 256, undefined],
    [DAY + 2, undefined, undefined],
  ] as const) {
    const record = new Uint8Array(DAY_RECORD.bytes).fill(0xff);
    if (charged !== undefined) write(record, 0, DAY_FIELDS.charged, charged);
    if (discharged !== undefined) write(record, 0, DAY_FIELDS.discharged, discharged);
    store.append(DAYS, record, midnightOf(day, zone), 0);
  }
  const of = (day: number): readonly number[] => energyOfDay(store.rings[DAYS]!, day, zone);
  expect([-3, -2, -1, 0, 2].map((day) => of(DAY + day))).toEqual([
    [NaN, NaN],
    [1, 2],
    [4, 8],
    [272, 32],
    [NaN, NaN],
  ]);
});
