import { AssertionError, deepEqual } from "node:assert/strict";
import { Random } from "../fuzz/random";
import { checkState, conditionsOf, runHours, STATES, type State } from "../suites/states";
import { cutAtRandom, cutThrough, PAYLOADS } from "../flash-log/power-cut";
import { cutPower } from "../history/power-cuts";
import { MAX_RARE_INTERVAL, pollBadBank } from "../suites/bad-packs";
import { besideMaster } from "../suites/beside-master";
import { passFrames } from "../suites/bit-errors";
import { writeDamaged } from "../suites/damaged-writes";
import { passDays } from "../suites/bank-days";
import { hearMasters, hearNoMaster } from "../suites/other-master";
import { reportFaults } from "../suites/reported-faults";
import { changesOnBadLine } from "../suites/false-changes";
import { flapOnTheBus } from "../suites/flapping-bms";
import { minutesShared, writeToTwo } from "../suites/two-packs";
import { flap } from "../notify/flapping";
import { writeToBank } from "../support/bms/bank-writes";
import { lossyBank } from "../support/bms/lossy-bank";
import { fullHouseOnXs } from "../support/xs/full-house";
import board from "../../boards/esp32c3/manifest.json";
import { WIDE_DEVICE } from "../bench/budget";
import type { Cell } from "../bench/figures";
import type { Part, SoakOptions } from "./options";

export interface Case {
  readonly name: string;
  /** Throws an error that says what does not work. */
  readonly run: () => Promise<void>;
}

/**
 * Replies lost, %, and what a bank of four packs or more has to reach there: % online and loaded, writes of 60, % of the energy that is missed at
 * most, and s until all are online at every start.
 */
const LOSSES = [
  { lost: 3, online: 99.5, loaded: 99, confirmed: 58, missed: 1, started: 60 },
  { lost: 10, online: 99.5, loaded: 99, confirmed: 58, missed: 1, started: 60 },
  { lost: 20, online: 99.5, loaded: 99, confirmed: 58, missed: 1, started: 60 },
  { lost: 33, online: 99, loaded: 90, confirmed: 54, missed: 2, started: 60 },
  { lost: 40, online: 95, loaded: 0, confirmed: 0, missed: 100, started: Infinity },
] as const;
const DAYS = 400;
const LOSSY_SEEDS = 20;
const LOSSY_BANKS = [1, 4, 8, 15] as const;
export const LOSSY_ROWS = LOSSY_BANKS.length * LOSSES.length;

/** Rows of LOSSY_HEAD. */
export const lossyRows: Cell[][] = [];
export const LOSSY_HEAD = [
  "replies lost",
  "packs",
  "online",
  "loaded",
  "drops",
  "round",
  "energy missed",
  "latest start",
  "confirmed of 60 writes",
];
export const LOSSY_CASES = "an hour of";

/** A start and an hour at this rate, then 60 writes, as means over LOSSY_SEEDS, online and loaded of the pack that was it least. */
function lose(packs: number, seed: number, goal: (typeof LOSSES)[number]): void {
  const { lost } = goal;
  const runs = Array.from({ length: LOSSY_SEEDS }, (_, at) => lossyBank({ packs, lost, seed: seed + at }));
  deepEqual(
    runs.flatMap(({ problems }) => problems),
    [],
  );
  const mean = (of: (run: (typeof runs)[number]) => number): number =>
    runs.reduce((sum, run) => sum + of(run), 0) / LOSSY_SEEDS;
  const online = mean((run) => run.online);
  const loaded = mean((run) => run.loaded);
  const confirmed = mean((run) => run.confirmed);
  const drops = mean((run) => run.drops);
  const round = mean((run) => run.round);
  const missed = mean((run) => run.missed);
  const started = Math.max(...runs.map((run) => run.started)) / 1_000;
  lossyRows.push([
    `${lost} %`,
    packs,
    ...[online, loaded].map((share) => `${share.toFixed(2)} %`),
    drops.toFixed(1),
    `${(round / 1_000).toFixed(2)} s`,
    `${Math.abs(missed).toFixed(2)} %`,
    `${started.toFixed(0)} s`,
    confirmed.toFixed(1),
  ]);
  if (packs === 1) return;
  const reached =
    online >= goal.online &&
    loaded >= goal.loaded &&
    confirmed >= goal.confirmed &&
    missed <= goal.missed &&
    started <= goal.started;
  const result = { online, loaded, confirmed, missed, started };
  deepEqual({ ...result, reached }, { ...result, reached: true });
}

