import { describe, expect, it } from "vitest";
import { CONCERNS } from "../../src/conditions/table.ts";
import { bankFaults, bankLines, bankStatus, bankVerdict, packTitle } from "../../web/bank.ts";
import { offsets } from "../../web/compare.ts";
import type { BankDocument, PackRow, Status } from "../../web/documents.ts";
import { estimateOf } from "../../web/estimate.ts";
import { en } from "../../web/texts/en.ts";
import { pt } from "../../web/texts/pt.ts";

const KNOWN: PackRow = {
  ...{ address: 1, name: "", online: true, swapped: false, shared: false, serialNumber: "S", ageSeconds: 0 },
  ...{ soc: 61, voltage: 52.8, current: -12, power: -633, alarmCode: 0, delta: 0.012, concerns: [] },
};
const SILENT: PackRow = {
  ...{ ...KNOWN, online: false, serialNumber: null },
  ...{ soc: null, voltage: null, current: null, power: null, alarmCode: null, delta: null, concerns: ["offline"] },
};

const packs = (...rows: readonly Partial<PackRow>[]): PackRow[] =>
  rows.map((row, index) => ({ ...KNOWN, address: index + 1, ...row }));

describe("packs compared", () => {
  it("of two packs each is compared with the other, of three only the odd one is odd", () => {
    const of = (...voltages: number[]): unknown[] =>
      offsets(packs(...voltages.map((voltage) => ({ voltage })))).map((offset) => Number(offset?.toFixed(3)));
    expect(of(52.8, 52.1)).toEqual([0.7, -0.7]);
    expect(of(52.8, 52.1, 52.8)).toEqual([0, -0.7, 0]);
  });

  it("a voltage is compared with the middle one", () => {
    const offset = (voltage: number): number => {
      const [one] = offsets(packs({ voltage }, { voltage: 52 }, { voltage: 52 }, { voltage: 52 }, { voltage: 40 }));
      return Number(one?.toFixed(3));
    };
    expect([offset(52), offset(51.7), offset(52.4)]).toEqual([0, -0.3, 0.4]);
  });

  it("what does not respond, or is unknown, has no part in it", () => {
    expect(offsets(packs({}, {}, { ...SILENT, address: 3, voltage: 10 }))).toEqual([0, 0, undefined]);
    expect(offsets(packs({ voltage: null }, {}))).toEqual([undefined, undefined]);
  });
});

