import { describe, expect, it } from "vitest";
import { withCrc } from "../../../host-sim/bms/codec";
import { BmsBench, exception, hex, join, long, readRequest, writeRequest } from "../../support/bms/bms-bench";
import { capture } from "../../support/bms/captures";

const acknowledged = (register: number, quantity = 1): string =>
  hex(withCrc([1, 0x10, register >> 8, register & 0xff, 0, quantity]));

const EMERGENCY = writeRequest(0x1610, [1]);
const EMERGENCY_OFF = writeRequest(0x1610, [0]);

describe("one-key presets", () => {
  it.each([
    ["phinix-preset_160A_t01_addr1", 0x160a, "01 10 16 0A 00 01 25 83", 1],
    ["phinix-preset_160C_t01_addr1", 0x160c, "01 10 16 0C 00 01 C5 82", 0],
  ] as const)("%s fires on 0 too, and answers as captured", (name, register, acknowledgement, chemistry) => {
    const bench = new BmsBench({ firmware: "15.30" });
    bench.bms.load(capture("phinix-liion_t01_addr1_a"));
    // In the captured session the switch word had changed.
    bench.bms.registers.write("Switches", 0x3210);
    const reply = bench.ask(writeRequest(register, [0]));
    expect(hex(reply)).toBe(
      hex(
        join(
          capture(name),
          Uint8Array.from(acknowledgement.split(" "), (b) => parseInt(b, 16)),
        ),
      ),
    );
    bench.clock.runFor(1000);
    expect(bench.bms.registers.read("CellType")).toBe(chemistry);
  });

  it("the LTO preset sets 2.700 V", () => {
    const bench = new BmsBench();
    bench.bms.pack.current = 0;
    bench.ask(writeRequest(0x160e, [1]));
    expect(bench.bms.registers.read("VolCellOV")).toBe(2700);
    expect(bench.bms.registers.read("CellType")).toBe(2);
    bench.clock.runFor(1000);
    expect(bench.bms.registers.read("ChargeMos"), "the LiFePO4 cells are far above it").toBe(0);
  });

  it("a write fault that ignores the write leaves the settings alone", () => {
    const bench = new BmsBench();
    bench.bms.faults.add({ kind: "ignore-write" });
    expect(bench.ask(writeRequest(0x160a, [0]))).toHaveLength(308);
    expect(bench.bms.registers.read("VolCellOV")).toBe(3650);
  });
});

describe("emergency", () => {
  it("1 starts the countdown with the configured minutes, 0 stops it", () => {
    const bench = new BmsBench();
    expect(hex(bench.ask(EMERGENCY))).toBe("01 10 16 10 00 01 04 44");
    expect(hex(bench.read(0x12d4, 1))).toBe("07 08");
    bench.clock.runFor(10_000);
    expect(bench.bms.registers.read("TimeEmergency")).toBeGreaterThan(1780);
    expect(bench.bms.registers.read("TimeEmergency")).toBeLessThan(1795);
    expect(hex(bench.ask(EMERGENCY_OFF))).toBe("01 10 16 10 00 01 04 44");
    expect(bench.bms.registers.read("TimeEmergency")).toBe(0);
    expect(bench.bms.controller.events).toEqual([41, 42]);
  });

  it("0 is ignored or starts it, as configured", () => {
    const ignoring = new BmsBench({ emergencyOff: "ignored" });
    ignoring.ask(EMERGENCY);
    expect(hex(ignoring.ask(EMERGENCY_OFF))).toBe("01 10 16 10 00 01 04 44");
    expect(ignoring.bms.registers.read("TimeEmergency")).toBeGreaterThan(0);
    const starting = new BmsBench({ emergencyOff: "starts" });
    starting.ask(EMERGENCY_OFF);
    expect(starting.bms.registers.read("TimeEmergency")).toBeGreaterThan(0);
  });

  it("ends by itself", () => {
    const bench = new BmsBench({ timeFactor: 600 });
    bench.bms.pack.current = 0;
    bench.ask(EMERGENCY, 10_000);
    expect(bench.bms.registers.read("TimeEmergency")).toBe(0);
    expect(bench.bms.controller.events).toEqual([41, 43]);
  });

  it("two registers are exception 2", () => {
    expect(hex(new BmsBench().ask(writeRequest(0x1610, [0, 1])))).toBe(exception(0x10, 2));
  });
});

