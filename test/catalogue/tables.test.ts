import type { JkBus } from "jk-bms/jk-bus";
import { decimalsOf } from "jk-bms/fields";
import { writableByName, WRITES } from "jk-bms/writes";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { BmsBus } from "../../src/packs/link.ts";
import { COMMANDS_TABLE, findCommand } from "../../src/catalogue/commands.ts";
import { findParameter, PARAMETERS_TABLE } from "../../src/catalogue/parameters.ts";
import { rangeMessage, toRaw } from "../../src/catalogue/validate.ts";
import {
  BALANCE_ENABLED,
  BLUETOOTH_NAME,
  COMMANDS,
  decimalNumber,
  decimalText,
  NUMERIC_PARAMETERS,
} from "../api/documents";
import { unitOf } from "../support/bms/unit-of";

/** All settings of the contract. */
const DOCUMENTED = [
  ...NUMERIC_PARAMETERS,
  { ...BALANCE_ENABLED, kind: "boolean", unit: "" },
  { ...BLUETOOTH_NAME, kind: "text", unit: "characters" },
];

describe("settings table", () => {
  it("has exactly the documented settings", () => {
    expect(PARAMETERS_TABLE.map(({ name }) => name).sort()).toEqual(DOCUMENTED.map(({ name }) => name).sort());
  });

  it.each(DOCUMENTED)("$name, alias $alias", ({ name, alias, kind, unit, object, member }) => {
    const row = findParameter(name);
    expect(row).toBeDefined();
    expect(findParameter(alias)).toBe(row);
    expect(findParameter(` \t${name.toUpperCase()} `)).toBe(row);
    expect(findParameter(alias.toUpperCase())).toBe(row);
    expect(row).toMatchObject({ name, alias, path: `${object}.${member}`, quantity: { kind, unit } });
    expect(row?.title).not.toBe("");
    // Which register that is: test/jk-bms/writes.test.ts.
    expect(row?.source).toBe(writableByName(name).field);
  });

  it.each(NUMERIC_PARAMETERS)(
    "$name: checks its range at the limits, one step below and one above",
    ({ name, min, max, decimals, unit }) => {
      const row = findParameter(name)!;
      for (const units of [min, min + 1, max - 1, max]) {
        expect(toRaw(row, decimalText(units, decimals))).toBe(units);
        expect(toRaw(row, decimalNumber(units, decimals))).toBe(units);
      }
      for (const units of [min - 1, max + 1]) {
        expect(toRaw(row, decimalText(units, decimals))).toBeUndefined();
        expect(toRaw(row, decimalNumber(units, decimals))).toBeUndefined();
      }
      for (const part of [name, ...[min, max].map((units) => String(decimalNumber(units, decimals))), unit])
        expect(rangeMessage(row)).toContain(part);
    },
  );

  it("writes at the resolution it reads with", () => {
    for (const { quantity, source } of PARAMETERS_TABLE) {
      expect(quantity.decimals).toBe(decimalsOf(source));
      if (quantity.kind !== "text") expect(quantity.unit).toBe(unitOf(source));
    }
  });

  it("keeps the rows of one object together, in the order of the configuration", () => {
    const objects = PARAMETERS_TABLE.map(({ path }) => path.split(".")[0]);
    expect(objects.filter((object, index) => object !== objects[index - 1])).toEqual([
      "battery",
      "balance",
      "protections",
      "temperature",
    ]);
  });

  it("is frozen, and no name means two settings", () => {
    const names = PARAMETERS_TABLE.flatMap(({ name, alias }) => [name, alias]);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.isFrozen(PARAMETERS_TABLE)).toBe(true);
  });
});

describe("commands table", () => {
  it("has exactly the documented commands", () => {
    expect(COMMANDS_TABLE.map(({ name }) => name)).toEqual(COMMANDS);
    expect(Object.isFrozen(COMMANDS_TABLE)).toBe(true);
  });

  it.each(COMMANDS)("%s", (name) => {
    expect(findCommand(name)?.name).toBe(name);
    expect(findCommand(` ${name.toUpperCase()}\t`)?.name).toBe(name);
    expect(findCommand(name.replaceAll("_", ""))?.name).toBe(name.includes("_") ? undefined : name);
  });
});

it("settings and commands together cover everything that jk-bms may write, and nothing else", () => {
  const written = [...COMMANDS_TABLE, ...PARAMETERS_TABLE].map(({ name }) => name);
  expect(written.toSorted()).toEqual(Object.keys(WRITES).toSorted());
});

it("JkBus can serve as the monitor's bus", () => {
  expectTypeOf<JkBus>().toExtend<BmsBus>();
});

it.each(["", " ", "__proto__", "constructor", "toString", "length", "0", "cell count", "cell_count_", "bаlance"])(
  "%j is neither a setting nor a command",
  (name) => {
    expect(findParameter(name)).toBeUndefined();
    expect(findCommand(name)).toBeUndefined();
  },
);
