/** The board's port in virtual time: what can be opened on it, what it says when it cannot be opened, and what it hears. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { TELEMETRY, type ReadOutcome } from "jk-bms/types";
import { beforeEach, describe, expect, it } from "vitest";
import { bankOf } from "../../host-sim/bms/packs";
import type { SimulatedBoard } from "../../host-sim/board";
import Serial from "../../host-sim/io/serial";
import { BmsPort } from "../../src/bms/port";
import type { BmsBus, BmsLink } from "../../src/packs/link";
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

/** Packs whose state of charge is 50 % and their address. */
function bank(count: number, options: { master?: boolean } = {}): void {
  const { packs } = bankOf({ clock: board.clock, wire: board.wire, count, evolving: false, ...options });
  packs.forEach(({ registers }, index) => registers.write("SOC", 51 + index));
}
const settings = (changes: Partial<BmsSettings> = {}): BmsSettings => ({ ...BANK_SETTINGS, ...changes });

function read(link: BmsLink | undefined): ReadOutcome | undefined {
  let ended: ReadOutcome | undefined;
  link?.read(TELEMETRY, (outcome) => (ended = outcome));
  board.clock.runFor(PATIENCE);
  return ended;
}

const open = (changes?: Partial<BmsSettings>, addresses: readonly number[] = [1]): BmsBus =>
  port.open(settings(changes), addresses);

describe("a port that cannot be opened", () => {
  it("says so with the reason", () => {
    board.refusals.serial = true;
    expect(() => open()).toThrow("uart failed");
    expect(told).toEqual(["bms: Error: uart failed"]);
  });

  it("can be opened later, and says that it works", () => {
    bank(1);
    board.refusals.serial = true;
    expect(() => open()).toThrow("uart failed");
    board.refusals.serial = false;
    const bus = open();
    expect(read(bus.links[0])).toBe("ok");
    expect(told).toEqual(["bms: Error: uart failed", "bms works"]);
    bus.close();
  });

  it("for what is on it, not for itself, is free again", () => {
    // A pack beyond the addresses of the DIP switch.
    expect(() => open({}, [16])).toThrow(RangeError);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^bms: RangeError: BMS address 16 /);
    bank(1);
    const bus = open();
    expect(read(bus.links[0])).toBe("ok");
    bus.close();
  });
});

it("closed, it can be opened again, with other packs too", () => {
  bank(3);
  for (const addresses of [[1, 2, 3], [2], [3, 1]]) {
    const bus = open({}, addresses);
    expect(bus.links.map((link) => read(link))).toEqual(addresses.map(() => "ok"));
    expect(bus.links.map(({ telemetry }) => readRaw(telemetry, FIELDS.soc))).toEqual(
      addresses.map((address) => 50 + address),
    );
    bus.close();
  }
});

it("beside another master knows which packs it hears", () => {
  bank(2, { master: true });
  const bus = open({ mode: "listen" });
  expect(bus.heard).toBe(0);
  board.clock.runFor(20_000);
  expect(bus.heard & 0b110).toBe(0b110);
  expect(bus.heard & ~0b111).toBe(0);
  bus.close();
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
