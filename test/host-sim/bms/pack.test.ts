import fc, { runs } from "../../support/property";
import { describe, expect, it } from "vitest";
import { openCircuitVoltage } from "../../../host-sim/bms/pack";
import type { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { BmsBench, writeRequest } from "../../support/bms/bms-bench";

const HOUR = 3_600_000;

/** A bench whose pack ages a minute a virtual second. */
const fast = (options = {}): BmsBench => new BmsBench({ timeFactor: 60, ...options });

const hours = (bench: BmsBench, count: number): void => bench.clock.runFor((count * HOUR) / bench.bms.timeFactor);

/** What must hold of the telemetry at any time. */
function expectSound({ registers, pack }: SimulatedBms): void {
  const value = (name: string): number => registers.read(name);
  const cells = pack.cells.map((_, index) => registers.read("CellVol", index));
  expect(value("SOC")).toBeGreaterThanOrEqual(0);
  expect(value("SOC")).toBeLessThanOrEqual(100);
  expect(value("SOCCapRemain")).toBeGreaterThanOrEqual(0);
  expect(value("SOCCapRemain")).toBeLessThanOrEqual(value("SOCFullChargeCap"));
  expect(value("BatVol")).toBe(cells.reduce((sum, one) => sum + one, 0));
  expect(value("CellVdifMax")).toBe(Math.max(...cells) - Math.min(...cells));
  expect(registers.read("CellVol", value("MaxVolCellNbr"))).toBe(Math.max(...cells));
  expect(registers.read("CellVol", value("MinVolCellNbr"))).toBe(Math.min(...cells));
  expect(Math.abs(value("CellVolAve") - value("BatVol") / cells.length)).toBeLessThanOrEqual(0.5);
  expect(value("BatWatt")).toBe(Math.round(Math.abs(value("BatVol") * value("BatCurrent")) / 1000));
  if (!value("ChargeMos")) expect(value("BatCurrent")).toBeLessThanOrEqual(0);
  if (!value("DischargeMos")) expect(value("BatCurrent")).toBeGreaterThanOrEqual(0);
  if (!value("BatChargeEN")) expect(value("ChargeMos")).toBe(0);
  if (!value("BatDisChargeEN")) expect(value("DischargeMos")).toBe(0);
  expect(value("BalanSta") === 0).toBe(value("BalanCurrent") === 0);
  expect(value("RunTime")).toBe(value("ODDRunTime") - 1816);
}

describe("always", () => {
  it("telemetry stays consistent in any state of the pack", () => {
    const action = fc.oneof(
      fc.record({ what: fc.constant("current" as const), value: fc.integer({ min: -300, max: 300 }) }),
      fc.record({ what: fc.constant("switch" as const), value: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ what: fc.constant("ambient" as const), value: fc.integer({ min: -30, max: 80 }) }),
      fc.record({ what: fc.constant("drain" as const), value: fc.integer({ min: 0, max: 1600 }) }),
      fc.record({ what: fc.constant("wait" as const), value: fc.integer({ min: 1, max: 30 }) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 12 }), fc.nat(), (actions, seed) => {
        const bench = fast({ seed });
        const { bms } = bench;
        for (const { what, value } of actions) {
          if (what === "current") bms.pack.current = value;
          else if (what === "ambient") bms.pack.ambient = value;
          else if (what === "wait") bench.clock.runFor(value * 1000);
          else if (what === "drain") {
            const cell = bms.pack.cells[value % 16];
            if (cell) cell.soc = Math.floor(value / 16) / 100;
          } else bench.ask(writeRequest([0x1070, 0x1074, 0x1078][value % 3] ?? 0, [0, value % 2]));
          bench.clock.runFor(1000);
          expectSound(bms);
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it("the same seed gives the same day, another seed a different one", () => {
    const run = (seed: number): unknown => {
      const bench = fast({ seed });
      hours(bench, 20);
      return [bench.bms.registers.frame(2), bench.bms.pack.cells.map(({ charge }) => charge)];
    };
    expect(run(3)).toEqual(run(3));
    expect(run(3)).not.toEqual(run(4));
  });

  it("requests do not influence the pack", () => {
    const quiet = fast();
    const asked = fast();
    hours(quiet, 2);
    while (asked.clock.now < quiet.clock.now) asked.ask(writeRequest(0x1620, [0]), 1000);
    expect(asked.bms.registers.frame(2)).toEqual(quiet.bms.registers.frame(2));
  });
});

describe("a day", () => {
  it("starts from the captured pack", () => {
    const { registers } = new BmsBench().bms;
    const values = ["SOC", "SOCCapRemain", "SOCCycleCount", "SOCCycleCap", "RunTime", "DetailLogsCount", "TempMos"];
    expect(values.map((name) => registers.read(name))).toEqual([55, 155_219, 62, 17_414_022, 48_570_884, 2320, 203]);
    for (let cell = 0; cell < 16; cell++) {
      expect(Math.abs(registers.read("CellVol", cell) - 3293)).toBeLessThan(12);
      expect(registers.read("CellWireRes", cell)).toBeGreaterThan(50);
    }
  });

  it("charges by day and discharges by night, without an alarm", () => {
    const bench = fast();
    const { registers } = bench.bms;
    const soc: number[] = [];
    for (let hour = 8; hour < 8 + 48; hour++) {
      hours(bench, 1);
      soc.push(registers.read("SOC"));
      expect(registers.read("Alarms"), `at ${hour} h`).toBe(0);
      expectSound(bench.bms);
    }
    expect(soc[8], "afternoon").toBeGreaterThan(80);
    expect(soc[22], "early morning").toBeLessThan((soc[8] ?? 0) - 15);
    expect(soc[32], "next afternoon").toBeGreaterThan(80);
    expect(Math.min(...soc)).toBeGreaterThan(20);
  });

  it("the charger tapers at the charge voltage and the stages follow", () => {
    const bench = fast();
    const { registers, pack } = bench.bms;
    const stages = new Set<number>();
    for (let minute = 0; minute < 12 * 60; minute++) {
      hours(bench, 1 / 60);
      stages.add(registers.read("ChargeStatus"));
      expect(registers.read("BatVol") / pack.cells.length).toBeLessThanOrEqual(3452);
    }
    expect([...stages].sort()).toEqual([0, 1, 2]);
  });
});

describe("bookkeeping", () => {
  it("remaining capacity is the integral of the current, for counter and cells alike", () => {
    fc.assert(
      fc.property(fc.integer({ min: -60, max: 55 }), fc.integer({ min: 1, max: 30 }), (amperes, minutes) => {
        const bench = fast();
        const { registers, pack } = bench.bms;
        const before = registers.read("SOCCapRemain");
        const charges = pack.cells.map(({ charge }) => charge);
        const sum = charges.reduce((total, one) => total + one, 0);
        pack.current = amperes;
        bench.clock.runFor(minutes * 1000);
        const moved = (amperes * minutes) / 60;
        expect(registers.read("SOCCapRemain") - before).toBeCloseTo(moved * 1000, -1);
        expect(pack.cells.reduce((total, cell) => total + cell.charge, 0) - sum).toBeCloseTo(moved * 16, 6);
        expect(pack.charged - pack.discharged).toBeCloseTo(moved, 6);
      }),
      { numRuns: runs(30) },
    );
  });

  it("discharge counts as throughput and in the end as a cycle", () => {
    const bench = fast({ timeFactor: 3600 });
    const { registers, pack } = bench.bms;
    const [capacity, count] = [registers.read("SOCCycleCap"), registers.read("SOCCycleCount")];
    for (let cycle = 0; cycle < 3; cycle++) {
      pack.current = -50;
      bench.clock.runFor(2000);
      pack.current = 50;
      bench.clock.runFor(2000);
    }
    expect(registers.read("SOCCycleCap") - capacity).toBe(300_000);
    expect(registers.read("SOCCycleCount")).toBe(count + 1);
  });

  it("counters run with the pack's time", () => {
    const bench = fast();
    const before = ["RunTime", "ODDRunTime", "RTCTicks", "SysRunTicks"].map((name) => bench.bms.registers.read(name));
    bench.clock.runFor(60_000);
    const after = ["RunTime", "ODDRunTime", "RTCTicks", "SysRunTicks"].map((name) => bench.bms.registers.read(name));
    expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([3600, 3600, 3600, 36_000]);
  });

  it("reaching the full voltage sets 100 %, the empty voltage 0 %", () => {
    const bench = fast();
    const { registers, pack } = bench.bms;
    pack.current = 10;
    for (const cell of pack.cells) cell.soc = 0.999;
    bench.clock.runFor(1000);
    expect(registers.read("SOC")).toBe(100);
    pack.current = -10;
    for (const cell of pack.cells) cell.soc = 0.035;
    bench.clock.runFor(1000);
    expect(registers.read("SOC")).toBe(0);
  });

  it("a changed design capacity becomes the full capacity, at the same state of charge", () => {
    const bench = new BmsBench();
    bench.bms.pack.current = 0;
    bench.set(0x107c, 100_000);
    expect(bench.bms.registers.read("SOCFullChargeCap")).toBe(100_000);
    expect(bench.bms.registers.read("SOC")).toBe(55);
  });

  it("health falls with the cycles", () => {
    const bench = fast();
    bench.bms.pack.discharged = 280 * 301;
    bench.clock.runFor(1000);
    expect(bench.bms.registers.read("SOCSOH")).toBe(99);
  });
});

describe("cells", () => {
  it("the open-circuit voltage rises with the state of charge", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1.02, noNaN: true }),
        fc.double({ min: 0, max: 1.02, noNaN: true }),
        (a, b) => {
          if (a < b) expect(openCircuitVoltage(a)).toBeLessThanOrEqual(openCircuitVoltage(b));
        },
      ),
    );
    expect(openCircuitVoltage(2)).toBe(openCircuitVoltage(1.02));
  });

  it("current moves the voltages by their resistances", () => {
    const bench = new BmsBench();
    const { registers, pack } = bench.bms;
    pack.current = 0;
    bench.clock.runFor(1000);
    const rest = registers.read("BatVol");
    pack.current = -50;
    bench.clock.runFor(500);
    const drop = rest - registers.read("BatVol");
    expect(drop).toBeGreaterThan(200);
    expect(drop).toBeLessThan(400);
  });

  it("balancing moves charge from the fullest to the emptiest cell, until the spread is below the trigger", () => {
    const bench = fast({ timeFactor: 600 });
    const { registers, pack } = bench.bms;
    pack.current = 0;
    for (const cell of pack.cells) cell.soc = 0.97;
    const [full] = pack.cells;
    if (full) full.soc = 0.995;
    const sum = pack.cells.reduce((total, cell) => total + cell.charge, 0);
    bench.clock.runFor(500);
    expect(registers.read("BalanSta")).toBe(1);
    expect(registers.read("BalanCurrent")).toBe(1990);
    const spread = registers.read("CellVdifMax");
    bench.clock.runFor(HOUR / 600);
    expect(registers.read("CellVdifMax")).toBeLessThan(spread);
    for (let hour = 0; hour < 20; hour++) bench.clock.runFor(HOUR / 600);
    expect(registers.read("BalanSta")).toBe(0);
    expect(pack.cells.reduce((total, cell) => total + cell.charge, 0)).toBeCloseTo(sum, 6);
  });

  it("no balancing while switched off, below the start voltage or within the trigger", () => {
    const unbalanced = (): BmsBench => {
      const bench = fast();
      bench.bms.pack.current = 0;
      for (const [index, cell] of bench.bms.pack.cells.entries()) cell.soc = index ? 0.97 : 0.995;
      return bench;
    };
    const balancing = (change: (bench: BmsBench) => void): number => {
      const bench = unbalanced();
      change(bench);
      bench.clock.runFor(1000);
      return bench.bms.registers.read("BalanSta");
    };
    expect(balancing(() => undefined)).toBe(1);
    expect(balancing((bench) => bench.set(0x1078, 0))).toBe(0);
    expect(balancing((bench) => bench.set(0x1084, 3600))).toBe(0);
    expect(balancing((bench) => bench.set(0x1014, 500))).toBe(0);
  });
});

describe("temperatures", () => {
  it("current warms the MOSFETs more and faster than the cells; they cool without it", () => {
    const bench = fast();
    const { registers, pack } = bench.bms;
    pack.current = -90;
    hours(bench, 0.25);
    const [mos, battery] = [registers.read("TempMos"), registers.read("TempBat1")];
    expect(mos).toBeGreaterThan(260);
    expect(battery).toBeLessThan(mos - 50);
    pack.current = 0;
    hours(bench, 2);
    expect(registers.read("TempMos")).toBeLessThan(210);
    expect(registers.read("TempBat3"), "a 16S board repeats the MOS temperature").toBe(registers.read("TempMos"));
  });

  it("everything drifts to the ambient temperature", () => {
    const bench = fast();
    const { registers, pack } = bench.bms;
    pack.current = 0;
    pack.ambient = -12.3;
    hours(bench, 12);
    expect(registers.read("TempMos")).toBe(-123);
    expect(registers.read("TempBat2")).toBe(-123);
  });

  it("an absent probe reads -200.0, and its presence bit is clear", () => {
    const bench = new BmsBench();
    bench.bms.pack.sensors = 0xff & ~0b100;
    bench.clock.runFor(1000);
    expect(bench.bms.registers.read("TempSensors")).toBe(0xfb);
    expect(bench.bms.registers.read("TempBat2")).toBe(-2000);
    expect(bench.bms.registers.read("TempBat1")).toBeGreaterThan(150);
    bench.bms.pack.sensors = 0xfe;
    bench.clock.runFor(1000);
    expect(bench.bms.registers.read("TempMos")).toBe(-2000);
  });
});

it("the sleep countdown runs while smart sleep is on and the pack is idle", () => {
  const bench = fast();
  const { registers, pack } = bench.bms;
  pack.current = 0;
  bench.clock.runFor(60_000);
  expect(registers.read("TimeEnterSleep")).toBe(86_400);
  bench.ask(writeRequest(0x1114, [0x3340]), 60_000);
  expect(registers.read("TimeEnterSleep")).toBeLessThan(82_900);
  pack.current = 5;
  bench.clock.runFor(1000);
  expect(registers.read("TimeEnterSleep")).toBe(86_400);
});
