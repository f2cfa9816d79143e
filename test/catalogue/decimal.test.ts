import { decimalText } from "json/decimal";
import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { numberToUnits, parseDecimal, rescale } from "../../src/catalogue/decimal.ts";

const WIDE = { min: -1_000_000_000_000, max: 1_000_000_000_000, decimals: 3 };

/**
 * The exact answer by big integers: units with `digits` decimals beyond the register's, rounded half away from zero.
 */
function exactUnits(negative: boolean, whole: bigint, fraction: string, decimals: number): number {
  const scaled = BigInt(whole.toString() + fraction.padEnd(decimals, "0"));
  const divisor = 10n ** BigInt(Math.max(fraction.length - decimals, 0));
  const rounded = Number((scaled * 2n + divisor) / (divisor * 2n));
  return negative && rounded ? -rounded : rounded;
}

describe("parseDecimal", () => {
  it.each([
    ["3.65", 3650],
    ["3.6505", 3651],
    ["1.0005", 1001],
    ["2.6755", 2676],
    ["0.0005", 1],
    ["0.00049999999999999999999", 0],
    ["-0.0005", -1],
    ["-1.0005", -1001],
    ["-1.00049", -1000],
    ["+5", 5000],
    ["007.50", 7500],
    ["0", 0],
    ["-0", 0],
    ["-0.0004", 0],
    ["16.000000", 16000],
  ])("reads %s as %i thousandths", (text, units) => {
    expect(parseDecimal(text, WIDE)).toBe(units);
  });

  it.each([
    "",
    "+",
    "-",
    ".",
    "5.",
    ".5",
    "-.5",
    "1e3",
    "1E3",
    "0x10",
    "1,5",
    "1.2.3",
    "--1",
    "+-1",
    "1-",
    " 1",
    "1 ",
    "1 2",
    "Infinity",
    "NaN",
    "٣",
    "½",
    "3.65V",
    "\u00001",
  ])("refuses %j", (text) => {
    expect(parseDecimal(text, WIDE)).toBeUndefined();
  });

  it("checks the range before rounding, exactly at both ends", () => {
    const range = { min: 1, max: 500, decimals: 3 };
    expect(parseDecimal("0.001", range)).toBe(1);
    expect(parseDecimal("0.0009999999999999999999999", range)).toBeUndefined();
    expect(parseDecimal("0.0005", range)).toBeUndefined();
    expect(parseDecimal("0.500", range)).toBe(500);
    expect(parseDecimal("0.5000000000000000000000001", range)).toBeUndefined();
    expect(parseDecimal("0.4999999999999999999999999", range)).toBe(500);
    const degrees = { min: -500, max: 1200, decimals: 1 };
    expect(parseDecimal("-50.0", degrees)).toBe(-500);
    expect(parseDecimal("-50.00000000000000000001", degrees)).toBeUndefined();
    expect(parseDecimal("-49.99999999999999999999", degrees)).toBe(-500);
    const negative = { min: -500, max: -100, decimals: 1 };
    expect(parseDecimal("-10.0", negative)).toBe(-100);
    expect(parseDecimal("-9.99999", negative)).toBeUndefined();
    expect(parseDecimal("-0.0001", { min: 0, max: 5, decimals: 3 })).toBeUndefined();
  });

  it("refuses numbers far beyond the precision of a double", () => {
    expect(parseDecimal("9".repeat(250), WIDE)).toBeUndefined();
    expect(parseDecimal(`-${"9".repeat(250)}.${"9".repeat(5)}`, WIDE)).toBeUndefined();
  });

  it("with `exact` accepts whole units in any notation, and no fractions", () => {
    const cells = { min: 1, max: 24, decimals: 0, exact: true };
    expect(parseDecimal("16", cells)).toBe(16);
    expect(parseDecimal("16.000", cells)).toBe(16);
    expect(parseDecimal("16.001", cells)).toBeUndefined();
    expect(parseDecimal("15.9", cells)).toBeUndefined();
  });

  it("agrees with arithmetic on big integers", () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.integer({ min: 0, max: 900_000 }),
        fc.stringMatching(/^[0-9]{1,12}$/),
        fc.integer({ min: 0, max: 3 }),
        (negative, whole, fraction, decimals) => {
          const text = `${negative ? "-" : ""}${whole}.${fraction}`;
          expect(parseDecimal(text, { ...WIDE, decimals })).toBe(
            exactUnits(negative, BigInt(whole), fraction, decimals),
          );
        },
      ),
    );
  });

  it("accepts exactly the grammar", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0129+-.e, x"), maxLength: 8 }), (text) => {
        // Eight characters stay within WIDE.
        const inGrammar = /^[+-]?[0-9]+(\.[0-9]+)?$/.test(text);
        expect(parseDecimal(text, WIDE) !== undefined).toBe(inGrammar);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("numberToUnits", () => {
  it.each([
    [3.6505, 3651],
    [1.0005, 1001],
    [2.6755, 2676],
    [0.0005, 1],
    [1.005, 1005],
    [-0.0005, -1],
    [-0, 0],
    [0.1 + 0.2, 300],
    [1e-7, 0],
    [5e-324, 0],
  ])("converts %d as a person expects", (value, units) => {
    expect(numberToUnits(value, WIDE)).toBe(units);
  });

  it.each([NaN, Infinity, -Infinity, 1e21, -1e300])("refuses %d", (value) => {
    expect(numberToUnits(value, WIDE)).toBeUndefined();
  });

  it("checks the range of the tiniest numbers too", () => {
    expect(numberToUnits(-1e-9, { min: 0, max: 5000, decimals: 3 })).toBeUndefined();
    expect(numberToUnits(1e-9, { min: 1, max: 5000, decimals: 3 })).toBeUndefined();
    expect(numberToUnits(1e-9, { min: 0, max: 5000, decimals: 3 })).toBe(0);
    expect(numberToUnits(1e-9, { min: 0, max: 24, decimals: 0, exact: true })).toBeUndefined();
  });

  it("converts every published value back to its raw value", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.integer({ min: 0, max: 3 }),
        (units, decimals) => {
          const range = { ...WIDE, decimals };
          expect(parseDecimal(decimalText(units, decimals), range)).toBe(units);
          expect(numberToUnits(Number(decimalText(units, decimals)), range)).toBe(units);
        },
      ),
    );
  });
});

describe("decimalText", () => {
  it.each([
    [3650, 3, "3.65"],
    [3000, 3, "3"],
    [5, 3, "0.005"],
    [-5, 1, "-0.5"],
    [-500, 1, "-50"],
    [0, 3, "0"],
    [16, 0, "16"],
    [1_000_000, 3, "1000"],
    [-1234, 3, "-1.234"],
  ])("writes %i with %i decimals as %s", (units, decimals, text) => {
    expect(decimalText(units, decimals)).toBe(text);
  });
});

describe("rescale", () => {
  it("rounds half away from zero to coarser units", () => {
    expect(rescale(12345, 3, 2)).toBe(1235);
    expect(rescale(12344, 3, 2)).toBe(1234);
    expect(rescale(-12345, 3, 2)).toBe(-1235);
    expect(rescale(-12344, 3, 2)).toBe(-1234);
    expect(rescale(5, 3, 2)).toBe(1);
    expect(rescale(-5, 3, 2)).toBe(-1);
    expect(rescale(-4, 3, 2)).toBe(0);
    expect(rescale(150, 2, 0)).toBe(2);
  });

  it("leaves units alone that are fine enough", () => {
    expect(rescale(-7, 1, 1)).toBe(-7);
    expect(rescale(7, 1, 3)).toBe(700);
  });
});
