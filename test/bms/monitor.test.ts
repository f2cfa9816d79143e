import * as FIELDS from "jk-bms/field-table";
import { DEVICE_INFO, SETUP, TELEMETRY } from "jk-bms/types";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BACKSTOP_RESERVE, LINK_STUCK, WRITE_TIMEOUT } from "../../src/bms/limits.ts";
import {
  BLOCK_ATTEMPTS,
  DEVICE_INFO_PAUSE,
  DEVICE_INFO_PERIOD,
  OFFLINE_POLLS,
  OFFLINE_TIME,
  SETUP_PAUSE,
  LONE_SETUP_PERIOD,
  SETUP_PAUSE_AFTER_CHANGE,
} from "../../src/packs/limits.ts";
import { MAX_OBSERVERS } from "../../src/runtime/observers";
import type { BmsSettings } from "../../src/settings/types.ts";
import { TestBus, TestLink } from "../support/bms/bms-link.ts";
import { poweredBoard } from "../support/system/simulated-board.ts";
import type { SimulatedBoard } from "../../host-sim/board.ts";
import { watchTimers } from "../support/fakes/timers.ts";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { ENDING_OUTCOMES, REFUSAL_REASONS } from "../../src/bms/write-counters.ts";
import { sentenceOf } from "../../src/bms/write-report.ts";
import Time from "time";

const traced: string[] = [];
const told: string[] = [];
let board: SimulatedBoard;

function powerOn(ticks = 0): void {
  board = poweredBoard({ ticks, console: (text) => traced.push(text) });
}

const DEFAULTS: BmsSettings = { address: 1, baud: 115200, interval: 1000, readMode: "auto", gap: 75, mode: "auto" };
const OK = { outcome: "ok", after: 50 } as const;
const SILENT = { outcome: "no-reply", after: 400 } as const;

/** A monitor on a test link; `opened` collects the links, each made by `prepare`. */
function setUp(prepare: (link: TestLink) => void = () => undefined, settings = DEFAULTS) {
  const opened: { link: TestLink; settings: BmsSettings }[] = [];
  const monitor = new SoloMonitor({
    settings,
    opener: {
      open: (given) => {
        const link = new TestLink();
        prepare(link);
        opened.push({ link, settings: given });
        return new TestBus([link]);
      },
    },
  });
  // As the firmware does.
  globalThis.faults = {
    threw(part, error) {
      told.push(`${part}: ${String(error)}`);
      monitor.cancel();
    },
  };
  const changes: [number, boolean][] = [];
  monitor.observe({ packOnlineChanged: ({ online }) => void changes.push([board.clock.now, online]) });
  monitor.start();
  const [first] = opened;
  if (!first) throw new Error("not opened");
  return { monitor, link: first.link, opened, changes };
}

const run = (duration: number): void => board.clock.runFor(duration);
const runTo = (time: number): void => board.clock.runUntil(time);

beforeEach(() => {
  powerOn();
  traced.length = told.length = 0;
});

afterEach(() => void vi.restoreAllMocks());

