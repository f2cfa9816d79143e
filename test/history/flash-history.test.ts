import { afterEach, beforeEach, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import type FlashStorage from "embedded:storage/flash";
import { NorFlash } from "../../host-sim/nor-flash";
import { FlashHistory, type HistoryDevice } from "../../src/history/flash-history";
import * as layout from "../../src/history/layout";
import { TICK } from "../../src/history/limits";
import { FaultyStorage } from "../support/fakes/storage";

let board: SimulatedBoard;
let history: FlashHistory;
const flash = new NorFlash(layout.FIRST_SECTOR + layout.SECTORS);
const monitor = { isBusy: false, writes: { pending: false } };

beforeEach(() => {
  board = new SimulatedBoard();
  board.powerOn();
  history = new FlashHistory({
    ...{ time: () => undefined, uptime: () => 0, offsetAt: () => 0, energy: undefined, relay: { value: 0 } },
    ...{ settings: { bms: { address: 1 } }, start: { intact: false }, storedEvents: undefined },
    storage: new FaultyStorage(board),
    flash: {
      open: () => Object.assign(flash, { status: () => ({ blocks: flash.wear.length }) }),
    } as unknown as typeof FlashStorage,
    monitor: monitor as unknown as HistoryDevice["monitor"],
    parts: { failed: () => expect.unreachable() },
  });
});
afterEach(() => {
  history.close();
  board.powerOff();
});

it("erases ahead only while nothing is expected on the bus, and no write is pending", () => {
  const erased = (): number => flash.wear.reduce((sum, count) => sum + count, 0);
  monitor.isBusy = true;
  board.clock.runFor(3 * TICK);
  expect(erased()).toBe(0);
  monitor.isBusy = false;
  monitor.writes.pending = true;
  board.clock.runFor(3 * TICK);
  expect(erased()).toBe(0);
  monitor.writes.pending = false;
  board.clock.runFor(TICK);
  expect(erased()).toBe(1);
});
