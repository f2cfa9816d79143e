import { describe, expect, it } from "vitest";
import { ALARM } from "../../../host-sim/bms/protections";
import { BmsBench, readRequest, writeRequest } from "../../support/bms/bms-bench";

interface State {
  alarms: number;
  charge: number;
  discharge: number;
}

/** A bench at a steady state: all cells alike, no current. */
function calm(options = {}): BmsBench {
  const bench = new BmsBench(options);
  bench.bms.pack.current = 0;
  for (const cell of bench.bms.pack.cells) cell.soc = 0.5;
  bench.clock.runFor(1000);
  return bench;
}

function state({ bms, clock }: BmsBench): State {
  clock.runFor(1000);
  const { registers } = bms;
  return {
    alarms: registers.read("Alarms"),
    charge: registers.read("ChargeMos"),
    discharge: registers.read("DischargeMos"),
  };
}

const bits = (...names: (keyof typeof ALARM)[]): number => names.reduce((mask, name) => mask | (1 << ALARM[name]), 0);
const HEALTHY: State = { alarms: 0, charge: 1, discharge: 1 };

/** Sets one cell to a resting voltage, to the millivolt. */
function setVoltage(bench: BmsBench, index: number, volts: number): void {
  const cell = bench.bms.pack.cells[index];
  if (!cell) throw new Error("no such cell");
  let [low, high] = [0, 1.02];
  for (let step = 0; step < 50; step++) {
    cell.soc = (low + high) / 2;
    if (cell.voltage(0) < volts) low = cell.soc;
    else high = cell.soc;
  }
}

const setAll = (bench: BmsBench, volts: number): void =>
  bench.bms.pack.cells.forEach((_, index) => setVoltage(bench, index, volts));

function setProbes(bench: BmsBench, degrees: number): void {
  bench.bms.pack.ambient = degrees;
  bench.bms.pack.temperatures.battery.fill(degrees);
}

describe("voltages", () => {
  it("cell over-voltage stops charging at the limit, and allows it again at the recovery voltage", () => {
    const bench = calm();
    bench.set(0x1078, 0);
    setVoltage(bench, 4, 3.649);
    expect(state(bench)).toEqual(HEALTHY);
    setVoltage(bench, 4, 3.65);
    expect(state(bench)).toEqual({ alarms: bits("cellOverVoltage"), charge: 0, discharge: 1 });
    bench.bms.pack.current = 20;
    bench.clock.runFor(1000);
    expect(bench.bms.registers.read("BatCurrent")).toBe(0);
    bench.bms.pack.current = 0;
    setVoltage(bench, 4, 3.445);
    expect(state(bench).charge).toBe(0);
    setVoltage(bench, 4, 3.444);
    expect(state(bench)).toEqual(HEALTHY);
    expect(bench.bms.controller.events).toEqual([104, 18]);
  });

  it("cell under-voltage stops discharging, and allows it again at the recovery voltage", () => {
    const bench = calm();
    setVoltage(bench, 9, 2.701);
    expect(state(bench)).toEqual(HEALTHY);
    setVoltage(bench, 9, 2.7);
    expect(state(bench)).toEqual({ alarms: bits("cellUnderVoltage"), charge: 1, discharge: 0 });
    bench.bms.pack.current = -20;
    bench.clock.runFor(1000);
    expect(bench.bms.registers.read("BatCurrent")).toBe(0);
    bench.bms.pack.current = 0;
    setVoltage(bench, 9, 2.9);
    expect(state(bench).discharge).toBe(0);
    setVoltage(bench, 9, 2.901);
    expect(state(bench)).toEqual(HEALTHY);
    expect(bench.bms.controller.events).toEqual([209, 30]);
  });

  it("the pack voltage raises its own alarms", () => {
    const high = calm();
    setAll(high, 3.65);
    expect(state(high)).toEqual({ alarms: bits("cellOverVoltage", "batteryOverVoltage"), charge: 0, discharge: 1 });
    setAll(high, 3.444);
    expect(state(high)).toEqual(HEALTHY);
    const low = calm();
    setAll(low, 2.7);
    expect(state(low)).toEqual({ alarms: bits("cellUnderVoltage", "batteryUnderVoltage"), charge: 1, discharge: 0 });
    setAll(low, 2.901);
    expect(state(low)).toEqual(HEALTHY);
  });

  it("a changed limit applies at once", () => {
    const bench = calm();
    bench.set(0x100c, 3200);
    expect(bench.bms.registers.read("ChargeMos")).toBe(0);
  });

  it("forced overcharge and over-discharge end in the protection", () => {
    const bench = calm({ timeFactor: 600 });
    bench.bms.pack.current = 40;
    bench.clock.runFor(30_000);
    expect(bench.bms.registers.read("Alarms") & bits("cellOverVoltage")).not.toBe(0);
    expect(bench.bms.registers.read("BatCurrent")).toBe(0);
    expect(bench.bms.registers.read("SOC")).toBe(100);
    bench.bms.pack.current = -40;
    bench.clock.runFor(60_000);
    expect(bench.bms.registers.read("Alarms") & bits("cellOverVoltage")).toBe(0);
    expect(bench.bms.registers.read("SOC")).toBe(0);
    expect(bench.bms.registers.read("DischargeMos")).toBe(0);
  });

  it("the board switches off below the power-off voltage; a charger wakes it", () => {
    const bench = calm();
    const before = bench.bms.registers.read("PWROnTimes");
    setVoltage(bench, 0, 2.5);
    bench.clock.runFor(58_000);
    expect(bench.bms.silent).toBe(undefined);
    bench.clock.runFor(4000);
    expect(bench.bms.silent).toBe("powered-off");
    expect(bench.ask(readRequest(0x12a0, 2))).toHaveLength(0);
    bench.bms.pack.current = 5;
    bench.clock.runFor(1000);
    expect(bench.ask(readRequest(0x12a0, 2))).toHaveLength(9);
    expect(bench.bms.registers.read("PWROnTimes")).toBe(before + 1);
    expect(bench.bms.registers.read("BatCurrent")).toBe(5000);
  });
});

