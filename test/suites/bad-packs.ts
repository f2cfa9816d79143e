/** Eight packs on one bus, of which one is silent, one garbles every third reply and one comes and goes: what the other five lose. */
import { bankOf } from "../../host-sim/bms/packs";
import { SimulatedBoard } from "../../host-sim/board";
import Serial from "../../host-sim/io/serial";
import { BmsMonitor } from "../../src/bms/monitor";
import { BmsPort } from "../../src/bms/port";
import { Random } from "../fuzz/random";
import { BANK_SETTINGS } from "../support/bms/bank-writes";

const PACKS = 8;
const SILENT = 1;
const GARBLED = 2;
const FLAPPING = 3;
/** ms from the end of a request to the reply's first bit. */
const ANSWER = 30;
/**
 * ms between two replies of a pack that answers, at most: two others have fallen silent at once, and were asked four times each, for the long read
 * and a shorter one, 336 ms a time; six more take 128 ms each, a serial number
 * 110, and the last part of its device information 80.
 */
export const MAX_BANK_INTERVAL = 3_700;
/** The same in 10,000 polls, in which worse coincides. */
export const MAX_RARE_INTERVAL = 3_900;
const WARM_UP = 60_000;
/** Longest time that the flapping pack stays as it is, s. */
const MAX_SPELL = 15;

export interface BadBank {
  /** Polls of each of the five, and those without a valid reply of all of them. */
  readonly polls: number;
  readonly lost: number;
  /** ms: the longest time between two replies of one of them. */
  readonly worst: number;
}

/** Runs until each of the five has been polled `polls` times. By itself: vitest is not there in `npm run soak`. */
export function pollBadBank(polls: number, seed = 1): BadBank {
  const random = new Random(seed);
  const board = new SimulatedBoard({ console: () => undefined, online: true, ticks: 2 ** 31 - 3_000 });
  board.powerOn();
  const { clock, wire } = board;
  const bank = bankOf({ clock, wire, count: PACKS, seed, evolving: false, latency: { read: [ANSWER, ANSWER] } });
  const monitor = new BmsMonitor({
    settings: BANK_SETTINGS,
    opener: new BmsPort({
      serial: Serial,
      build: board.config,
      parts: { failed: () => undefined, works: () => undefined },
    }),
    packs: bank.packs.map((_, index) => ({ address: index + 1, name: "", serial: "" })),
  });
  const last: number[] = [];
  let worst = 0;
  const read = (index: number): void => {
    if (index !== SILENT && index !== GARBLED && index !== FLAPPING && last[index] !== undefined)
      worst = Math.max(worst, clock.now - last[index]);
    last[index] = clock.now;
  };
  monitor.observe({ packUpdated: ({ index }) => read(index) });
  monitor.start();
  clock.runFor(WARM_UP);
  bank.packs[SILENT]!.setOnline(false);
  bank.packs[GARBLED]!.faults.add({ kind: "bad-crc", every: 3 });
  const good = monitor.packs.filter(({ index }) => ![SILENT, GARBLED, FLAPPING].includes(index));
  const before = good.map(({ polls, lostPolls }) => [polls, lostPolls] as const);
  worst = 0;
  const done = (): number => Math.min(...good.map(({ polls }, at) => polls - before[at]![0]));
  while (done() < polls) {
    const flapping = bank.packs[FLAPPING]!;
    flapping.setOnline(!flapping.answering);
    clock.runFor(1_000 * (1 + random.below(MAX_SPELL)));
  }
  const result = {
    polls: done(),
    lost: good.reduce((sum, { lostPolls }, at) => sum + lostPolls - before[at]![1], 0),
    worst,
  };
  monitor.close();
  bank.close();
  return result;
}
