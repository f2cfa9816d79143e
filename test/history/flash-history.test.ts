import { Cursor } from "flash-log/cursor";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import type FlashStorage from "embedded:storage/flash";
import { NorFlash } from "../../host-sim/nor-flash";
import { milliwatts } from "../../src/catalogue/computed";
import { discardHistory, FlashHistory, type HistoryDevice } from "../../src/history/flash-history";
import * as layout from "../../src/history/layout";
import { FINE_SECONDS, TICK } from "../../src/history/limits";
import { RecordStore } from "../../src/history/record-store";
import { FINE_RECORD } from "../../src/history/records";
import { BankSum } from "../../src/packs/bank-sum";
import { TestMonitor } from "../support/bms/bms-link";
import { FaultyStorage } from "../support/fakes/storage";

const NOW = 1_800_054_000;

let board: SimulatedBoard;
let flash: NorFlash;
let history: FlashHistory | undefined;
let utc: number | undefined;
let uptime: number;
const trace = vi.fn();
const open = vi.fn();
const failed = vi.fn();
const storedEvents = { tick: vi.fn(), flush: vi.fn() };
const pack = new TestMonitor();
const monitor = { isBusy: false, writes: { pending: false }, packs: [pack] };
const partition = { open } as unknown as typeof FlashStorage;

function start(intact = false): FlashHistory {
  history?.close();
  return (history = new FlashHistory({
    ...{ time: () => utc, uptime: () => uptime, offsetAt: () => 0, energy: undefined, relay: { value: 0 as const } },
    ...{ start: { intact }, storedEvents, flash: partition, storage: new FaultyStorage(board) },
    monitor: monitor as unknown as HistoryDevice["monitor"],
    parts: { failed },
  }));
}

beforeEach(() => {
  for (const mock of [trace, failed, storedEvents.tick, storedEvents.flush]) mock.mockClear();
  board = new SimulatedBoard({ console: trace });
  board.powerOn();
  flash = new NorFlash(layout.FIRST_SECTOR + layout.SECTORS);
  open.mockReset().mockReturnValue(Object.assign(flash, { status: () => ({ blocks: flash.wear.length }) }));
  Object.assign(monitor, { isBusy: false, writes: { pending: false } });
  utc = undefined;
  uptime = 0;
});
afterEach(() => {
  history?.close();
  history = undefined;
  board.powerOff();
});

const erased = (): number => flash.wear.reduce((sum, count) => sum + count, 0);
const append = (store: RecordStore, time: number | undefined, started = 0): void =>
  store.append(layout.FINE, new Uint8Array(FINE_RECORD.bytes), time, started);

function times(): (number | undefined)[] {
  const cursor = new Cursor(new RecordStore(flash).rings[layout.FINE]!);
  const list: (number | undefined)[] = [];
  while (cursor.next()) list.push(cursor.time);
  return list;
}

function reply(): void {
  const bank = new BankSum({ monitor: { packs: [pack] }, uptime: () => uptime });
  bank.update(pack, milliwatts(pack) ?? 0);
  history!.update(pack, bank);
}

it("erases ahead only while nothing is expected on the bus, and no write is pending", () => {
  start();
  monitor.isBusy = true;
  board.clock.runFor(3 * TICK);
  expect(erased()).toBe(0);
  monitor.isBusy = false;
  monitor.writes.pending = true;
  board.clock.runFor(3 * TICK);
  reply();
  expect(erased()).toBe(0);
  monitor.writes.pending = false;
  board.clock.runFor(TICK);
  expect(erased()).toBe(1);
});

it("erases ahead after a reply: nothing is expected on the bus then", () => {
  start();
  monitor.isBusy = true;
  reply();
  expect(erased()).toBe(1);
});

it("is a part of the device, in a partition of that name, and does nothing once it is closed", () => {
  expect(start().part).toBe("history");
  expect(open).toHaveBeenCalledWith({ path: "history" });
  history!.close();
  board.clock.runFor(3 * TICK);
  expect([erased(), storedEvents.tick.mock.calls.length]).toEqual([0, 0]);
});

it("knows about when it is from the newest ten minutes, while there is no clock", () => {
  const store = new RecordStore(flash);
  for (const time of [NOW, NOW + FINE_SECONDS, undefined]) append(store, time);
  expect(start().about).toBe(NOW + FINE_SECONDS);
  utc = NOW;
  expect(start().about).toBeUndefined();
});

it("gives records their time once there is a clock, one a tick", () => {
  const { store } = start();
  append(store, undefined, 60);
  append(store, undefined, 960);
  uptime = 2_000;
  board.clock.runFor(3 * TICK);
  expect(times()).toEqual([undefined, undefined]);
  utc = NOW;
  board.clock.runFor(TICK);
  expect(times()).toEqual([NOW - 2_000 + 60, undefined]);
  board.clock.runFor(TICK);
  expect(times()).toEqual([NOW - 2_000 + 60, NOW - 2_000 + 960]);
});

it("reports once that the flash fails", () => {
  const { store } = start();
  flash.power = 0;
  board.clock.runFor(2 * TICK);
  expect(failed).not.toHaveBeenCalled();
  for (let record = 0; record < 3; record++) append(store, NOW);
  board.clock.runFor(3 * TICK);
  expect(failed.mock.calls).toEqual([["history", new Error("the flash fails")]]);
});

it("keeps what is not complete over a restart, and the events", () => {
  utc = NOW;
  start();
  reply();
  board.clock.runFor(2 * TICK);
  expect(storedEvents.tick).toHaveBeenCalledTimes(2);
  expect(storedEvents.flush).not.toHaveBeenCalled();
  history!.save();
  expect(storedEvents.flush).toHaveBeenCalledTimes(1);
  utc = undefined;
  expect(start(true).recorder.startedAt).toBe(NOW);
});

describe("a factory reset", () => {
  const fill = (): RecordStore => {
    const store = new RecordStore(flash);
    append(store, NOW);
    expect(times()).toEqual([NOW]);
    return store;
  };

  it("forgets all of it, whether or not this run has opened the flash, and what is not complete", () => {
    utc = NOW;
    start();
    reply();
    history!.save();
    for (const isOpen of [true, false]) {
      const store = fill();
      open.mockClear();
      discardHistory({ flash: partition }, isOpen ? store : undefined);
      expect(times()).toEqual([]);
      expect(open).toHaveBeenCalledTimes(isOpen ? 0 : 1);
    }
    expect(trace).not.toHaveBeenCalled();
    utc = undefined;
    expect(start(true).recorder.startedAt).toBeUndefined();
  });

  it("says what cannot be erased, and goes on where there is no such flash", () => {
    const store = fill();
    flash.power = -1;
    discardHistory({ flash: partition }, store);
    expect(trace.mock.calls).toEqual([["reset: a part of the history cannot be erased\n"]]);
    open.mockImplementation(() => {
      throw new Error("no such partition");
    });
    discardHistory({ flash: partition }, undefined);
    expect(trace).toHaveBeenCalledTimes(1);
  });
});