describe("currents", () => {
  it("charge over-current opens the switch after its delay, for its release time", () => {
    const bench = calm();
    bench.bms.pack.current = 60;
    bench.clock.runFor(10_000);
    expect(bench.bms.registers.read("BatCurrent")).toBe(60_000);
    bench.bms.pack.current = 61;
    bench.clock.runFor(2000);
    expect(bench.bms.registers.read("BatCurrent")).toBe(61_000);
    bench.clock.runFor(2000);
    expect(bench.bms.registers.read("BatCurrent")).toBe(0);
    expect(state(bench)).toEqual({ alarms: bits("chargeOverCurrent"), charge: 0, discharge: 1 });
    expect(bench.bms.registers.read("TimeCOCPR")).toBeGreaterThan(55);
    expect(bench.bms.registers.read("TimeCOCPR")).toBeLessThanOrEqual(60);
    bench.bms.pack.current = 10;
    bench.clock.runFor(60_000);
    expect(bench.bms.registers.read("BatCurrent")).toBe(10_000);
    expect(state(bench)).toEqual(HEALTHY);
  });

  it("so does discharge over-current", () => {
    const bench = calm();
    bench.bms.pack.current = -101;
    bench.clock.runFor(299_000);
    expect(bench.bms.registers.read("BatCurrent")).toBe(-101_000);
    bench.clock.runFor(2000);
    expect(state(bench)).toEqual({ alarms: bits("dischargeOverCurrent"), charge: 1, discharge: 0 });
    expect(bench.bms.registers.read("TimeDcOCPR")).toBeGreaterThan(50);
    bench.bms.pack.current = 0;
    bench.clock.runFor(60_000);
    expect(state(bench)).toEqual(HEALTHY);
  });

  it("a short circuit opens it at once", () => {
    const bench = calm();
    bench.bms.pack.current = -501;
    bench.clock.runFor(500);
    expect(bench.bms.registers.read("Alarms")).toBe(bits("dischargeShortCircuit"));
    expect(bench.bms.registers.read("BatCurrent")).toBe(0);
    bench.bms.pack.current = 0;
    bench.clock.runFor(6000);
    expect(state(bench)).toEqual(HEALTHY);
  });

  it("the settings' switches open the outputs for their direction", () => {
    const bench = calm();
    bench.bms.pack.current = 20;
    bench.set(0x1070, 0);
    expect(bench.bms.registers.read("BatCurrent")).toBe(0);
    expect(state(bench)).toEqual({ alarms: 0, charge: 0, discharge: 1 });
    bench.bms.pack.current = -20;
    bench.clock.runFor(1000);
    expect(bench.bms.registers.read("BatCurrent")).toBe(-20_000);
    bench.set(0x1074, 0);
    expect(bench.bms.registers.read("BatCurrent")).toBe(0);
    bench.set(0x1070, 1);
    bench.set(0x1074, 1);
    expect(state(bench)).toEqual(HEALTHY);
  });
});

