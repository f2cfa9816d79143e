import { expect, it } from "vitest";
import { dateOf, dayAt, midnightOf, periodOf } from "../../src/history/calendar";
import { MANY_PACKS } from "../../src/history/limits";

const DAY = 86_400;
const dayOf = (date: string): number => Date.parse(date) / 1_000 / DAY;

it("the date of every day from 1970 to 2400 is that of the Gregorian calendar", () => {
  const wrong: number[] = [];
  for (let day = 0; day < dayOf("2401-01-01"); day++) {
    const date = new Date(day * DAY * 1_000);
    const { month, day: inMonth } = dateOf(day);
    if (month !== date.getUTCMonth() + 1 || inMonth !== date.getUTCDate()) wrong.push(day);
  }
  expect(wrong).toEqual([]);
});

it("a week begins on Monday; where there are many packs, a month on its first day", () => {
  expect([0, 6, 7].map((day) => periodOf(dayOf("2027-03-01") + day, MANY_PACKS - 1))).toEqual(
    ["2027-03-01", "2027-03-01", "2027-03-08"].map(dayOf),
  );
  expect(["2028-02-29", "2028-03-01"].map((date) => periodOf(dayOf(date), MANY_PACKS))).toEqual(
    ["2028-02-01", "2028-03-01"].map(dayOf),
  );
});

it("a day is the owner's, east and west of Greenwich", () => {
  const day = dayOf("2027-03-01");
  for (const offset of [14, -11].map((hours) => 3_600 * hours)) {
    const zone = { offsetAt: () => offset };
    expect(midnightOf(day, zone)).toBe(day * DAY - offset);
    expect([-1, 0].map((seconds) => dayAt(midnightOf(day, zone) + seconds, zone))).toEqual([day - 1, day]);
  }
});