describe("polling", () => {
  it("polls at once, then at each interval", () => {
    const { link } = setUp();
    run(3500);
    expect(link.times(TELEMETRY)).toEqual([0, 1000, 2000, 3000]);
    expect(traced).toEqual([]);
  });

  it("reads device information and then the settings when it comes online, then neither", () => {
    const { monitor, link } = setUp();
    run(49);
    expect(monitor.pack.online).toBe(false);
    run(1);
    expect(monitor.pack.online).toBe(true);
    expect(monitor.pack.configurationLoaded).toBe(false);
    run(100);
    expect(monitor.pack.configurationLoaded).toBe(true);
    run(LONE_SETUP_PERIOD - 1_000);
    expect(link.log.slice(0, 3).map(({ at, what }) => [at, what])).toEqual([
      [0, TELEMETRY],
      [50, DEVICE_INFO],
      [100, SETUP],
    ]);
    expect(link.times(DEVICE_INFO)).toHaveLength(1);
    expect(link.times(SETUP)).toHaveLength(1);
  });

  it("a reply that is doubted keeps the BMS online, and tells nobody of values", () => {
    const { monitor, link } = setUp();
    run(10_500);
    const updated = vi.fn();
    monitor.observe({ packUpdated: updated });
    link.answers[TELEMETRY] = { outcome: "doubtful", after: 50 };
    run(20_000);
    expect([monitor.pack.online, monitor.pack.lostPolls, updated.mock.calls]).toEqual([true, 0, []]);
    link.answers[TELEMETRY] = OK;
    run(1_000);
    expect(updated).toHaveBeenCalledOnce();
  });

  it.each([
    ["a MOSFET", FIELDS.chargeMos],
    ["the other MOSFET", FIELDS.dischargeMos],
    ["the capacity", FIELDS.fullCapacity],
  ])("%s that changes has the settings read again, once, and no more often than every 10 s", (_, field) => {
    const { link } = setUp();
    run(20_500);
    link.telemetry.set(field, 1);
    run(1_000);
    expect(link.times(SETUP)).toHaveLength(2);
    // A protection that holds it is no other change.
    run(15_000);
    expect(link.times(SETUP)).toHaveLength(2);
    for (let second = 0; second < 10; second++) {
      link.telemetry.set(field, second % 2);
      run(1_000);
    }
    run(SETUP_PAUSE_AFTER_CHANGE);
    const times = link.times(SETUP).slice(1);
    expect(times.length).toBeGreaterThanOrEqual(3);
    times.slice(1).forEach((at, place) => expect(at - times[place]!).toBeGreaterThanOrEqual(SETUP_PAUSE_AFTER_CHANGE));
  });

  it("a slow poll skips those it overlaps, and the next one keeps the schedule", () => {
    const { link } = setUp();
    run(500);
    link.answers[TELEMETRY] = { outcome: "ok", after: 2300 };
    run(500);
    expect(link.times(TELEMETRY)).toEqual([0, 1000]);
    link.answers[TELEMETRY] = OK;
    runTo(5999);
    expect(link.times(TELEMETRY)).toEqual([0, 1000, 4000, 5000]);
  });

  it("a delayed poll is made up once", () => {
    const { link } = setUp((made) => {
      made.answers[SETUP] = { outcome: "ok", after: 2500 };
    });
    runTo(4500);
    expect(link.times(TELEMETRY)).toEqual([0, 2600, 3000, 4000]);
  });

  it("rereads the settings and the device information, each after its own period", () => {
    const { link } = setUp();
    runTo(LONE_SETUP_PERIOD + 149);
    expect(link.times(SETUP)).toHaveLength(1);
    run(1100);
    expect(link.times(SETUP)).toHaveLength(2);
    runTo(DEVICE_INFO_PERIOD + 99);
    expect(link.times(DEVICE_INFO)).toHaveLength(1);
    run(1100);
    expect(link.times(DEVICE_INFO)).toHaveLength(2);
  });

  it("keeps the uptime across the tick wrap even if nobody reads it", () => {
    const DAY = 86_400_000;
    const { monitor } = setUp(undefined, { ...DEFAULTS, interval: DAY });
    run(100 * DAY);
    expect(monitor.uptime).toBe((100 * DAY) / 1000);
  });

  it("does not poll more often when started twice", () => {
    const { monitor, link } = setUp();
    run(500);
    monitor.start();
    runTo(2500);
    expect(link.times(TELEMETRY)).toEqual([0, 1000, 2000]);
  });

  it("continues across the tick wrap", () => {
    powerOn(0x7fffffff - 10_000);
    const { link, monitor } = setUp();
    run(LONE_SETUP_PERIOD + 20_000);
    expect(link.times(TELEMETRY)).toHaveLength((LONE_SETUP_PERIOD + 20_000) / 1000 + 1);
    expect(link.times(SETUP)).toHaveLength(2);
    expect(monitor.pack.online).toBe(true);
    expect(monitor.uptime).toBe((LONE_SETUP_PERIOD + 20_000) / 1000);
  });
});

