import { expect, it } from "vitest";
import * as V from "../../src/modbus/values";

it("each number of a battery has a place of its own, behind those of the bank", () => {
  const { VALUES, SCALE, ...rest } = V;
  const rows = Object.entries(rest).filter((row): row is [string, number] => typeof row[1] === "number");
  const isScaled = (name: string): boolean => name.endsWith("_SCALED");
  const places = rows.flatMap(([name, value]) => (isScaled(name) ? [] : [value]));
  expect(places.length).toBeGreaterThan(40);
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(...places)).toBe(VALUES - 1);
  expect(Math.min(...places)).toBe(0);
  // Behind the widest and the hottest is whose they are.
  expect(places).not.toContain(V.CELL_DELTA + 1);
  expect(places).not.toContain(V.HOTTEST + 1);
  // Each scale is beside its own value's place.
  const scaled = rows.filter(([name]) => isScaled(name));
  expect(scaled.length).toBeGreaterThan(5);
  for (const [name, value] of scaled)
    expect([name, value & ((1 << SCALE) - 1)]).toEqual([
      name,
      rest[name.slice(0, -"_SCALED".length) as keyof typeof rest],
    ]);
});
