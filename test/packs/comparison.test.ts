/** Packs in parallel, compared: the rules at their limits, for the first, a middle and the last pack. */
import * as FIELDS from "jk-bms/field-table";
import { beforeEach, describe, expect, it } from "vitest";
import { NONE, plus, type Conditions } from "../../src/conditions/set";
import { BEHIND, CARRIES_NOTHING, OFF_VOLTAGE } from "../../src/conditions/rows";
import { bit, CONCERNS, concernsText } from "../../src/conditions/table";
import {
  BEHIND_BELOW,
  BEHIND_FOR,
  BEHIND_FROM,
  BEHIND_HOURS,
  BEHIND_TO,
  BEHIND_UNTIL,
  COMPARED_FOR,
  DISPLAY_STRING,
  FULL_CHARGE,
  OFF_VOLTAGE_BY,
} from "../../src/catalogue/limits";
import { Comparison } from "../../src/packs/comparison";
import { TestMonitor } from "../support/bms/bms-link";

const VOLTAGE = 52_800;
const CAPACITY = 280_000;

class Pack extends TestMonitor {
  failures = 0;
}

class Bank {
  uptime = 1_000;
  readonly packs: readonly Pack[];
  readonly compared: Comparison;

  constructor(count: number) {
    this.packs = Array.from({ length: count }, (_, index) => {
      const pack = Object.assign(new Pack(), { index });
      pack.telemetry.set(FIELDS.packVoltage, VOLTAGE).set(FIELDS.packCurrent, -20_000);
      pack.telemetry.set(FIELDS.fullCapacity, CAPACITY).set(FIELDS.soc, 60);
      pack.telemetry.set(FIELDS.chargeMos, 1).set(FIELDS.dischargeMos, 1);
      return pack;
    });
    this.compared = new Comparison(this, count);
  }

  /** Rounds of a second each, as if they came for `seconds`. */
  run(seconds = COMPARED_FOR): void {
    for (let second = 0; second < seconds; second++) {
      for (const pack of this.packs) if (pack.online && !pack.failures) this.compared.update(pack);
      this.uptime++;
    }
    for (const pack of this.packs) if (pack.online && !pack.failures) this.compared.update(pack);
  }

  get found(): Conditions[] {
    return this.packs.map(({ index }) => this.compared.concernsOf(index));
  }

  only(at: number, bits: Conditions): Conditions[] {
    return this.packs.map(({ index }) => (index === at ? bits : NONE));
  }
}

let bank: Bank;
beforeEach(() => void (bank = new Bank(3)));

it("each of four packs is compared with what is between the two in the middle", () => {
  bank = new Bank(4);
  const voltages = [0, 0, OFF_VOLTAGE_BY, 1.5 * OFF_VOLTAGE_BY].map((above) => VOLTAGE + above);
  const measure = (): void =>
    bank.packs.forEach(({ telemetry }, index) => telemetry.set(FIELDS.packVoltage, voltages[index]!));
  measure();
  bank.run(COMPARED_FOR + 1);
  expect(bank.found).toEqual([0, 0, 0, 0]);
  voltages[3]!++;
  measure();
  bank.run(COMPARED_FOR + 1);
  expect(bank.found).toEqual(bank.only(3, OFF_VOLTAGE));
});