/** More than a start and its first minute need: the rest of the cases is a device without trouble. */
const ALLOCATIONS = 80;
const WRITES = 12;

/** Both states at once; undefined if they contradict each other. */
export function pairOf(one: State, other: State): State | undefined {
  if (one.network !== other.network) return undefined;
  const conditions = conditionsOf(one);
  if (conditionsOf(other).some((condition) => conditions.includes(condition))) return undefined;
  return {
    network: one.network,
    troubles: [...one.troubles, ...other.troubles],
    lacks: { ...one.lacks, ...other.lacks },
  };
}

/** Fisher and Yates. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [all[at], all[other]] = [all[other] as Item, all[at] as Item];
  }
  return all;
}

function pairs(): Case[] {
  // A failed allocation may end the script: the part "allocations" has it.
  const all = Object.entries(STATES).filter(([, state]) => !conditionsOf(state).includes("no-memory"));
  return all.flatMap(([name, state], at) =>
    all.slice(at + 1).flatMap(([otherName, other]) => {
      const pair = pairOf(state, other);
      if (!pair) return [];
      return [{ name: `${name} + ${otherName}`, run: () => checkState(pair, { exact: false }) }];
    }),
  );
}

/**
 * Something fails once. An exception that nothing catches ends the script, and the chip restarts: then everything must work at the next
 * start.
 */
async function checkOnce(trouble: string): Promise<void> {
  try {
    await checkState({ network: "ethernet", troubles: [trouble] });
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    await checkState({ network: "ethernet", troubles: [] });
  }
}

const everyNth = (kind: string, highest: number): Case[] =>
  Array.from({ length: highest }, (_, at) => {
    const trouble = `${kind}:nth=${at + 1}`;
    return { name: trouble, run: () => checkOnce(trouble) };
  });

