/** The board's port in virtual time: what can be opened on it, what it says when it cannot be opened, and what it hears. */
import { DEVICE_INFO, TELEMETRY, type ReadOutcome } from "jk-bms/types";
import { beforeEach, describe, expect, it } from "vitest";
import { bankOf } from "../../host-sim/bms/packs";
import type { SimulatedBoard } from "../../host-sim/board";
import Serial from "../../host-sim/io/serial";
import { BmsPort } from "../../src/bms/port";
import type { BmsLink } from "../../src/packs/link";
import type { BmsSettings } from "../../src/settings/types";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { FaultyStorage } from "../support/fakes/storage";

/** As long as any read may take. */
const PATIENCE = 3_000;

let board: SimulatedBoard;
let port: BmsPort;
let told: string[];

beforeEach(() => {
  board = lineBoard();
  told = [];
  port = new BmsPort({
    serial: Serial,
    build: board.config,
    parts: {
      failed: (part, error) => void told.push(`${part}: ${String(error)}`),
      works: (part) => void told.push(`${part} works`),
    },
  });
});

const bank = (count: number, options: { master?: boolean } = {}) =>
  bankOf({ clock: board.clock, wire: board.wire, count, ...options });
const settings = (changes: Partial<BmsSettings> = {}): BmsSettings => ({ ...BANK_SETTINGS, ...changes });

function read(link: BmsLink, block: typeof TELEMETRY | typeof DEVICE_INFO = TELEMETRY): ReadOutcome | undefined {
  let ended: ReadOutcome | undefined;
  link.read(block, (outcome) => (ended = outcome));
  board.clock.runFor(PATIENCE);
  return ended;
}

describe("a port that cannot be opened", () => {
  it("says so with the reason, and nothing can be opened on it", () => {
    board.refusals.serial = true;
    expect(() => port.openBms(settings())).toThrow("uart failed");
    expect(told).toEqual(["bms: Error: uart failed"]);
    expect(() => port.openPack(2)).toThrow("the bus is closed");
    expect(() => port.openProbe(2, false)).toThrow("the bus is closed");
    expect(port.heard).toBe(0);
  });

  it("can be opened later, and says that it works", () => {
    bank(1);
    board.refusals.serial = true;
    expect(() => port.openBms(settings())).toThrow("uart failed");
    board.refusals.serial = false;
    expect(read(port.openBms(settings()))).toBe("ok");
    expect(told).toEqual(["bms: Error: uart failed", "bms works"]);
    port.closeBus();
  });

  it("for what is on it, not for itself, is free again", () => {
    // A pack beyond the addresses of the DIP switch.
    expect(() => port.openBms(settings({ address: 16 }))).toThrow(RangeError);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^bms: RangeError: BMS address 16 /);
    bank(1);
    expect(read(port.openBms(settings()))).toBe("ok");
    port.closeBus();
  });
});

it("closed, it can be opened again, and nothing can be opened on it meanwhile", () => {
  bank(2);
  port.openBms(settings(), 2);
  expect(read(port.openPack(2))).toBe("ok");
  port.closeBus();
  expect(() => port.openPack(2)).toThrow("the bus is closed");
  expect(() => port.openProbe(2, false)).toThrow("the bus is closed");
  expect(read(port.openBms(settings()))).toBe("ok");
  expect(() => port.openPack(2)).toThrow("the bus is closed");
  port.closeBus();
});

describe("what a search opens", () => {
  it("beside one pack reads at any address, and leaves the bus when the search is over", () => {
    bank(3);
    const bms = port.openBms(settings());
    const probe = port.openProbe(3, false);
    expect([read(probe, DEVICE_INFO), probe.deviceInfo.valid]).toEqual(["ok", true]);
    port.closeProbes();
    expect(read(bms)).toBe("ok");
    expect(read(probe)).toBeUndefined();
    port.closeBus();
  });

  it("beside several packs shares their buffers, which they keep", () => {
    bank(3);
    port.openBms(settings(), 2);
    const [first, second] = [port.openPack(1), port.openPack(2)];
    expect([read(first), read(second)]).toEqual(["ok", "ok"]);
    const voltages = (): number[] => [first, second].map(({ telemetry: { view } }) => view.getUint16(0));
    const before = voltages();
    expect(read(port.openProbe(3, true), TELEMETRY)).toBe("ok");
    port.closeProbes();
    expect(voltages()).toEqual(before);
    expect(read(second)).toBe("ok");
    port.closeBus();
  });

  it("may be nothing at all", () => {
    bank(1);
    const bms = port.openBms(settings());
    port.closeProbes();
    expect(read(bms)).toBe("ok");
    port.closeBus();
    port.closeProbes();
  });
});

it("beside another master knows which packs it hears, and once closed none", () => {
  bank(2, { master: true });
  port.openBms(settings({ mode: "listen" }));
  expect(port.heard).toBe(0);
  board.clock.runFor(20_000);
  expect(port.heard & 0b110).toBe(0b110);
  expect(port.heard & ~0b111).toBe(0);
  port.closeBus();
  expect(port.heard).toBe(0);
});

it("has the device's storage, if it has one", () => {
  expect(port.storage).toBeUndefined();
  const storage = new FaultyStorage(board);
  const other = new BmsPort({
    serial: Serial,
    storage,
    build: board.config,
    parts: { failed: () => undefined, works: () => undefined },
  });
  expect(other.storage).toBe(storage);
});
