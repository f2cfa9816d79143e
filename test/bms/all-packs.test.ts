/** A setting for all packs, in virtual time, with the firmware's port: one confirmed write after another, an outcome for each. */
import { afterEach, describe, expect, it } from "vitest";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { SimulatedBms } from "../../host-sim/bms/simulated-bms";
import type { SimulatedBoard } from "../../host-sim/board";
import Serial from "../../host-sim/io/serial";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { BmsPort } from "../../src/bms/port";
import type { SettingJob } from "../../src/bms/setting-job";
import { readState } from "../../src/runtime/state";
import { Random } from "../fuzz/random";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { identities } from "../support/bms/test-bank";
import { lineBoard } from "../support/bms/line";
import { FaultyStorage } from "../support/fakes/storage";

const NAME = "cell_ovp_voltage";
const FIELD = "VolCellOV";
const WRITE = 16;
/** The settings of a BMS are below (docs/jk-modbus.md). */
const SETUP_END = 0x1200;
/** Of 15 packs, each silent in the middle of its write. */
const LONG_ENOUGH = 120_000;

const traced: string[] = [];
let board: SimulatedBoard;
let monitor: SoloMonitor;
let bank: Bank;
let storage: FaultyStorage;

function open(count: number, kept?: typeof storage): void {
  monitor = new SoloMonitor({
    settings: { ...BANK_SETTINGS, mode: "auto" },
    opener: new BmsPort({
      serial: Serial,
      build: board.config,
      parts: { failed: () => undefined, works: () => undefined },
      ...(kept && { storage: kept }),
    }),
    packs: identities(count),
  });
  monitor.start();
}

function start(count: number): void {
  traced.length = 0;
  board = lineBoard({ console: (text) => traced.push(text) });
  bank = bankOf({ clock: board.clock, wire: board.wire, count, evolving: false });
  storage = new FaultyStorage(board);
  open(count, storage);
  const isLoaded = (): boolean => monitor.packs.every(({ configurationLoaded }) => configurationLoaded);
  while (!isLoaded() && board.clock.now < LONG_ENOUGH) run(10);
  expect(isLoaded()).toBe(true);
}
afterEach(() => monitor.close());

const run = (ms: number): void => board.clock.runFor(ms);
const job = (): SettingJob => monitor.writes.job as SettingJob;
const begin = (value: unknown = 3.6, name = NAME) =>
  (monitor.writes as Required<typeof monitor.writes>).parameterToAll(name, value as number, "API");
function finish(): void {
  const began = board.clock.now;
  while (job().isRunning && board.clock.now - began < LONG_ENOUGH) run(10);
  expect([job().isRunning, monitor.writes.pending]).toEqual([false, false]);
}
const outcomes = () =>
  monitor.packs.map((pack) => {
    const ending = job().endingOf(pack);
    return ending && ("outcome" in ending ? ending.outcome : ending.reason);
  });
const held = (): unknown[] => bank.packs.map(({ registers }) => registers.read(FIELD));
const noted = (): unknown => readState(storage, "allPacks");

describe.each([1, 4, 15])("with %i packs", (count) => {
  it("each has it, confirmed by itself, and no poll is lost or late", () => {
    start(count);
    const before = monitor.packs.map(({ lostPolls }) => lostPolls);
    const ages: number[] = [];
    const { cycle } = monitor;
    expect(begin()).toBeUndefined();
    expect(job().problem).toBe("");
    while (job().isRunning) {
      run(100);
      for (const pack of monitor.packs) ages.push(pack.age as number);
    }
    expect(outcomes()).toEqual(Array(count).fill("confirmed"));
    expect(held()).toEqual(Array(count).fill(3600));
    expect(job()).toMatchObject({ setting: NAME, problem: "" });
    expect(monitor.packs.map((pack) => job().endingOf(pack))).toEqual(
      monitor.packs.map(({ identity: { address } }) => ({
        name: NAME,
        value: "3.6",
        unit: "V",
        outcome: "confirmed",
        detail: "",
        origin: "API",
        ...(count > 1 && { pack: address }),
      })),
    );
    expect(monitor.packs.map(({ lostPolls }) => lostPolls)).toEqual(before);
    // Each has been polled between two writes.
    expect(Math.max(...ages)).toBeLessThan(cycle + 1_000);
  });
});

describe("another write", () => {
  it("is refused until the last pack has its outcome, also between two writes", () => {
    start(3);
    begin();
    let refusals = 0;
    while (job().isRunning) {
      const other = monitor.command("balance", false, monitor.packs[refusals % 3]);
      const again = begin(3.5);
      expect([other?.reason, again?.reason, monitor.writes.pending]).toEqual(["pending", "pending", true]);
      refusals++;
      run(5);
    }
    expect(refusals).toBeGreaterThan(10);
    expect(held()).toEqual([3600, 3600, 3600]);
    expect(monitor.command("balance", false)).toBeUndefined();
    expect(begin()?.reason).toBe("pending");
  });
});

