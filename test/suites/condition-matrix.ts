/**
 * Every row of the table and every alarm, of the first, a middle and the last pack of a bank, by every interface: while there is nothing, at the
 * beginning, while it lasts, after a restart and at the end. All of it follows from the table, and what is right of an interface from
 * test/support/conditions/told.ts: a row more needs no edit. What is found is made so at its one place; that the packs' registers make it so is tested
 * in test/system/bank-concerns.test.ts.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { ALARMS_TABLE, faultsIn } from "../../src/catalogue/alarms";
import { common, has, hasAny, NONE, ofRow, plus, type Conditions } from "../../src/conditions/set";
import { ALARM, OFFLINE } from "../../src/conditions/rows";
import {
  bit,
  CONCERNS,
  DEVICE,
  DEVICE_CONDITIONS,
  DEVICE_ROW,
  holdOf,
  LEARNED,
  type Concern,
} from "../../src/conditions/table";
import { ConditionWatcher } from "../../src/events/condition-watcher";
import { FLAPPING, LEARNING } from "../../src/conditions/limits";
import { CALMS, PAUSES } from "../../src/notify/limits";
import { PackRecord } from "../../src/packs/pack-record";
import { ASKED, Told, type Edge, type There } from "../support/conditions/told";
import { inTurn, isLong } from "../support/property";
import { tryRows } from "../support/table";

const BANKS = [2, 4, 8];
/** `npm test` tries one of so many rows with a pack alone, each in one of the banks. */
const ALONE = 4;
/** Virtual seconds: beyond the hold it takes two replies; the first message of a bank gathers what follows; MQTT says it every 5 s. */
const PATIENCE = 90;
const LOOK = 5;
/** After so long the owner is told again, and then of an end that has lasted for as long. */
const REMINDER = PAUSES[1]!;
const REMINDED = CALMS[2]! + PATIENCE;
/** ms between two polls: a fifth of the usual ones. */
const INTERVAL = 5_000;
const LASTS = 20;
/** Of the 40 of a day, so many are sent before the power is cut, which forgets how many there were. */
const MANY = 24;

export type Row = Pick<Edge, "kind" | "name">;

const CONDITIONS = CONCERNS.filter((code) => code !== "alarm")
  .map((name) => ({ kind: "condition", name }) as const)
  .sort((one, other) => holdOf(CONCERNS.indexOf(one.name)) - holdOf(CONCERNS.indexOf(other.name)));
const ROWS: readonly Row[] = [...ALARMS_TABLE.map(({ name }) => ({ kind: "alarm", name }) as const), ...CONDITIONS];

/** Of the device. */
const OWN: readonly Row[] = DEVICE_CONDITIONS.map((name) => ({ kind: "condition", name }));

const rowOf = ({ kind, name }: Row): number =>
  kind === "alarm" ? ALARMS_TABLE.findIndex((alarm) => alarm.name === name) : CONCERNS.indexOf(name as Concern);
const thereOf = (row: Row): There => {
  if (row.kind === "condition") return { bits: bit(row.name as Concern), word: 0 };
  const word = (1 << rowOf(row)) >>> 0;
  return { bits: faultsIn(word) ? ALARM : NONE, word };
};
const holdOfRow = (row: Row): number => {
  if (row.kind === "alarm") return 0;
  return holdOf(OWN.includes(row) ? DEVICE_ROW + OWN.indexOf(row) : rowOf(row));
};
/** Nobody is told before. */
const isSlow = (row: Row): boolean => holdOfRow(row) > FLAPPING;
const NOTHING: There = { bits: NONE, word: 0 };

/** What is found of the packs by their places, but silence and alarms, which are the packs' own; at DEVICE what is found of the device. */
const forced: Record<number, Conditions> = {};
const foundOf = <Owner extends { index: number }>(
  prototype: Owner,
  found: (owner: Owner, original: () => Conditions) => Conditions,
): (() => void) => {
  const original = Object.getOwnPropertyDescriptor(prototype, "found")!;
  Object.defineProperty(prototype, "found", {
    configurable: true,
    get(this: Owner) {
      return found(this, () => original.get!.call(this) as Conditions);
    },
  });
  return () => void Object.defineProperty(prototype, "found", original);
};
const forcedOf = ({ index }: { index: number }): Conditions => forced[index] ?? NONE;
function force(): () => void {
  const restore = [
    foundOf(PackRecord.prototype, (pack, found) => plus(forcedOf(pack), common(found(), plus(OFFLINE, ALARM)))),
    foundOf(ConditionWatcher.prototype as { index: number }, forcedOf),
  ];
  return () => restore.forEach((one) => one());
}

/** Full, so that bit 4 of its alarm word says that. */
function prepare({ registers }: SimulatedBms): void {
  registers.write("SOC", 100);
  registers.write("Alarms", 0);
}

function put(bench: Told, at: number, row: Row | undefined): void {
  if (at === DEVICE) {
    forced[at] = bench.ofDevice = row ? ofRow(OWN.indexOf(row)) : NONE;
    return;
  }
  const there = row ? thereOf(row) : NOTHING;
  const pack = bench.packs[at]!;
  pack.registers.write("Alarms", there.word);
  pack.setOnline(!hasAny(there.bits, OFFLINE));
  forced[at] = there.bits;
}

/** The first, a middle and the last. */
const placesOf = (count: number): number[] => [...new Set([0, count >> 1, count - 1])];

