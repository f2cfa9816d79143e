/** The owner's thresholds, each at its limit, one below and one above; what messages make of it is in test/notify. */
import * as FIELDS from "jk-bms/field-table";
import { expect, it } from "vitest";
import { OWNED, ownedHold, ownedUnit, type Owned } from "../../src/conditions/table";
import { isBeyond, isWorse, ownedValue, thresholdOf, type Thresholds } from "../../src/conditions/thresholds";
import * as causes from "../../src/notify/causes";
import { TestMonitor } from "../support/bms/bms-link";

const NONE: Thresholds = { offlineAfter: 0, soc: 0, temperature: 0, spread: 0 };
const pack = (): TestMonitor => {
  const one = new TestMonitor();
  one.telemetry.setCells([3_300, 3_300]).set(FIELDS.soc, 50).set(FIELDS.temperatureSensors, 0b111);
  return one;
};

interface Row {
  readonly set: (pack: TestMonitor, value: number) => void;
  readonly limit: number;
  /** Beyond by the least; at the limit; back by the least. */
  readonly values: readonly [number, number, number];
  readonly isLow?: boolean;
}
const ROWS: Readonly<Record<Exclude<Owned, "offlineAfter">, Row>> = {
  soc: {
    set: ({ telemetry }, value) => void telemetry.set(FIELDS.soc, value),
    limit: 20,
    values: [19, 20, 22],
    isLow: true,
  },
  temperature: {
    set: ({ telemetry }, value) => void telemetry.set(FIELDS.battery2Temperature, value),
    limit: 50,
    values: [501, 500, 450],
  },
  spread: {
    set: ({ telemetry }, value) => void telemetry.setCells([3_000, 3_000 + value]),
    limit: 200,
    values: [201, 200, 180],
  },
};

it.each(Object.entries(ROWS))("%s", (code, { set, limit, values: [beyond, at, back], isLow = false }) => {
  const row = OWNED.indexOf(code as Owned);
  const one = pack();
  const judged = (value: number, threshold = limit): boolean | undefined => {
    set(one, value);
    return isBeyond(row, one, { ...NONE, [code]: threshold });
  };
  const nearly = back + (isLow ? -1 : 1);
  expect([judged(beyond), judged(at), judged(nearly), judged(back)]).toEqual([true, undefined, undefined, false]);
  expect(judged(beyond, 0)).not.toBe(true);
  expect(ownedValue(row, one)).toBe(beyond);
  expect([isWorse(row, beyond, at), isWorse(row, at, beyond), isWorse(row, at, at)]).toEqual([true, false, false]);
  one.online = false;
  expect(judged(beyond)).toBeUndefined();
  expect(ownedHold(row)).toBeGreaterThan(0);
});

it("silence lasts for as long as is set", () => {
  const row = OWNED.indexOf("offlineAfter");
  const one = pack();
  expect(isBeyond(row, one, NONE)).toBe(false);
  one.online = false;
  expect(isBeyond(row, one, NONE)).toBe(true);
  expect([ownedHold(row), thresholdOf(row, { ...NONE, offlineAfter: 300 })]).toEqual([0, 300]);
});

it("the causes of messages are in the order of the rows", () => {
  const of = [causes.OFFLINE, causes.SOC, causes.TEMPERATURE, causes.SPREAD].map((cause) => cause - causes.OFFLINE);
  expect(of.map((row) => OWNED[row])).toEqual(["offlineAfter", "soc", "temperature", "spread"]);
  expect(of.map((row) => ownedUnit(row))).toEqual(["s", "%", "°C", "mV"]);
});
