import * as FIELDS from "jk-bms/field-table";
import { offsetOf } from "jk-bms/fields";
import { BLOCK_BYTES } from "jk-bms/limits";
import { describe, expect, it } from "vitest";
import { NONE, ofRow, type Conditions } from "../../src/conditions/set";
import { SWAPPED } from "../../src/conditions/rows";
import { CONCERNS, severityOf } from "../../src/conditions/table";
import { bankTelemetry, faultsOf, relayTelemetry } from "../../src/relay/telemetry";
import { TestMonitor } from "../support/bms/bms-link";

/** Bits 4 and 19: fully charged, change the password. Bit 31 has no meaning yet. */
const NOTICES = 0x0008_0010;
const REMINDER = 0x0008_0000;
const UNUSED = 0x8000_0000;

/** Why what a pack reports is no reason to act. */
const DOUBTS = {
  "contradicts itself": (pack: TestMonitor) => void (pack.telemetry.contradicts = true),
  "was swapped": (pack: TestMonitor) => void (pack.isSwapped = true),
  "shares its address": (pack: TestMonitor) => void (pack.isContested = true),
} as const;

it("the rule gets percent, volts and the alarms that are faults", () => {
  const view = new DataView(new ArrayBuffer(BLOCK_BYTES));
  view.setUint32(offsetOf(FIELDS.packVoltage), 52_695);
  view.setUint8(offsetOf(FIELDS.soc), 55);
  view.setUint32(offsetOf(FIELDS.alarmCode), 0x1003 + NOTICES + UNUSED);
  const pack = { online: true, telemetry: { view, littleEndian: false, valid: true }, setup: { valid: false } };
  expect(relayTelemetry(pack as unknown as Parameters<typeof relayTelemetry>[0])).toEqual({
    online: true,
    soc: 55,
    voltage: 52.695,
    alarmCode: 0x1003 + UNUSED,
  });
});

it("while the settings are unread bit 4 is no fault and no all-clear; a fault beside it is one", () => {
  const pack = new TestMonitor();
  pack.telemetry.setCells([3_300]);
  const told = (bits: number): number => {
    pack.telemetry.set(FIELDS.alarmCode, bits);
    return relayTelemetry(pack).alarmCode;
  };
  expect([0, 1 << 4, (1 << 4) | 1, 1].map(told)).toEqual([0, NaN, 1, 1]);
  pack.telemetry.setCells([3_651]);
  expect(told(1 << 4)).toBe(2 ** 29);
});

it("of a pack that was never read nothing is known", () => {
  expect(relayTelemetry(new TestMonitor())).toEqual({ online: true, alarmCode: NaN, soc: NaN, voltage: NaN });
});

