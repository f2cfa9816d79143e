/** A setting of a pack that changes is told once, with its old and new value and by whom, of the first, a middle and the last pack and of one alone; nothing else is. */
import { SETUP } from "jk-bms/types";
import { afterEach, describe, expect, it } from "vitest";
import type { FaultOrder } from "../../host-sim/bms/faults";
import { CHANGES_TOGETHER } from "../../src/packs/limits";
import { SettingsBench } from "../support/bms/settings-bench";
import { ADDRESSES } from "../support/places";

/** Within so many seconds a limit or switch of one pack is told, and anything else. */
const SOON = 70;
const IN_TIME = 300;
const MODES = ["registers", "frames"] as const;
const SETTINGS = 0x1000;
const SETTINGS_FRAME = 0x161e;

let bench: SettingsBench;
const start = (...options: ConstructorParameters<typeof SettingsBench>): SettingsBench =>
  (bench = new SettingsBench(...options));
afterEach(() => bench.stop());

describe.each(MODES)("read by %s", (readMode) => {
  it.each(ADDRESSES)(
    "of %i packs that at %i: a limit changed in the app is told once, with both values",
    (count, address) => {
      const { registers } = start(count, {}, { readMode }).pack(address);
      registers.write("VolCellOV", 3_600);
      bench.reread();
      bench.reread();
      const label = count > 1 ? address : "";
      expect(bench.told).toEqual([`cell_ovp_voltage\t3.65\t3.6\tV\t${label}\tunknown\t`]);
    },
  );

  it.each(ADDRESSES)(
    "of %i packs that at %i: what this device has set is the end of a write, and nothing else",
    (count, address) => {
      const { monitor } = start(count, {}, { readMode });
      expect(monitor.parameter("cell_ovp_voltage", 3.6, monitor.packs[address - 1])).toBeUndefined();
      bench.reread();
      expect(bench.pack(address).registers.read("VolCellOV")).toBe(3_600);
      expect([bench.writes, bench.told]).toEqual([1, []]);
    },
  );

  it.each(ADDRESSES)(
    "of %i packs that at %i: a write of which no reply came is told as this device's",
    (count, address) => {
      const { monitor } = start(count, {}, { readMode });
      const { faults, registers } = bench.pack(address);
      // Nothing comes back for as long as the write lasts.
      const over = faults.add({
        kind: "no-answer",
        matching: ({ register }) => register !== 0x1200 && register !== 0x1620,
      });
      monitor.parameter("cell_ovp_voltage", 3.6, monitor.packs[address - 1]);
      bench.run(6);
      over();
      registers.write("VolCellOV", 3_600);
      bench.reread();
      const label = count > 1 ? address : "";
      expect(bench.told).toEqual([`cell_ovp_voltage\t3.65\t3.6\tV\t${label}\tdevice\t`]);
    },
  );

  it.each(ADDRESSES)("of %i packs that at %i: in time, with nothing else that hurries it", (count, address) => {
    const { registers } = start(count, {}, { readMode }).pack(address);
    const label = count > 1 ? address : "";
    // Just after the one before was told, so that all of its period is to pass.
    const cases = [
      ["VolCellOV", 3_600, count > 1 ? IN_TIME : SOON, "cell_ovp_voltage\t3.65\t3.6\tV"],
      ["VolCellOV", 3_650, count > 1 ? IN_TIME : SOON, "cell_ovp_voltage\t3.6\t3.65\tV"],
      ["RCVTime", 20, IN_TIME, "rcvTime\t1\t2\th"],
      ["Dry1TriggerValue", 55, IN_TIME, "dry1On\t60\t55\t"],
    ] as const;
    for (const [name, value, seconds, line] of cases) {
      bench.events.length = 0;
      registers.write(name, value);
      for (let waited = 0; waited < seconds && !bench.told.length; waited++) bench.run(1);
      expect(bench.told).toEqual([`${line}\t${label}\tunknown\t`]);
    }
  });

  it("each kind of setting, as it is shown: a number, degrees, a switch, one bit, and what is only read", () => {
    const { registers } = start(1, {}, { readMode }).pack(1);
    const cases = [
      ["CapBatCell", 100_000, /^capacity_ah\t[\d.]+\t100\tAh\t\tunknown\t$/],
      ["TMPBatCOT", 555, /^charge_otp\t[\d.]+\t55.5\tC\t\tunknown\t$/],
      ["CellCount", 15, /^cell_count\t16\t15\tcells\t\tunknown\t$/],
      ["BatChargeEN", 0, /^charge_mos\ton\toff\t\t\tunknown\t$/],
      ["BalanEN", 0, /^balance_enabled\ton\toff\t\t\tunknown\t$/],
      ["Switches", 2, /^temperature_sensors_disabled\toff\ton\t\t\tunknown\t$/],
      ["VolSmartSleep", 3_400, /^smartSleepVoltage\t[\d.]+\t3.4\tV\t\tunknown\t$/],
      ["SCPDelay", 1_600, /^shortCircuitDelay\t\d+\t1600\tus\t\tunknown\t$/],
      ["Switches", 0x42, /^smartSleep\toff\ton\t\t\tunknown\t$/],
      ["CurBatCOC", 80_000, /^max_charge_current\t[\d.]+\t80\tA\t\tunknown\t$/],
    ] as const;
    registers.write("Switches", 0);
    bench.reread();
    for (const [name, value, line] of cases) {
      bench.run(CHANGES_TOGETHER);
      bench.events.length = 0;
      registers.write(name, value);
      bench.reread();
      expect(bench.told).toEqual([expect.stringMatching(line)]);
    }
  });
});