describe("blocks that fail to arrive", () => {
  it("are retried once after each good poll, then after a pause", () => {
    const { monitor, link } = setUp((made) => {
      made.answers[SETUP] = SILENT;
    });
    runTo(10_000);
    expect(link.times(SETUP)).toEqual([100, 1050, 2050]);
    expect(BLOCK_ATTEMPTS).toBe(3);
    expect(monitor.pack.configurationLoaded).toBe(false);
    expect(monitor.pack.online).toBe(true);
    link.answers[SETUP] = OK;
    runTo(2450 + SETUP_PAUSE);
    expect(link.times(SETUP)).toHaveLength(3);
    run(2000);
    expect(link.times(SETUP)).toHaveLength(4);
    expect(monitor.pack.configurationLoaded).toBe(true);
  });

  it("a pack without device information still gets loaded after the last attempt", () => {
    const { monitor, link } = setUp((made) => {
      made.answers[DEVICE_INFO] = { outcome: "exception", after: 50 };
    });
    runTo(2099);
    expect(monitor.pack.configurationLoaded).toBe(false);
    runTo(4000);
    expect(monitor.pack.configurationLoaded).toBe(true);
    expect(link.times(DEVICE_INFO)).toEqual([50, 1050, 2050]);
    expect(link.times(SETUP)).toEqual([3050]);
    expect(monitor.pack.deviceInfo.valid).toBe(false);
    runTo(2100 + DEVICE_INFO_PAUSE);
    expect(link.times(DEVICE_INFO)).toHaveLength(3);
    run(1000);
    expect(link.times(DEVICE_INFO)).toHaveLength(4);
  });

  it("a later failure to read the settings keeps the previous one", () => {
    const { monitor, link } = setUp();
    run(1000);
    link.answers[SETUP] = SILENT;
    run(LONE_SETUP_PERIOD + 5000);
    expect(link.times(SETUP).length).toBeGreaterThan(1);
    expect(monitor.pack.configurationLoaded).toBe(true);
    expect(monitor.pack.setup.valid).toBe(true);
  });

  it("are not requested while telemetry fails", () => {
    const { link } = setUp((made) => {
      made.answers[DEVICE_INFO] = SILENT;
    });
    run(500);
    link.answers[TELEMETRY] = SILENT;
    run(3000);
    expect(link.times(DEVICE_INFO)).toEqual([50]);
  });
});

describe("online and offline", () => {
  it("stays offline until a valid reply", () => {
    const { monitor, link, changes } = setUp((made) => {
      made.answers[TELEMETRY] = SILENT;
    });
    run(10_000);
    link.answers[TELEMETRY] = { outcome: "exception", after: 50 };
    run(10_000);
    expect(monitor.pack.online).toBe(false);
    expect(changes).toEqual([]);
    expect(link.times(DEVICE_INFO)).toEqual([]);
  });

  it("with fast failures it goes offline when the time is up, not 1 ms earlier", () => {
    const { monitor, link, changes } = setUp();
    run(500);
    link.answers[TELEMETRY] = { outcome: "exception", after: 10 };
    const lastValid = 50;
    runTo(lastValid + OFFLINE_TIME - 1);
    expect(link.times(TELEMETRY).length).toBeGreaterThan(OFFLINE_POLLS);
    expect(monitor.pack.online).toBe(true);
    expect(monitor.pack.configurationLoaded).toBe(true);
    run(1);
    expect(monitor.pack.online).toBe(false);
    expect(monitor.pack.configurationLoaded).toBe(false);
    expect(changes).toEqual([
      [50, true],
      [lastValid + OFFLINE_TIME, false],
    ]);
  });

  it("with slow failures it goes offline at the third, even if the time was up before", () => {
    const { monitor, link } = setUp(undefined, { ...DEFAULTS, interval: 4000 });
    run(500);
    link.answers[TELEMETRY] = SILENT;
    runTo(4000 * (OFFLINE_POLLS - 1) + 400);
    expect(monitor.pack.online).toBe(true);
    runTo(4000 * OFFLINE_POLLS + 399);
    expect(monitor.pack.online).toBe(true);
    run(1);
    expect(monitor.pack.online).toBe(false);
  });

  it("goes offline across the tick wrap too", () => {
    powerOn(0x7fffffff - 2000);
    const { monitor, link } = setUp();
    run(500);
    link.answers[TELEMETRY] = { outcome: "exception", after: 10 };
    runTo(50 + OFFLINE_TIME - 1);
    expect(Time.ticks).toBeLessThan(0);
    expect(monitor.pack.online).toBe(true);
    run(1);
    expect(monitor.pack.online).toBe(false);
  });

  it("a valid reply resets both counts", () => {
    const { monitor, link } = setUp();
    runTo(1500);
    link.answers[TELEMETRY] = SILENT;
    runTo(5500);
    link.answers[TELEMETRY] = OK;
    runTo(6060);
    link.answers[TELEMETRY] = SILENT;
    expect(monitor.pack.online).toBe(true);
    runTo(6050 + OFFLINE_TIME - 1);
    expect(monitor.pack.online).toBe(true);
    run(1);
    expect(monitor.pack.online).toBe(false);
  });

  it("two failed polls do not take it offline, however long ago the last reply was", () => {
    const { monitor, link } = setUp(undefined, { ...DEFAULTS, interval: 10_000 });
    run(500);
    link.answers[TELEMETRY] = SILENT;
    runTo(20_000 + 9999);
    expect(monitor.pack.online).toBe(true);
    runTo(30_400);
    expect(monitor.pack.online).toBe(false);
  });

  it("offline keeps the last values; back online it rereads the other blocks and shows none of another pack's", () => {
    const { monitor, link } = setUp();
    run(1000);
    link.deviceInfo.set(FIELDS.bluetoothName, "Old");
    link.answers[TELEMETRY] = SILENT;
    run(10_000);
    expect(monitor.pack.online).toBe(false);
    expect([monitor.pack.telemetry.valid, monitor.pack.setup.valid, monitor.pack.deviceInfo.valid]).toEqual([
      true,
      true,
      true,
    ]);
    const reads = link.times(SETUP).length;
    link.answers[TELEMETRY] = OK;
    runTo(12_050);
    expect(monitor.pack.online).toBe(true);
    expect([monitor.pack.telemetry.valid, monitor.pack.setup.valid, monitor.pack.deviceInfo.valid]).toEqual([
      true,
      false,
      false,
    ]);
    expect(monitor.pack.configurationLoaded).toBe(false);
    run(50);
    expect(monitor.pack.deviceInfo.valid).toBe(true);
    expect(monitor.pack.configurationLoaded).toBe(false);
    run(50);
    expect(monitor.pack.setup.valid).toBe(true);
    expect(monitor.pack.configurationLoaded).toBe(true);
    expect(link.times(SETUP)).toHaveLength(reads + 1);
  });
});

