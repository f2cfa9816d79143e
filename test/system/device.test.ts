import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { PASSWORD, PIN } from "../../host-sim/bms/simulated-bms";
import { System, TOKEN, type SystemOptions } from "../support/system";

const SECOND = 1000;

const running: System[] = [];
const start = async (options?: SystemOptions): Promise<System> => {
  const system = await System.start(options);
  running.push(system);
  return system;
};
afterEach(() => {
  for (const system of running.splice(0)) system.stop();
});

describe("the BMS on the wire", () => {
  it.each([
    ["9,600 baud by registers", { board: { baud: 9600 }, bms: { baud: 9600 } }, "registers", 9600],
    ["9,600 baud by frames", { board: { baud: 9600 }, bms: { baud: 9600 } }, "frames", 9600],
    ["a pack of 8 cells", { bms: { cells: 8 } }, "auto", 115200],
    ["a pack of 24 cells", { bms: { cells: 24, model: "JK_PB2A24S20P" } }, "auto", 115200],
    ["answers of 310 bytes", { bms: { answerForm: 310 as const } }, "frames", 115200],
    ["a transceiver that echoes, by registers", { board: { echo: true } }, "registers", 115200],
    ["a transceiver that echoes, by frames", { board: { echo: true } }, "frames", 115200],
    ["firmware 14.20", { bms: { firmware: "14.20" } }, "auto", 115200],
    ["firmware 19.27", { bms: { firmware: "19.27" } }, "auto", 115200],
  ] as const)(
    "%s: online, loaded, written and confirmed, nothing lost",
    async (_name, options: SystemOptions, way, baud) => {
      const system = await start({
        ...options,
        unpaced: true,
        board: { ...options.board, config: { settings: { bms: { way, baud } } } },
      });
      const { clock } = system.board;
      clock.runFor(12 * SECOND);
      expect(system.monitor()).toMatchObject({ online: true, configurationLoaded: true });
      expect(system.probes.writeSetting("bluetooth_name", "Pack 7")).toBeUndefined();
      clock.runFor(5 * SECOND);
      expect(system.monitor()).toMatchObject({ pending: false, lastCommandOk: true });
      expect(system.bms.registers.text("BluetoothName")).toBe("Pack 7");
      expect(system.monitor().statistics).toMatchObject({ timeouts: 0, crcErrors: 0, exceptions: 0 });
    },
  );

  it("FC03 that falls asleep is woken, or read by frames: the monitor stays online", async () => {
    const system = await start({ unpaced: true, bms: { sleepFc03: 4 * SECOND } });
    system.board.clock.runFor(60 * SECOND);
    expect(system.monitor()).toMatchObject({ online: true, configurationLoaded: true });
    expect(system.bms.traffic.outcomes.asleep).toBeGreaterThan(0);
  });

  it("a bus master (DIP 0 on UART2) is never taken for an answer", async () => {
    const system = await start({ unpaced: true, bms: { address: 0, port: "uart2" } });
    system.board.clock.runFor(60 * SECOND);
    expect(system.monitor().online).toBe(false);
    expect(system.monitor().statistics?.discarded).toBeGreaterThan(300);
  });

  it("nothing but the documented registers is ever written, whatever is asked", async () => {
    const system = await start({ unpaced: true });
    const { clock } = system.board;
    clock.runFor(6 * SECOND);
    for (const name of ["0x160A", "5642", "__proto__", "constructor", "shutdown", "toString", "charge_mos\0"]) {
      expect(system.probes.writeCommand(name, true)?.reason).toBe("unknown");
      expect(system.probes.writeSetting(name, 1)?.reason).toBe("unknown");
    }
    for (const state of [true, false])
      for (const name of [
        "charge_mos",
        "discharge_mos",
        "balance",
        "emergency",
        "display_always_on",
        "temperature_sensors_disabled",
      ]) {
        expect(system.probes.writeCommand(name, state)).toBeUndefined();
        clock.runFor(6 * SECOND);
      }
    const allowed = [0x1070, 0x1074, 0x1078, 0x1114, 0x1610, 0x161c, 0x161e, 0x1620];
    expect([...system.bms.traffic.writes.keys()].filter((register) => !allowed.includes(register))).toEqual([]);
  });
});

