import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FAULT_KINDS, type FaultOrder } from "../../host-sim/bms/faults";
import { System } from "../support/system";

const WAYS = ["registers", "frames"] as const;
const FC16 = 0x10;
const SECOND = 1000;
const OFFLINE_LIMIT = 5 * SECOND;
const WRITE_LIMIT = 5 * SECOND;

/** How often the line misbehaves, so that polls still get through. */
const SOMETIMES = 3;

/** Faults of the line, not of the BMS's mind: a request is lost or spoilt. */
const LINE_FAULTS = (Object.keys(FAULT_KINDS) as FaultOrder["kind"][]).filter(
  (kind) => kind !== "refuse" && kind !== "ignore-write",
);
/** Faults that leave no valid reply when they strike every request. (An echo, and noise around a reply, do.) */
const DEADLY: readonly FaultOrder["kind"][] = ["no-answer", "bad-crc", "truncated", "wrong-address"];

const isSetting = (request: { function: number; trigger?: unknown }): boolean =>
  request.function === FC16 && !request.trigger;

describe.each(WAYS)("faults of the line, read by %s", (way) => {
  let system: System;
  beforeEach(async () => {
    system = await System.start({
      unpaced: true,
      board: { ticks: 2 ** 31 - 30 * SECOND, config: { settings: { bms: { way } } } },
      bms: { timeFactor: 60 },
    });
  });
  afterEach(() => system.stop());

  /** Runs on; every pack voltage that is published meanwhile must be one that the BMS has had. Answers how often one was. */
  const runTruly = (seconds: number): number => {
    const held = new Set<number>();
    system.probes.watchPackVoltage();
    for (let tenths = 0; tenths < seconds * 10; tenths++) {
      held.add(system.bms.registers.read("BatVol"));
      system.board.clock.runFor(100);
    }
    const published = system.probes.packVoltages();
    expect(published.filter((voltage) => !held.has(voltage))).toEqual([]);
    return published.length;
  };

  it.each(LINE_FAULTS)("%s now and then: stays online, and only what the BMS said is published", (kind) => {
    system.board.clock.runFor(3 * SECOND);
    expect(system.monitor().online).toBe(true);
    system.bms.faults.add({ kind, every: SOMETIMES });
    expect(runTruly(60)).toBeGreaterThan(10);
    expect(system.monitor().online).toBe(true);
    expect(system.bms.faults.list[0]?.struck).toBeGreaterThan(10);
  });

  it.each(DEADLY)("%s for good: offline within its time, and online again when the line is well", (kind) => {
    system.board.clock.runFor(3 * SECOND);
    const mend = system.bms.faults.add({ kind });
    system.board.clock.runFor(OFFLINE_LIMIT - SECOND);
    expect(system.monitor().online).toBe(true);
    system.board.clock.runFor(4 * SECOND);
    expect(system.monitor()).toMatchObject({ online: false, configurationLoaded: false });
    mend();
    system.board.clock.runFor(20 * SECOND);
    expect(system.monitor()).toMatchObject({ online: true, configurationLoaded: true });
  });

  it.each(LINE_FAULTS)("%s at the first try of a write: confirmed all the same, and written in the BMS", (kind) => {
    system.board.clock.runFor(6 * SECOND);
    system.bms.faults.add({ kind, times: 1, matching: isSetting });
    expect(system.probes.writeSetting("cell_ovp_voltage", 3.601)).toBeUndefined();
    system.board.clock.runFor(WRITE_LIMIT);
    expect(system.monitor()).toMatchObject({ pending: false, lastCommandOk: true });
    expect(system.bms.registers.read("VolCellOV")).toBe(3601);
  });

  it.each(DEADLY)("%s at every try of a write: resolved in time, not called confirmed", (kind) => {
    system.board.clock.runFor(6 * SECOND);
    system.bms.faults.add({ kind, matching: isSetting });
    expect(system.probes.writeCommand("charge_mos", false)).toBeUndefined();
    system.board.clock.runFor(WRITE_LIMIT);
    expect(system.monitor()).toMatchObject({ pending: false, lastCommandOk: false });
    expect(system.monitor().lastCommand).toMatch(/^charge_mos off: (no reply|the BMS's reply does not match)/);
  });

  it("a refused write names the exception and is not tried again", () => {
    system.board.clock.runFor(6 * SECOND);
    expect(system.probes.writeSetting("max_balance_current", 2.001)).toBeUndefined();
    system.board.clock.runFor(WRITE_LIMIT);
    expect(system.monitor()).toMatchObject({ pending: false, lastCommandOk: false });
    expect(system.monitor().lastCommand).toBe(
      "max_balance_current 2.001 A: refused by the BMS, exception 3 (illegal data value).",
    );
    expect(system.bms.traffic.writes.get(0x1048)).toBe(1);
  });

  it("an acknowledged write that was not applied is not called confirmed, and says what was read", () => {
    system.board.clock.runFor(6 * SECOND);
    const before = system.bms.registers.read("VolCellUV");
    system.bms.faults.add({ kind: "ignore-write" });
    expect(system.probes.writeSetting("cell_uvp_voltage", "2.712")).toBeUndefined();
    system.board.clock.runFor(WRITE_LIMIT);
    expect(system.monitor()).toMatchObject({ pending: false, lastCommandOk: false });
    expect(system.monitor().lastCommand).toContain(`read back ${before / 1000} V`);
  });

  it("a cable pulled out during a write: resolved as lost, never confirmed", () => {
    system.board.clock.runFor(6 * SECOND);
    system.bms.setOnline(false);
    expect(system.probes.writeCommand("balance", false)).toBeUndefined();
    system.board.clock.runFor(WRITE_LIMIT);
    expect(system.monitor()).toMatchObject({ pending: false, lastCommandOk: false });
    expect(system.bms.registers.read("BalanEN")).toBe(1);
  });
});