describe("writes", () => {
  it("start at once when the link is free, and the settings are reread afterwards", () => {
    const { monitor, link } = setUp();
    runTo(500);
    expect(monitor.parameter("cell_ovp_voltage", 3.65)).toBeUndefined();
    expect(link.times("cell_ovp_voltage")).toEqual([500]);
    expect(monitor.writes.pending).toBe(true);
    run(30);
    expect(monitor.writes.pending).toBe(false);
    expect(monitor.lastCommandOk).toBe(true);
    expect(link.times(SETUP).at(-1)).toBe(530);
  });

  it("of the Bluetooth name make it reread the device information", () => {
    const { monitor, link } = setUp();
    runTo(500);
    monitor.parameter("bluetooth_name", "Bank 1");
    run(200);
    expect(link.times(DEVICE_INFO).at(-1)).toBe(530);
    expect(link.times(SETUP)).toHaveLength(1);
  });

  it("take precedence over polls and other blocks", () => {
    const { monitor, link } = setUp();
    runTo(500);
    link.answers[TELEMETRY] = { outcome: "ok", after: 300 };
    runTo(1100);
    expect(link.busy).toBe(true);
    monitor.parameter("cell_ovp_voltage", 3.65);
    link.writeAnswer = { result: { outcome: "confirmed" }, after: 900 };
    runTo(3000);
    expect(link.log.filter(({ at }) => at >= 1000).map(({ at, what }) => [at, what])).toEqual([
      [1000, TELEMETRY],
      [1300, "cell_ovp_voltage"],
      [2200, TELEMETRY],
      [2500, SETUP],
      [3000, TELEMETRY],
    ]);
  });

  it("pending when the BMS goes offline end as lost, and a late result is ignored", () => {
    const { monitor, link } = setUp();
    runTo(1500);
    link.answers[TELEMETRY] = SILENT;
    runTo(4500);
    link.writeAnswer = { result: { outcome: "confirmed" }, after: 2000 };
    expect(monitor.command("charge_mos", false)).toBeUndefined();
    runTo(1050 + OFFLINE_TIME);
    expect(monitor.pack.online).toBe(false);
    expect(monitor.writes.pending).toBe(false);
    expect(monitor.lastCommand).toBe("charge_mos off: connection to the BMS lost; the outcome is unknown.");
    expect(monitor.command("charge_mos", false)?.reason).toBe("offline");
    run(3000);
    expect(monitor.lastCommandOk).toBe(false);
    expect(link.busy).toBe(true);
  });

  it("that the link never completes time out; a new one waits for the link", () => {
    const { monitor, link } = setUp();
    runTo(500);
    link.writeAnswer = "never";
    monitor.command("charge_mos", false);
    run(WRITE_TIMEOUT - BACKSTOP_RESERVE - 1);
    expect(monitor.writes.pending).toBe(true);
    run(1);
    expect(monitor.writes.pending).toBe(false);
    expect(monitor.command("charge_mos", true)).toBeUndefined();
    expect(link.times("charge_mos")).toHaveLength(1);
  });

  it("that cannot be started do not delay a poll that is due meanwhile", () => {
    const { monitor, link } = setUp((made) => {
      made.answers[SETUP] = { outcome: "ok", after: 2500 };
      made.writeAnswer = "throw";
    });
    runTo(2000);
    monitor.command("charge_mos", false);
    runTo(2600);
    expect(monitor.writes.pending).toBe(false);
    expect(link.times(TELEMETRY)).toEqual([0, 2600]);
  });

  it("that cannot be started do not delay polls", () => {
    const { monitor, link } = setUp();
    runTo(500);
    link.writeAnswer = "throw";
    monitor.command("charge_mos", false);
    expect(monitor.writes.pending).toBe(false);
    expect(monitor.lastCommandOk).toBe(false);
    runTo(3500);
    expect(link.times(TELEMETRY)).toEqual([0, 1000, 2000, 3000]);
  });

  it("of settings are refused until the settings have been read, commands are not", () => {
    const { monitor } = setUp((made) => {
      made.answers[SETUP] = SILENT;
    });
    runTo(900);
    expect(monitor.parameter("cell_ovp_voltage", 3.65)?.reason).toBe("not-loaded");
    expect(monitor.command("charge_mos", true)).toBeUndefined();
  });
});

