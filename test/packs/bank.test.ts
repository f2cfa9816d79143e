/** What several packs are together: sums, extremes with the pack that has them, and what is unknown. */
import * as FIELDS from "jk-bms/field-table";
import { describe, expect, it } from "vitest";
import * as BANK from "../../src/packs/bank";
import { bankOf, leaderOf } from "../../src/packs/bank";
import { TestMonitor } from "../support/bms/bms-link";
import { table } from "../support/table";

/** Each pack at its place + 11, with 100 Ah, 50 % of them, 10 A, and cells and temperatures as given. */
function packOf(index: number, cells: readonly number[], celsius: number): TestMonitor {
  const pack = new TestMonitor();
  pack.index = index;
  pack.identity = { address: index + 11, name: "", serial: "" };
  pack.telemetry
    .setCells(cells)
    .set(FIELDS.soc, 50)
    .set(FIELDS.remainingCapacity, 50_000)
    .set(FIELDS.fullCapacity, 100_000)
    .set(FIELDS.packVoltage, 52_000)
    .set(FIELDS.packCurrent, 10_000)
    .set(FIELDS.packPower, 520_000);
  // Two probes.
  pack.telemetry.set(FIELDS.temperatureSensors, 6).set(FIELDS.battery1Temperature, 10 * celsius);
  pack.telemetry.set(FIELDS.battery2Temperature, 10 * celsius);
  pack.setup.set(FIELDS.capacity, 100_000);
  return pack;
}
const bank = (): TestMonitor[] => [
  packOf(0, [3_300, 3_310, 3_320], 20),
  packOf(1, [3_305, 3_290, 3_315], 30),
  packOf(2, [3_350, 3_300, 3_345], 10),
];
const SUMS = [BANK.CHARGE, BANK.AMPERE_HOURS, BANK.REMAINING, BANK.VOLTAGE, BANK.CURRENT, BANK.POWER];
const at = (values: readonly number[], places: readonly number[]): unknown[] => places.map((place) => values[place]);
const three = (values: readonly number[], place: number): unknown[] => values.slice(place, place + 3);

it("sums are of all that are online, the charge by capacity, the voltage a mean", () => {
  const packs = bank();
  packs[2]!.setup.set(FIELDS.capacity, 200_000);
  packs[2]!.telemetry.set(FIELDS.soc, 80).set(FIELDS.packVoltage, 52_600);
  const values = bankOf(packs);
  expect(at(values, [BANK.PACKS, BANK.ONLINE])).toEqual([3, 3]);
  expect(at(values, SUMS)).toEqual([650, 400_000, 150_000, 52_200, 30_000, 156_000]);
});

describe("extremes", () => {
  it("have the address of their pack, those of cells also the number of the cell", () => {
    const values = bankOf(bank());
    expect(three(values, BANK.LOWEST)).toEqual([3_290, 12, 2]);
    expect(three(values, BANK.HIGHEST)).toEqual([3_350, 13, 1]);
    expect(at(values, [BANK.WIDEST, BANK.WIDEST + 1])).toEqual([50, 13]);
    expect(at(values, [BANK.HOTTEST, BANK.HOTTEST + 1, BANK.COLDEST])).toEqual([300, 12, 100]);
  });

  it("are the first pack's if several have the same", () => {
    const same = [0, 1, 2].map((index) => packOf(index, [3_300, 3_310], 20));
    const values = bankOf(same);
    expect([three(values, BANK.LOWEST), three(values, BANK.HIGHEST)]).toEqual([
      [3_300, 11, 1],
      [3_310, 11, 2],
    ]);
    expect(at(values, [BANK.WIDEST + 1, BANK.HOTTEST + 1])).toEqual([11, 11]);
  });

  it.each([0, 1, 2])("do not change by the pack at place %i if it has neither cells nor sensors", (place) => {
    const packs = bank();
    packs[place]!.telemetry.setCells([]).set(FIELDS.temperatureSensors, 0);
    const others = packs.filter((_, index) => index !== place);
    expect(bankOf(packs).slice(BANK.LOWEST)).toEqual(bankOf(others).slice(BANK.LOWEST));
  });
});

table([0, 1, 2])("a pack that is online without values leaves the sums unknown, wherever it stands", (place) => {
  const packs = bank();
  packs[place]!.telemetry.valid = false;
  const values = bankOf(packs);
  expect(at(values, [BANK.PACKS, BANK.ONLINE])).toEqual([3, 3]);
  expect(at(values, SUMS)).toEqual(SUMS.map(() => NaN));
  expect(bankOf(packs.filter((_, index) => index !== place)).slice(BANK.LOWEST)).toEqual(values.slice(BANK.LOWEST));
});

table([0, 1, 2])("a pack that is offline is left out", (place) => {
  const packs = bank();
  packs[place]!.online = false;
  const others = packs.filter((_, index) => index !== place);
  const values = bankOf(packs);
  expect(at(values, [BANK.PACKS, BANK.ONLINE])).toEqual([3, 2]);
  expect(values.slice(BANK.CHARGE)).toEqual(bankOf(others).slice(BANK.CHARGE));
});

it("nothing is known while none is online", () => {
  const packs = bank();
  for (const pack of packs) pack.online = false;
  const [count, online, ...rest] = bankOf(packs);
  expect([count, online]).toEqual([3, 0]);
  expect(rest).toEqual(rest.map(() => NaN));
});

it("the first that is online stands for all, or the first if none is", () => {
  const [first, second, third] = bank() as [TestMonitor, TestMonitor, TestMonitor];
  const of = (): number => leaderOf([first, second, third]).index;
  expect(of()).toBe(0);
  first.online = false;
  expect(of()).toBe(1);
  second.online = false;
  expect(of()).toBe(2);
  third.online = false;
  expect(of()).toBe(0);
});
