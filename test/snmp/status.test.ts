/** What the firmware tells of the pack through the standard MIBs; asked of the running firmware on V8, in virtual time. */
import { afterEach, describe, expect, it } from "vitest";
import { SNMP_GROUP } from "snmp-agent/counters";
import type { Arcs, Value } from "snmp-agent/types";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import type { SnmpContext } from "../../src/snmp/context";
import { LOW_CHARGE } from "../../src/snmp/limits";
import { SnmpState } from "../../src/snmp/state";
import { SUBTREES } from "../../src/snmp/subtrees";
import { LAST_WELL_KNOWN, UPS_WELL_KNOWN_ALARMS } from "../../src/snmp/ups-alarms";
import { TELEMETRY_TABLE } from "../../src/catalogue/telemetry";
import { System } from "../support/system/system";

const numbers = (ids: Arcs): number[] => Array.from(ids, (id) => id.charCodeAt(0));

type Told = number | string | boolean | readonly number[];

/** Keeps what a subtree gives. */
class Taken implements Value {
  told: Told | undefined;
  calls = 0;
  #take(told: Told): void {
    this.told = told;
    this.calls++;
  }
  integer = (value: number): void => this.#take(value);
  truth = (value: boolean): void => this.#take(value);
  counter = (value: number): void => this.#take(value);
  gauge = (value: number): void => this.#take(value);
  ticks = (value: number): void => this.#take(value);
  text = (value: string): void => this.#take(value);
  octets = (bytes: Uint8Array): void => this.#take([...bytes]);
  identifier = (ids: Arcs, ...more: number[]): void => this.#take([...numbers(ids), ...more]);
}

const running: System[] = [];
afterEach(() => {
  for (const system of running.splice(0)) system.stop();
});

const SECOND = 1000;

class Pack {
  readonly state = new SnmpState();
  readonly context: SnmpContext;

  constructor(readonly system: System) {
    const { monitor, settings, relay, network, conditions } = system.firmware;
    const build = { softwareName: "monitor", version: "1.2.3", build: "abc", boardVersion: "board" };
    const counters = { inPkts: 0, badVersions: 0, badCommunityNames: 0, badCommunityUses: 0, asnParseErrs: 0 };
    const centiseconds = (): number => monitor.centiseconds;
    const energy = { stored: { charged: 1234.9 * 3600, discharged: 5_000_000_000.2 * 3600 } };
    const device = { monitor, settings, relay, network, conditions, energy, build, centiseconds };
    this.context = { device, counters, state: this.state, pack: monitor.packs[0] };
  }

  static async start(): Promise<Pack> {
    const system = await System.start({ unpaced: true, engine: "node", bms: { evolving: false } });
    running.push(system);
    const pack = new Pack(system);
    pack.run(6);
    return pack;
  }

  run(seconds: number): void {
    this.system.board.clock.runFor(seconds * SECOND);
    const { device } = this.context;
    this.state.update(device.monitor.packs, device.centiseconds());
    this.state.updateLink(device.network.ip !== "", device.centiseconds());
  }

  /** Registers of the BMS, by name. */
  set(values: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(values)) this.system.bms.registers.write(name, value);
    this.run(2);
  }

  setOnline(online: boolean): void {
    this.system.bms.setOnline(online);
    this.run(10);
    expect(this.context.pack.online).toBe(online);
  }

  get(name: string): Told | undefined {
    for (const subtree of SUBTREES) {
      const prefix = `${numbers(subtree.oid).join(".")}.`;
      if (!name.startsWith(prefix)) continue;
      const [object = -1, row = -1, more] = name.slice(prefix.length).split(".").map(Number);
      if (more !== undefined || !numbers(subtree.objects).includes(object)) continue;
      const taken = new Taken();
      subtree.read(taken, this.context, object, row);
      return taken.told;
    }
    return undefined;
  }

  ups(name: string): Told | undefined {
    return this.get(`1.3.6.1.2.1.33.1.${name}`);
  }

  bms(name: string): Told | undefined {
    return this.get(`1.3.6.1.4.1.8072.9999.9999.485.1.${name}`);
  }

  get alarms(): number[] {
    const alarms: number[] = [];
    for (let alarm = this.state.nextAlarm(0); alarm; alarm = this.state.nextAlarm(alarm)) alarms.push(alarm);
    expect(this.state.alarmCount).toBe(alarms.length);
    return alarms;
  }
}