describe("a bank", () => {
  interface Values {
    readonly online?: boolean;
    readonly soc?: number;
    readonly volts?: number;
    readonly alarms?: number;
    /** mAh. */
    readonly capacity?: number;
  }

  const bankOf = (...packs: readonly Values[]): TestMonitor[] =>
    packs.map(({ online = true, soc = 50, volts = 52, alarms = 0, capacity = 100_000 }) => {
      const pack = new TestMonitor();
      pack.online = online;
      pack.telemetry
        .set(FIELDS.soc, soc)
        .set(FIELDS.packVoltage, volts * 1000)
        .set(FIELDS.alarmCode, alarms);
      pack.setup.set(FIELDS.capacity, capacity);
      return pack;
    });

  it("has the charge weighted by capacity, the mean voltage and the faults of all", () => {
    const bank = bankOf(
      { soc: 20, volts: 51, alarms: 1 + REMINDER },
      { soc: 80, volts: 53, alarms: 2, capacity: 300_000 },
    );
    expect(bankTelemetry(bank)).toEqual({ online: true, soc: 65, voltage: 52, alarmCode: 3 });
  });

  it("that is not complete has neither charge nor voltage, but the faults of those that are online", () => {
    const bank = bankOf({ alarms: 1 }, { online: false });
    expect(bankTelemetry(bank)).toEqual({ online: true, soc: NaN, voltage: NaN, alarmCode: 1 });
  });

  it("keeps the last fault of a pack that has fallen silent", () => {
    expect(bankTelemetry(bankOf({}, { online: false, alarms: 4 })).alarmCode).toBe(4);
    expect(bankTelemetry(bankOf({ online: false }, { online: false })).online).toBe(false);
  });

  it.each([0, 1, 2])(
    "whose pack %i of three has not told its alarms yet has no all-clear, but the faults of the others",
    (at) => {
      const packs = bankOf({}, {}, {});
      const silent = packs[at] as TestMonitor;
      silent.online = silent.telemetry.valid = false;
      expect(bankTelemetry(packs).alarmCode).toBeNaN();
      packs[(at + 1) % 3]?.telemetry.set(FIELDS.alarmCode, 1);
      expect(bankTelemetry(packs).alarmCode).toBe(1);
      packs[(at + 1) % 3]?.telemetry.set(FIELDS.alarmCode, 0);
      silent.telemetry.set(FIELDS.alarmCode, 0);
      expect(bankTelemetry(packs).alarmCode).toBe(0);
    },
  );

  it.each([0, 1, 2])("takes the capacity of pack %i from its telemetry until its settings are heard twice", (at) => {
    const packs = bankOf({ soc: 20 }, { soc: 20 }, { soc: 20 });
    const heard = packs[at] as TestMonitor;
    heard.telemetry.set(FIELDS.soc, 80).set(FIELDS.fullCapacity, 100_000);
    heard.setup.set(FIELDS.capacity, 9_000_000);
    heard.heardOnce = true;
    expect(bankTelemetry(packs).soc).toBeCloseTo(40);
    heard.heardOnce = false;
    expect(bankTelemetry(packs).soc).toBeGreaterThan(70);
  });

  it("of which a capacity is unknown has no charge", () => {
    const told = bankTelemetry(bankOf({}, { capacity: 0 }));
    expect([told.soc, told.voltage]).toEqual([NaN, 52]);
  });

  it.each(
    [0, 1, 2].flatMap((at) => (Object.keys(DOUBTS) as (keyof typeof DOUBTS)[]).map((doubt) => [at, doubt] as const)),
  )("of which pack %i %s has neither, and no alarm only if it is known to have none", (at, doubt) => {
    const bank = bankOf({}, {}, {});
    const one = bank[at] as TestMonitor;
    DOUBTS[doubt](one);
    expect(bankTelemetry(bank)).toEqual({ online: true, soc: NaN, voltage: NaN, alarmCode: NaN });
    // What it reports itself, or another, is one.
    for (const pack of bank) {
      pack.telemetry.set(FIELDS.alarmCode, 2);
      expect(bankTelemetry(bank).alarmCode).toBe(2);
      pack.telemetry.set(FIELDS.alarmCode, 0);
    }
    one.online = false;
    expect(bankTelemetry(bank).alarmCode).toBe(0);
  });
});

it.each(Object.entries(DOUBTS))("of a pack that %s only the faults that it reports are known", (_, begin) => {
  const pack = new TestMonitor();
  pack.telemetry.set(FIELDS.soc, 0).set(FIELDS.packVoltage, 52_000);
  begin(pack);
  expect(relayTelemetry(pack)).toEqual({ online: true, soc: NaN, voltage: NaN, alarmCode: NaN });
  pack.telemetry.set(FIELDS.alarmCode, 2);
  expect(relayTelemetry(pack).alarmCode).toBe(2);
});

it("nothing is known of what has not been read", () => {
  expect(relayTelemetry(new TestMonitor())).toEqual({ online: true, soc: NaN, voltage: NaN, alarmCode: NaN });
});

describe.each([
  [1, 0],
  [3, 0],
  [3, 1],
  [3, 2],
])("of %i packs that at %i: the rule by fault", (count, at) => {
  const bankOf = (): { packs: TestMonitor[]; one: TestMonitor; present: Conditions[]; faults: () => number } => {
    const packs = Array.from({ length: count }, (_, index) => Object.assign(new TestMonitor(), { index }));
    for (const { telemetry } of packs) telemetry.set(FIELDS.alarmCode, 0);
    const present = packs.map(() => NONE);
    const conditions = { presentOf: (index: number) => present[index]! };
    const faults = (): number => faultsOf(packs, conditions);
    return { packs, one: packs[at]!, present, faults };
  };

  it.each(CONCERNS)("%s", (code) => {
    const { present, faults } = bankOf();
    expect(faults()).toBe(0);
    const bits = (present[at] = ofRow(CONCERNS.indexOf(code)));
    expect(faults()).toBe(severityOf(code) === "fault" && code !== "offline" ? bits : 0);
  });

  const UNKNOWN = {
    ...DOUBTS,
    "is silent": (pack: TestMonitor) => void (pack.online = false),
    "has not told its alarms": (pack: TestMonitor) => void (pack.telemetry.valid = false),
  } as const;
  it.each(Object.entries(UNKNOWN))("one that %s has no all-clear; a fault of any is one", (_, begin) => {
    const { packs, one, present, faults } = bankOf();
    begin(one);
    expect(faults()).toBeNaN();
    for (const { index } of packs) {
      present[index] = SWAPPED;
      expect(faults()).toBe(SWAPPED);
      present[index] = NONE;
    }
    expect(faults()).toBeNaN();
  });
});
