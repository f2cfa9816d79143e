/** A table as one test (test/support/table.ts): a row that fails is named, and the others are tried even so. */
import { expect, it } from "vitest";
import { tryRows } from "../support/table";

const even = (tried: number[]) => (number: number) => {
  tried.push(number);
  expect(number % 2).toBe(0);
};

it("tries every row, with what is needed between two", async () => {
  const tried: number[] = [];
  await tryRows([2, 4, 6], even(tried), () => void tried.push(0));
  expect(tried).toEqual([2, 0, 4, 0, 6]);
});

it("names the row that fails, and tries those behind it", async () => {
  const tried: number[] = [];
  await expect(tryRows([2, 3, 4], even(tried))).rejects.toThrow(/^3: /);
  expect(tried).toEqual([2, 3, 4]);
});

it("names all rows that fail", async () => {
  const failure = tryRows([1, 2, 3], (number) => {
    if (number % 2) throw new Error("odd");
  });
  await expect(failure).rejects.toThrow("1: odd\nError: 3: odd");
});

it("passes the cells of a row one by one", async () => {
  await tryRows([["a", 1] as const, ["bc", 2] as const], (text, length) => expect(text).toHaveLength(length));
});

it("fails without rows, and if what is needed between two fails", async () => {
  await expect(tryRows([], () => undefined)).rejects.toThrow("no rows");
  const fails = (): never => {
    throw new Error("not at rest");
  };
  await expect(tryRows([1, 2], () => undefined, fails)).rejects.toThrow("2: not at rest");
});