describe("a pack", () => {
  it("that is offline has its outcome at once, and the others follow", () => {
    start(3);
    bank.packs[1]!.setOnline(false);
    run(30_000);
    expect(begin()).toBeUndefined();
    expect(outcomes()).toEqual([undefined, "offline", undefined]);
    finish();
    expect(outcomes()).toEqual(["confirmed", "offline", "confirmed"]);
    expect(held().map((value) => value === 3600)).toEqual([true, false, true]);
  });

  it("that refuses has its outcome, and the others follow", () => {
    start(3);
    bank.packs[0]!.faults.add({ kind: "refuse", code: 3, matching: (request) => request.function === WRITE });
    begin();
    finish();
    expect(outcomes()).toEqual(["refused", "confirmed", "confirmed"]);
  });

  it("that falls silent meanwhile is not confirmed, and the others follow", () => {
    start(3);
    begin();
    bank.packs[0]!.setOnline(false);
    bank.packs[2]!.faults.add({ kind: "no-answer", matching: (request) => request.function === WRITE });
    finish();
    const [first, second, third] = outcomes();
    expect(["not-sent", "no-reply", "lost", "offline"]).toContain(first);
    expect(second).toBe("confirmed");
    expect(["no-reply-applied", "no-reply-not-applied", "no-reply"]).toContain(third);
  });

  it("that has been swapped for another, or whose settings are not loaded, is not written to", () => {
    start(3);
    const { clock, wire } = board;
    monitor.reconfigure(
      { ...BANK_SETTINGS, mode: "auto" },
      identities(3).map((pack) => ({ ...pack, serial: pack.address === 2 ? "EXPECTED" : "" })),
    );
    bank.packs[2]!.setOnline(false);
    run(30_000);
    const fresh = new SimulatedBms({ clock, wire: wire.join(), address: 3 });
    fresh.faults.add({
      kind: "no-answer",
      matching: ({ register = 0 }) => register < SETUP_END || register === 0x161e,
    });
    run(15_000);
    begin();
    finish();
    expect(outcomes()).toEqual(["confirmed", "other-pack", "not-loaded"]);
    fresh.close();
  });
});

it("with all packs offline it is over at once, and the queue is free", () => {
  start(2);
  for (const pack of bank.packs) pack.setOnline(false);
  run(30_000);
  expect(begin()).toBeUndefined();
  expect([job().isRunning, monitor.writes.pending, outcomes()]).toEqual([false, false, ["offline", "offline"]]);
  expect(noted()).toBe("");
});

it.each([
  ["unknown", "no_such_setting", 1],
  ["invalid", NAME, 99],
] as const)("%s: nothing begins", (reason, name, value) => {
  start(2);
  expect(begin(value, name)?.reason).toBe(reason);
  expect([job(), monitor.writes.pending]).toEqual([undefined, false]);
});

it("while a write is pending, or another master is listened to, nothing begins", () => {
  start(2);
  monitor.command("balance", false);
  expect(begin()?.reason).toBe("pending");
  run(5_000);
  monitor.apply({ ...BANK_SETTINGS, mode: "listen" });
  run(5_000);
  expect(begin()?.reason).toBe("listening");
  expect(job()).toBeUndefined();
});

