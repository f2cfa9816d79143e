import { beforeEach, expect, it, vi } from "vitest";
import { readDayStart, writeDayStart } from "../../src/history/day-start";
import { FaultyStorage } from "../support/fakes/storage";
import { poweredBoard } from "../support/system/simulated-board";
import { table } from "../support/table";

const START = { day: 20_833, charged: 1_000_000, discharged: 2_500_000 };

let storage: FaultyStorage;
const trace = vi.fn();
beforeEach(() => {
  trace.mockClear();
  storage = new FaultyStorage(poweredBoard({ console: trace }));
});

it("what was stored is read, of a device that has counted nothing yet too", () => {
  for (const start of [START, { day: 0, charged: 0, discharged: 0 }]) {
    writeDayStart(storage, start);
    expect(readDayStart(storage)).toEqual(start);
  }
});

it("is stored as a device in the field has it", () => {
  writeDayStart(storage, START);
  expect(storage.get("state", "day")).toBe("20833 1000000 2500000 3520833");
});

it("none is stored", () => {
  expect(readDayStart(storage)).toBeUndefined();
});

table([
  "",
  "20833 1000000 2500000",
  // A digit of each number has changed.
  "20834 1000000 2500000 3520833",
  "20833 1000001 2500000 3520833",
  "20833 1000000 2500001 3520833",
  "20833 1000000 2500000 3520834",
  // Right but for a sign: a sum of them would be as it should.
  "-1 1000000 2500000 3499999",
  "20833 -1 2500000 2520832",
  "20833 1000000 -1 1020832",
  "20833 1000000 2500000 3520833 ",
  "20833  1000000 2500000 3520833",
  "NaN NaN NaN NaN",
])("a damaged text is none", (text) => {
  storage.put("state", "day", text);
  expect(readDayStart(storage)).toBeUndefined();
});

it("what can be neither stored nor read is said once, and is none", () => {
  storage.writesLeft = 0;
  writeDayStart(storage, START);
  expect(trace.mock.calls).toEqual([["history: cannot store the start of the day\n"]]);
  storage.failsToRead = ["day"];
  expect(readDayStart(storage)).toBeUndefined();
});
