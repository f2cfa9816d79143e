/** The partition "history": which sectors are whose, and records that fill what they have. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RECORD_OVERHEAD, recordsIn } from "../../modules/flash-log/layout";
import { MAX_SECTORS, MIN_SECTORS, SECTOR_BYTES } from "../../modules/flash-log/limits";
import * as events from "../../src/events/record-bytes";
import * as layout from "../../src/history/layout";

const { RINGS, FIRST_SECTOR, SECTORS } = layout;
const NAMES = ["fine", "hours", "days", "cells", "events"];

describe("the partition", () => {
  it("is store.c's up to where the rings begin", () => {
    const c = readFileSync("boards/esp32/store.c", "utf8");
    const defined = (name: string): number => Number(new RegExp(`^#define ${name} (\\w+)$`, "m").exec(c)![1]);
    expect(defined("RINGS_AT")).toBe(FIRST_SECTOR * SECTOR_BYTES);
    expect(defined("STAND_IN_AT") + defined("ROOM")).toBeLessThanOrEqual(FIRST_SECTOR * SECTOR_BYTES);
  });

  it("is used to its end, by one ring after another", () => {
    let next = FIRST_SECTOR;
    for (const { first, sectors } of RINGS) {
      expect(first).toBe(next);
      expect(sectors).toBeGreaterThanOrEqual(MIN_SECTORS);
      expect(sectors).toBeLessThanOrEqual(MAX_SECTORS);
      next += sectors;
    }
    expect(next).toBe(FIRST_SECTOR + SECTORS);
    const [, size] = new RegExp(`^${layout.PARTITION}, .*, (\\w+)$`, "m").exec(
      readFileSync("boards/esp32/partitions.csv", "utf8"),
    )!;
    expect(next * SECTOR_BYTES).toBe(Number(size));
  });

  it("is described by docs/history.md", () => {
    const text = readFileSync("docs/history.md", "utf8");
    for (const [index, { sectors, record, kind }] of RINGS.entries()) {
      expect(text).toMatch(
        new RegExp(`^\\| ${NAMES[index]} +\\| +${sectors} \\| +${record} \\| +${recordsIn(record)} \\|`, "m"),
      );
      expect(text.toLowerCase()).toContain(`### ${NAMES[index]}: kind 0x${kind.toString(16)}\n`);
    }
    const least = (ring: number): number => (RINGS[ring]!.sectors - 2) * recordsIn(RINGS[ring]!.record);
    expect(text).toContain(`${Math.floor(least(layout.FINE) / 14.4) / 10} days`);
    expect(text).toContain(`${Math.floor(least(layout.HOURS) / 24)} days of one pack`);
    expect(text).toContain(`${Math.floor(least(layout.DAYS) / 36.525) / 10} years`);
    expect(text).toContain(`${Math.floor((least(layout.CELLS) / 52.18) * 10) / 10} years of one pack`);
    expect(text).toContain(`${Math.floor(least(layout.CELLS) / 15)} months of fifteen`);
    expect(text).toContain(`${least(layout.EVENTS)} events`);
  });
});

/** [first byte, bytes] of each field. */
const FIELDS: readonly (readonly (readonly [number, number])[])[] = [
  [
    [layout.FINE_CHARGE, 1],
    [layout.FINE_VOLTAGE, 2],
    [layout.FINE_MEAN, 2],
    [layout.FINE_LEAST, 2],
    [layout.FINE_MOST, 2],
    [layout.FINE_LOWEST, 2],
    [layout.FINE_SPREAD, 1],
    [layout.FINE_COOLEST, 1],
    [layout.FINE_WARMEST, 1],
    [layout.FINE_STATE, 1],
    [layout.FINE_CELL, 1],
  ],
  [
    [layout.HOUR_PACK, 1],
    [layout.HOUR_CHARGE, 1],
    [layout.HOUR_VOLTAGE, 2],
    [layout.HOUR_CURRENT, 2],
    [layout.HOUR_SPREAD, 2],
    [layout.HOUR_WARMEST, 1],
    [layout.HOUR_STATE, 1],
  ],
  [
    [layout.DAY_CHARGED, 3],
    [layout.DAY_DISCHARGED, 3],
    [layout.DAY_LEAST_CHARGE, 1],
    [layout.DAY_MOST_CHARGE, 1],
    [layout.DAY_LOWEST, 2],
    [layout.DAY_LOWEST_CELL, 1],
    [layout.DAY_HIGHEST, 2],
    [layout.DAY_HIGHEST_CELL, 1],
    [layout.DAY_REST_SPREAD, 1],
    [layout.DAY_LOAD_SPREAD, 1],
    [layout.DAY_COOLEST, 1],
    [layout.DAY_WARMEST, 1],
    [layout.DAY_ALARMS, 4],
    [layout.DAY_CYCLES, 2],
    [layout.DAY_COVERED, 1],
    [layout.DAY_PACKS, 1],
  ],
  [
    [layout.CELLS_PACK, 1],
    [layout.CELLS_FIRST, 1],
    [layout.CELLS_REST, 2],
    [layout.CELLS_FULL, 2],
    [layout.CELLS_REST_EACH, layout.CELLS_EACH],
    [layout.CELLS_FULL_EACH, layout.CELLS_EACH],
    [layout.CELLS_WIRE_EACH, layout.CELLS_EACH],
    [layout.CELLS_CYCLES, 2],
    [layout.CELLS_CAPACITY, 2],
  ],
  [
    [events.EVENT_CODE, 1],
    [events.EVENT_COUNT, 1],
    [events.EVENT_RESTARTS, 2],
    [events.EVENT_UPTIME, 4],
    [events.EVENT_PACK, 1],
    [events.EVENT_LENGTH, 1],
    [events.EVENT_TEXT, events.EVENT_TEXT_BYTES],
  ],
];

