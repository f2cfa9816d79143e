/** The firmware's monitor beside another master: what is heard fills it, nothing is sent, and writes are refused. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../host-sim/clock";
import type { SimulatedBoard } from "../../host-sim/board";
import Timer from "../../host-sim/io/timer";
import * as FIELDS from "jk-bms/field-table";
import { offsetOf, readRaw, readText } from "jk-bms/fields";
import { DEVICE_INFO, SETUP, TELEMETRY } from "jk-bms/types";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { common, has, hasAny } from "../../src/conditions/set";
import { SETTINGS_UNREAD } from "../../src/conditions/rows";
import { OFFLINE_LISTENING } from "../../src/packs/limits";
import type { BmsSettings } from "../../src/settings/types";
import { capture } from "../support/bms/captures";
import { concat, FakeBms, sealed } from "../support/bms/fake-bms";
import type { ReadAnswer } from "../support/bms/bms-link";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { identities, monitorOf, TestBank, type TestPack } from "../support/bms/test-bank";
import { poweredBoard } from "../support/system/simulated-board";

const T1 = capture("mppsolar-jkpb_t01_addr1_PB2A16S15P_15.10");
const T2 = capture("mppsolar-jkpb_t02_addr1_PB2A16S15P_15.10");
const MASTER_T1 = capture("phinix-parallel_t01_addr0_master");
const MASTER_T2 = capture("phinix-parallel_t02_addr0_master");
const request = (address: number, register: number): Uint8Array =>
  sealed(address, 0x10, register >> 8, register & 255, 0, 1, 2, 0, 0);
const ack = (address: number, register: number): Uint8Array =>
  sealed(address, 0x10, register >> 8, register & 255, 0, 1);

let board: SimulatedBoard;
let clock: Clock;
let monitor: SoloMonitor;
let line: PackOnLine;
let sent: number;
let events: unknown[];

function open(settings: Partial<BmsSettings> = {}): void {
  board = lineBoard();
  ({ clock } = board);
  sent = 0;
  events = [];
  line = new PackOnLine(board);
  monitor = new SoloMonitor({
    settings: { address: 1, baud: 115200, interval: 1000, readMode: "auto", gap: 75, mode: "auto", ...settings },
    opener: line,
  });
  const send = board.wire.board.send.bind(board.wire.board);
  board.wire.board.send = (bytes) => {
    sent++;
    send(bytes);
  };
  monitor.observe({
    packOnlineChanged: ({ online }) => void events.push(online ? "online" : "offline"),
    otherMasterChanged: (present) => void events.push(present ? "present" : "gone"),
    packUpdated: () => void events.push("updated"),
  });
  monitor.start();
}

beforeEach(() => open());

const hear = (...bytes: Uint8Array[]): void => {
  for (const one of bytes) {
    board.wire.bms.send(one);
    clock.runFor(60);
  }
};

/** What the master says to the pack at `address` and what that answers, in 5 s. */
function cycle(address = 1, { settings = true } = {}): void {
  const began = clock.now;
  hear(request(address, 0x1620), concat(T2, ack(address, 0x1620)));
  if (settings) hear(request(address, 0x161e), concat(T1, Uint8Array.of(0), ack(address, 0x161e)));
  hear(request(2, 0x1620), request(3, 0x1620));
  clock.runUntil(began + 5000);
}

