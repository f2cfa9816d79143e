/** What packs of a bank should have in common: each field at its tolerance, for the first, a middle and the last pack. */
import * as FIELDS from "jk-bms/field-table";
import type { Field } from "jk-bms/fields";
import { beforeEach, describe, expect, it } from "vitest";
import { NONE, type Conditions } from "../../src/conditions/set";
import { CELLS_DIFFER, LIMITS_DIFFER, NO_IDENTITY, SAME_IDENTITY } from "../../src/conditions/rows";
import { Likeness } from "../../src/packs/likeness";
import { ALIKE_CURRENT, ALIKE_TEMPERATURE, ALIKE_VOLTAGE } from "../../src/packs/limits";
import { TestImage, TestMonitor } from "../support/bms/bms-link";

const LIMITS: readonly (readonly [name: keyof typeof FIELDS, tolerance: number, value: number])[] = [
  ["cellUvpVoltage", ALIKE_VOLTAGE, 2_600],
  ["cellUvprVoltage", ALIKE_VOLTAGE, 2_650],
  ["cellOvpVoltage", ALIKE_VOLTAGE, 3_650],
  ["cellOvprVoltage", ALIKE_VOLTAGE, 3_600],
  ["maxChargeCurrent", ALIKE_CURRENT, 100_000],
  ["maxDischargeCurrent", ALIKE_CURRENT, 150_000],
  ["chargeOtp", ALIKE_TEMPERATURE, 550],
  ["dischargeOtp", ALIKE_TEMPERATURE, 600],
  ["chargeUtp", ALIKE_TEMPERATURE, -20],
  ["mosOtp", ALIKE_TEMPERATURE, 800],
];

/** The monitor has one image for all packs: it is that of the pack that was asked last. */
const SHARED = new TestImage();

class Pack extends TestMonitor {
  changes = 0;
  /** What `setup` shows. */
  readonly own = this.setup;

  /** Without a change nothing is judged anew. */
  override get setupRevision(): number {
    return this.changes;
  }

  change(field: Field, value: number): void {
    this.own.set(field, value);
    this.changes++;
  }
}

let packs: Pack[];
let likeness: Likeness;

function start(count: number): void {
  packs = Array.from({ length: count }, (_, index) => {
    const pack = Object.assign(new Pack(), { index, serialNumber: `SERIAL${index}` });
    pack.own.set(FIELDS.cellCount, 16);
    for (const [name, , value] of LIMITS) pack.own.set(FIELDS[name], value);
    Object.defineProperty(pack, "setup", {
      get() {
        new Uint8Array(SHARED.view.buffer).set(new Uint8Array(pack.own.view.buffer));
        return Object.assign(SHARED, { valid: pack.own.valid });
      },
    });
    return pack;
  });
  likeness = new Likeness({ packs });
}

const found = (): Conditions[] => packs.map(({ index }) => likeness.concernsOf(index));
const only = (at: number, bits: Conditions): Conditions[] => packs.map(({ index }) => (index === at ? bits : NONE));

beforeEach(() => start(3));

it("packs that are alike are well", () => {
  expect(found()).toEqual([0, 0, 0]);
});

describe.each([0, 1, 2])("number %i of three packs", (at) => {
  const pack = (): Pack => packs[at]!;

  it.each(LIMITS)("%s: from %i off on it is not alike", (name, tolerance, value) => {
    for (const sign of [1, -1]) {
      pack().change(FIELDS[name], value + sign * tolerance);
      expect(found()).toEqual([0, 0, 0]);
      pack().change(FIELDS[name], value + sign * (tolerance + 1));
      expect(found()).toEqual(only(at, LIMITS_DIFFER));
    }
    pack().change(FIELDS[name], value);
    expect(found()).toEqual([0, 0, 0]);
  });

  it("has another number of cells", () => {
    pack().change(FIELDS.cellCount, 15);
    expect(found()).toEqual(only(at, CELLS_DIFFER));
  });

  it("of which the settings are not read, or heard only once, or which is offline, is not compared", () => {
    pack().change(FIELDS.cellCount, 15);
    pack().configurationLoaded = false;
    pack().changes++;
    expect(found()).toEqual([0, 0, 0]);
    Object.assign(pack(), { configurationLoaded: true, heardOnce: true }).changes++;
    expect(found()).toEqual([0, 0, 0]);
    pack().heardOnce = false;
    pack().online = false;
    pack().changes++;
    expect(found()).toEqual([0, 0, 0]);
  });

  it("has no serial number, once its device information is read", () => {
    pack().serialNumber = "";
    pack().deviceInfo.valid = false;
    pack().changes++;
    expect(found()).toEqual([0, 0, 0]);
    pack().deviceInfo.valid = true;
    pack().changes++;
    expect(found()).toEqual(only(at, NO_IDENTITY));
  });

  it("of which who it is was heard only once, is not judged by that", () => {
    Object.assign(pack(), { serialNumber: "", identityHeardOnce: true }).changes++;
    pack().deviceInfo.valid = true;
    expect(found()).toEqual([0, 0, 0]);
    pack().serialNumber = packs[(at + 1) % 3]!.serialNumber;
    pack().changes++;
    expect(found()).toEqual([0, 0, 0]);
  });

  it("has the serial number of another one", () => {
    const other = (at + 1) % 3;
    pack().serialNumber = packs[other]!.serialNumber;
    pack().changes++;
    expect(found()).toEqual([0, 1, 2].map((index) => (index === at || index === other ? SAME_IDENTITY : 0)));
    packs[other]!.online = false;
    packs[other]!.changes++;
    expect(found()).toEqual([0, 0, 0]);
  });
});

it("of two that differ both are odd, of four of two kinds all", () => {
  start(2);
  packs[0]!.change(FIELDS.cellCount, 8);
  expect(found()).toEqual([CELLS_DIFFER, CELLS_DIFFER]);
  start(4);
  for (const pack of packs.slice(2)) pack.change(FIELDS.cellCount, 8);
  expect(found()).toEqual([CELLS_DIFFER, CELLS_DIFFER, CELLS_DIFFER, CELLS_DIFFER]);
});

it("four packs without a serial number are four without one, not alike", () => {
  start(4);
  for (const pack of packs) {
    Object.assign(pack, { serialNumber: "", changes: 1 });
    pack.deviceInfo.valid = true;
  }
  expect(found()).toEqual(packs.map(() => NO_IDENTITY));
});
