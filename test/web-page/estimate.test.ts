import { expect, it } from "vitest";
import { direction, IDLE_CURRENT, MAX_ESTIMATE, secondsLeft } from "../../web/estimate.ts";

it("charging current is positive, and almost none counts as rest", () => {
  expect(direction(IDLE_CURRENT)).toBe("charging");
  expect(direction(-IDLE_CURRENT)).toBe("discharging");
  expect(direction(IDLE_CURRENT - 0.001)).toBe("idle");
  expect(direction(-IDLE_CURRENT + 0.001)).toBe("idle");
});

it("counts down the charge left, and up to the charge missing", () => {
  expect(secondsLeft(-10, 100, 280)).toBe(36_000);
  expect(secondsLeft(10, 270, 280)).toBe(3_600);
});

it("is undefined when there is no estimate", () => {
  expect(secondsLeft(0, 100, 280)).toBeUndefined();
  expect(secondsLeft(-10, 0, 280)).toBeUndefined();
  expect(secondsLeft(10, 280, 280)).toBeUndefined();
  expect(secondsLeft(10, 281, 280)).toBeUndefined();
});

it("gives no estimate beyond a week", () => {
  const hours = MAX_ESTIMATE / 3_600;
  expect(secondsLeft(-1, hours, 280)).toBe(MAX_ESTIMATE);
  expect(secondsLeft(-1, hours + 0.01, 280)).toBeUndefined();
});