describe.each([0, 1, 2])("number %i of three packs", (at) => {
  const pack = (): Pack => bank.packs[at]!;

  it("carries nothing once that has lasted, and until it carries again", () => {
    pack().telemetry.set(FIELDS.packCurrent, 0);
    bank.run(COMPARED_FOR - 1);
    expect(bank.found).toEqual([0, 0, 0]);
    bank.run(1);
    expect(bank.found).toEqual(bank.only(at, CARRIES_NOTHING));
    pack().telemetry.set(FIELDS.packCurrent, -20_000);
    bank.run(1);
    expect(bank.found).toEqual([0, 0, 0]);
  });

  it.each([1, -1])("by capacity: a tenth of its share is enough, in either direction (%i)", (sign) => {
    // Its share of 44.4 A is 4.4 A, since it has an eighth of what each of the others has: 4/(32+32+4) of it 2.6 A.
    pack().telemetry.set(FIELDS.fullCapacity, CAPACITY / 8);
    const share = (current: number): number => (2 * 20_000 + current) / 17;
    for (const other of bank.packs) other.telemetry.set(FIELDS.packCurrent, sign * 20_000);
    const least = Math.ceil(share(235) / 10);
    pack().telemetry.set(FIELDS.packCurrent, sign * (least - 1));
    bank.run();
    expect(bank.found).toEqual(bank.only(at, CARRIES_NOTHING));
    pack().telemetry.set(FIELDS.packCurrent, sign * (least + 1));
    bank.run();
    expect(bank.found).toEqual([0, 0, 0]);
  });

  describe("behind", () => {
    /** mA, of each of the three. */
    const SHARE = CAPACITY / BEHIND_HOURS;
    /** Thousandths of its share; the others carry the rest. */
    const carry = (part: number, share = SHARE): void => {
      const own = Math.round((share * part) / 1_000);
      for (const other of bank.packs)
        other.telemetry.set(FIELDS.packCurrent, other === pack() ? own : Math.round((3 * share - own) / 2));
    };
    const charged = (own: number, others = own): void => {
      for (const other of bank.packs) other.telemetry.set(FIELDS.soc, other === pack() ? own : others);
    };
    const begin = (sign: number): void => {
      carry(BEHIND_BELOW - 1, sign * SHARE);
      bank.run(BEHIND_FOR);
      expect(bank.found).toEqual(bank.only(at, BEHIND));
    };

    it.each([1, -1])("below a quarter of its share, once that has lasted, until it carries half (%i)", (sign) => {
      carry(BEHIND_BELOW, sign * SHARE);
      bank.run(BEHIND_FOR);
      expect(bank.found).toEqual([0, 0, 0]);
      carry(BEHIND_BELOW - 1, sign * SHARE);
      bank.run(BEHIND_FOR - 1);
      expect(bank.found).toEqual([0, 0, 0]);
      bank.run(1);
      expect(bank.found).toEqual(bank.only(at, BEHIND));
      expect(bank.compared.measurementOf(at, BEHIND)).toEqual([BEHIND_BELOW - 1, BEHIND_BELOW]);
      carry(BEHIND_UNTIL - 1, sign * SHARE);
      bank.run(1);
      expect(bank.found).toEqual(bank.only(at, BEHIND));
      carry(BEHIND_UNTIL, sign * SHARE);
      bank.run(1);
      expect(bank.found).toEqual([0, 0, 0]);
    });

    it.each([1, -1])("with a current against the bank's, which is negative (%i)", (sign) => {
      carry(-400, sign * SHARE);
      bank.run(BEHIND_FOR);
      expect(bank.found).toEqual(bank.only(at, BEHIND));
      expect(bank.compared.measurementOf(at, BEHIND)).toEqual([-400, BEHIND_BELOW]);
    });

    it.each([1, -1])("while nothing can be said of it, it stays as it is, and does not begin (%i)", (sign) => {
      const share = sign * SHARE;
      const hide: [string, () => void][] = [
        ["less flows", () => carry(100, share - sign)],
        ["its charge is the reason", () => charged(60 + 10 * sign, 60)],
        ["a pack is nearly empty", () => charged(BEHIND_FROM - 1)],
        ["a pack is nearly full", () => charged(BEHIND_TO + 1)],
        ["a MOSFET is off", () => pack().telemetry.set(FIELDS.chargeMos, 0)],
      ];
      const show = (part: number): void => {
        charged(60);
        carry(part, share);
        pack().telemetry.set(FIELDS.chargeMos, 1);
      };
      for (const [why, now] of hide) {
        show(100);
        bank.run(BEHIND_FOR - 1);
        now();
        bank.run(BEHIND_FOR);
        expect([why, ...bank.found]).toEqual([why, 0, 0, 0]);
        // It has to last anew.
        show(100);
        bank.run(BEHIND_FOR - 1);
        expect([why, ...bank.found]).toEqual([why, 0, 0, 0]);
        bank.run(1);
        expect([why, ...bank.found]).toEqual([why, ...bank.only(at, BEHIND)]);
        now();
        bank.run(BEHIND_FOR);
        expect([why, ...bank.found]).toEqual([why, ...bank.only(at, BEHIND)]);
        show(BEHIND_UNTIL);
        bank.run(1);
        expect([why, ...bank.found]).toEqual([why, 0, 0, 0]);
      }
    });

    it.each([BEHIND_FROM, BEHIND_TO])("with all packs at %i %", (charge) => {
      charged(charge);
      begin(-1);
    });

    it.each([
      [1, 55],
      [-1, 65],
    ])("when its charge says that it should carry more (%i)", (sign, charge) => {
      charged(charge, 60);
      begin(sign);
    });

    it("is not said beside that it carries nothing", () => {
      carry(0, -SHARE);
      bank.run(BEHIND_FOR);
      expect(bank.found).toEqual(bank.only(at, CARRIES_NOTHING));
    });

    it("stays while it is offline, or the only one, and begins anew there", () => {
      const away = (): void => {
        for (const those of [[pack()], bank.packs.filter((other) => other !== pack())]) {
          for (const one of those) {
            one.online = false;
            bank.compared.forget(one.index);
          }
          bank.run(1);
          for (const one of those) one.online = true;
        }
      };
      carry(BEHIND_BELOW - 1);
      bank.run(BEHIND_FOR - 1);
      away();
      bank.run(1);
      expect(bank.found).toEqual([0, 0, 0]);
      begin(-1);
      away();
      expect(bank.found).toEqual(bank.only(at, BEHIND));
      carry(BEHIND_UNTIL);
      bank.run(1);
      expect(bank.found).toEqual([0, 0, 0]);
    });

    it("was so before a restart, until it carries half again", () => {
      bank.compared.resume(at);
      expect(bank.found).toEqual(bank.only(at, BEHIND));
      expect(bank.compared.measurementOf(at, BEHIND)).toEqual([undefined, BEHIND_BELOW]);
      // One pack answers first.
      const [first, ...others] = bank.packs;
      for (const other of others) other.online = false;
      bank.compared.update(first!);
      for (const other of others) other.online = true;
      expect(bank.found).toEqual(bank.only(at, BEHIND));
      carry(BEHIND_UNTIL - 1);
      bank.run(1);
      expect(bank.found).toEqual(bank.only(at, BEHIND));
      expect(bank.compared.measurementOf(at, BEHIND)).toEqual([BEHIND_UNTIL - 1, BEHIND_BELOW]);
      carry(BEHIND_UNTIL);
      bank.run(1);
      expect(bank.found).toEqual([0, 0, 0]);
    });
  });

  it.each([
    // The share of the third is two halves of what the others carry.
    [2_999, NONE],
    [3_000, CARRIES_NOTHING],
  ])("while the others carry %i mA each, whose third is its share", (current, bits) => {
    for (const other of bank.packs) other.telemetry.set(FIELDS.packCurrent, other === pack() ? 0 : current);
    bank.run();
    expect(bank.found).toEqual(bank.only(at, bits));
  });

  it.each([FIELDS.chargeMos, FIELDS.dischargeMos])("with a MOSFET off (%i) has its reason", (mosfet) => {
    pack().telemetry.set(FIELDS.packCurrent, 0).set(mosfet, 0);
    bank.run();
    expect(bank.found).toEqual([0, 0, 0]);
  });

  it("full need not be charged, and must carry when the bank is discharged", () => {
    pack().telemetry.set(FIELDS.soc, FULL_CHARGE).set(FIELDS.packCurrent, 0);
    bank.run();
    expect(bank.found).toEqual(bank.only(at, CARRIES_NOTHING));
    for (const other of bank.packs) if (other !== pack()) other.telemetry.set(FIELDS.packCurrent, 20_000);
    bank.run();
    expect(bank.found).toEqual([0, 0, 0]);
    pack().telemetry.set(FIELDS.soc, FULL_CHARGE - 1);
    bank.run();
    expect(bank.found).toEqual(bank.only(at, CARRIES_NOTHING));
  });

  it.each([1, -1])("has another voltage than the others (%i)", (sign) => {
    pack().telemetry.set(FIELDS.packVoltage, VOLTAGE + sign * OFF_VOLTAGE_BY);
    bank.run();
    expect(bank.found).toEqual([0, 0, 0]);
    pack().telemetry.set(FIELDS.packVoltage, VOLTAGE + sign * (OFF_VOLTAGE_BY + 1));
    bank.run(COMPARED_FOR - 1);
    expect(bank.found).toEqual([0, 0, 0]);
    bank.run(1);
    expect(bank.found).toEqual(bank.only(at, OFF_VOLTAGE));
  });

  it("that contradicts itself, or missed its poll, is neither odd nor what others are compared with", () => {
    pack()
      .telemetry.set(FIELDS.packVoltage, VOLTAGE + 5_000)
      .set(FIELDS.packCurrent, 0);
    pack().telemetry.contradicts = true;
    bank.run();
    expect(bank.found).toEqual([0, 0, 0]);
    pack().telemetry.contradicts = false;
    pack().failures = 1;
    bank.run();
    expect(bank.found).toEqual([0, 0, 0]);
    pack().failures = 0;
    bank.run();
    expect(bank.found).toEqual(bank.only(at, plus(CARRIES_NOTHING, OFF_VOLTAGE)));
    // What is not known ends nothing.
    pack().failures = 1;
    bank.run();
    expect(bank.found).toEqual(bank.only(at, plus(CARRIES_NOTHING, OFF_VOLTAGE)));
  });

  it("that was offline begins anew", () => {
    pack().telemetry.set(FIELDS.packVoltage, VOLTAGE + 5_000);
    bank.run();
    pack().online = false;
    bank.compared.forget(at);
    bank.run(1);
    expect(bank.found).toEqual([0, 0, 0]);
    pack().online = true;
    bank.run(COMPARED_FOR - 1);
    expect(bank.found).toEqual([0, 0, 0]);
    bank.run(1);
    expect(bank.found).toEqual(bank.only(at, OFF_VOLTAGE));
  });

  it("is not odd any more once it is the only one online", () => {
    pack().telemetry.set(FIELDS.packVoltage, VOLTAGE + 5_000);
    bank.run();
    for (const other of bank.packs)
      if (other !== pack()) {
        other.online = false;
        bank.compared.forget(other.index);
      }
    bank.run(1);
    expect(bank.found).toEqual([0, 0, 0]);
  });
});