describe("the subtrees", () => {
  it("are in the order of their names, and so are their objects", () => {
    const first = SUBTREES.map(({ oid, objects, nextRow }) => [
      ...numbers(oid),
      objects.charCodeAt(0),
      nextRow ? 1 : 0,
    ]);
    const last = SUBTREES.map(({ oid, objects }) => [...numbers(oid), numbers(objects).at(-1)!, 0xffff_ffff]);
    const before = (one: number[], other: number[]): boolean => {
      const at = one.findIndex((id, index) => id !== other[index]);
      return one[at]! < other[at]!;
    };
    for (let at = 1; at < SUBTREES.length; at++) expect(before(last[at - 1]!, first[at]!)).toBe(true);
    for (const { objects } of SUBTREES)
      expect([...new Set(numbers(objects))].sort((one, other) => one - other)).toEqual(numbers(objects));
    expect(SUBTREES).toContain(SNMP_GROUP);
  });

  it("have at most one value per instance, and none for missing rows", async () => {
    const pack = await Pack.start();
    for (const online of [true, false]) {
      pack.setOnline(online);
      for (const { objects, nextRow, read } of SUBTREES)
        for (const object of numbers(objects)) {
          const given = (row: number): number => {
            const taken = new Taken();
            read(taken, pack.context, object, row);
            return taken.calls;
          };
          expect(given(0)).toBeLessThanOrEqual(1);
          if (!nextRow) continue;
          for (const row of [0, 33, 1000, 0xffff_ffff]) expect(given(row)).toBe(0);
          for (const row of [32, 33, 1000, 0xffff_ffff]) expect(nextRow(pack.context, row)).toBe(0);
          let rows = 0;
          for (let row = 0; (row = nextRow(pack.context, row)); rows++) expect(given(row)).toBeLessThanOrEqual(1);
          expect(rows).toBeLessThanOrEqual(32);
        }
    }
  });
});

describe("the battery", () => {
  it.each([
    [0, 0, 4],
    [1, 0, 3],
    [LOW_CHARGE, 0, 3],
    [LOW_CHARGE + 1, 0, 2],
    [100, 0, 2],
    [50, 1 << 11, 4],
    [50, 1 << 12, 4],
    [50, 1 << 5, 2],
  ])("of %i percent with alarms %i has status %i", async (charge, alarms, status) => {
    const pack = await Pack.start();
    pack.set({ SOC: charge, Alarms: alarms });
    expect([pack.ups("2.1.0"), pack.ups("2.4.0")]).toEqual([status, charge]);
  });

  it("is in tenths of volts and amperes and in whole degrees", async () => {
    const pack = await Pack.start();
    pack.set({ BatVol: 52_749, BatCurrent: -13_250, TempBat1: -15, TempBat2: 250, TempSensors: 0x07 });
    expect([pack.ups("2.5.0"), pack.ups("2.6.0"), pack.ups("2.7.0")]).toEqual([527, -133, 25]);
  });

  it("is on battery while discharging at 0.2 A or more, and reports since when", async () => {
    const pack = await Pack.start();
    for (const [current, seconds, source] of [
      [5_000, 0, 3],
      [0, 0, 3],
      [-199, 0, 3],
      [-200, 0, 5],
      [-20_000, 2, 5],
      [-100, 0, 3],
    ] as const) {
      pack.set({ BatCurrent: current, BatWatt: 1_000 });
      expect([current, pack.ups("4.1.0")]).toEqual([current, source]);
      expect([current, pack.ups("2.2.0")]).toEqual([current, seconds]);
      expect(pack.alarms.includes(2)).toBe(source === 5);
    }
    expect(pack.ups("2.2.0")).toBe(0);
  });

  it("has minutes left only while discharging", async () => {
    const pack = await Pack.start();
    pack.set({ BatCurrent: -30_000, SOCCapRemain: 100_000 });
    expect(pack.ups("2.3.0")).toBe(200);
    for (const remaining of [400, -5]) {
      pack.set({ SOCCapRemain: remaining });
      expect(pack.ups("2.3.0")).toBe(1);
    }
    pack.set({ BatCurrent: 1_000 });
    expect(pack.ups("2.3.0")).toBeUndefined();
  });

  it("has the temperature of the hottest probe, or none", async () => {
    const pack = await Pack.start();
    pack.set({ TempBat1: 201, TempBat2: 305, TempSensors: 0b110 });
    expect([pack.ups("2.7.0"), pack.bms("1.34.0"), pack.bms("1.35.0")]).toEqual([31, 201, 305]);
    for (const probe of [1, 2, 3, 4, 5]) {
      const all = Object.fromEntries([1, 2, 3, 4, 5].map((one) => [`TempBat${one}`, 200 + one]));
      pack.set({ ...all, TempMos: 300, TempSensors: 0x3f, [`TempBat${probe}`]: 720 });
      // The last three come with the tail.
      pack.run(10);
      expect([pack.ups("2.7.0"), pack.bms(`1.${[34, 35, 37, 38, 39][probe - 1]!}.0`)]).toEqual([72, 720]);
    }
    // Without a third probe its register repeats the MOSFETs'.
    pack.set({ TempMos: 720, TempBat3: 720, TempBat5: 205 });
    pack.run(10);
    expect([pack.ups("2.7.0"), pack.bms("1.37.0")]).toEqual([21, undefined]);
    pack.set({ TempBat2: 305 });
    pack.set({ TempSensors: 0b100 });
    expect([pack.ups("2.7.0"), pack.bms("1.34.0"), pack.bms("1.35.0")]).toEqual([31, undefined, 305]);
    pack.set({ TempSensors: 0 });
    expect([pack.ups("2.7.0"), pack.bms("1.33.0"), pack.bms("1.35.0")]).toEqual([undefined, undefined, undefined]);
  });
});

