/** Two packs at one address: how writes to them end; and a bank without them on a bad line, of which that must not be said. */
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { SimulatedBoard } from "../../host-sim/board";
import { BmsMonitor } from "../../src/bms/monitor";
import type { BusPack, PackIdentity } from "../../src/packs/types";
import type { BmsSettings } from "../../src/settings/types";
import { Random } from "../fuzz/random";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { loseReplies } from "../support/bms/lossy-port";
import { PackOnLine } from "../support/bms/pack-on-line";

type ReadMode = BmsSettings["readMode"];
const MINUTE = 60_000;
/** From one write to the next, ms: as much, and up to so much more. */
const PAUSE = 500;
const MORE = 3_000;

/** By itself: vitest is not there in `npm run soak`. */
function open(count: number, twins: readonly number[], readMode: ReadMode) {
  const board = new SimulatedBoard({ console: () => undefined, online: true, ticks: 2 ** 31 - 3_000 });
  board.powerOn();
  const { clock, wire } = board;
  const bank: Bank = bankOf({ clock, wire, count, seed: 7, twins });
  const settings = { ...BANK_SETTINGS, readMode };
  let packs: PackIdentity[] = bank.packs.map((_, at) => ({ address: at + 1, name: "", serial: "" }));
  const monitor = new BmsMonitor({ settings, opener: new PackOnLine(board), packs });
  monitor.observe({
    packIdentified: ({ identifier, index }) => {
      packs = packs.map((known, at) => (at === index ? { ...known, serial: identifier } : known));
      monitor.reconfigure(settings, packs);
    },
  });
  monitor.start();
  const close = (): void => {
    monitor.close();
    bank.close();
    board.powerOff();
    clock.stop();
  };
  return { bank, clock, close, monitor, wire };
}

export interface WritesToTwo {
  /** By how they ended, or why they were refused. */
  readonly endings: Readonly<Record<string, number>>;
  /** Confirmed although not both packs hold the value; and asked once the address was known to be shared, but not refused. */
  readonly falsely: number;
  readonly unrefused: number;
  /** ms from the start until that was known. */
  readonly known: number | undefined;
}

/** Random writes to the two packs at `address`, of so many packs. */
export function writeToTwo(
  count: number,
  address: number,
  writes: number,
  seed: number,
  readMode: ReadMode,
): WritesToTwo {
  const { bank, clock, close, monitor } = open(count, [address], readMode);
  const random = new Random(seed);
  const both = [bank.packs[address - 1]!, bank.twins[0]!];
  const endings: Record<string, number> = {};
  const note = (ending: string): void => void (endings[ending] = (endings[ending] ?? 0) + 1);
  const since = clock.now;
  let known: number | undefined;
  let falsely = 0;
  let unrefused = 0;
  for (let write = 0; write < writes; write++) {
    const value = 3_400 + (write % 200);
    const pack = monitor.packs[address - 1] as BusPack;
    if (pack.isContested) known ??= clock.now - since;
    const refusal = monitor.writes.parameter(pack, "cell_ovp_voltage", value / 1000, "API", ({ outcome }) => {
      note(outcome);
      if (outcome === "confirmed" && both.some(({ registers }) => registers.read("VolCellOV") !== value)) falsely++;
    });
    if (refusal) note(refusal.reason);
    else if (known !== undefined) unrefused++;
    clock.runFor(PAUSE + random.below(MORE));
  }
  close();
  return { endings, falsely, unrefused, known };
}

/** Minutes in which two of four packs were said to share an address, of so many hours in which so many of 100 replies were lost. */
export function minutesShared(lost: number, hours: number, seed: number, readMode: ReadMode): number {
  const { clock, close, monitor, wire } = open(4, [], readMode);
  const random = new Random(seed);
  for (const port of wire.ports) if (port !== wire.board) loseReplies(port, random, () => 10 * lost);
  let shared = 0;
  for (let minute = 0; minute < 60 * hours; minute++) {
    clock.runFor(MINUTE);
    if (monitor.packs.some(({ isContested }) => isContested)) shared++;
  }
  close();
  return shared;
}