describe("temperatures", () => {
  it.each([
    ["too hot to charge", 34.9, 35, 32.1, 32, ["chargeOverTemperature", "dischargeOverTemperature"], 0, 0],
    ["too cold to charge", 5.1, 5, 6.9, 7, ["chargeUnderTemperature"], 0, 1],
  ] as const)("%s", (_, good, bad, stillBad, goodAgain, names, charge, discharge) => {
    const bench = calm();
    setProbes(bench, good);
    expect(state(bench)).toEqual(HEALTHY);
    setProbes(bench, bad);
    expect(state(bench)).toEqual({ alarms: bits(...names), charge, discharge });
    setProbes(bench, stillBad);
    expect(state(bench).charge).toBe(0);
    setProbes(bench, goodAgain);
    expect(state(bench)).toEqual(HEALTHY);
  });

  it("charging and discharging have separate limits", () => {
    const bench = calm();
    bench.set(0x1054, 600);
    bench.set(0x1058, 550);
    setProbes(bench, 50);
    expect(state(bench)).toEqual({ alarms: bits("chargeOverTemperature"), charge: 0, discharge: 1 });
    setProbes(bench, 60);
    expect(state(bench).discharge).toBe(0);
    setProbes(bench, 55.1);
    expect(state(bench).discharge).toBe(0);
    setProbes(bench, 55);
    expect(state(bench).discharge).toBe(1);
  });

  it("hot MOSFETs stop both", () => {
    const bench = calm();
    const heat = (degrees: number): State => {
      bench.bms.pack.ambient = degrees;
      setProbes(bench, 20);
      bench.bms.pack.ambient = degrees;
      bench.bms.pack.temperatures.mos = degrees;
      return state(bench);
    };
    expect(heat(79.9)).toEqual(HEALTHY);
    expect(heat(80)).toEqual({ alarms: bits("mosOverTemperature"), charge: 0, discharge: 0 });
    expect(heat(70.1).charge).toBe(0);
    expect(heat(70)).toEqual(HEALTHY);
  });

  it("disabled sensors stop nothing", () => {
    const bench = calm();
    setProbes(bench, 60);
    bench.ask(writeRequest(0x1114, [0x3302]));
    expect(state(bench)).toEqual(HEALTHY);
    bench.ask(writeRequest(0x1114, [0x3300]));
    expect(state(bench).charge).toBe(0);
  });

  it("a missing probe raises an alarm and is not measured", () => {
    const bench = calm();
    bench.bms.pack.temperatures.battery[0] = 60;
    bench.bms.pack.sensors = 0xff & ~0b10;
    expect(state(bench)).toEqual({ alarms: bits("temperatureSensor"), charge: 1, discharge: 1 });
    bench.bms.pack.sensors = 0xff;
    expect(state(bench).charge).toBe(0);
  });

  it("discharge stops in the cold once limits for it are stored", () => {
    const bench = calm();
    bench.set(0x105c, -450);
    setProbes(bench, -25);
    expect(state(bench)).toEqual(HEALTHY);
    bench.bms.registers.write("TMPBatDCHUT", -20);
    bench.bms.registers.write("TMPBatDCHUTPR", -10);
    expect(state(bench)).toEqual({ alarms: bits("dischargeUnderTemperature"), charge: 1, discharge: 0 });
    setProbes(bench, -10.1);
    expect(state(bench).discharge).toBe(0);
    setProbes(bench, -10);
    expect(state(bench)).toEqual(HEALTHY);
  });
});

describe("the rest", () => {
  it("a wrong cell count opens both", () => {
    const bench = calm();
    bench.set(0x106c, 15);
    expect(state(bench)).toEqual({ alarms: bits("cellCount"), charge: 0, discharge: 0 });
    bench.set(0x106c, 16);
    expect(state(bench)).toEqual(HEALTHY);
    bench.bms.pack.cells.pop();
    expect(state(bench).alarms & bits("cellCount")).not.toBe(0);
    expect(bench.bms.registers.read("CellSta")).toBe(0x7fff);
  });

  it("a bad balance lead raises an alarm and its bit", () => {
    const bench = calm();
    const cell = bench.bms.pack.cells[2];
    if (cell) cell.wireResistance = 501;
    expect(state(bench)).toEqual({ alarms: bits("wireResistance"), charge: 1, discharge: 1 });
    expect(bench.bms.registers.read("CellWireResSta")).toBe(4);
    if (cell) cell.wireResistance = 500;
    expect(state(bench)).toEqual(HEALTHY);
  });

  it("alarms are counted in the detail log, raised and cleared", () => {
    const bench = calm();
    const before = bench.bms.registers.read("DetailLogsCount");
    setProbes(bench, 0);
    state(bench);
    setProbes(bench, 20);
    state(bench);
    expect(bench.bms.registers.read("DetailLogsCount")).toBe(before + 2);
  });

  it("emergency mode keeps discharging below the limit, but not with hot MOSFETs", () => {
    const bench = calm();
    setVoltage(bench, 3, 2.69);
    expect(state(bench).discharge).toBe(0);
    bench.ask(writeRequest(0x1610, [1]));
    expect(state(bench)).toEqual({ alarms: bits("cellUnderVoltage"), charge: 1, discharge: 1 });
    bench.bms.pack.temperatures.mos = 90;
    expect(state(bench).discharge).toBe(0);
    bench.bms.pack.temperatures.mos = 20;
    bench.ask(writeRequest(0x1610, [0]));
    expect(state(bench).discharge).toBe(0);
  });

  it("nor with a short circuit; it tolerates over-current for long", () => {
    const bench = calm();
    bench.ask(writeRequest(0x1610, [1]));
    bench.bms.pack.current = -101;
    bench.clock.runFor(301_000);
    expect(state(bench)).toEqual({ alarms: bits("dischargeOverCurrent"), charge: 1, discharge: 1 });
    bench.bms.pack.current = -501;
    expect(state(bench).discharge).toBe(0);
  });
});
