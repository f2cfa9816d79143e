import { expect, it } from "vitest";
import * as V from "../../src/modbus/values";

it("each number of a battery has a place of its own, behind those of the bank", () => {
  const { VALUES, ...rest } = V;
  const places = Object.values(rest).filter((value) => typeof value === "number");
  expect(places.length).toBeGreaterThan(40);
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(...places)).toBe(VALUES - 1);
  expect(Math.min(...places)).toBe(0);
  // Behind the widest and the hottest is whose they are.
  expect(places).not.toContain(V.CELL_DELTA + 1);
  expect(places).not.toContain(V.HOTTEST + 1);
});
