import { beforeEach, describe, expect, it } from "vitest";
import { EventRing } from "../../src/events/event-ring";
import { MAX_EVENTS, MAX_EVENT_TEXT } from "../../src/events/limits";
import { LINE_BYTES, LINES_AT } from "../../src/runtime/retained";
import type { SimulatedBoard } from "../../host-sim/board";
import type { EventText } from "../../src/events/types";
import { EventRecorder } from "../../src/events/record";
import { Observers } from "../../src/runtime/observers";
import type { RelayObserver } from "../../src/relay/types";
import type { BmsObserver } from "../../src/bms/types";
import { StillMonitor } from "../support/bms/still-monitor";
import { startSettings } from "../support/fakes/settings";
import { poweredBoard } from "../support/system/simulated-board";
import { FaultyStorage } from "../support/fakes/storage";

let now: number;
let log: EventRing;
let board: SimulatedBoard;
beforeEach(() => {
  now = 0;
  time = undefined;
  board = poweredBoard();
  log = started(false, 0);
});

let time: number | undefined;
const started = (kept: boolean, restarts: number): EventRing =>
  new EventRing({ uptime: () => now, time: () => time, start: { intact: kept, restarts } });

const texts = (): string[] => Array.from({ length: log.length }, (_, index) => log.at(index).text);

/** Any text: the ring does not look at it. */
const add = (text: string): void => log.add(text as EventText);

describe("the ring", () => {
  it("keeps the last MAX_EVENTS lines, oldest first, each with its time", () => {
    for (let count = 1; count <= 3 * MAX_EVENTS + 1; count++) {
      now = count;
      add(`line ${count}`);
      expect(log.length).toBe(Math.min(count, MAX_EVENTS));
      expect(log.at(0)).toEqual({
        uptime: Math.max(1, count - MAX_EVENTS + 1),
        before: false,
        text: `line ${log.at(0).uptime}`,
      });
      expect(log.at(log.length - 1)).toEqual({ uptime: count, before: false, text: `line ${count}` });
    }
  });

  it.each([-1, 2, 3, NaN])("has no line %d", (index) => {
    add("a");
    add("b");
    expect(() => log.at(index)).toThrow(RangeError);
  });

  it("truncates a line after MAX_EVENT_TEXT characters", () => {
    for (const length of [MAX_EVENT_TEXT - 1, MAX_EVENT_TEXT, MAX_EVENT_TEXT + 1]) add("x".repeat(length));
    expect(texts().map(({ length }) => length)).toEqual([MAX_EVENT_TEXT - 1, MAX_EVENT_TEXT, MAX_EVENT_TEXT]);
  });
});

describe("a restart", () => {
  const MINUTE = 60;
  const YEAR_2020 = Date.UTC(2020, 0, 1) / 1_000;
  const YEAR_2051 = YEAR_2020 + 0xff_ffff * MINUTE;

  it.each([
    [undefined, undefined],
    [0, undefined],
    [YEAR_2020, undefined],
    [YEAR_2020 + MINUTE, YEAR_2020 + MINUTE],
    [YEAR_2020 + 2 * MINUTE - 1, YEAR_2020 + MINUTE],
    [Date.UTC(2026, 4, 4, 13, 20, 59) / 1_000, Date.UTC(2026, 4, 4, 13, 20) / 1_000],
    [YEAR_2051, YEAR_2051],
    [YEAR_2051 + MINUTE, YEAR_2051],
  ])("keeps the time of a line, %s, to the minute: %s", (set, kept) => {
    time = set;
    add("x".repeat(MAX_EVENT_TEXT));
    time = undefined;
    log = started(true, 1);
    expect(log.at(0)).toEqual({ uptime: 0, time: kept, before: true, text: "x".repeat(MAX_EVENT_TEXT) });
  });

  it.each([1, MAX_EVENTS - 1, MAX_EVENTS, 3 * MAX_EVENTS + 5])(
    "keeps the last lines of %d, marked, and appends new ones",
    (count) => {
      for (now = 1; now <= count; now++) add(`line ${now}`);
      const before = texts();
      log = started(true, 1);
      expect(texts()).toEqual(before);
      expect(log.at(0).before && log.at(log.length - 1).before).toBe(true);
      now = 0;
      add("anew");
      expect(texts()).toEqual([...before, "anew"].slice(-MAX_EVENTS));
      expect(log.at(log.length - 1)).toEqual({ uptime: 0, before: false, text: "anew" });
    },
  );

  it("after a power cut has no lines, and none return at the next", () => {
    for (const text of ["a", "b", "c"]) add(text);
    log = started(false, 0);
    expect(log.length).toBe(0);
    add("d");
    log = started(true, 1);
    expect(texts()).toEqual(["d"]);
  });

  it("while a line is being written loses that line and older ones, but never shows garbage", () => {
    for (const text of ["a", "b", "c", "d"]) add(text);
    const place = LINES_AT + 2 * LINE_BYTES + 12;
    board.kept[place] = (board.kept[place] as number) ^ 1;
    log = started(true, 1);
    expect(texts()).toEqual(["c", "d"]);
  });

  it("has room for the longest line", () => {
    expect(11 + MAX_EVENT_TEXT + 2).toBeLessThanOrEqual(LINE_BYTES);
  });
});