describe("the bank in words", () => {
  /** Bit 11: a cell is too low. Bit 4: it is full, which is no fault. */
  const LOW_CELL = 1 << 11;
  const FULL = 1 << 4;
  const document = (...rows: PackRow[]): BankDocument => ({
    bank: {
      ...{ packs: rows.length, online: rows.filter(({ online }) => online).length },
      well: !rows.some(({ concerns }) => concerns.length),
      // In their order.
      concerns: CONCERNS.filter((code) => rows.some(({ concerns }) => concerns.includes(code))),
      ...{ soc: 60, voltage: 52, current: 10, power: 520, remainingCapacityAh: 300, capacityAh: 500 },
    },
    packs: rows,
  });

  const state = { connected: true, foreign: false, failed: new Set<string>(), old: false, documents: {} };

  it("a pack without a name of its own is called by its address", () => {
    for (const name of ["", "Pack"]) expect(packTitle({ address: 7, name }, en)).toBe("Pack 7");
    expect(packTitle({ address: 1, name: "Pack 1" }, pt)).toBe("Bateria 1");
    expect(packTitle({ address: 7, name: "Shed" }, pt)).toBe("Shed");
  });

  it("alarms come first, each with its pack; a pack that is silent and one that is nearly empty are named", () => {
    const bank = document(
      ...packs(
        { concerns: ["low-charge"] },
        { name: "Left", alarmCode: LOW_CELL | FULL, concerns: ["alarm", "cell-low"] },
      ),
      { ...SILENT, address: 3 },
    );
    expect(bankLines(bank, en)).toEqual([
      "Left: Cell voltage too low",
      "Pack 3: The BMS is not responding.",
      "Pack 1: The battery is almost empty.",
    ]);
    expect(bankLines(bank, en, 3)).toEqual(["Left: Cell voltage too low", "Pack 1: The battery is almost empty."]);
    expect(bankFaults(bank)).toBe(1);
  });

  it.each([0, 1, 2])("an alarm of pack %d says what it stops", (at) => {
    const rows = packs({}, {}, {}).map((row, index) =>
      index === at ? { ...row, alarmCode: LOW_CELL, concerns: ["alarm", "discharging-blocked"] as const } : row,
    );
    expect(bankLines(document(...rows), en)).toEqual([`Pack ${at + 1}: Cell voltage too low: discharging stopped`]);
  });

  /** Every code but those that are told by the alarm's and the silence's own words. */
  const CODES = CONCERNS.filter((code) => code !== "offline" && code !== "alarm");

  it.each(CODES.flatMap((code) => [0, 1, 2].map((at) => [code, at] as const)))(
    "%s of pack %d is said with its name",
    (code, at) => {
      const rows = packs({ name: "Left" }, { name: "Shed" }, { name: "Car" }).map((row, index) =>
        index === at ? { ...row, concerns: [code] } : row,
      );
      const bank = document(...rows);
      const said = code === "other-master" ? en.concerns[code] : `${["Left", "Shed", "Car"][at]}: ${en.concerns[code]}`;
      expect(bankLines(bank, en)).toEqual([said]);
      expect(bankVerdict(state, bank)).toMatchObject({ well: false, concerns: [code] });
    },
  );

  it("fifteen silent packs are one sentence; of the same in two both are named", () => {
    const rows = packs(...Array.from({ length: 15 }, () => ({}))).map(({ address }) => ({ ...SILENT, address }));
    expect(bankLines(document(...rows), en)).toEqual([`All packs: ${en.battery.offline}`]);
    const two = packs({ concerns: ["emergency"] }, {}, { concerns: ["emergency"] });
    expect(bankLines(document(...two), en)).toEqual([`Pack 1, Pack 3: ${en.concerns.emergency}`]);
  });

  it("another master on the bus is no pack's", () => {
    const rows = packs({ concerns: ["other-master"] }, { concerns: ["other-master"] });
    expect(bankLines(document(...rows), en)).toEqual([en.concerns["other-master"]]);
  });

  it("the bank is well only while every pack responds and none has a fault", () => {
    const well = (...rows: PackRow[]): boolean => bankVerdict(state, document(...rows)).well;
    expect(well(...packs({}, { alarmCode: FULL }))).toBe(true);
    expect(well(...packs({}, { alarmCode: LOW_CELL, concerns: ["alarm"] }))).toBe(false);
    expect(well(...packs({}), SILENT)).toBe(false);
  });

  it("its values are old while the monitor does not answer, not while a pack does not", () => {
    const bank = document(...packs({}), SILENT);
    const first = { data: { online: false } } as never;
    expect(bankVerdict({ ...state, documents: { status: first } }, bank).stale).toBe(false);
    expect(bankVerdict({ ...state, connected: false }, bank).stale).toBe(true);
  });

  it("has the values of the bank, and no cells of one pack", () => {
    const first = { soc: 1, cells: [{}], pack: { voltage: 1 }, name: "first" } as unknown as Status;
    expect(bankStatus(document(...packs({ alarmCode: 1 }, { alarmCode: 2 })), first)).toEqual({
      ...{ online: true, soc: 60, remainingCapacityAh: 300, capacityAh: 500, cells: null, alarmCode: 3, name: "first" },
      isPartial: false,
      pack: { voltage: 52, current: 10, power: 520 },
    });
    // Nothing is estimated from a part of the bank.
    const status = bankStatus(document(...packs({}), SILENT), first);
    expect([status.soc, status.isPartial, estimateOf(status)]).toEqual([60, true, undefined]);
    expect(estimateOf(bankStatus(document(...packs({}, {})), first))).toBeDefined();
  });
});