/** The cases of a part, in the seed's order. */
export function casesOf(part: Part, { seed, hours }: Pick<SoakOptions, "seed" | "hours">): Case[] {
  const random = new Random(seed);
  switch (part) {
    case "pairs":
      return shuffled(pairs(), random);
    case "allocations":
      return shuffled(everyNth("no-memory", ALLOCATIONS), random);
    case "writes":
      return shuffled(everyNth("storage-fails", WRITES), random);
    case "bus":
      return [
        { name: "ten million bytes without a master", run: () => Promise.resolve(hearNoMaster(10_000_000, seed)) },
        { name: "ten hours beside a JK master", run: () => Promise.resolve(besideMaster(600, seed)) },
        { name: "ten thousand foreign transactions", run: () => Promise.resolve(hearMasters(10_000, seed)) },
      ];
    case "frames":
      return [
        {
          name: "ten million frames, of which one in a hundred has two wrong bits",
          run: () => {
            const result = passFrames(10_000_000, seed);
            console.log(JSON.stringify(result));
            return Promise.resolve(
              deepEqual({ said: result.said, energy: Math.round(result.energy) + 0 }, { said: 0, energy: 0 }),
            );
          },
        },
        ...[115_200, 9_600].map((baud) => ({
          name: `a million writes of a switch, in each of which a frame has two wrong bits, at ${baud} baud`,
          run: () => {
            const result = writeDamaged(1_000_000, seed, baud);
            console.log(JSON.stringify(result));
            const { foreign, falsely, missed } = result;
            return Promise.resolve(deepEqual({ foreign, falsely, missed }, { foreign: 0, falsely: 0, missed: 0 }));
          },
        })),
        {
          name: "a million packs without a wrong bit",
          run: () => {
            const { hindered, said } = passFrames(3_000_000, seed, 0, 3);
            return Promise.resolve(deepEqual({ hindered, said }, { hindered: 0, said: 0 }));
          },
        },
      ];
    case "bank":
      return [
        ...LOSSY_BANKS.flatMap((packs) =>
          LOSSES.map((goal) => ({
            name: `${LOSSY_CASES} ${packs} packs while ${goal.lost} % of the replies are lost`,
            run: () => Promise.resolve(lose(packs, seed, goal)),
          })),
        ),
        ...Array.from({ length: 20 }, (_, at) => ({
          name: `10,000 writes to four packs, with faults and other packs at their addresses, seed ${seed + at}`,
          run: () => Promise.resolve(deepEqual(writeToBank(seed + at, 10_000).problems, [])),
        })),
        ...(["registers", "frames"] as const).flatMap((readMode) => [
          ...[
            [1, 1],
            [3, 1],
            [3, 2],
            [3, 3],
          ].map(([packs, address]) => ({
            name: `a thousand writes to two packs at address ${address} of ${packs}, by ${readMode}`,
            run: () => {
              const { endings, falsely, known, unrefused } = writeToTwo(packs!, address!, 1_000, seed, readMode);
              console.log(`known after ${known} ms: ${JSON.stringify(endings)}`);
              const isKnown = known !== undefined && known < 60_000;
              return Promise.resolve(
                deepEqual({ falsely, unrefused, isKnown }, { falsely: 0, unrefused: 0, isKnown: true }),
              );
            },
          })),
          ...[0, 10, 20, 30, 40].map((lost) => ({
            name: `${hours} hours by ${readMode} while ${lost} % are lost, in which no two packs share an address`,
            run: () => Promise.resolve(deepEqual(minutesShared(lost, hours, seed, readMode), 0)),
          })),
        ]),
        ...(["registers", "frames"] as const).map((readMode) => ({
          name: `settings are read 500,000 times by ${readMode} while 20 % of the replies are lost or damaged`,
          run: () => {
            const { told, differing } = changesOnBadLine(500_000, 1, 20, seed, readMode);
            return Promise.resolve(deepEqual({ told, differing }, { told: [], differing: 0 }));
          },
        })),
        {
          name: "10,000 polls of five packs beside one that is silent, one that garbles and one that flaps",
          run: () => {
            const { lost, worst } = pollBadBank(10_000, seed);
            console.log(`no more than ${worst} ms between two replies of one of the five`);
            return Promise.resolve(deepEqual({ lost, isLate: worst > MAX_RARE_INTERVAL }, { lost: 0, isLate: false }));
          },
        },
      ];
    case "flash":
      return [
        ...PAYLOADS.map((payload) => ({
          name: `a cut at every byte, payload of ${payload} bytes`,
          run: () => Promise.resolve(void cutThrough(payload, 3, () => true)),
        })),
        { name: "10,000 cuts at random", run: () => Promise.resolve(cutAtRandom(10_000, seed)) },
        { name: "10,000 cuts in all rings", run: () => Promise.resolve(void cutPower(10_000, seed)) },
      ];
    case "notify":
      return [
        ...Array.from({ length: 5 }, (_, at) => ({
          name: `ten days of an alarm that comes and goes, seed ${seed + at}`,
          run: () => Promise.resolve(void flap(10, seed + at)),
        })),
        {
          name: "ten days of it on the bus, told to a service that often hangs",
          run: async () => {
            const { told, polls } = await flapOnTheBus(240, seed);
            console.log(`${polls} polls, none lost; messages a day: ${told.join(" ")}`);
          },
        },
      ];
    case "conditions":
      return [
        {
          name: `${hours} virtual hours of faults in eight packs`,
          run: async () => console.log(JSON.stringify(await reportFaults(hours, seed))),
        },
        {
          name: `${DAYS} days of banks that are in order`,
          run: () => {
            for (let at = 0; at < DAYS; at++)
              for (const uneven of [0.08, 0.25]) {
                const { told, asked } = passDays(seed + at, 1, 0, uneven);
                deepEqual([seed + at, told, asked], [seed + at, 0, 0]);
              }
            return Promise.resolve();
          },
        },
      ];
    case "house":
      return [
        {
          name: "an hour of the full house",
          run: async () => {
            const { answers, lost, published, replies, snmp } = await fullHouseOnXs(
              board.config.maxPacks,
              WIDE_DEVICE,
              3_600,
              { seed },
            );
            const [served = 0, refused = 0] = [answers.get(200), answers.get(503)];
            console.log(
              `${served} served, ${refused} refused, ${lost} closed for others, ${snmp} of SNMP, ${published} of MQTT, ${replies} of packs`,
            );
            deepEqual([served > 36_000, refused < served / 10], [true, true]);
          },
        },
      ];
    case "hours":
      return [{ name: `${hours} virtual hours`, run: () => runHours(hours, random) }];
  }
}
