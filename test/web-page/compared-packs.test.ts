/** The packs of a bank against each other. */
import { describe, expect, it } from "vitest";
import { comparedOf } from "../../web/past/packs.ts";
import { hourRows } from "../../web/past/records.ts";
import { HOUR, hourRecord } from "../support/web/past-data.ts";

const TIME = 1_800_000_000;
const PACKS = [1, 2, 3];
/** Amperes and volts of each pack by the hour; undefined: it has no record. */
const rows = (...hours: readonly (readonly (readonly [number | undefined, number] | undefined)[])[]) =>
  hourRows(
    Buffer.concat(
      hours.flatMap((packs, hour) =>
        packs.flatMap((one, at) => {
          if (!one) return [];
          const [current, volts] = one;
          return [hourRecord(TIME + hour * HOUR, PACKS[at]!, { ...(current !== undefined && { current }), volts })];
        }),
      ),
    ),
  );
const values = (key: "share" | "lead", of: ReturnType<typeof rows>) =>
  comparedOf(of, PACKS).map(({ pack, [key]: samples }) => [pack, ...samples.map(({ value }) => value)]);

const EVEN = [
  [10, 53],
  [10, 53],
  [10, 53],
] as const;

describe("packs", () => {
  it("have their share of the current, charging and discharging alike", () => {
    const found = values(
      "share",
      rows(
        [
          [10, 53],
          [20, 53],
          [20, 53],
        ],
        [
          [-30, 52],
          [-10, 52],
          [0, 52],
        ],
      ),
    );
    expect(found).toEqual([
      [1, 20, 75],
      [2, 40, 25],
      [3, 40, -0],
    ]);
  });

  it.each([0, 1, 2])("number %i is the one that lags behind the mean voltage", (at) => {
    const found = values("lead", rows(EVEN.map((one, index) => (index === at ? [10, 52.7] : one))));
    expect(found.map(([, value]) => Math.round(value!))).toEqual([0, 1, 2].map((one) => (one === at ? -200 : 100)));
  });

  it.each([0, 1, 2])("are not compared in an hour in which number %i is missing, or unknown", (at) => {
    const without = EVEN.map((one, index) => (index === at ? undefined : one));
    const unknown = EVEN.map((one, index) => (index === at ? ([undefined, 53] as const) : one));
    for (const hour of [without, unknown]) expect(comparedOf(rows(EVEN, hour, EVEN), PACKS)[0]!.lead).toHaveLength(2);
  });

  it.each([
    [1.8, undefined],
    [2, 50],
    [-2.1, 50],
  ])("of %f A in all: no share, if it is noise", (all, share) => {
    const [first] = comparedOf(
      rows([
        [all / 2, 53],
        [all / 2, 53],
        [0, 53],
      ]),
      PACKS,
    );
    const value = first!.share[0]!.value;
    expect(value === undefined ? value : Math.round(value / 10) * 10).toBe(share);
  });
});
