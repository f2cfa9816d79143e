/** A summary that is brought up to date in place must be the one that is written whole, byte for byte. */
import * as FIELDS from "jk-bms/field-table";
import { JsonWriter } from "json/writer";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { reviseSummary, SUMMARY_ITEMS, writeSummary } from "../../src/catalogue/document";
import { Rendered } from "../../src/endpoints/rendered";
import { TestMonitor } from "../support/bms/bms-link";
import fc from "../support/property";

const MAX_BYTES = 2048;
const SLACK = 32;
/** Where the number before the summary begins. */
const NUMBER = '{"uptime":'.length;
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

let pack: TestMonitor;
let kept: Rendered;
let uptime: number;
let state: number;

/** The document, written whole. */
function write(into: Uint8Array, document?: Rendered): number {
  const json = new JsonWriter().begin(into).open().integer("uptime", uptime).open("bms");
  writeSummary(json, pack, document);
  json.close();
  return json.close().end();
}

const whole = (): string => {
  const into = new Uint8Array(MAX_BYTES);
  return textOf(into.subarray(0, write(into)));
};

/** Brings the kept document up to date, as GET /api does; undefined if it has to be written whole, which it is then. */
function revise(next = uptime): string | undefined {
  const into = new Uint8Array(MAX_BYTES);
  const old = String(uptime).length;
  uptime = next;
  state++;
  expect(kept.serve(into, state)).toBe(0);
  if (kept.known) {
    const digits = new TextEncoder().encode(String(uptime));
    const moved = kept.replace(NUMBER, NUMBER + old, digits, digits.length);
    const all = reviseSummary(kept, into, pack, moved);
    if (!Number.isNaN(all)) return textOf(into.subarray(0, kept.revised(into, state)));
    kept.forget();
  }
  kept.keep(into, write(into, kept), state);
  return undefined;
}

beforeEach(() => {
  kept = new Rendered(SUMMARY_ITEMS, SLACK);
  uptime = 1;
  state = 0;
  pack = new TestMonitor();
  pack.telemetry
    .setCells([3300, 3310])
    .set(FIELDS.batteryType, 0)
    .set(FIELDS.soc, 87)
    .set(FIELDS.fullCapacity, 251_000)
    .set(FIELDS.remainingCapacity, 243_600)
    .set(FIELDS.packVoltage, 53_527)
    .set(FIELDS.packCurrent, 12_345)
    .set(FIELDS.packPower, 660_795);
  pack.setup.set(FIELDS.capacity, 280_000);
  pack.deviceInfo.set(FIELDS.bluetoothName, "Garage").set(FIELDS.model, "JK_PB2A16S20P");
  // As a block that was read has it.
  Object.assign(pack.deviceInfo, { revision: 1 });
  expect(revise()).toBeUndefined();
});

const CHANGES: Record<string, () => void> = {
  nothing: () => undefined,
  "a number": () => pack.telemetry.set(FIELDS.soc, 86),
  "a number of more digits": () => pack.telemetry.set(FIELDS.soc, 100),
  "a number of fewer digits": () => pack.telemetry.set(FIELDS.soc, 5),
  "a computed number": () => pack.telemetry.set(FIELDS.packCurrent, -12_345),
  "the last number of an object": () => pack.telemetry.set(FIELDS.packPower, 1),
  "a text that is computed": () => pack.telemetry.set(FIELDS.batteryType, 1),
  "a text that is computed, unknown": () => pack.telemetry.set(FIELDS.batteryType, 9),
  "telemetry that is unknown": () => (pack.telemetry.valid = false),
  "settings that are unknown": () => (pack.setup.valid = false),
  "a BMS that is offline": () => (pack.online = false),
};

