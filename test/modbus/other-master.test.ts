/** Random traffic; ten million bytes of it in `npm run soak -- --part bus`. */
import { describe, expect, it } from "vitest";
import { hearMasters, hearNoMaster } from "../suites/other-master";

describe("another master", () => {
  it.each([1, 2, 3, 4])("is not heard in noise, echoes and replies to us (seed %i)", (seed) => {
    expect(() => hearNoMaster(50_000, seed)).not.toThrow();
  });

  it("is heard whenever it speaks", () => {
    expect(() => hearMasters(1_000, 1)).not.toThrow();
  });
});
