import { expect, it } from "vitest";
import { daysOf } from "../../src/endpoints/energy";

const DAY = 86_400_000;

it("the periods of every day until 2105 are those of the calendar", () => {
  for (let today = Date.UTC(2024, 0, 1) / DAY; today < Date.UTC(2105, 0, 1) / DAY; today++) {
    const date = new Date(today * DAY);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    const first = Date.UTC(year, month, 1) / DAY;
    const starts = [...daysOf(today)];
    expect(starts).toEqual([
      ...[today, today + 1, today - 1, today],
      ...[first, today + 1],
      ...[Date.UTC(year, month - 1, 1) / DAY, first],
      ...[Date.UTC(year, 0, 1) / DAY, today + 1],
    ]);
  }
});