describe("failures", () => {
  it("a read that throws counts as a failed poll, and polling continues", () => {
    const { monitor, link } = setUp();
    runTo(500);
    link.answers[TELEMETRY] = "throw";
    runTo(10_500);
    expect(link.times(TELEMETRY)).toHaveLength(11);
    expect(monitor.pack.online).toBe(false);
    expect(traced.length).toBeGreaterThan(0);
    expect(new Set(traced)).toEqual(new Set(["bms: cannot start a read: Error: ordered by the test\n"]));
    link.answers[TELEMETRY] = OK;
    runTo(11_500);
    expect(monitor.pack.online).toBe(true);
  });

  it("an observer that throws stops neither the others nor polling", () => {
    const { monitor, link } = setUp();
    const heard: number[] = [];
    const broken = (): void => {
      throw new Error("observer");
    };
    monitor.observe({ packUpdated: broken, packOnlineChanged: broken });
    monitor.observe({ packUpdated: () => void heard.push(board.clock.now) });
    runTo(2500);
    expect(heard).toEqual([50, 1050, 2050]);
    expect(link.times(SETUP)).toHaveLength(1);
    expect(traced).toHaveLength(4);
  });

  it("a link that cannot be closed is abandoned", () => {
    const { monitor, link, opened } = setUp();
    runTo(500);
    link.close = () => {
      throw new Error("close");
    };
    monitor.apply({ ...DEFAULTS, address: 2 });
    run(200);
    expect(opened).toHaveLength(2);
    expect(monitor.pack.configurationLoaded).toBe(true);
    expect(traced).toEqual(["bms: Error: close\n"]);
  });

  it("the number of observers is limited", () => {
    const { monitor } = setUp();
    // setUp has one already.
    for (let count = 1; count < MAX_OBSERVERS; count++) monitor.observe({});
    expect(() => monitor.observe({})).toThrow(RangeError);
  });

  it("a transaction that never ends makes the monitor reopen the link, no sooner than necessary", () => {
    const { monitor, link, opened, changes } = setUp();
    runTo(500);
    link.answers[TELEMETRY] = "never";
    runTo(1000 + LINK_STUCK - 1);
    expect(opened).toHaveLength(1);
    run(1);
    expect(opened).toHaveLength(2);
    expect(link.closed).toBe(true);
    expect(traced).toEqual(["bms: the link is stuck; reopening it\n"]);
    run(200);
    expect(monitor.pack.online).toBe(true);
    expect(monitor.pack.configurationLoaded).toBe(true);
    expect(changes.map(([, online]) => online)).toEqual([true, false, true]);
  });

  it("a write that never ends makes it reopen the link, timed from the start of the write", () => {
    const interval = 20_000;
    const { monitor, opened } = setUp(
      (link) => {
        link.writeAnswer = "never";
      },
      { ...DEFAULTS, interval },
    );
    runTo(interval - 1000);
    monitor.command("charge_mos", true);
    runTo(3 * interval - 1);
    expect(opened).toHaveLength(1);
    run(1);
    expect(opened).toHaveLength(2);
    expect(monitor.writes.pending).toBe(false);
  });

  it("a link that cannot be opened is retried at each poll, and logged once each time that it fails to work", () => {
    let failures = 3;
    const bus = new TestBus([new TestLink()]);
    const monitor = new SoloMonitor({
      settings: DEFAULTS,
      opener: {
        open: () => {
          if (failures-- > 0) throw new Error("no port");
          return bus;
        },
      },
    });
    monitor.start();
    runTo(2999);
    expect([monitor.pack.online, monitor.bus, monitor.pack.telemetry.valid]).toEqual([false, undefined, false]);
    expect(traced).toEqual(["bms: cannot open the link: Error: no port\n"]);
    run(51);
    expect(monitor.pack.online).toBe(true);
    expect(monitor.bus).toBe(bus);
    failures = 3;
    monitor.apply({ ...DEFAULTS, address: 2 });
    run(1500);
    expect(traced).toHaveLength(2);
  });

  it("a link that cannot be opened can be closed, and other settings be tried", () => {
    const tried: number[] = [];
    const monitor = new SoloMonitor({
      settings: DEFAULTS,
      opener: {
        open: (_settings, addresses) => {
          tried.push(...addresses);
          throw new Error("no port");
        },
      },
    });
    monitor.start();
    monitor.apply({ ...DEFAULTS, address: 2 });
    monitor.close();
    run(5000);
    expect(tried).toEqual([1, 2]);
    expect(traced).toEqual(["bms: cannot open the link: Error: no port\n"]);
  });

  /** Lets `busy` of the link throw from now on. */
  function breakDown(link: TestLink): void {
    Object.defineProperty(link, "busy", {
      get: () => {
        throw new Error("no memory");
      },
      set: () => undefined,
    });
  }

  it.each([
    ["at a beat", 990],
    ["when a reply has come", 1040],
  ])("an error %s is told, the bus is closed, and polling continues on another", (_, at) => {
    const { changes, link, opened } = setUp();
    runTo(at);
    breakDown(link);
    run(20);
    expect([told, opened.length]).toEqual([["bms: Error: no memory"], 1]);
    runTo(3500);
    expect([told.length, opened.length]).toEqual([1, 2]);
    expect(opened[1]!.link.times(TELEMETRY).slice(-2)).toEqual([2000, 3000]);
    expect(changes.map(([, online]) => online)).toEqual([true, false, true]);
  });

  it("an error in taking a reply is told; a write that waits ends unsent, and polling continues", () => {
    const { monitor, opened } = setUp();
    runTo(1040);
    monitor.command("charge_mos", true);
    vi.spyOn(monitor.quality, "ended").mockImplementationOnce(() => {
      throw new Error("no memory");
    });
    run(20);
    expect(told).toEqual(["bms: Error: no memory"]);
    expect(monitor.writes.lastOf(monitor.pack)).toMatchObject({ outcome: "not-sent-busy" });
    runTo(2500);
    expect([told.length, opened.length]).toEqual([1, 2]);
    expect(opened.flatMap(({ link }) => link.times("charge_mos"))).toEqual([]);
    expect(opened[1]!.link.times(TELEMETRY).at(-1)).toBe(2000);
  });
});