describe("secrets of the pack", () => {
  it.each(["registers", "frames"] as const)(
    "no answer and no console line ever holds the PIN or the password (%s)",
    async (way) => {
      const system = await start({ board: { config: { settings: { bms: { way } } } } });
      expect([PIN, PASSWORD]).toEqual([
        system.bms.registers.text("BluetoothPin"),
        system.bms.registers.text("SettingPassword"),
      ]);
      await system.untilLoaded();
      for (const path of ["/api", "/api/bms/status", "/api/bms/config", "/api/bms/commands"]) {
        const { text } = await system.get(path);
        expect(text).not.toContain(PASSWORD);
        expect(text).not.toContain(`"${PIN}"`);
        expect(text).not.toContain(TOKEN);
      }
      const image = Buffer.from(system.probes.deviceInfo()).toString("latin1");
      expect(image).not.toContain(PASSWORD);
      expect(image).not.toContain(PIN);
      expect(system.console.join("")).not.toContain(TOKEN);
    },
  );
});

describe("a restart", () => {
  it("keeps the settings and the relay's state, and stores no token that the board was configured with", async () => {
    const folder = mkdtempSync(join(tmpdir(), "device-"));
    try {
      const storage = join(folder, "nvs.json");
      const board = { storage };
      const first = await System.start({ board });
      expect(first.probes.configure("relay", { start: "restore" })).toBeUndefined();
      expect((await first.request("POST", "/api/relay", { body: { cmd: "on" } })).status).toBe(200);
      expect(first.probes.configure("device", { name: "Shed" })).toBeUndefined();
      first.board.clock.runFor(10 * SECOND);
      first.stop();
      expect(readFileSync(storage, "utf8")).not.toContain(TOKEN);

      const second = await start({ board });
      expect(second.probes.deviceName()).toBe("Shed");
      expect(second.probes.relay()).toBe(1);
      expect(second.board.pin(second.board.config.pins.relay).level).toBe(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("the relay follows the BMS", () => {
  it("by state of charge with hysteresis, holding its state while the BMS is away", async () => {
    const system = await start({ unpaced: true, bms: { evolving: false } });
    const { clock } = system.board;
    const { probes } = system;
    const pin = system.board.pin(system.board.config.pins.relay);
    const stateAt = (soc: number): 0 | 1 => {
      system.bms.registers.write("SOC", soc);
      clock.runFor(3 * SECOND);
      expect(pin.level).toBe(probes.relay());
      return probes.relay();
    };
    stateAt(50);
    expect(probes.configure("relay", { mode: 1, source: "soc", onAt: 30, offAt: 60 })).toBeUndefined();
    expect([50, 31, 30, 45, 59, 60, 31].map(stateAt)).toEqual([0, 0, 1, 1, 1, 0, 0]);
    expect(stateAt(20)).toBe(1);
    expect(probes.switchRelay(false)).toBe(false);
    system.bms.setOnline(false);
    clock.runFor(60 * SECOND);
    expect(system.monitor().online).toBe(false);
    expect([probes.relay(), pin.level]).toEqual([1, 1]);
  });

  it("by alarm: on while any alarm bit is set", async () => {
    const system = await start({ unpaced: true, bms: { evolving: false } });
    const { clock } = system.board;
    const { probes } = system;
    clock.runFor(3 * SECOND);
    expect(probes.configure("relay", { mode: 1, source: "alarm" })).toBeUndefined();
    const stateWith = (alarms: number): 0 | 1 => {
      system.bms.registers.write("Alarms", alarms);
      clock.runFor(3 * SECOND);
      return probes.relay();
    };
    expect([0, 1 << 11, 0, 0x80000000].map(stateWith)).toEqual([0, 1, 0, 1]);
  });
});
