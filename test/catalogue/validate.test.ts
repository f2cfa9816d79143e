import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { findParameter, PARAMETERS_TABLE, type ParameterRow } from "../../src/catalogue/parameters.ts";
import { parseSwitch, rangeMessage, toRaw } from "../../src/catalogue/validate.ts";

function parameter(name: string): ParameterRow {
  const row = findParameter(name);
  if (!row) throw new Error(`no parameter ${name}`);
  return row;
}

describe("numbers", () => {
  const ovp = parameter("cell_ovp_voltage");

  it("rounds half away from zero to the register's resolution", () => {
    for (const [given, raw] of [
      [3.6505, 3651],
      ["3.6505", 3651],
      ["3.6504999", 3650],
      [1.0005, 1001],
      [2.6755, 2676],
      [0.0005, 1],
    ] as const)
      expect(toRaw(ovp, given)).toBe(raw);
    expect(toRaw(parameter("charge_utp"), -20.05)).toBe(-201);
    expect(toRaw(parameter("charge_utp"), "-20.04")).toBe(-200);
    expect(toRaw(parameter("capacity_ah"), 280)).toBe(280_000);
  });

  it("checks the range before rounding", () => {
    expect(toRaw(ovp, 5.0001)).toBeUndefined();
    expect(toRaw(ovp, "5.0000001")).toBeUndefined();
    expect(toRaw(ovp, -0.0001)).toBeUndefined();
    expect(toRaw(ovp, "-0.0001")).toBeUndefined();
    expect(toRaw(parameter("balance_trigger_voltage"), 0.0009)).toBeUndefined();
  });

  it.each([true, false, "", " 3.65", "3.65 ", "3,65", "3.65V", "1e0", ".5", "5.", "on", NaN, Infinity])(
    "refuses %j",
    (given) => {
      expect(toRaw(ovp, given)).toBeUndefined();
    },
  );

  it("requires whole numbers where they are meant", () => {
    const cells = parameter("cell_count");
    expect(toRaw(cells, 16)).toBe(16);
    expect(toRaw(cells, "16")).toBe(16);
    expect(toRaw(cells, "16.0")).toBe(16);
    for (const given of [15.5, "15.5", 16.0000001, 23.9999, 0.5, "24.1"]) expect(toRaw(cells, given)).toBeUndefined();
  });

  it("never lets a raw value outside the range through", () => {
    const givens = fc.oneof(fc.double(), fc.string(), fc.boolean(), fc.integer().map(String), fc.double().map(String));
    fc.assert(
      fc.property(fc.constantFrom(...PARAMETERS_TABLE), givens, (row, given) => {
        const raw = toRaw(row, given);
        if (raw === undefined) return;
        if (typeof raw === "string") {
          expect(row.quantity.kind).toBe("text");
          expect(raw).toBe(given);
        } else {
          expect(Number.isInteger(raw)).toBe(true);
          expect(raw).toBeGreaterThanOrEqual(row.quantity.min);
          expect(raw).toBeLessThanOrEqual(row.quantity.max);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("accepts every value of the range, as number and as text", () => {
    const rows = PARAMETERS_TABLE.filter(({ quantity }) => quantity.kind === "number");
    fc.assert(
      fc.property(fc.constantFrom(...rows), fc.double({ min: 0, max: 1, noNaN: true }), (row, part) => {
        const { min, max, decimals } = row.quantity;
        const raw = Math.round(min + part * (max - min));
        const text = (raw / 10 ** decimals).toFixed(decimals);
        expect(toRaw(row, text)).toBe(raw + 0);
        expect(toRaw(row, Number(text))).toBe(raw + 0);
      }),
    );
  });
});

describe("switches", () => {
  const balance = parameter("balance_enabled");

  it.each([
    ["on", 1],
    ["ON", 1],
    [" True ", 1],
    ["1", 1],
    [1, 1],
    [true, 1],
    ["off", 0],
    ["OfF", 0],
    ["false\t", 0],
    ["0", 0],
    [0, 0],
    [false, 0],
  ])("accepts %j as %i", (given, raw) => {
    expect(toRaw(balance, given)).toBe(raw);
    expect(parseSwitch(given)).toBe(raw === 1);
  });

  it.each(["", "yes", "2", "01", "1.0", "+1", "on off", 2, -1, 0.5, NaN])("refuses %j", (given) => {
    expect(toRaw(balance, given)).toBeUndefined();
    expect(parseSwitch(given)).toBeUndefined();
  });
});

describe("bluetooth_name", () => {
  const name = parameter("bluetooth_name");

  it.each(["A", " A", "A ", "~", 'Bank 1 \\"/', "123456789012"])("accepts %j unchanged", (given) => {
    expect(toRaw(name, given)).toBe(given);
  });

  it.each([
    "",
    " ",
    "            ",
    "1234567890123",
    "caf\u00e9",
    "tab\there",
    "nul\0",
    "\x7f",
    "\x1f",
    "🔋",
    12,
    true,
  ])("refuses %j", (given) => {
    expect(toRaw(name, given)).toBeUndefined();
  });
});

describe("messages", () => {
  it.each([
    ["cell_ovp_voltage", "cell_ovp_voltage must be a number from 0 to 5 V."],
    ["balance_trigger_voltage", "balance_trigger_voltage must be a number from 0.001 to 0.5 V."],
    ["capacity_ah", "capacity_ah must be a number from 0.1 to 1000 Ah."],
    ["mos_otp", "mos_otp must be a number from -50 to 120 °C."],
    ["cell_count", "cell_count must be an integer from 1 to 24 cells."],
    ["balance_enabled", "balance_enabled must be on or off, true or false, 1 or 0."],
    ["bluetooth_name", "bluetooth_name must be 1 to 12 printable ASCII characters, not all blanks."],
  ])("%s", (name, message) => {
    expect(rangeMessage(parameter(name))).toBe(message);
  });
});