describe("beside another master", () => {
  it("not one byte is sent, and its traffic fills telemetry and settings", () => {
    for (let turn = 0; turn < 4; turn++) cycle();
    expect(sent).toBe(0);
    expect([monitor.pack.online, monitor.listening, monitor.pack.configurationLoaded]).toEqual([true, true, true]);
    expect(readRaw(monitor.pack.telemetry, FIELDS.soc)).toBe(
      new DataView(T2.buffer).getUint8(6 + offsetOf(FIELDS.soc)),
    );
    expect(readRaw(monitor.pack.setup, FIELDS.cellOvpVoltage)).toBe(
      new DataView(T1.buffer).getUint32(6 + offsetOf(FIELDS.cellOvpVoltage), true),
    );
    expect(monitor.pack.deviceInfo.valid).toBe(false);
    expect([monitor.pack.polls, monitor.pack.lostPolls]).toEqual([0, 0]);
    expect(events.slice(0, 3)).toEqual(["present", "online", "updated"]);
  });

  describe.each([1, 7, 15])("the pack at address %i", (address) => {
    const T3 = capture("mppsolar-jkpb_t03_addr1_PB2A16S15P_15.10");
    const said = { 0x1620: T2, 0x161e: T1, 0x161c: T3 } as const;
    const asked = (...registers: (keyof typeof said)[]): void => {
      for (const register of registers)
        hear(request(address, register), concat(said[register], ack(address, register)));
    };
    /** Online, settings read, the firmware's version. */
    const known = (): unknown[] => {
      const { configurationLoaded, deviceInfo, online, setup } = monitor.pack;
      const version = deviceInfo.valid ? readText(deviceInfo, FIELDS.softwareVersion) : undefined;
      return [online, configurationLoaded, setup.valid, version];
    };
    beforeEach(() => open({ address }));

    /** What a master asks for when it starts, and then for ever. */
    it.each([
      ["dbus-serialbattery: settings and device information once, then telemetry", [0x161e, 0x161c], [0x1620], "15.10"],
      [
        "a component that asks for all, device information first",
        [0x161c, 0x161e, 0x1620],
        [0x161c, 0x161e, 0x1620],
        "15.10",
      ],
      [
        "a JK master: telemetry, then settings, never device information",
        [0x1620, 0x161e],
        [0x1620, 0x161e],
        undefined,
      ],
      ["one that asks for settings once, and device information never", [0x161e], [0x1620], undefined],
    ] as const)("beside %s: all that it is told is known, online only by telemetry", (_, first, then, version) => {
      asked(...first);
      const isOnline = (first as readonly number[]).includes(0x1620);
      expect(monitor.pack.online).toBe(isOnline);
      if (!isOnline) expect(monitor.pack.configurationLoaded).toBe(false);
      for (let turn = 0; turn < 4; turn++) {
        asked(...then);
        clock.runFor(5_000);
      }
      expect(known()).toEqual([true, true, true, version]);
    });

    const unread = (): boolean => hasAny(monitor.pack.concerns, SETTINGS_UNREAD);

    it("settings that were heard once are shown, and nothing else is made of them until they are heard again", () => {
      asked(0x1620, 0x161e);
      expect([...known(), unread()]).toEqual([true, true, true, undefined, true]);
      asked(0x1620);
      expect(unread()).toBe(true);
      asked(0x161e);
      expect(unread()).toBe(false);
    });

    it("settings heard before its telemetry are heard once, too", () => {
      asked(0x161e, 0x1620);
      expect([...known(), unread()]).toEqual([true, true, true, undefined, true]);
      asked(0x161e);
      expect(unread()).toBe(false);
    });

    it("settings that were heard once free no write when the master is gone: they are read first", () => {
      const fake = new FakeBms(board);
      fake.address = address;
      fake.delay = 100;
      asked(0x161e, 0x1620);
      // A master that asks every 12 s: the pack is still online when that counts as gone.
      for (let turn = 0; turn < 3; turn++) {
        clock.runFor(12_000);
        asked(0x1620);
      }
      while (monitor.listening) clock.runFor(10);
      expect([monitor.pack.online, monitor.pack.configurationLoaded]).toEqual([true, true]);
      expect(monitor.parameter("cell_count", 16)?.reason).toBe("not-loaded");
      while (unread()) clock.runFor(100);
      expect(monitor.parameter("cell_count", 16)).toBeUndefined();
    });

    it("settings and device information that have changed are taken the second time, also when they are asked for in turn", () => {
      asked(0x1620, 0x161e, 0x161c, 0x1620, 0x161e, 0x161c);
      const changed = { 0x161e: T1.slice(), 0x161c: T3.slice() };
      for (const frame of Object.values(changed)) {
        frame[6]! ^= 1;
        frame[299] = frame.subarray(0, 299).reduce((sum, byte) => sum + byte, 0) & 0xff;
      }
      const before = [monitor.pack.setup, monitor.pack.deviceInfo].map(({ view }) => view.getUint8(0));
      const now = (): number[] => [monitor.pack.setup, monitor.pack.deviceInfo].map(({ view }) => view.getUint8(0));
      const ask = (): void => {
        for (const register of [0x161e, 0x161c] as const)
          hear(request(address, register), concat(changed[register], ack(address, register)));
      };
      ask();
      expect(now()).toEqual(before);
      ask();
      expect(now()).toEqual(before.map((byte) => byte ^ 1));
    });

    it("keeps nothing that was heard before it fell silent, and what was heard after that", () => {
      asked(0x161e, 0x161c);
      for (let turn = 0; turn < 3; turn++) {
        asked(0x1620);
        clock.runFor(5_000);
      }
      expect(known()).toEqual([true, true, true, "15.10"]);
      // Another master's traffic goes on.
      for (let turn = 0; turn < 10; turn++) {
        hear(request(9, 0x1620));
        clock.runFor(5_000);
      }
      expect(monitor.pack.online).toBe(false);
      asked(0x161c, 0x1620);
      expect(known()).toEqual([true, false, false, "15.10"]);
      expect(sent).toBe(0);
    });
  });

  it("each telemetry that is heard is told of, and settings are not", () => {
    for (const settings of [true, false, true]) {
      events.length = 0;
      cycle(1, { settings });
      expect(events.filter((event) => event === "updated")).toHaveLength(1);
    }
  });

  it("the packs that are heard are known while it is listened to, whichever are polled", () => {
    expect(monitor.heard).toBe(0);
    for (let turn = 0; turn < 2; turn++) cycle();
    hear(request(4, 0x1620), concat(T2, ack(4, 0x1620)));
    expect([monitor.listening, monitor.heard]).toEqual([true, (1 << 1) | (1 << 4)]);
    // Once it is gone they are asked.
    clock.runFor(60_000);
    expect([monitor.listening, monitor.heard]).toEqual([false, 0]);
    monitor.close();
  });

  it("the frames of other packs and torn ones are passed over, and torn ones counted", () => {
    cycle(2);
    hear(request(1, 0x1620), T2.subarray(0, 250), ack(1, 0x1620));
    expect(monitor.pack.online).toBe(false);
    hear(request(1, 0x1620), concat(T2, ack(1, 0x1620)));
    expect(monitor.pack.online).toBe(true);
    expect(line.bus?.statistics.torn).toBe(1);
  });

  it("a master pack is heard as address 0, unasked", () => {
    open({ address: 0 });
    for (let turn = 0; turn < 3; turn++) {
      hear(concat(MASTER_T2, ack(0, 0x1620)), concat(MASTER_T1, ack(0, 0x161e)), request(1, 0x1620));
      clock.runFor(4000);
    }
    expect([sent, monitor.pack.online, monitor.pack.configurationLoaded]).toEqual([0, true, true]);
  });

  it("a frame whose acknowledgement names another block is nobody's", () => {
    for (let turn = 0; turn < 3; turn++)
      hear(request(1, 0x1620), concat(T1, ack(1, 0x1620)), concat(T2, ack(1, 0x161e)));
    expect(monitor.pack.online).toBe(false);
  });

  it("a write is refused with the reason, before anything is sent and before the BMS's own state counts", () => {
    hear(request(5, 0x1620));
    clock.runFor(1000);
    expect(monitor.pack.online).toBe(false);
    const refusal = { reason: "listening", message: expect.stringContaining("Another master") as string };
    expect(monitor.command("charge_mos", true)).toEqual(refusal);
    cycle();
    cycle();
    expect(monitor.command("charge_mos", true)).toEqual(refusal);
    expect(monitor.parameter("cell_count", 16)).toEqual(refusal);
    expect(monitor.command("make_tea", true)?.reason).toBe("unknown");
    expect(monitor.parameter("cell_count", 99)?.reason).toBe("invalid");
    clock.runFor(1000);
    expect(sent).toBe(0);
  });

  it("it is a concern that needs attention, unless listening is what was configured", () => {
    for (const mode of ["auto", "listen"] as const) {
      open({ mode });
      cycle();
      cycle();
      expect(has(monitor.pack.concerns, 17)).toBe(mode === "auto");
    }
  });
});

