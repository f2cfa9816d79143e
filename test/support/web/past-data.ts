/** Raw records of an invented past, by docs/history.md alone. */
import { CODES, recordOf } from "../system/history-flash.ts";

export const FINE = 600;
export const HOUR = 3_600;
export const DAY = 86_400;
const U = 0xff;

export const word = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const three = (value: number): number[] => [value >> 16, ...word(value & 0xffff)];
const signed = (value: number): number[] => word(value + 0x8000);

interface Fine {
  /** %; undefined, as all of these: unknown. */
  readonly soc?: number | undefined;
  /** W. */
  readonly power?: number | undefined;
  /** mV. */
  readonly lowest?: number | undefined;
  readonly spread?: number | undefined;
  /** °C. */
  readonly coldest?: number | undefined;
  readonly minutes?: number;
  readonly alarm?: boolean;
  readonly missing?: boolean;
}

/** Ten minutes. */
export function fineRecord(time: number | undefined, row: Fine): Buffer {
  const { soc = U, power, lowest, spread, coldest, minutes = 10, alarm = false, missing = false } = row;
  const watts = power === undefined ? [U, U] : signed(power / 10);
  return recordOf("fine", time, [
    ...[soc, ...word(5_280), ...watts, ...watts, ...watts],
    ...(lowest === undefined ? [U, U] : word(lowest)),
    ...[spread === undefined ? U : spread / 2, coldest === undefined ? U : coldest + 100, 120],
    ...[minutes | (alarm ? 0x10 : 0) | (missing ? 0x20 : 0), 3],
  ]);
}

/** A day: Wh in and out, state of charge, spread in mV. */
export const dayRecord = (
  time: number,
  charged: number | undefined,
  discharged: number | undefined,
  spread = 40,
  tenMinutes = 144,
): Buffer =>
  recordOf("days", time, [
    ...three(charged ?? 0xff_ffff),
    ...three(discharged ?? 0xff_ffff),
    ...[
      20,
      98,
      ...word(3_011),
      4,
      ...word(3_456),
      9,
      spread / 2,
      spread,
      110,
      125,
      0,
      0,
      0,
      0,
      ...word(123),
      tenMinutes,
      0x11,
    ],
  ]);

/** An hour of a pack: %, A, mV. */
export const hourRecord = (
  time: number | undefined,
  pack: number,
  {
    soc = U,
    current,
    spread,
    volts = 52.8,
  }: { readonly soc?: number; readonly current?: number; readonly spread?: number; readonly volts?: number },
): Buffer =>
  recordOf("hours", time, [
    ...[pack, soc, ...word(Math.round(volts * 100))],
    ...(current === undefined ? [U, U] : signed(Math.round(current * 10))),
    ...(spread === undefined ? [U, U] : word(spread)),
    ...[125, 60],
  ]);

type Distances = readonly (number | undefined)[];

interface Cells {
  /** Distances from the mean, mV. */
  readonly rest?: Distances;
  readonly full?: Distances;
  /** mΩ, and Ah that the BMS has learned. */
  readonly wire?: readonly number[];
  readonly capacity?: number;
}

/** `first`: cells before the first. */
export function cellsRecord(
  time: number,
  pack: number,
  { rest = [], full = [], wire = [], capacity }: Cells,
  first = 0,
): Buffer {
  const each = (some: Distances): number[] =>
    Array.from({ length: 16 }, (_, cell) => (some[cell] === undefined ? U : some[cell] + 128));
  const wires = Array.from({ length: 16 }, (_, cell) => wire[cell] ?? U);
  return recordOf("cells", time, [
    ...[pack, first, ...word(3_310), ...word(3_450), ...each(rest), ...each(full), ...wires, ...word(77)],
    ...(capacity === undefined ? [U, U] : word(capacity * 10)),
  ]);
}

/** Today's range of each of 32 cells: mV; undefined: unknown. */
export const todayOf = (ranges: readonly (readonly [low: number, high: number] | undefined)[]): Buffer =>
  Buffer.from(
    Array.from({ length: 32 }, (_, cell) => ranges[cell]).flatMap((range) =>
      range ? [...word(range[0]), ...word(range[1])] : [U, U, U, U],
    ),
  );

export const eventRecord = (time: number | undefined, code: string, text = "", count = 1): Buffer =>
  recordOf("events", time, [
    ...[CODES.indexOf(code), count, 0, 0, 0, 0, 0, 60, 1, text.length],
    ...Buffer.from(text, "latin1"),
  ]);

type Past = Readonly<Record<"fine" | "hours" | "days" | "cells" | "events", Buffer>>;

let kept: readonly [slot: number, made: Past] | undefined;

/** Sixteen days until then with a gap of three hours five days ago, 400 days, and some events. Made once: within ten minutes it is the same. */
export function past(now = Date.now() / 1_000): Past {
  const slot = Math.floor(now / FINE);
  if (kept?.[0] !== slot) kept = [slot, pastUntil(slot * FINE)];
  return { ...kept[1] };
}

function pastUntil(now: number): Past {
  const last = Math.floor(now / FINE) * FINE - FINE;
  const midnight = new Date(now * 1_000).setHours(0, 0, 0, 0) / 1_000;
  const gap = last - 5 * DAY;
  const fine: Buffer[] = [];
  for (let time = last - 16 * DAY; time <= last; time += FINE) {
    const wave = Math.sin((2 * Math.PI * time) / DAY);
    if (time < gap - 3 * HOUR || time > gap)
      fine.push(
        fineRecord(time, {
          ...{ soc: Math.round(60 + 30 * wave), power: Math.round(150 * wave) * 10 },
          ...{ lowest: Math.round(3_300 + 20 * wave), spread: 12, coldest: 14 },
        }),
      );
  }
  const days = Array.from({ length: 400 }, (_, index) =>
    dayRecord(midnight - (400 - index) * DAY, 6_000 + 1_000 * (index % 3), 5_500, 40),
  );
  // Sixty days of one pack, with the same gap; a year of cells, the seventh of which falls behind.
  const hours = Array.from({ length: 60 * 24 }, (_, index) => Math.floor(now / HOUR) * HOUR - (60 * 24 - index) * HOUR)
    .filter((time) => time < gap - 3 * HOUR || time > gap)
    .map((time) => hourRecord(time, 1, { soc: 60, current: 20 * Math.sin((2 * Math.PI * time) / DAY), spread: 14 }));
  const cells = Array.from({ length: 52 }, (_, week) => {
    const rest = Array.from({ length: 16 }, (_, cell) => (cell === 6 ? 4 - week : cell % 3));
    const wire = rest.map((_, cell) => 60 + cell);
    return cellsRecord(midnight - (52 - week) * 7 * DAY, 1, { rest, full: rest.map((one) => one * 2), wire });
  });
  const events = [
    eventRecord(midnight - 3 * DAY, "started", "1.2.3\tabcdef"),
    eventRecord(last - 2 * HOUR, "alarm-raised", "cell_undervoltage", 2),
    eventRecord(last - HOUR, "alarm-cleared", "cell_undervoltage"),
    eventRecord(undefined, "stopped"),
  ];
  return {
    ...{ fine: Buffer.concat(fine), hours: Buffer.concat(hours), days: Buffer.concat(days) },
    ...{ cells: Buffer.concat(cells), events: Buffer.concat(events) },
  };
}

/** The ranges of the history screen, and how many charts each has. */
export const CHARTS = [
  ["24 h", 4],
  ["7 days", 5],
  ["10 days", 5],
  ["30 days", 4],
  ["Year", 6],
] as const;