describe("a record", () => {
  it.each(NAMES.map((name, ring) => ({ name, ring })))(
    "of $name is filled by its fields, as documented",
    ({ name, ring }) => {
      const section = new RegExp(`^### ${name}: kind[^]*?(?=^##)`, "im").exec(
        readFileSync("docs/history.md", "utf8"),
      )![0];
      let at = RECORD_OVERHEAD - 1;
      for (const [offset, bytes] of FIELDS[ring]!) {
        expect(offset).toBe(at);
        expect(section).toMatch(new RegExp(`^\\| +${offset} \\| +${bytes} \\|`, "m"));
        at += bytes;
      }
      expect(at).toBe(RINGS[ring]!.record - 1);
    },
  );
});

it("an event has the bytes of the ring's record, and a code for ever", () => {
  expect(events.EVENT_BYTES).toBe(RINGS[layout.EVENTS]!.record);
  // Append only: a record has the index.
  expect(events.CODES).toEqual([
    "started",
    "crashed",
    "safe-mode",
    "stopped",
    "button",
    "bms-online",
    "bms-offline",
    "other-master",
    "other-master-gone",
    "alarm-raised",
    "alarm-cleared",
    "write",
    "settings-changed",
    "older-update",
    "password-lost",
    "start-reason",
    "sign-in-refused",
    "pack-online",
    "pack-offline",
    "pack-swapped",
    "all-packs-ended",
  ]);
});

describe("a number", () => {
  it("that does not fit becomes the nearest, and never unknown", () => {
    expect([-1, 0, 254, 255, 1e9].map(layout.toByte)).toEqual([0, 0, 254, 254, 254]);
    expect([-1, 0, 65_534, 65_535, 1e9].map(layout.toWord)).toEqual([0, 0, 65_534, 65_534, 65_534]);
    expect([-1e9, -32_769, -32_768, -1, 0, 32_766, 32_767].map(layout.toSigned)).toEqual([
      0, 0, 0, 0x7fff, 0x8000, 65_534, 65_534,
    ]);
  });
});
