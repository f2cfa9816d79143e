/** The limits of a pack as a file. */
import { describe, expect, it } from "vitest";
import type { Config } from "../../web/documents.ts";
import { bounds } from "../../web/judge.ts";
import { limitsOf, readLimits, suits } from "../../web/limits-file.ts";
import { stepsTo, type Targets } from "../../web/preset-steps.ts";
import { conflicts } from "../../web/protection.ts";
import { PARAMETERS, type ParameterName } from "../../web/tables.ts";
import { config, status } from "../support/web/web-mock-data.ts";
import fc from "../support/property.ts";

const file = () => limitsOf(status(), config());
const read = (change: object) => readLimits(JSON.stringify({ ...file(), ...change }));
const withLimit = (name: string, value: unknown) => read({ limits: { ...file().limits, [name]: value } });
const row = (name: ParameterName) => PARAMETERS.find((one) => one.name === name)!;

it("has every limit, the date and the serial number, and not what belongs to the pack alone", () => {
  const { limits, serialNumber, date, cellCount, batteryType } = file();
  const left = PARAMETERS.filter(({ name }) => !(name in limits)).map(({ name }) => name);
  expect(left).toEqual(["cell_count", "capacity_ah", "bluetooth_name"]);
  expect([serialNumber, cellCount, batteryType]).toEqual([
    status().info.serialNumber,
    config().battery.cellCount,
    status().batteryType,
  ]);
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(read({})).toEqual(file());
});

describe("a file is refused", () => {
  it.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["a backup of the device", JSON.stringify({ kind: "jk-bms-monitor settings", groups: {} })],
    ["without limits", JSON.stringify({ ...file(), limits: undefined })],
    ["with no limit", JSON.stringify({ ...file(), limits: {} })],
    ["with none that is known", JSON.stringify({ ...file(), limits: { other: 1 } })],
  ])("that is %s", (_, text) => expect(readLimits(text)).toBeUndefined());

  it.each(Object.keys(file().limits) as ParameterName[])(
    "that has %s beyond what the BMS takes, or no number",
    (name) => {
      const [low, high] = bounds(row(name));
      const step = 10 ** -row(name).decimals;
      for (const value of [low, high]) expect(withLimit(name, value)?.limits[name], `${value}`).toBe(value);
      for (const value of [low - step, high + step, low + step / 2, "3", null, true])
        expect(withLimit(name, value), `${String(value)}`).toBeUndefined();
    },
  );
});

it("leaves out limits that this firmware does not know, and what belongs to a pack alone", () => {
  expect(withLimit("of_tomorrow", 3)).toEqual(file());
  expect(withLimit("cell_count", 8)).toEqual(file());
});

it("suits as many cells of the same kind only", () => {
  expect(suits(file(), file())).toBe(true);
  expect(suits(file(), { ...file(), cellCount: 15 })).toBe(false);
  expect(suits(file(), { ...file(), batteryType: "Li-ion" })).toBe(false);
  expect(suits(file(), { ...file(), batteryType: null })).toBe(false);
});

it("suits cells of a kind that is not known only in the same pack", () => {
  const unknown = { ...file(), batteryType: null };
  expect(suits(unknown, unknown)).toBe(true);
  expect(suits(unknown, { ...unknown, serialNumber: "10000000001" })).toBe(false);
  expect(suits({ ...unknown, serialNumber: null }, { ...unknown, serialNumber: null })).toBe(false);
  expect(suits(file(), { ...file(), serialNumber: "10000000001" })).toBe(true);
});

describe("the writes", () => {
  const names = Object.keys(file().limits) as ParameterName[];
  const held = (targets: Targets): Config =>
    names.reduce<Config>((so, name) => {
      const { object, member } = row(name);
      return { ...so, [object]: { ...so[object], [member]: targets[name] } };
    }, config());
  const disorder = (of: Config) =>
    names.flatMap((name) => conflicts(name, Number(of[row(name).object][row(name).member]), of));
  /** Limits in order: of random values each that would be out of order is taken as it is. */
  const limits = fc
    .tuple(...names.map((name) => fc.integer({ min: row(name).min, max: row(name).max })))
    .map((values) =>
      names.reduce<Targets>((so, name, at) => {
        const value = Number((values[at]! / 10 ** row(name).decimals).toFixed(row(name).decimals));
        const next = { ...so, [name]: value };
        return disorder(held(next)).length ? so : next;
      }, file().limits),
    );

  it("keep the limits in order from any to any other, and arrive", () => {
    fc.assert(
      fc.property(limits, limits, (from, to) => {
        const start = held(from);
        const steps = stepsTo(to, start)!;
        let now = start;
        for (const {
          row: { name, object, member },
          value,
        } of steps) {
          now = { ...now, [object]: { ...now[object], [member]: value } };
          expect(disorder(now), name).toEqual([]);
        }
        expect(limitsOf(status(), now).limits).toEqual(to);
      }),
    );
  });

  it("are none for limits that are not in order", () => {
    expect(stepsTo({ ...file().limits, cell_ovp_voltage: 3, cell_ovpr_voltage: 3.2 }, config())).toBeUndefined();
  });
});
