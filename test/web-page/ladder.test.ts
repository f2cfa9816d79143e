import { describe, expect, it } from "vitest";
import { allowedOf, drawing, LADDERS, rungs, todayOf, type LadderName } from "../../web/ladder.ts";
import { PARAMETERS } from "../../web/tables.ts";
import { config, status } from "../support/web/web-mock-data.ts";

const NAMES = Object.keys(LADDERS) as LadderName[];
const order = (name: LadderName, today?: readonly [number, number]): string[] =>
  rungs(name, config(), today).map(({ row }) => row?.name ?? "today");

describe("the ladder of the protections", () => {
  it("has every limit once", () => {
    const limits = PARAMETERS.filter(({ object }) => object === "protections" || object === "temperature");
    expect(NAMES.flatMap((name) => LADDERS[name]).sort()).toEqual(limits.map(({ name }) => name).sort());
  });

  it("is in the order of the values, also where that is not the usual one", () => {
    expect(order("cells")).toEqual(LADDERS.cells);
    // The BMS's own preset for LFP requests a charge voltage above the recovery.
    const preset = config();
    preset.protections = { ...preset.protections, cellOvprVoltage: 3.58, cellRcvVoltage: 3.6 };
    const names = rungs("cells", preset, undefined).map(({ row }) => row?.name);
    expect(names.slice(0, 3)).toEqual(["cell_ovp_voltage", "cell_rcv_voltage", "cell_ovpr_voltage"]);
  });

  it("has today's values where they are, and none while a limit or they are unknown", () => {
    expect(order("cells", [3.309, 3.318]).indexOf("today")).toBe(3);
    expect(order("cells", [3.7, 3.71]).indexOf("today")).toBe(0);
    expect(order("cells", [2.4, 2.45]).indexOf("today")).toBe(6);
    expect(rungs("cells", undefined, [3.3, 3.3]).some(({ row }) => !row)).toBe(false);
    for (const probe of ["battery3", "battery4", "battery5"])
      expect(todayOf("charge", { ...status(), temperatures: { ...status().temperatures, [probe]: 72 } })).toEqual([
        23.8, 72,
      ]);
    const unknown = { mosfet: null, battery1: null, battery2: 20 };
    const seen = { ...status(), temperatures: unknown, cellsSummary: { ...status().cellsSummary, minVoltage: null } };
    expect(todayOf("cells", seen)).toBeUndefined();
    expect(todayOf("mosfet", seen)).toBeUndefined();
    expect(todayOf("charge", seen)).toEqual([20, 20]);
  });

  it("knows what a chemistry allows", () => {
    expect(allowedOf("cells", "LiFePO4")).toEqual([2.5, 3.65]);
    expect(allowedOf("cells", "Li-ion")).toEqual([2.8, 4.2]);
    for (const unknown of ["LTO", "", null, undefined]) expect(allowedOf("cells", unknown)).toBeUndefined();
    expect(allowedOf("charge", "LiFePO4")).toEqual([0, Infinity]);
    for (const none of ["LTO", null]) expect(allowedOf("charge", none)).toBeUndefined();
    expect(allowedOf("discharge", "LiFePO4")).toBeUndefined();
  });

  it("is drawn from the highest at the top to the lowest at the bottom, what is allowed within", () => {
    const drawn = drawing(rungs("charge", config(), undefined), [0, Infinity]);
    expect(drawn?.marks[0]).toEqual([0, 0]);
    expect(drawn?.marks.at(-1)).toEqual([1, 1]);
    expect(drawn?.allowed?.[0]).toBe(0);
    expect(drawn?.allowed?.[1]).toBeCloseTo(60 / 65);
    expect(drawing(rungs("charge", undefined, undefined), undefined)).toBeUndefined();
    // All at one value: no division by zero.
    const [row] = rungs("mosfet", config(), undefined);
    expect(drawing(row ? [row] : [], undefined)?.marks).toEqual([[0, 0]]);
  });
});