describe("the output", () => {
  it("is the pack's terminals while the discharge MOSFET conducts", async () => {
    const pack = await Pack.start();
    pack.set({ BatVol: 52_749, BatCurrent: -13_250, BatWatt: 698_925, DischargeMos: 1 });
    expect(["4.4.1.2.1", "4.4.1.3.1", "4.4.1.4.1"].map((name) => pack.ups(name))).toEqual([53, 133, 699]);
    pack.set({ BatCurrent: 13_250 });
    expect(["4.4.1.2.1", "4.4.1.3.1", "4.4.1.4.1"].map((name) => pack.ups(name))).toEqual([53, 0, 0]);
    pack.set({ DischargeMos: 0 });
    expect([pack.ups("4.1.0"), pack.ups("4.4.1.2.1"), pack.alarms]).toEqual([2, undefined, [14]]);
  });
});

describe("alarms", () => {
  it("of the BMS are those of RFC 1628", async () => {
    const pack = await Pack.start();
    const wellKnown: Record<string, number[]> = {};
    for (const [bit, { name }] of ALARMS_TABLE.entries()) {
      pack.set({ Alarms: 1 << bit, SOC: 99 });
      wellKnown[name] = pack.alarms;
      expect(pack.bms(`3.1.5.${bit + 1}`)).toBe(true);
    }
    expect(wellKnown).toEqual({
      wire_resistance: [18],
      mosfet_overtemperature: [5],
      cell_count: [1],
      current_sensor: [18],
      fully_charged: [],
      battery_overvoltage: [6],
      charge_overcurrent: [6],
      charge_short_circuit: [6],
      charge_overtemperature: [5],
      charge_undertemperature: [5],
      internal_communication: [18],
      cell_undervoltage: [4],
      battery_undervoltage: [4],
      discharge_overcurrent: [8],
      discharge_short_circuit: [7],
      discharge_overtemperature: [5],
      charge_mosfet: [13],
      discharge_mosfet: [7],
      gps_disconnected: [18],
      change_password: [],
      discharge_on_failed: [7],
      battery_overtemperature: [5],
      temperature_sensor: [18],
      parallel_module: [18],
      short_circuit_release: [7],
      discharge_overcurrent_2: [8],
      discharge_overcurrent_3: [8],
      discharge_undertemperature: [5],
      gps_lock: [18],
      cell_overvoltage: [6],
    });
  });

  it("have a row each, with the time they were raised", async () => {
    const pack = await Pack.start();
    pack.set({ Alarms: 1 << 8, SOC: LOW_CHARGE });
    const came = pack.context.device.centiseconds();
    pack.run(30);
    pack.set({ Alarms: (1 << 8) | (1 << 21) | (1 << 13) });
    expect(pack.alarms).toEqual([3, 5, 8]);
    expect(pack.ups("6.1.0")).toBe(3);
    expect(pack.ups("6.2.1.2.5")).toEqual([...numbers(UPS_WELL_KNOWN_ALARMS), 5]);
    expect(pack.ups("6.2.1.3.5")).toBe(came);
    expect(pack.ups("6.2.1.3.8")).toBe(pack.context.device.centiseconds());
    expect([pack.ups("6.2.1.2.4"), pack.ups(`6.2.1.3.${LAST_WELL_KNOWN + 1}`)]).toEqual([undefined, undefined]);
  });
});