describe("a summary that is brought up to date", () => {
  it.each(Object.entries(CHANGES))("is the whole one after %s, and when that has ended", (_, change) => {
    change();
    expect(revise()).toBe(whole());
    pack.online = pack.telemetry.valid = pack.setup.valid = true;
    pack.telemetry
      .set(FIELDS.soc, 87)
      .set(FIELDS.packCurrent, 12_345)
      .set(FIELDS.packPower, 660_795)
      .set(FIELDS.batteryType, 0);
    expect(revise()).toBe(whole());
    expect(revise()).toBe(whole());
  });

  it("is the whole one when a text has become another", () => {
    for (const [revision, name] of [
      [2, "Shed"],
      [3, "A longer name"],
      [4, ""],
    ] as const) {
      Object.assign(pack.deviceInfo.set(FIELDS.bluetoothName, name), { revision });
      expect(revise()).toBe(whole());
      expect(JSON.parse(whole())).toMatchObject({ bms: { name } });
    }
    pack.deviceInfo.valid = false;
    expect(revise()).toBe(whole());
  });

  it("is the whole one when what stands before it has moved it", () => {
    for (const next of [9, 10, 99_999, 100_000, 7]) expect(revise(next)).toBe(whole());
    pack.telemetry.set(FIELDS.soc, 100).set(FIELDS.packVoltage, 1);
    expect(revise(12_345)).toBe(whole());
    pack.telemetry.set(FIELDS.packVoltage, 53_527);
    expect(revise(1)).toBe(whole());
  });

  it("is the whole one, whatever changes", () => {
    const number = fc.constantFrom(0, 1, 9, 10, 99, 100, 999, 52_700, 100_000, 2_000_000_000, -1, -100_000);
    const field = fc.constantFrom(
      FIELDS.soc,
      FIELDS.remainingCapacity,
      FIELDS.alarmCode,
      FIELDS.packVoltage,
      FIELDS.packCurrent,
      FIELDS.packPower,
      FIELDS.batteryType,
    );
    const step = fc.record({
      changes: fc.array(fc.tuple(field, number), { maxLength: 3 }),
      cells: fc.nat({ max: 32 }),
      next: fc.constantFrom(1, 10, 99_999, 100_000),
      online: fc.boolean(),
      known: fc.constantFrom(true, true, false),
    });
    let revised = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 8, maxLength: 8 }), (steps) => {
        for (const { changes, cells, next, online, known } of steps) {
          for (const [one, value] of changes) pack.telemetry.set(one, value);
          pack.telemetry.setCells(Array<number>(cells).fill(3300));
          pack.online = online;
          pack.telemetry.valid = known;
          const text = revise(next);
          if (text === undefined) continue;
          revised++;
          expect(text).toBe(whole());
        }
      }),
      { numRuns: 200 },
    );
    expect(revised).toBeGreaterThan(1000);
  });
});

it("only rows that have changed are written", () => {
  const replace = vi.spyOn(kept, "replace");
  /** Without that of the number before the summary. */
  const written = (): number => {
    replace.mockClear();
    expect(revise()).toBe(whole());
    return replace.mock.calls.length - 1;
  };
  // The text that is computed: it is not kept when the document is written whole.
  expect(written()).toBe(1);
  expect(written()).toBe(0);
  pack.telemetry.set(FIELDS.soc, 86);
  expect(written()).toBe(1);
  pack.online = false;
  expect(written()).toBe(1);
  pack.online = true;
  expect(written()).toBe(1);
  pack.telemetry.set(FIELDS.batteryType, 1);
  expect(written()).toBe(1);
  expect(written()).toBe(0);
});

it("a document that outgrows its room is written whole, and goes on from there", () => {
  const bytes = (change: number): void => {
    pack.deviceInfo.set(FIELDS.bluetoothName, "x".repeat(change));
    Object.assign(pack.deviceInfo, { revision: state });
  };
  bytes(1);
  kept.forget();
  state++;
  const into = new Uint8Array(MAX_BYTES);
  kept = new Rendered(SUMMARY_ITEMS, 10);
  kept.keep(into, write(into, kept), state);
  bytes(11);
  expect(revise()).toBe(whole());
  bytes(12);
  expect(revise()).toBeUndefined();
  expect(revise()).toBe(whole());
});