describe("commands that must never be sent", () => {
  it.each([
    [0x1604, "shutdown"],
    [0x1626, "firmware-upgrade"],
  ] as const)("%i is acknowledged, then the board is silent until it is switched on", (register, why) => {
    const bench = new BmsBench();
    expect(hex(bench.ask(writeRequest(register, [0])))).toBe(acknowledged(register));
    expect(bench.ask(readRequest(0x12a0, 2), 60_000)).toHaveLength(0);
    expect(bench.bms.silent).toBe(why);
    bench.bms.setOnline(true);
    expect(bench.ask(readRequest(0x12a0, 2))).toHaveLength(9);
  });

  it("restart: silent for a moment, one more power-on", () => {
    const bench = new BmsBench();
    const before = bench.bms.registers.read("PWROnTimes");
    bench.ask(writeRequest(0x1616, [0]));
    expect(bench.ask(readRequest(0x12a0, 2))).toHaveLength(0);
    bench.clock.runFor(3000);
    expect(bench.ask(readRequest(0x12a0, 2))).toHaveLength(9);
    expect(bench.bms.registers.read("PWROnTimes")).toBe(before + 1);
    expect(bench.bms.controller.events).toEqual([1]);
  });

  it.each([0x1618, 0x161a])("%i restores the settings", (register) => {
    const bench = new BmsBench({ address: 5 });
    bench.bms.registers.write("VolCellOV", 3600);
    bench.ask(writeRequest(register, [0], 5), 4000);
    expect(bench.bms.registers.read("VolCellOV")).toBe(3650);
    expect(bench.bms.registers.read("DevAddr")).toBe(5);
    expect(bench.ask(readRequest(0x12a0, 2, 5))).toHaveLength(9);
  });

  it("calibration takes two registers and is acknowledged", () => {
    const bench = new BmsBench();
    for (const register of [0x1600, 0x1606]) {
      expect(hex(bench.ask(writeRequest(register, long(52_000))))).toBe(acknowledged(register, 2));
      expect(hex(bench.ask(writeRequest(register, [520])))).toBe(exception(0x10, 2));
    }
  });

  it.each([0x1602, 0x1608, 0x1614, 0x1622, 0x1628, 0x161d, 0x1605])("%i is exception 2", (register) => {
    expect(hex(new BmsBench().ask(writeRequest(register, [0])))).toBe(exception(0x10, 2));
  });

  it("triggers and presets of two registers are exception 2", () => {
    for (const register of [0x1620, 0x160c]) {
      expect(hex(new BmsBench().ask(writeRequest(register, [0, 0])))).toBe(exception(0x10, 2));
    }
  });
});

it("the clock is set in seconds since 2020 and runs on", () => {
  const bench = new BmsBench();
  bench.clock.runFor(60_000);
  expect(hex(bench.ask(writeRequest(0x1612, long(200_000_000))))).toBe(acknowledged(0x1612, 2));
  bench.clock.runFor(10_000);
  const clock = bench.bms.registers.read("RTCTicks");
  expect(clock).toBeGreaterThanOrEqual(200_000_009);
  expect(clock).toBeLessThanOrEqual(200_000_011);
});

it("switching is recorded in the log", () => {
  const bench = new BmsBench();
  const before = bench.bms.registers.read("DetailLogsCount");
  for (const register of [0x1070, 0x1074]) {
    bench.set(register, 0);
    bench.set(register, 1);
  }
  expect(bench.bms.controller.events).toEqual([3, 4, 5, 6]);
  expect(bench.bms.registers.read("DetailLogsCount")).toBe(before + 4);
});