describe("while the BMS is offline", () => {
  it("the status is unknown, and there are no measurements", async () => {
    const pack = await Pack.start();
    pack.setOnline(false);
    expect([pack.ups("1.1.0"), pack.ups("2.1.0"), pack.ups("4.1.0")]).toEqual(["JIKONG", 1, 1]);
    expect(pack.alarms).toEqual([20]);
    for (const name of ["1.2.0", "1.3.0", "4.4.1.2.1"]) expect([name, pack.ups(name)]).toEqual([name, undefined]);
    for (const object of [2, 3, 4, 5, 6, 7]) expect([object, pack.ups(`2.${object}.0`)]).toEqual([object, undefined]);
    expect(TELEMETRY_TABLE.filter(({ object }) => pack.bms(`1.${object}.0`) !== undefined)).toMatchObject([
      { path: "online" },
    ]);
    expect([pack.bms("1.1.0"), pack.bms("2.1.2.1"), pack.bms("3.1.5.1")]).toEqual([false, undefined, undefined]);
    expect(pack.bms("3.1.2.1")).toBe("wire_resistance");
    pack.setOnline(true);
    expect([pack.bms("1.1.0"), pack.ups("2.1.0"), pack.ups("1.2.0")]).toEqual([true, 2, "JK_PB2A16S20P"]);
  });
});

describe("the rest", () => {
  it("has every row of the telemetry table", async () => {
    const pack = await Pack.start();
    // Without a third probe its register repeats the MOSFETs'.
    pack.set({ TempBat3: 201 });
    pack.run(10);
    for (const { object, path } of TELEMETRY_TABLE)
      expect([path, pack.bms(`1.${object}.0`)]).not.toEqual([path, undefined]);
    expect([pack.bms("1.25.0"), pack.bms("1.6.0"), pack.bms("1.3.0")]).toEqual([52_695, 55, "JK_PB2A16S20P"]);
  });

  it("has the cells present, by number", async () => {
    const pack = await Pack.start();
    pack.set({ CellSta: 0b1010 });
    expect(["1", "2", "3", "4"].map((cell) => typeof pack.bms(`2.1.2.${cell}`))).toEqual([
      "undefined",
      "number",
      "undefined",
      "number",
    ]);
    pack.set({ CellSta: 0 });
    expect(["28", "29", "30", "31", "32"].map((object) => pack.bms(`1.${object}.0`))).toEqual(
      new Array(5).fill(undefined),
    );
  });

  it("has energy in whole watt-hours, and none if it is not counted or not read yet", async () => {
    const pack = await Pack.start();
    expect([pack.bms("6.1.0"), pack.bms("6.2.0")]).toEqual([1234, 5_000_000_000]);
    for (const energy of [{ stored: undefined }, undefined]) {
      (pack.context.device as { energy: unknown }).energy = energy;
      expect(pack.bms("6.1.0")).toBeUndefined();
    }
  });

  it("has the last write once there was one", async () => {
    const pack = await Pack.start();
    expect([pack.bms("4.1.0"), pack.bms("4.2.0"), pack.bms("4.3.0")]).toEqual([false, "", undefined]);
    pack.system.probes.writeCommand("balance", false);
    expect(pack.bms("4.1.0")).toBe(true);
    pack.run(3);
    expect([pack.bms("4.1.0"), pack.bms("4.3.0")]).toEqual([false, true]);
    expect(pack.bms("4.2.0")).toMatch(/balance/i);
  });

  it("has the relay if it is fitted", async () => {
    const pack = await Pack.start();
    pack.system.probes.configure("relay", { name: "Charger" });
    pack.system.probes.switchRelay(true);
    expect([pack.bms("5.1.0"), pack.bms("5.2.0"), pack.bms("5.3.0")]).toEqual(["Charger", true, 0]);
    pack.system.probes.configure("relay", { fitted: false });
    expect(pack.bms("5.1.0")).toBeUndefined();
  });

  it("has the network link and the time of its last change", async () => {
    const pack = await Pack.start();
    const { ethernet } = pack.system.board;
    const row = (object: number): Told | undefined => pack.get(`1.3.6.1.2.1.2.2.1.${object}.1`);
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(row)).toEqual([1, "Ethernet", 6, 1500, 1e8, [2, 0, 94, 16, 0, 1], 1, 1, 0]);
    ethernet.cable = false;
    pack.run(2);
    const went = pack.context.device.centiseconds();
    pack.run(5);
    expect([row(8), row(9)]).toEqual([2, went]);
    (pack.context.device as { network: unknown }).network = { type: "Ethernet", mac: "", ip: "" };
    expect(row(6)).toEqual([]);
  });

  it("takes the system group from the settings", async () => {
    const pack = await Pack.start();
    pack.system.probes.configure("snmp", { contact: "Ann", location: "Garage" });
    pack.system.probes.configure("device", { hostname: "pack-7" });
    const system = (object: number): Told | undefined => pack.get(`1.3.6.1.2.1.1.${object}.0`);
    expect([1, 2, 4, 5, 6, 7].map(system)).toEqual([
      "monitor 1.2.3 (abc) on board",
      [1, 3, 6, 1, 2, 1, 33],
      "Ann",
      "pack-7",
      "Garage",
      72,
    ]);
    expect(system(3)).toBe(Math.floor(pack.system.board.uptime / 10));
  });
});