it("the revision changes with each poll, with the BMS going offline, and with another link", () => {
  const { monitor, link } = setUp();
  const seen = new Set<number>();
  const expectAnother = (): void => {
    expect(seen).not.toContain(monitor.pack.revision);
    seen.add(monitor.pack.revision);
  };
  for (let poll = 0; poll < 5; poll++) {
    run(DEFAULTS.interval);
    expectAnother();
  }
  link.answers[TELEMETRY] = "never";
  run(OFFLINE_TIME - DEFAULTS.interval);
  expect(monitor.pack.online).toBe(true);
  const before = monitor.pack.revision;
  for (let ms = 0; monitor.pack.online && ms < LINK_STUCK; ms++) run(1);
  expect(monitor.pack.online).toBe(false);
  expect(monitor.pack.revision).not.toBe(before);
  expectAnother();
  monitor.apply({ ...DEFAULTS, address: 2 });
  expectAnother();
});

describe("reconfigure", () => {
  it("applies a new interval without losing the BMS", () => {
    const { monitor, link, opened } = setUp();
    runTo(500);
    monitor.apply({ ...DEFAULTS, interval: 3000 });
    runTo(7000);
    expect(link.times(TELEMETRY)).toEqual([0, 3500, 6500]);
    expect(opened).toHaveLength(1);
    expect(monitor.pack.online).toBe(true);
  });

  it.each([
    { address: 2 },
    { baud: 9600 as const },
    { readMode: "frames" as const },
    { gap: 30 },
    { mode: "listen" as const },
  ])("reopens the link for %j", (change) => {
    const { monitor, link, opened, changes } = setUp();
    runTo(500);
    monitor.apply({ ...DEFAULTS, ...change });
    expect(link.closed).toBe(true);
    expect(opened).toHaveLength(2);
    expect(opened[1]?.settings).toEqual({ ...DEFAULTS, ...change });
    expect([monitor.pack.online, monitor.pack.configurationLoaded, monitor.pack.setup.valid]).toEqual([
      false,
      false,
      false,
    ]);
    expect([monitor.pack.telemetry.valid, monitor.pack.telemetryAge, monitor.pack.age]).toEqual([
      false,
      undefined,
      undefined,
    ]);
    expect(opened[1]?.link.times(TELEMETRY)).toEqual([500]);
    run(200);
    expect([monitor.pack.online, monitor.pack.configurationLoaded]).toEqual([true, true]);
    expect(changes.map(([, online]) => online)).toEqual([true, false, true]);
  });

  it("does nothing when the settings are the same", () => {
    const { monitor, link, opened } = setUp();
    runTo(500);
    monitor.apply({ ...DEFAULTS });
    runTo(1500);
    expect(opened).toHaveLength(1);
    expect(link.times(TELEMETRY)).toEqual([0, 1000]);
  });

  it("ends a waiting write as not sent, and ignores the old link from then on", () => {
    const { monitor, link, opened } = setUp();
    runTo(1010);
    expect(link.busy).toBe(true);
    monitor.command("charge_mos", true);
    monitor.apply({ ...DEFAULTS, gap: 100 });
    expect(monitor.lastCommand).toBe("charge_mos on: not sent: the line was busy, or was closed.");
    const fresh = opened[1]?.link;
    if (!fresh) throw new Error("not opened");
    // The old link's reply comes at 1050, before the new one's.
    runTo(1055);
    expect(monitor.pack.online).toBe(false);
    run(10);
    expect(monitor.pack.online).toBe(true);
    expect(fresh.times("charge_mos")).toEqual([]);
  });

  it("before the start only stores the settings", () => {
    const opened: BmsSettings[] = [];
    const monitor = new SoloMonitor({
      settings: DEFAULTS,
      opener: {
        open: (settings) => {
          opened.push(settings);
          return new TestBus([new TestLink()]);
        },
      },
    });
    monitor.apply({ ...DEFAULTS, address: 7 });
    expect(opened).toEqual([]);
    monitor.start();
    monitor.start();
    expect(opened).toEqual([{ ...DEFAULTS, address: 7 }]);
  });
});