it("of two packs each has not the voltage of the other", () => {
  bank = new Bank(2);
  bank.packs[0]!.telemetry.set(FIELDS.packVoltage, VOLTAGE + OFF_VOLTAGE_BY + 1);
  bank.run();
  expect(bank.found).toEqual([OFF_VOLTAGE, OFF_VOLTAGE]);
});

it("a round is judged once: what was seen in one alone, however long ago, is nothing", () => {
  const [first, odd, last] = bank.packs as [Pack, Pack, Pack];
  odd.telemetry.set(FIELDS.packVoltage, VOLTAGE + 5_000);
  bank.compared.update(first);
  bank.uptime += COMPARED_FOR;
  expect(bank.found).toEqual([0, 0, 0]);
  // The same round goes on.
  for (const pack of [odd, last]) bank.compared.update(pack);
  expect(bank.found).toEqual([0, 0, 0]);
  bank.compared.update(first);
  expect(bank.found).toEqual([0, OFF_VOLTAGE, 0]);
});

it("one pack alone is compared with nothing", () => {
  bank = new Bank(1);
  bank.run();
  expect(bank.found).toEqual([0]);
});

it("the codes are told with faults first, and fit a DisplayString whole", () => {
  const all = concernsText(CONCERNS.map((code) => bit(code)).reduce(plus));
  expect(all.length).toBeLessThanOrEqual(DISPLAY_STRING);
  const told = all.split(" ");
  expect(told.slice(0, 4)).toEqual(["offline", "alarm", "swapped", "shared-address"]);
  for (const code of told) expect(CONCERNS).toContain(code);
});