describe("time", () => {
  it("the pack goes offline within three of the master's cycles, 15 s at least", () => {
    for (const pause of [1000, 5000, 9000]) {
      open();
      for (let turn = 0; turn < 10; turn++) {
        hear(request(1, 0x1620), concat(T2, ack(1, 0x1620)));
        clock.runFor(pause - 120);
      }
      const limit = Math.max(3 * pause, OFFLINE_LISTENING);
      expect(monitor.pack.cycle).toBe(pause);
      const heard = clock.now - (monitor.pack.age as number);
      clock.runUntil(heard + limit - 500);
      expect(monitor.pack.online).toBe(true);
      clock.runUntil(heard + limit + 500);
      expect(monitor.pack.online).toBe(false);
    }
  });

  it("when the master has been silent for half a minute the pack is polled again", () => {
    new FakeBms(board);
    cycle();
    const silentSince = clock.now - 4500;
    clock.runUntil(silentSince + 30_000);
    expect([monitor.pack.online, sent]).toEqual([false, 0]);
    clock.runFor(4000);
    expect([monitor.pack.online, monitor.listening]).toEqual([true, false]);
    expect(monitor.pack.polls).toBeGreaterThan(0);
    expect(monitor.pack.lostPolls).toBe(0);
    expect(events).toContain("gone");
    clock.runFor(5000);
    expect(monitor.command("charge_mos", true)).toBeUndefined();
  });

  it("a poll that is under way when the master is heard is no lost poll, and the pack stays online on what is heard", () => {
    new FakeBms(board);
    clock.runFor(5000);
    expect(monitor.pack.online).toBe(true);
    const before = monitor.pack.lostPolls;
    for (let turn = 0; turn < 4; turn++) cycle();
    expect([monitor.pack.online, monitor.listening, monitor.pack.lostPolls]).toEqual([true, true, before]);
  });

  it("in mode listen nothing is sent however long the bus is silent", () => {
    open({ mode: "listen" });
    clock.runFor(3_600_000);
    expect(sent).toBe(0);
    cycle();
    expect(monitor.pack.online).toBe(true);
  });

  it("in mode poll a master is ignored", () => {
    open({ mode: "poll" });
    new FakeBms(board);
    for (let turn = 0; turn < 3; turn++) {
      hear(request(2, 0x1620));
      clock.runFor(2000);
    }
    expect([monitor.pack.online, monitor.listening]).toEqual([true, false]);
  });
});