it("close releases the link and every timer", () => {
  const timers = watchTimers();
  const { monitor, link } = setUp();
  runTo(500);
  link.answers[TELEMETRY] = { outcome: "exception", after: 10 };
  runTo(3500);
  link.writeAnswer = "never";
  monitor.command("charge_mos", true);
  // The heartbeat, the time that is left until offline, and the backstop of the write.
  expect(timers.size).toBe(3);
  monitor.close();
  expect(timers.size).toBe(0);
  expect(link.closed).toBe(true);
  run(60_000);
  expect(link.times(TELEMETRY)).toEqual([0, 1000, 2000, 3000]);
  expect(monitor.pack.online).toBe(false);
});

it("can be started again after a close in the middle of a poll", () => {
  const { monitor, opened } = setUp();
  runTo(1010);
  monitor.close();
  monitor.start();
  runTo(2500);
  expect(opened[1]?.link.times(TELEMETRY)).toEqual([1010, 2010]);
  expect(monitor.pack.online).toBe(true);
});

it("never runs two transactions at once, in any state of the link", () => {
  // TestLink throws when it is asked while busy, which would be traced.
  const { monitor, link } = setUp();
  let seed = 12345;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 2000; round++) {
    for (const block of [SETUP, TELEMETRY, DEVICE_INFO] as const)
      link.answers[block] = { outcome: random(4) ? "ok" : "no-reply", after: 1 + random(2500) };
    link.writeAnswer = { result: { outcome: random(2) ? "confirmed" : "no-reply" }, after: 1 + random(7000) };
    if (random(3)) monitor.command("charge_mos", random(2) === 1);
    else monitor.parameter("cell_count", 1 + random(24));
    run(random(3000));
  }
  expect(traced).toEqual([]);
  expect(link.log.length).toBeGreaterThan(1000);
});

it("before the start nothing is under way, listened to or known", () => {
  const monitor = new SoloMonitor({
    settings: DEFAULTS,
    opener: { open: () => new TestBus([new TestLink()]) },
  });
  expect([monitor.isBusy, monitor.listening, monitor.pack.online, monitor.bus]).toEqual([
    false,
    false,
    false,
    undefined,
  ]);
  expect(monitor.command("charge_mos", true)?.reason).toBe("offline");
  expect([monitor.pollsBegun, monitor.pack.polls, monitor.uptime]).toEqual([0, 0, 0]);
  run(2345);
  expect([monitor.uptime, monitor.centiseconds]).toEqual([2, 234]);
});