describe("nothing is told", () => {
  it.each(ADDRESSES)("of %i packs that at %i: of the first read, nor of the same after a restart", (count, address) => {
    start(count);
    expect(bench.pack(address).registers.read("VolCellOV")).toBe(3_650);
    bench.restart();
    bench.run(IN_TIME);
    expect(bench.told).toEqual([]);
  });

  it.each(ADDRESSES)(
    "of %i packs that at %i: of another pack that answers there since, known by its serial number",
    (count, address) => {
      const { registers } = start(count).pack(address);
      // Without a pause: its settings may be read before its serial number.
      registers.write("VolCellOV", 3_600);
      registers.write("RCVTime", 33);
      registers.writeText("SerialNumber", "OTHER");
      bench.reread();
      bench.run(IN_TIME);
      expect(bench.told).toEqual([]);
      // And back.
      registers.write("VolCellOV", 3_650);
      registers.writeText("SerialNumber", `OTHER${address}`);
      bench.reread();
      bench.reread();
      expect(bench.told).toEqual([]);
    },
  );

  it.each(ADDRESSES)(
    "of %i packs that at %i: of another pack that was put there while it was silent",
    (count, address) => {
      const pack = start(count).pack(address);
      pack.setOnline(false);
      bench.run(60);
      pack.registers.write("VolCellOV", 3_600);
      pack.registers.write("RCVTime", 33);
      pack.registers.writeText("SerialNumber", "OTHER");
      pack.setOnline(true);
      bench.reread();
      bench.reread();
      expect(bench.told).toEqual([]);
    },
  );

  it.each(ADDRESSES)("of %i packs that at %i: when it is read in the other way", (count, address) => {
    start(count, {}, { readMode: "auto" });
    // It stops answering reads by registers.
    bench.pack(address).faults.add({ kind: "no-answer", matching: ({ function: code }) => code === 3 });
    bench.reread();
    bench.reread();
    expect(bench.monitor.packs[address - 1]?.readMode).toBe("frames");
    expect(bench.told).toEqual([]);
  });

  it.each(MODES)("of one read that is not confirmed by another, by %s", (readMode) => {
    const { faults, registers } = start(1, {}, { readMode }).pack(1);
    let reads = 0;
    const matching: FaultOrder["matching"] = ({ register }) => {
      const isRead = register === SETTINGS || register === SETTINGS_FRAME;
      if (isRead) registers.write("VolCellOV", ++reads % 2 ? 3_650 : 3_600);
      return false;
    };
    faults.add({ kind: "delay", matching });
    for (let read = 0; read < 9; read++) bench.reread();
    expect(reads).toBeGreaterThan(9);
    expect(bench.told).toEqual([]);
  });

  it("of further settings that could not be read", () => {
    const { faults, registers } = start(1, {}, { readMode: "registers" }).pack(1);
    const over = faults.add({ kind: "refuse", matching: ({ register }) => register === 0x14e4 });
    bench.run(IN_TIME);
    expect(bench.monitor.packs[0].deviceInfo.view.getInt32(0x100)).toBe(-1);
    over();
    bench.run(IN_TIME);
    expect(bench.monitor.packs[0].deviceInfo.view.getInt32(0x100)).toBe(registers.read("DataStoredPeriod"));
    expect(bench.told).toEqual([]);
  });

  it("of a limit for discharging in the cold that could not be read", () => {
    const { faults, registers } = start(1, { firmware: "19.05" }, { readMode: "registers" }).pack(1);
    registers.write("TMPBatDCHUT", -10);
    registers.write("TMPBatDCHUTPR", -5);
    bench.reread();
    registers.write("TMPBatDCHUT", -8);
    bench.reread();
    expect(bench.told).toEqual(["discharge_utp\t-10\t-8\tC\t\tunknown\t"]);
    bench.events.length = 0;
    faults.add({ kind: "refuse", matching: ({ register }) => register === 0x1122 });
    bench.reread();
    bench.reread();
    expect(bench.told).toEqual([]);
  });
});

