/** The partition "history": which sectors are whose, and records that fill what they have. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NorFlash } from "../../host-sim/nor-flash";
import { RECORD_OVERHEAD, recordsIn } from "../../modules/flash-log/layout";
import { MAX_SECTORS, MIN_SECTORS, SECTOR_BYTES } from "../../modules/flash-log/limits";
import * as events from "../../src/events/record-bytes";
import { bytesOf, countOf, offsetOf, type RecordTable } from "../../modules/flash-log/field";
import * as layout from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";
import { RECORDS } from "../../src/history/records";
import * as unfinished from "../../src/history/unfinished";
import { CELLS_BYTES } from "../../src/runtime/retained";

const { RINGS, FIRST_SECTOR, SECTORS } = layout;
const NAMES = ["fine", "hours", "days", "cells", "events"];

describe("the partition", () => {
  it("is store.c's up to where the rings begin", () => {
    const c = readFileSync("boards/esp32/store.c", "utf8");
    const [, at] = /^#define RINGS_AT SECTOR$/m.exec(c) ? [0, /^#define SECTOR (\w+)$/m.exec(c)![1]] : [];
    expect(Number(at)).toBe(FIRST_SECTOR * SECTOR_BYTES);
  });

  it("is used to its end, by one ring after another", () => {
    let next = FIRST_SECTOR;
    for (const { sectors } of RINGS) {
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

  it("holds what was promised, with two sectors of a ring not counted", () => {
    const [fine, hours, days, cells, events] = RINGS.map(({ sectors, record }) => (sectors - 2) * recordsIn(record));
    expect(fine).toBeGreaterThanOrEqual(10 * 144);
    expect(hours).toBeGreaterThanOrEqual(31 * 24);
    expect(days).toBeGreaterThanOrEqual(1.9 * 365.25);
    expect(cells).toBeGreaterThanOrEqual(2.3 * 52.18);
    expect(events).toBeGreaterThanOrEqual(100);
  });

  it.each(["8MB", "16MB"])("has ten times the days on boards with %s", (size) => {
    const table = readFileSync(`boards/esp32/partitions-${size}.csv`, "utf8");
    const [, bytes] = new RegExp(`^${layout.PARTITION}, .*, (\\w+)$`, "m").exec(table)!;
    const flash = new NorFlash(Number(bytes) / SECTOR_BYTES);
    const usual = new RecordStore(new NorFlash(FIRST_SECTOR + SECTORS));
    const large = new RecordStore(flash, Number(bytes) / SECTOR_BYTES);
    const least = ({ rings }: RecordStore): number[] => rings.map((ring) => (ring.sectors - 2) * ring.perSector);
    least(large).forEach((records, ring) => expect(records).toBeGreaterThanOrEqual(10 * least(usual)[ring]!));
    // Each has sectors of its own.
    for (const ring of large.rings) {
      expect(ring.sectors).toBeLessThanOrEqual(MAX_SECTORS);
      expect(ring.append(new Uint8Array(ring.recordBytes), 1)).toBe(true);
    }
    expect(flash.wear.flatMap((erases, sector) => (erases ? [sector] : []))).toEqual([1, 101, 151, 231, 271]);
  });

  it.each([
    [FIRST_SECTOR + SECTORS, 1],
    [FIRST_SECTOR + 10 * SECTORS - 1, 1],
    [FIRST_SECTOR + 10 * SECTORS, 10],
    [FIRST_SECTOR + 10 * SECTORS + 1, 10],
  ])("of %i sectors has them times %i", (sectors, times) => {
    expect(layout.timesIn(sectors)).toBe(times);
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
const placesOf = ({ fields }: RecordTable): (readonly [number, number])[] =>
  Object.values(fields)
    .map((field) => [offsetOf(field), bytesOf(field) * (countOf(field) || 1)] as const)
    .sort(([one], [other]) => one - other);

const EVENT_FIELDS: readonly (readonly [number, number])[] = [
  [events.EVENT_CODE, 1],
  [events.EVENT_COUNT, 1],
  [events.EVENT_RESTARTS, 2],
  [events.EVENT_UPTIME, 4],
  [events.EVENT_PACK, 1],
  [events.EVENT_LENGTH, 1],
  [events.EVENT_TEXT, events.EVENT_TEXT_BYTES],
];

describe("a record", () => {
  it.each(NAMES.map((name, ring) => ({ name, ring })))(
    "of $name is filled by its fields, as documented",
    ({ name, ring }) => {
      const section = new RegExp(`^### ${name}: kind[^]*?(?=^##)`, "im").exec(
        readFileSync("docs/history.md", "utf8"),
      )![0];
      const places = RECORDS[ring] ? placesOf(RECORDS[ring]) : EVENT_FIELDS;
      let at = RECORD_OVERHEAD - 1;
      for (const [offset, bytes] of places) {
        // Parts of one byte are one row.
        if (offset < at) continue;
        expect(offset).toBe(at);
        expect(section).toMatch(new RegExp(`^\\| +${offset} \\| +${bytes} \\|`, "m"));
        at += bytes;
      }
      expect(at).toBe(RINGS[ring]!.record - 1);
      expect(section.match(/^\| +\d+ \|/gm)).toHaveLength(new Set(places.map(([offset]) => offset)).size);
    },
  );

  it("has the name of its series", () => {
    expect(RECORDS.map(({ name }) => name)).toEqual(NAMES.slice(0, RECORDS.length));
  });

  it("lies in the retained memory between what it is computed from", () => {
    const [fine, hours, days, cells] = RECORDS;
    expect(unfinished.DAY_AT - unfinished.FINE_AT).toBe(fine!.bytes);
    expect(unfinished.FINE_SLOT_AT - unfinished.DAY_AT).toBe(days!.bytes);
    expect(unfinished.SUM).toBe(hours!.bytes);
    expect(2 * cells!.bytes + 2).toBe(CELLS_BYTES);
  });
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
    "clock-set",
    "no-reply",
    "condition-raised",
    "condition-cleared",
    "setting-changed",
  ]);
});