describe("with a link that hears what it is told to", () => {
  let told: string[];
  let bank: TestBank;

  function listen(count: number, answer?: ReadAnswer): void {
    board = poweredBoard();
    ({ clock } = board);
    bank = new TestBank((pack) => void (pack.answers[TELEMETRY] = answer ?? pack.answers[TELEMETRY]));
    ({ monitor, told } = monitorOf(bank, identities(count)));
    monitor.start();
    Object.assign(bank.bus!, { listening: true, masterPresent: true });
    clock.runFor(1_000);
  }

  it.each([0, 2, 14])("who pack %i is counts once it has been heard twice", (at) => {
    listen(15, { outcome: "withheld", after: 10 });
    const known = identities(15, (address) => (address === 1 ? "" : `SN${address}`));
    monitor.reconfigure(BANK_SETTINGS, known);
    const link = bank.packs[at] as TestPack;
    link.telemetry.valid = true;
    link.deviceInfo.set(FIELDS.serialNumber, "OTHER");
    link.listener?.onForeignBlock(TELEMETRY, false);
    link.listener?.onForeignBlock(DEVICE_INFO, true);
    const { address } = known[at]!;
    expect(told).toEqual([`${address} online`]);
    link.listener?.onForeignBlock(DEVICE_INFO, false);
    expect(told.slice(1)).toEqual([at ? `${address} swapped for OTHER` : "1 is OTHER"]);
  });

  it.each([0, 2, 14])("what pack %i was heard to say once is read when the master is gone", (at) => {
    listen(15, { outcome: "withheld", after: 10 });
    const link = bank.packs[at] as TestPack;
    const pack = monitor.packs[at]!;
    link.telemetry.valid = link.setup.valid = link.deviceInfo.valid = true;
    link.listener?.onForeignBlock(TELEMETRY, false);
    for (const block of [SETUP, DEVICE_INFO] as const) link.listener?.onForeignBlock(block, true);
    expect(common(pack.concerns, SETTINGS_UNREAD)).toBe(SETTINGS_UNREAD);
    for (const one of bank.packs) one.answers[TELEMETRY] = { outcome: "ok", after: 10 };
    Object.assign(bank.bus!, { listening: false, masterPresent: false });
    clock.runFor(20_000);
    expect(([SETUP, DEVICE_INFO] as const).map((block) => link.times(block).length)).toEqual([1, 1]);
    expect(common(pack.concerns, SETTINGS_UNREAD)).toBe(0);
  });

  it("without memory for a timer the pack goes offline at the next beat", () => {
    listen(1);
    const [link] = bank.packs as [TestPack];
    link.telemetry.valid = true;
    link.listener?.onForeignBlock(TELEMETRY, false);
    const set = vi.spyOn(Timer, "set").mockImplementation(() => {
      throw new Error("no memory");
    });
    clock.runFor(OFFLINE_LISTENING - 1);
    expect(told).toEqual(["1 online"]);
    clock.runFor(1_000);
    expect(told).toEqual(["1 online", "1 offline"]);
    set.mockRestore();
  });
});
