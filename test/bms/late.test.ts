/** A pack that answers after the time that is waited for: it is told as that, the others stay online, and nothing of it is taken for something else. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { afterEach, describe, expect, it } from "vitest";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import type { SimulatedBoard } from "../../host-sim/board";
import { common, hasAny, plus } from "../../src/conditions/set";
import { LATE, OFFLINE } from "../../src/conditions/rows";
import type { PackRecord } from "../../src/packs/pack-record";
import type { BmsSettings } from "../../src/settings/types";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { inTurn, sampled } from "../support/property";

/** Of one pack, and of the first, a middle and the last of four. */
const PLACES = [
  [1, 0],
  [4, 0],
  [4, 1],
  [4, 3],
] as const;
const LATE_PLACES: readonly (readonly number[])[] = [[0], [1], [3], [0, 2]];
/** s */
const WHILE = 300;

let board: SimulatedBoard;
let bank: Bank;
let monitor: SoloMonitor;
/** How often two packs at one address were proved; what was told of packs that do not answer. */
let proofs: number;
let told: string[];

function start(count: number, settings: Partial<BmsSettings>): void {
  board = lineBoard();
  const { clock, wire } = board;
  bank = bankOf({ clock, wire, count, evolving: false });
  for (const [place, { registers }] of bank.packs.entries()) registers.write("TempBat1", 200 + place);
  monitor = new SoloMonitor({
    settings: { ...BANK_SETTINGS, mode: "auto", ...settings },
    opener: new PackOnLine(board),
    packs: bank.packs.map((_, place) => ({ address: place + 1, name: "", serial: "" })),
  });
  const { shared } = monitor;
  const proved = shared.proved.bind(shared);
  proofs = 0;
  shared.proved = (index, timer) => {
    proofs++;
    return proved(index, timer);
  };
  told = [];
  monitor.observe({ packUnanswered: ({ index, noReply }) => void told.push(`${index} ${noReply}`) });
  monitor.start();
  clock.runFor(30_000);
}
afterEach(() => {
  monitor.close();
  bank.close();
});

const others = (place: number): PackRecord[] => monitor.packs.filter(({ index }) => index !== place);

/** Looks once a second: the others are online with values of their own. */
function watch(place: number, seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    board.clock.runFor(1_000);
    for (const { index, online, telemetry } of others(place))
      expect([index, online, readRaw(telemetry, FIELDS.battery1Temperature)]).toEqual([index, true, 200 + index]);
    expect([monitor.listening, proofs]).toEqual([false, 0]);
  }
}

const MODES = ["registers", "frames", "auto"] as const;
describe.each(MODES)("read by %s", (readMode) => {
  const cases = PLACES.flatMap(([count, place], at) =>
    inTurn([550, 2_500], at + MODES.indexOf(readMode)).map((ms) => [count, place, ms] as const),
  );
  it.each(cases)("of %i packs number %i, which answers after %i ms", (count, place, ms) => {
    start(count, { readMode });
    const pack = monitor.packs[place] as PackRecord;
    bank.packs[place]!.faults.add({ kind: "delay", ms });
    watch(place, WHILE);
    let found = 0;
    for (let second = 0; second < 60; second++) {
      watch(place, 1);
      if (!pack.online && hasAny(pack.concerns, LATE) && pack.noReply === "late") found++;
    }
    expect(found).toBeGreaterThan(40);
    for (const { concerns } of others(place)) expect(common(concerns, plus(OFFLINE, LATE))).toBe(0);
    expect(new Set(told)).toContain(`${place} late`);
    // It is well again.
    bank.packs[place]!.faults.clear();
    watch(place, 60);
    expect([pack.online, common(pack.concerns, plus(OFFLINE, LATE)), pack.noReply]).toEqual([true, 0, undefined]);
  });
});

it.each([700, 1_000, 1_500, 2_000, 3_500, 5_000, 8_000, 15_000].map((ms, at) => [ms, at] as const))(
  "what comes %i ms late, of whichever packs, is nobody else's",
  (ms, at) => {
    for (const readMode of inTurn(["auto", "frames"] as const, at))
      for (const places of inTurn(LATE_PLACES, at)) {
        start(4, { readMode });
        for (const place of places) bank.packs[place]!.faults.add({ kind: "delay", ms });
        for (let second = 0; second < WHILE; second++) {
          board.clock.runFor(1_000);
          for (const { index, online, telemetry } of monitor.packs) {
            if (!places.includes(index))
              expect([ms, readMode, places, index, online]).toEqual([ms, readMode, places, index, true]);
            expect(readRaw(telemetry, FIELDS.battery1Temperature)).toBe(200 + index);
          }
          expect([monitor.listening, proofs]).toEqual([false, 0]);
        }
        monitor.close();
        bank.close();
      }
  },
);

/** Every quarter of a second, each in a bank and a way of reading of its own; `npm run soak` tries all. */
const DELAYS = Array.from({ length: 14 }, (_, at) => 750 + 250 * at);
const READ_IN = [1, 2, 4, 8].flatMap((count) =>
  (["registers", "frames", "auto"] as const).map((mode) => [count, mode]),
);

it.each(
  sampled(
    DELAYS.map((ms, at) => [ms, at] as const),
    7,
  ),
)("a pack that always answers %i ms late is offline: no reply is taken for one to a later poll", (ms, at) => {
  for (const [count, readMode] of inTurn(READ_IN, at) as [number, BmsSettings["readMode"]][]) {
    start(count, { readMode });
    const place = count >> 1;
    bank.packs[place]!.faults.add({ kind: "delay", ms });
    watch(place, 120);
    for (let second = 0; second < 180; second++) {
      watch(place, 1);
      expect([count, readMode, monitor.packs[place]!.online]).toEqual([count, readMode, false]);
    }
    monitor.close();
    bank.close();
  }
});

it("one late reply costs a pack a pause, and takes it not offline", () => {
  for (const count of [1, 4]) {
    start(count, {});
    const pack = monitor.packs[count >> 1] as PackRecord;
    const { polls } = pack;
    bank.packs[count >> 1]!.faults.add({ kind: "delay", ms: 1_500, times: 3 });
    watch(count >> 1, 60);
    expect([pack.online, pack.hasBeenLate, pack.polls - polls > 40]).toEqual([true, false, true]);
    monitor.close();
    bank.close();
  }
});

it("one that falls silent is no longer late, which is told", () => {
  start(4, {});
  const pack = monitor.packs[1] as PackRecord;
  bank.packs[1]!.faults.add({ kind: "delay", ms: 2_500 });
  watch(1, 60);
  expect(common(pack.concerns, LATE)).toBe(LATE);
  bank.packs[1]!.setOnline(false);
  told.length = 0;
  watch(1, 60);
  expect([common(pack.concerns, plus(OFFLINE, LATE)), told]).toEqual([OFFLINE, ["1 silence"]]);
});
