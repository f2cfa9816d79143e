import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Config } from "../../web/documents.ts";
import { judgeParameter } from "../../web/judge.ts";
import { isAsBefore, presetOf, stepsTo, type PresetStep } from "../../web/preset-steps.ts";
import { beyondUsual, CHEMISTRIES, conflicts, preset } from "../../web/protection.ts";
import { PARAMETERS } from "../../web/tables.ts";
import { config } from "../support/web/web-mock-data.ts";
import fc, { runs } from "../support/property.ts";

const presetSteps = (type: string, config: Config): PresetStep[] => stepsTo(presetOf(type), config)!;
const TYPES = Object.keys(CHEMISTRIES);
const rows = (type: string) => PARAMETERS.filter(({ name }) => preset(name, type).length > 0);

function after(before: Config, { row: { object, member }, value }: PresetStep): Config {
  return { ...before, [object]: { ...before[object], [member]: value } };
}
const applied = (before: Config, steps: readonly PresetStep[]): Config => steps.reduce(after, before);

/** Pairs of limits that are out of order. */
const disorder = (held: Config): Set<string> =>
  new Set(
    PARAMETERS.flatMap(({ name, object, member }) =>
      conflicts(name, Number(held[object][member]), held).map(
        ({ upper, lower }) => `${upper.row.name} ${lower.row.name}`,
      ),
    ),
  );

/** Steps after which a pair is out of order that was not before. */
const worse = (before: Config, steps: readonly PresetStep[]): string[] => {
  const allowed = disorder(before);
  return steps.flatMap((step, index) =>
    [...disorder(applied(before, steps.slice(0, index + 1)))]
      .filter((pair) => !allowed.has(pair))
      .map((pair) => `${step.row.name}: ${pair}`),
  );
};

it.each([
  ["LiFePO4", "160C"],
  ["Li-ion", "160A"],
])("the preset for %s is what a BMS held after its own", (type, register) => {
  const file = new URL(`../fixtures/captures/phinix-preset_${register}_t01_addr1.expected.json`, import.meta.url);
  const held = JSON.parse(readFileSync(file, "utf8")) as Config;
  expect(presetSteps(type, held)).toEqual([]);
});

describe.each(TYPES)("the preset for %s", (type) => {
  it("has all limits of the cells and of the MOSFETs, within what the BMS takes and the cells bear", () => {
    expect(rows(type).map(({ name }) => name)).toEqual([
      "cell_uvp_voltage",
      "cell_uvpr_voltage",
      "cell_ovp_voltage",
      "cell_ovpr_voltage",
      "cell_rcv_voltage",
      "power_off_voltage",
      "mos_otp",
      "mos_otpr",
    ]);
    for (const row of rows(type)) {
      const [[, value] = ["", NaN]] = preset(row.name, type);
      expect(judgeParameter(row, value.toFixed(row.decimals), "en"), row.name).toBe(value.toFixed(row.decimals));
      expect(beyondUsual(row.name, value, type), row.name).toBeUndefined();
    }
  });

  it("is in order, reached whole, and then there is nothing left", () => {
    const there = applied(config(), presetSteps(type, config()));
    for (const { name, object, member } of rows(type)) expect(there[object][member]).toBe(preset(name, type)[0]?.[1]);
    expect(disorder(there)).toEqual(new Set());
    expect(presetSteps(type, there)).toEqual([]);
  });

  it("changes only what differs", () => {
    const before = applied(config(), presetSteps(type, config()));
    const one = { ...before, protections: { ...before.protections, cellOvpVoltage: 4.5 } };
    expect(presetSteps(type, one).map(({ row, old }) => [row.name, old])).toEqual([["cell_ovp_voltage", 4.5]]);
  });

  it("never puts limits out of order on the way, wherever it begins", () => {
    const value = fc.integer({ min: 0, max: 50 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(fc.array(value, { minLength: 8, maxLength: 8 }), (values) => {
        const before = rows(type).reduce<Config>(
          (all, row, index) => after(all, { row, old: 0, value: values[index] ?? NaN }),
          config(),
        );
        const steps = presetSteps(type, before);
        expect(new Set(steps.map(({ row }) => row.name)).size).toBe(steps.length);
        expect(worse(before, steps)).toEqual([]);
      }),
      { numRuns: runs(250) },
    );
  });
});

it("from one chemistry to the other and back, no limit is out of order on the way", () => {
  const [one = "", other = ""] = TYPES;
  const first = applied(config(), presetSteps(one, config()));
  const there = presetSteps(other, first);
  const back = presetSteps(one, applied(first, there));
  expect(there).toHaveLength(6);
  expect([...worse(first, there), ...worse(applied(first, there), back)]).toEqual([]);
  // Up: from the top.
  expect(there.findIndex(({ row }) => row.name === "cell_ovp_voltage")).toBeLessThan(
    there.findIndex(({ row }) => row.name === "cell_rcv_voltage"),
  );
  expect(back.findIndex(({ row }) => row.name === "cell_rcv_voltage")).toBeLessThan(
    back.findIndex(({ row }) => row.name === "cell_ovp_voltage"),
  );
});

describe("what is known of the configuration on the way", () => {
  const type = "LiFePO4";
  const steps = presetSteps(type, config());
  const [first] = steps as [PresetStep];

  it("is as before, with or without what was written", () => {
    expect(isAsBefore(presetOf(type), config(), config(), [])).toBe(true);
    expect(isAsBefore(presetOf(type), config(), config(), [first])).toBe(true);
    expect(isAsBefore(presetOf(type), config(), after(config(), first), [first])).toBe(true);
  });

  it("is not if any limit of the preset was changed, or is no longer known", () => {
    expect(isAsBefore(presetOf(type), config(), after(config(), first), [])).toBe(false);
    expect(isAsBefore(presetOf(type), config(), after(config(), { ...first, value: 3.7 }), [first])).toBe(false);
    const last = { ...config(), protections: { ...config().protections, powerOffVoltage: 2.55 } };
    expect(isAsBefore(presetOf(type), config(), last, [])).toBe(false);
    expect(isAsBefore(presetOf(type), config(), undefined, [])).toBe(false);
  });

  it("is as before if something else was changed", () => {
    const other = { ...config(), battery: { ...config().battery, capacityAh: 300 } };
    expect(isAsBefore(presetOf(type), config(), other, [])).toBe(true);
  });
});