describe("it ends", () => {
  it("with the settings of the port: the rest has no outcome, and the queue is free", () => {
    start(4);
    begin();
    while (!outcomes()[1]) run(10);
    monitor.apply({ ...BANK_SETTINGS, mode: "auto", gap: 100 });
    expect(job()).toMatchObject({ isRunning: false, problem: "interrupted" });
    expect(outcomes().slice(0, 2)).toEqual(["confirmed", "confirmed"]);
    expect(outcomes()[3]).toBeUndefined();
    expect([monitor.writes.pending, noted()]).toEqual([false, ""]);
    run(LONG_ENOUGH);
    expect(held().map((value) => value === 3600)).toEqual([true, true, expect.any(Boolean), false]);
  });

  it("with the settings of the port while the first pack is written to, which is no end of its own", () => {
    start(2);
    while (monitor.isBusy) run(1);
    begin();
    run(50);
    monitor.apply({ ...BANK_SETTINGS, mode: "auto", gap: 100 });
    expect(job()).toMatchObject({ isRunning: false, problem: "interrupted" });
    expect(outcomes()).toEqual(["not-sent-busy", undefined]);
  });

  it("once: settings of the port that change later interrupt nothing", () => {
    start(2);
    begin();
    finish();
    monitor.apply({ ...BANK_SETTINGS, mode: "auto", gap: 100 });
    expect(job().problem).toBe("");
    expect(outcomes()).toEqual(["confirmed", "confirmed"]);
  });

  it.each([0, 1, 3])(
    "with another set of packs, here without pack %d: the outcomes of those that stay are kept, and why it ended",
    (gone) => {
      start(4);
      begin();
      while (!outcomes()[2]) run(10);
      const rest = identities(4).filter((_, index) => index !== gone);
      monitor.reconfigure({ ...BANK_SETTINGS, mode: "auto" }, rest);
      expect(job()).toMatchObject({ setting: NAME, isRunning: false, problem: "interrupted" });
      const before = ["confirmed", "confirmed", "confirmed", undefined].filter((_, index) => index !== gone);
      expect(outcomes()).toEqual(before);
      expect([monitor.writes.pending, noted()]).toEqual([false, ""]);
      run(LONG_ENOUGH);
      expect(outcomes()).toEqual(before);
    },
  );

  it("with a pack that falls silent meanwhile: it is tried at once, and no other loses a poll by that", () => {
    start(15);
    begin();
    const silent = bank.packs.slice(-3);
    for (const pack of silent) pack.setOnline(false);
    const healthy = (): number[] => monitor.packs.slice(0, -3).map(({ lostPolls }) => lostPolls);
    const before = healthy();
    finish();
    expect(outcomes().slice(-3)).toEqual(["offline", "offline", "offline"]);
    expect(healthy()).toEqual(before);
    expect(traced).toEqual([]);
  });

  it("with a restart, which says so once", () => {
    start(3);
    begin();
    while (!outcomes()[0]) run(10);
    expect(noted()).toBe(NAME);
    // As a power cut: nothing is told to the firmware.
    const cut = monitor;
    open(3, storage);
    expect(job()).toMatchObject({ setting: NAME, problem: "restarted", isRunning: false });
    expect([outcomes(), monitor.writes.pending]).toEqual([[undefined, undefined, undefined], false]);
    expect(noted()).toBe("");
    cut.close();
    monitor.close();
    open(3, storage);
    expect(job()).toBeUndefined();
  });
});

it("once it is over the packs are polled as before", () => {
  start(2);
  begin();
  finish();
  run(BANK_SETTINGS.interval);
  const polls = () => monitor.packs.map(({ polls }) => polls);
  const before = polls();
  run(10 * BANK_SETTINGS.interval);
  expect(polls()).toEqual(before.map((count) => count + 10));
});

describe("without a storage", () => {
  it("that works it is written all the same, and the log says why a restart would not be noticed", () => {
    start(2);
    storage.failsToOpen = true;
    expect(begin()).toBeUndefined();
    finish();
    expect(outcomes()).toEqual(["confirmed", "confirmed"]);
    const line = "bms: cannot store what is under way: Error: ESP_ERR_NVS_NOT_INITIALIZED\n";
    expect(traced).toEqual([line, line]);
  });

  it("that can be read at the start nothing was under way", () => {
    start(2);
    storage.put("state", "allPacks", NAME);
    storage.failsToOpen = true;
    monitor.close();
    open(2, storage);
    expect(job()).toBeUndefined();
  });

  it("with a text in it nothing was under way", () => {
    start(2);
    storage.put("state", "allPacks", 7);
    monitor.close();
    open(2, storage);
    expect(job()).toBeUndefined();
  });

  it("at all it is written all the same", () => {
    start(2);
    monitor.close();
    open(2);
    run(60_000);
    expect(begin()).toBeUndefined();
    finish();
    expect(outcomes()).toEqual(["confirmed", "confirmed"]);
    expect(traced).toEqual([]);
  });
});

it("ends whatever the line does, and no pack is confirmed that does not hold it", () => {
  start(4);
  const random = new Random(9);
  const kinds = ["no-answer", "bad-crc", "truncated", "noise", "stale", "ignore-write", "wrong-address"] as const;
  const seen = new Set<unknown>();
  for (let turn = 0; turn < 60; turn++) {
    const raw = 3_400 + turn * 3;
    for (const pack of bank.packs) {
      pack.faults.clear();
      if (random.once(2)) pack.faults.add({ kind: random.of(kinds), every: 1 + random.below(4), times: 8 });
    }
    expect([undefined, "pending"]).toContain(begin(raw / 1000)?.reason);
    finish();
    outcomes().forEach((outcome, index) => {
      seen.add(outcome);
      if (outcome === "confirmed") expect(held()[index]).toBe(raw);
    });
  }
  expect(outcomes()).not.toContain(undefined);
  expect([...seen]).toEqual(expect.arrayContaining(["confirmed"]));
  expect(seen.size).toBeGreaterThan(2);
});