describe("an observer", () => {
  const numberOf = (index: number): number => log.newest - log.length + 1 + index;

  it("is told of each event, which is in the log by then, with a number that counts up beyond the ring and a restart", () => {
    expect(log.newest).toBe(0);
    const heard: [text: string, newest: number][] = [];
    log.observe({
      eventAdded: (text) => {
        expect(log.at(log.length - 1).text).toBe(text);
        heard.push([text, log.newest]);
      },
    });
    for (let count = 1; count <= MAX_EVENTS + 2; count++) add(`line ${count}`);
    expect(heard).toEqual(Array.from({ length: MAX_EVENTS + 2 }, (_, at) => [`line ${at + 1}`, at + 1]));
    expect([numberOf(0), log.at(0).text]).toEqual([3, "line 3"]);
    log = started(true, 1);
    expect(log.newest).toBe(MAX_EVENTS + 2);
  });

  it("that fails keeps no event from the log or from others", () => {
    const heard: string[] = [];
    log.observe({
      eventAdded: () => {
        throw new Error("no memory");
      },
    });
    log.observe({ eventAdded: (text) => heard.push(text) });
    add("a");
    add("b");
    expect([texts(), heard]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });
});

it("a character outside printable ASCII becomes a question mark", () => {
  add("Lítio €5~");
  expect(texts()).toEqual(["L?tio ?5~"]);
});

/** A monitor and a relay that a test makes tell of what happens. */
class Sources extends StillMonitor {
  readonly observers = new Observers<BmsObserver & RelayObserver>();
  observe(observer: BmsObserver & RelayObserver): void {
    // The one that is both: the recorder.
    if (!this.observed) this.observers.add(observer);
    this.observed = true;
  }
  private observed = false;
}

describe("records", () => {
  const calm = { reason: "power-on", where: "", safe: false };
  const record = (storage = new FaultyStorage(), start = calm, problems: readonly EventText[] = [], job?: object) => {
    const sources = Object.assign(new Sources(), { writes: { job } as never });
    const settings = startSettings(storage);
    new EventRecorder(log, {
      monitor: sources,
      relay: sources,
      settings,
      build: { version: "1.2.3", build: "abc" },
      start,
      parts: { problems },
    });
    return { sources, settings };
  };

  it("the start, with problems of the stored settings", () => {
    const storage = new FaultyStorage();
    storage.put("settings", "relay", "}");
    record(storage);
    expect(texts()).toEqual([
      "started\t1.2.3\tabc",
      "start-reason\tpower-on",
      "settings\tcorrupt\trelay",
      "settings\tmissing\tweb",
      "settings\tmissing\tapi",
    ]);
  });

  it("parts that failed before there was a log", () => {
    record(undefined, calm, ["part-failed\tled\tin use"]);
    expect(texts().slice(2)).toEqual(["part-failed\tled\tin use"]);
  });

  it("that the storage stopped accepting settings", () => {
    const storage = new FaultyStorage();
    const { settings } = record(storage);
    storage.writesLeft = 0;
    for (let round = 0; round < 2; round++) settings.update("relay", { mode: 1 });
    expect(texts().slice(2)).toEqual(["settings\tunwritable\trelay"]);
  });

  it("why it started, where it crashed, and safe mode", () => {
    record(undefined, { reason: "panic", where: "task main, pc 0x400d1a2b", safe: true });
    expect(texts().slice(1)).toEqual(["start-reason\tpanic", "crashed\ttask main, pc 0x400d1a2b", "safe-mode"]);
  });

  it.each([
    ["restarted", ["all-packs-ended\tcell_count"]],
    ["interrupted", []],
  ])("a setting for all packs that was %s", (problem, recorded) => {
    record(undefined, calm, [], { problem, setting: "cell_count" });
    expect(texts().slice(2)).toEqual(recorded);
  });

  it("online and offline, writes, and the relay", () => {
    const { sources } = record();
    const { pack } = sources;
    sources.observers.report("packOnlineChanged", pack);
    sources.observers.report("writeEnded", {
      ...{ name: "charge_mos", value: "off", outcome: "not-applied", detail: "on", unit: "", origin: "MQTT" },
    });
    sources.observers.report("relaySwitched", true);
    sources.observers.report("relaySwitched", false);
    pack.online = false;
    sources.observers.report("packOnlineChanged", pack);
    expect(texts().slice(2)).toEqual([
      "bms-online",
      "write\tcharge_mos\toff\tnot-applied\t\t\tMQTT\ton",
      "relay-on",
      "relay-off",
      "bms-offline",
    ]);
  });

  it("changed groups by name, never their values", () => {
    const { settings } = record();
    settings.update("api", { token: "a-secret-that-is-long-enough" });
    settings.update("network", { password: "hunter2hunter2" });
    settings.update("mqtt", { password: "mosquitto" });
    settings.update("snmp", { community: "hush" });
    expect(texts().slice(2)).toEqual(["api", "network", "mqtt", "snmp"].map((group) => `settings-changed\t${group}`));
  });
});
