/** Replies of nothing but zeros, with a right CRC, twice in a row: no setting has changed, and no other pack is there. */
import { afterEach, describe, expect, it } from "vitest";
import { SETUP } from "jk-bms/types";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { serialNumberAt } from "../../host-sim/bms/simulated-bms";
import type { SimulatedBoard } from "../../host-sim/board";
import { IDENTITY_PERIOD } from "../../src/packs/limits";
import { zeros } from "../fuzz/damage";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { identities } from "../support/bms/test-bank";

/** Bytes of a reply to a read of so many words. */
const bytesOf = (words: number): number => 5 + 2 * words;
/** The parts of the settings, and the serial number alone. */
const PARTS = [54, 14, 12] as const;
const SERIALS = [13, 15, 16] as const;
const PACKS = 3;

let board: SimulatedBoard;
let bank: Bank;
let monitor: SoloMonitor;
let told: string[];

/** All packs are known. */
function start(): void {
  board = lineBoard();
  const { clock, wire } = board;
  bank = bankOf({ clock, wire, count: PACKS, evolving: false });
  // The last part has the word of the switches.
  for (const { registers } of bank.packs) registers.write("Switches", 1 << 4);
  told = [];
  const packs = identities(PACKS, (address) => serialNumberAt(address));
  monitor = new SoloMonitor({
    settings: { ...BANK_SETTINGS, mode: "poll", readMode: "registers" },
    opener: new PackOnLine(board),
    packs,
  });
  monitor.observe({
    packSwapped: ({ identity }) => void told.push(`${identity.address} swapped`),
    packSettingChanged: ({ name, pack }) => void told.push(`${pack.label} ${name}`),
  });
  monitor.start();
  clock.runFor(60_000);
  expect(monitor.packs.map(({ configurationLoaded }) => configurationLoaded)).toEqual([true, true, true]);
}

/** The next `times` replies of the pack to a read of so many words are zeros. */
function empty(address: number, words: readonly number[], times: number): void {
  let left = times;
  for (const port of board.wire.ports) {
    if (port === board.wire.board) continue;
    const send = port.send.bind(port);
    port.send = (bytes) => {
      const isMeant = bytes[0] === address && words.some((one) => bytesOf(one) === bytes.length);
      send(isMeant && left-- > 0 ? zeros(bytes) : bytes);
    };
  }
}

afterEach(() => {
  monitor.close();
  bank.close();
});

describe.each([1, 2, 3])("of the pack at %i of three", (address) => {
  it.each(PARTS.flatMap((words) => [2, 3].map((times) => [words, times] as const)))(
    "the part of its settings that has %i words, %i times: told only the third time",
    (words, times) => {
      start();
      empty(address, [words], times);
      monitor.packs[address - 1]!.slow.request(SETUP);
      board.clock.runFor(20_000);
      expect(told.length > 0).toBe(times === 3);
    },
  );

  it.each([2, 3])("the serial number %i times: another pack only the third time", (times) => {
    start();
    empty(address, SERIALS, times);
    board.clock.runFor(2 * IDENTITY_PERIOD);
    expect(told).toEqual(times === 3 ? [`${address} swapped`] : []);
  });
});