/** Rows with their places: each row in one of the banks at one of the places, in `npm run soak` everywhere; of `only` each in every bank. */
function roundsOf(count: number, only: readonly Row[] | undefined): (readonly (readonly [at: number, row: Row])[])[] {
  const places = placesOf(count);
  const tried =
    only ?? ROWS.filter((_, at) => (count > 1 ? inTurn(BANKS, at).includes(count) : isLong || at % ALONE === 0));
  /** So that each is at another place of another bank. */
  const from = only ? BANKS.indexOf(count) + 1 : 0;
  const groups = Array.from({ length: Math.ceil(tried.length / places.length) }, (_, at) =>
    tried.slice(at * places.length, (at + 1) * places.length),
  );
  // The device's are of any number of packs.
  const own = !only && (isLong || count === 1) ? OWN.map((row) => [[DEVICE, row] as const]) : [];
  const ofPacks = groups.flatMap((rows, group) =>
    inTurn(places, group).map((_, turn) =>
      rows.map((row, at) => [places[(at + turn + group + from) % places.length]!, row] as const),
    ),
  );
  return [...ofPacks, ...own];
}

const isLearned = (name: string): boolean => CONCERNS.some((code, row) => code === name && has(LEARNED, row));

async function tryRound(bench: Told, round: readonly (readonly [at: number, row: Row])[]): Promise<void> {
  const { addresses } = bench;
  const hold = Math.max(...round.map(([, row]) => holdOfRow(row)));
  const there = addresses.map((_, at) => {
    const row = round.find(([place]) => place === at)?.[1];
    return row ? thereOf(row) : NOTHING;
  });
  const nothing = addresses.map(() => NOTHING);
  const edges = (how: Edge["how"]): Edge[] => round.map(([at, row]) => ({ at, how, ...row }));
  const told: Record<string, string[]> = {};
  /** s: after a restart it is not known to be gone before. */
  const learning = round.some(([, { kind, name }]) => kind === "condition" && isLearned(name)) ? LEARNING : 0;
  const isReminded = 2 * hold + learning + PATIENCE > REMINDER;
  /** Until all have said so, and nobody anything else. */
  const settles = async (
    what: string,
    state: readonly There[],
    news: Record<string, readonly string[]>,
    wait = hold,
  ): Promise<void> => {
    const right = { what, ...bench.right(state), ...news };
    const end = bench.system.board.clock.now + 1_000 * (wait + (isReminded ? REMINDED : PATIENCE));
    for (const name of Object.keys(news)) told[name] = [];
    await bench.pass(wait);
    for (;;) {
      await bench.pass(LOOK);
      const isOver = bench.system.board.clock.now > end;
      for (const [name, lines] of Object.entries(await bench.told()))
        told[name] = [...told[name]!, ...lines.filter((line) => !isReminded || !line.includes("-again "))].sort();
      if (!isDeepStrictEqual(told, news) && !isOver) continue;
      const said = { what, ...(await bench.said()), ...told };
      if (isDeepStrictEqual(said, right)) return;
      if (isOver) return expect(said).toEqual(right);
    }
  };
  // The LED has one sign for all of a bank: each row by itself, while time stands.
  if (bench.isOfSeveral)
    for (const [at, row] of round.filter(([, one]) => !isSlow(one))) {
      put(bench, at, row);
      const alone = there.map((one, place) => (place === at ? one : NOTHING));
      expect([row.name, bench.system.probes.ledPattern()]).toEqual([
        row.name,
        ...ASKED["the LED"]!.right(alone, bench),
      ]);
      put(bench, at, undefined);
    }
  bench.ofFirst.clear();
  for (const [at, row] of round) {
    if (!at) bench.ofFirst.add(row.name);
    put(bench, at, row);
  }
  if (round.every(([, row]) => isSlow(row)))
    await settles("before it has lasted", nothing, bench.rightly([]), hold / 2);
  await settles("beginning", there, bench.rightly(edges("raised")));
  await settles("lasting", there, bench.rightly([]), hold + LASTS);
  await bench.restart();
  // What lasts is no news.
  await settles("after a restart", there, bench.rightly([]));
  for (const [at] of round) put(bench, at, undefined);
  bench.hasRestarted = false;
  await settles("end", nothing, bench.rightly(edges("cleared")), hold + learning);
  if (bench.sent > MANY) await bench.restart(true);
}

/** @param only these rows, everywhere; undefined: all */
export function conditionMatrix(only?: readonly Row[]): void {
  beforeAll(force);

  describe.each([1, ...BANKS])("%i packs", (count) => {
    const bench = new Told();
    beforeAll(async () => {
      for (const at of Object.keys(forced)) delete forced[Number(at)];
      await bench.start(count, prepare, INTERVAL);
      await bench.told();
    });
    afterAll(() => bench.stop());

    const rounds = roundsOf(count, only);
    it(
      `every interface says of each row that it began, lasts and has ended (${rounds.length} rounds)`,
      { timeout: 3_600_000 },
      () =>
        tryRows(rounds, async (...round) => {
          try {
            await tryRound(bench, round);
          } catch (error) {
            // What is left of it is no matter of the next.
            for (const [at] of round) put(bench, at, undefined);
            await bench.restart(true);
            await bench.pass(PATIENCE);
            await bench.told();
            throw error;
          }
        }),
    );
  });
}
