/** What the page learns from the history: the taper of a charge, the capacity of a pack. */
import { describe, expect, it } from "vitest";
import { EMPTY, learnedAt, measuredCapacities } from "../../web/past/capacity";
import { cellRows, fineRows, hourRows } from "../../web/past/records";
import { END, RATE_FROM, RATE_TO, tapersOf } from "../../web/past/taper";
import { cellsRecord, DAY, FINE, fineRecord, HOUR, hourRecord } from "../support/web/past-data";

const START = 1_799_625_600;

describe("the taper of a charge", () => {
  /** Ten minutes each, charging. */
  const rows = (socs: readonly (number | undefined)[], power = 1_000, from = START) =>
    fineRows(Buffer.concat(socs.map((soc, index) => fineRecord(from + index * FINE, { soc, power }))));
  /** Two per cent in ten minutes until RATE_TO, then one. */
  const charge = [60, ...Array.from({ length: 11 }, (_, at) => RATE_FROM + 2 * at)];
  const end = Array.from({ length: END - RATE_TO }, (_, at) => RATE_TO + 1 + at);

  it("is how much longer a per cent takes at the end than before", () => {
    expect(charge.at(-1)).toBe(RATE_TO);
    expect(tapersOf(rows([...charge, ...end]))).toEqual([2]);
    expect(tapersOf(rows([...charge, ...end, 100, 100]))).toEqual([2]);
    expect(tapersOf(rows([...charge, 92, 94, 96, 98, 99]))[0]).toBeCloseTo(10 / 9);
  });

  it("is one for each charge", () => {
    expect(tapersOf([...rows([...charge, ...end]), ...rows([...charge, ...end], 1_000, START + DAY)])).toEqual([2, 2]);
  });

  it("is none of a charge that began too late, has not come to its end, paused, or went back", () => {
    expect(tapersOf(rows([...charge.filter((soc) => soc > RATE_FROM), ...end]))).toEqual([]);
    expect(tapersOf(rows([...charge, ...end.slice(0, -1)]))).toEqual([]);
    expect(tapersOf(rows([...charge, 92, 91, ...end.slice(1)]))).toEqual([]);
    expect(tapersOf(rows([...charge, undefined, ...end]))).toEqual([]);
    const whole = rows([...charge, ...end]);
    expect(tapersOf(whole.filter((_, index) => index !== 15))).toEqual([]);
    expect(tapersOf(whole.map((row, index) => (index === 15 ? { ...row, power: 0 } : row)))).toEqual([]);
    expect(tapersOf(whole.map((row, index) => (index === 15 ? { ...row, power: undefined } : row)))).toEqual([]);
  });

  it("is none where it cannot be told how fast it was", () => {
    expect(tapersOf(rows([60, 99]))).toEqual([]);
    expect(tapersOf([])).toEqual([]);
  });
});

describe("the capacity", () => {
  /** A pack of 280 Ah: hours at a current, from full; `null`: an hour that is missing. */
  const discharge = (socs: readonly (number | null | undefined)[], current = -28, from = START) =>
    hourRows(
      Buffer.concat(
        socs.flatMap((soc, index) =>
          soc === null ? [] : [hourRecord(from + index * HOUR, 1, { ...(soc !== undefined && { soc }), current })],
        ),
      ),
    );
  const down = [100, 90, 80, 70, 60, 50, 40, 30, 20, EMPTY];

  it("is what was drawn from full down to nearly empty, by the part of the charge that it was", () => {
    const [found, ...more] = measuredCapacities(discharge(down));
    expect(found).toMatchObject({ time: START + 9 * HOUR, least: EMPTY });
    expect(found!.capacity).toBeCloseTo(280);
    expect(more).toEqual([]);
  });

  it("is less if the pack gives less than its BMS counts on", () => {
    expect(measuredCapacities(discharge(down, -25))[0]!.capacity).toBeCloseTo(250);
  });

  it("takes the lowest point, and what was charged in between into account", () => {
    const rows = discharge([...down, 5, 8, 100]);
    const charged = rows.map((row) =>
      row.soc === 8 ? { ...row, current: 8.4 } : row.soc === 5 ? { ...row, current: -14 } : row,
    );
    const [found, ...more] = measuredCapacities(charged);
    expect(found).toMatchObject({ least: 5 });
    expect(found!.capacity).toBeCloseTo(280);
    expect(more).toEqual([]);
  });

  it("is none that does not begin full, does not go down far enough, or has a gap", () => {
    expect(measuredCapacities(discharge(down.slice(1)))).toEqual([]);
    expect(measuredCapacities(discharge([...down.slice(0, -1), EMPTY + 1]))).toEqual([]);
    expect(measuredCapacities(discharge(down.map((soc) => (soc === 50 ? null : soc))))).toEqual([]);
    expect(measuredCapacities(discharge(down.map((soc) => (soc === 50 ? undefined : soc))))).toEqual([]);
    expect(measuredCapacities([])).toEqual([]);
  });

  it("of each discharge is told beside what the BMS had learned by then", () => {
    const twice = [...discharge(down), ...discharge(down, -27, START + 3 * DAY)];
    expect(measuredCapacities(twice).map(({ capacity }) => Math.round(capacity))).toEqual([280, 270]);
    const weeks = cellRows(
      Buffer.concat([
        cellsRecord(START - 7 * DAY, 1, { capacity: 279 }),
        cellsRecord(START, 1, { capacity: 275.5 }),
        cellsRecord(START + 7 * DAY, 1, {}),
      ]),
    );
    expect(learnedAt(weeks, START - 1)).toBeCloseTo(279);
    expect(learnedAt(weeks, START)).toBeCloseTo(275.5);
    expect(learnedAt(weeks, START + 8 * DAY)).toBeCloseTo(275.5);
    expect(learnedAt(weeks, START - 8 * DAY)).toBeUndefined();
  });
});