describe("the same pack", () => {
  it.each(ADDRESSES)("of %i packs that at %i: what has changed while it was silent is told", (count, address) => {
    const pack = start(count).pack(address);
    pack.setOnline(false);
    bench.run(60);
    pack.registers.write("VolCellOV", 3_600);
    pack.setOnline(true);
    bench.reread();
    const label = count > 1 ? address : "";
    expect(bench.told).toEqual([`cell_ovp_voltage\t3.65\t3.6\tV\t${label}\tunknown\t`]);
  });

  it("three in one read are three, four are one with their number, by whom they were", () => {
    const { registers } = start(1).pack(1);
    const all = [
      ["VolCellOV", 3_600],
      ["VolCellUV", 2_800],
      ["TMPBatCOT", 500],
      ["CurBatCOC", 80_000],
    ] as const;
    for (const [name, value] of all.slice(0, 3)) registers.write(name, value);
    bench.reread();
    expect(bench.told).toHaveLength(3);
    bench.run(CHANGES_TOGETHER);
    bench.events.length = 0;
    for (const [name, value] of all) registers.write(name, value + 10);
    bench.reread();
    expect(bench.told).toEqual(["\t\t\t\t\tunknown\t4"]);
  });

  it.each(ADDRESSES)("of %i packs that at %i: what flaps is told once a minute, with how often", (count, address) => {
    start(count);
    const record = bench.monitor.packs[address - 1]!;
    const { registers } = bench.pack(address);
    const MINUTES = 4;
    let changes = 0;
    for (let second = 0; second < MINUTES * CHANGES_TOGETHER; second++) {
      if (second % 5 === 0) {
        registers.write("VolCellOV", second % 2 ? 3_600 : 3_640);
        record.slow.request(SETUP);
        changes++;
      }
      bench.run(1);
    }
    bench.run(CHANGES_TOGETHER);
    expect(bench.told.length).toBeGreaterThanOrEqual(MINUTES);
    expect(bench.told.length).toBeLessThanOrEqual(MINUTES + 2);
    const sum = bench.told.reduce((all, text) => all + Number(text.split("\t")[6] || 1), 0);
    expect(sum).toBe(changes);
  });
});

describe("beside another master", () => {
  it.each(ADDRESSES)(
    "of %i packs that at %i: what was overheard is told as another master's, once",
    (count, address) => {
      const { registers } = start(count, { master: true }, { mode: "auto" }).pack(address);
      expect(bench.monitor.listening).toBe(true);
      registers.write("VolCellOV", 3_600);
      bench.run(60);
      const label = count > 1 ? address : "";
      expect(bench.told).toEqual([`cell_ovp_voltage\t3.65\t3.6\tV\t${label}\tmaster\t`]);
    },
  );

  it("what is read after it has fallen silent is its, too; what is changed later is not", () => {
    const { registers } = start(1, { master: true }, { mode: "auto" }).pack(1);
    const { master } = bench.bank;
    // Who the pack is has to be known.
    master?.setOnline(false);
    bench.run(600);
    master?.setOnline(true);
    bench.run(30);
    expect(bench.monitor.listening).toBe(true);
    master?.setOnline(false);
    registers.write("VolCellOV", 3_600);
    bench.run(600);
    expect(bench.monitor.listening).toBe(false);
    registers.write("VolCellOV", 3_640);
    bench.reread();
    expect(bench.told).toEqual([
      "cell_ovp_voltage\t3.65\t3.6\tV\t\tmaster\t",
      "cell_ovp_voltage\t3.6\t3.64\tV\t\tunknown\t",
    ]);
  });
});