describe("counters and observers", () => {
  it("count a poll when it begins and when it has ended", () => {
    const { monitor } = setUp();
    expect([monitor.pollsBegun, monitor.pack.polls]).toEqual([1, 0]);
    runTo(2500);
    expect([monitor.pollsBegun, monitor.pack.polls]).toEqual([3, 3]);
    runTo(3001);
    expect([monitor.pollsBegun, monitor.pack.polls]).toEqual([4, 3]);
  });

  it("tell settings and telemetry that have changed apart", () => {
    const { monitor, link } = setUp();
    runTo(500);
    const [revision, settings] = [monitor.pack.revision, monitor.pack.setupRevision];
    runTo(3500);
    expect(monitor.pack.setupRevision).toBe(settings);
    expect(monitor.pack.revision).not.toBe(revision);
    monitor.parameter("cell_ovp_voltage", 3.65);
    run(200);
    expect(link.times(SETUP)).toHaveLength(2);
    expect(monitor.pack.setupRevision).not.toBe(settings);
  });

  it("tell of valid replies only, and of no write before there was one", () => {
    const told: string[] = [];
    const link = new TestLink();
    const monitor = new SoloMonitor({
      settings: DEFAULTS,
      opener: { open: () => new TestBus([link]) },
    });
    monitor.observe({
      packUpdated: () => void told.push(`updated ${board.clock.now}`),
      writeEnded: () => void told.push("written"),
      packIdentified: () => void told.push("identified"),
    });
    monitor.start();
    runTo(1500);
    link.answers[TELEMETRY] = SILENT;
    runTo(2500);
    link.answers[TELEMETRY] = OK;
    runTo(3500);
    expect(told).toEqual(["updated 50", "updated 1050", "updated 3050"]);
    monitor.command("charge_mos", true);
    run(400);
    expect(told.slice(3)).toEqual(["written"]);
  });

  it("count polls and lost polls, and give the age of the telemetry", () => {
    const { monitor, link } = setUp();
    expect([monitor.pack.polls, monitor.pack.lostPolls, monitor.pack.telemetryAge]).toEqual([0, 0, undefined]);
    runTo(2500);
    expect([monitor.pack.polls, monitor.pack.lostPolls, monitor.pack.telemetryAge]).toEqual([3, 0, 0]);
    link.answers[TELEMETRY] = SILENT;
    runTo(6500);
    expect([monitor.pack.polls, monitor.pack.lostPolls, monitor.pack.telemetryAge]).toEqual([7, 4, 4]);
  });

  it("give the age of the telemetry in milliseconds across the tick wrap", () => {
    const { monitor, link } = setUp(undefined, { ...DEFAULTS, interval: 60_000 });
    expect(monitor.pack.age).toBeUndefined();
    runTo(2500);
    const age = monitor.pack.age!;
    expect(age).toBeGreaterThan(0);
    link.answers[TELEMETRY] = SILENT;
    run(1234);
    expect(monitor.pack.age).toBe(age + 1234);
    const days = 30 * 86_400;
    for (let day = 0; day < 30; day++) run(86_400_000);
    expect(monitor.pack.age).toBeGreaterThanOrEqual(days * 1000);
    expect(monitor.pack.age).toBeLessThan((days + 100) * 1000);
  });

  it("report each completed write once, with its outcome, after the caller has returned", () => {
    const { monitor, link } = setUp();
    const told: string[] = [];
    monitor.observe({ writeEnded: (report) => void told.push(sentenceOf(report)) });
    runTo(1500);
    monitor.command("charge_mos", true);
    expect(monitor.command("charge_mos", true)?.reason).toBe("pending");
    expect(monitor.command("explode", true)?.reason).toBe("unknown");
    runTo(3000);
    link.writeAnswer = { result: { outcome: "refused", exception: 2 }, after: 50 };
    monitor.command("discharge_mos", false);
    runTo(4500);
    expect(told).toEqual([
      "charge_mos on: confirmed by the BMS.",
      "discharge_mos off: refused by the BMS, exception 2 (illegal data address).",
    ]);
    const { writeCounters } = monitor;
    expect(
      Object.fromEntries(ENDING_OUTCOMES.map((outcome, at) => [outcome, writeCounters.endings[at]])),
    ).toMatchObject({
      confirmed: 1,
      refused: 1,
      lost: 0,
    });
    expect(Object.fromEntries(REFUSAL_REASONS.map((reason, at) => [reason, writeCounters.refusals[at]]))).toEqual({
      unknown: 1,
      invalid: 0,
      offline: 0,
      "not-loaded": 0,
      pending: 1,
      listening: 0,
      "other-pack": 0,
      "off-voltage": 0,
    });
  });
});
