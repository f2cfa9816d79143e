/** The numbers of src/conditions/rows.ts are those of the table's rows. */
import { describe, expect, it } from "vitest";
import * as rows from "../../src/conditions/rows";
import { bit, CONCERNS, DEVICE_CONDITIONS, deviceBit } from "../../src/conditions/table";

/** Those that are not named as their code. */
const NAMES: Readonly<Record<string, string>> = { "low-charge": "LOW", "shared-address": "SHARED" };
const nameOf = (code: string): string => NAMES[code] ?? code.toUpperCase().replaceAll("-", "_");

describe("the rows by their names", () => {
  it("are those of the table", () => {
    const table = [
      ...CONCERNS.map((code) => [nameOf(code), bit(code)]),
      ...DEVICE_CONDITIONS.map((code) => [nameOf(code), deviceBit(code)]),
    ];
    expect({ ...rows }).toEqual(Object.fromEntries(table));
  });
});
