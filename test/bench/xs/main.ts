/** `npm run bench:xs [-- --write]`: figures of docs/figures.md that are XS's. With words in place of --write: some of their rows. */
import type { Cell } from "../figures";
import { table, words, writeIfAsked } from "../table";
import { withInterfaces } from "../interfaces";
import { historyCosts } from "./history";
import { interfaceCosts } from "./interfaces";
import { BUDGET } from "../budget";
import { MODBUS_BANKS, modbusCosts } from "./modbus";
import { BANKS, packsMemory } from "./packs";
import { CLIENTS, line, peakUnder, type Load } from "./memory";
import {
  POLLERS,
  pollersCost,
  POLLS,
  profile,
  pollCost,
  requestCost,
  REQUESTS,
  type Cost,
  type PollCost,
} from "./work";
import { XsSystem } from "./system";

const TIMES = 200;
const LONG = 10_000;

/** Only rows are measured whose name has one of these words, `npm run bench:xs -- scrape`; all of them without a word. */
const WORDS = words.map((word) => word.toLowerCase());
const isWanted = ({ name }: { name: string }): boolean =>
  !WORDS.length || WORDS.some((word) => name.toLowerCase().includes(word));

/** Empty if the row to compare with was not measured. */
const ratio = (value: number, digits = 2): string => (Number.isNaN(value) ? "" : value.toFixed(digits));

const requests = REQUESTS.filter(isWanted);
const costs: Cost[] = [];
if (requests.length) {
  const xs = await XsSystem.start();
  for (const request of requests)
    costs.push(await requestCost(xs, request, request.pause ? Math.ceil(TIMES / 10) : TIMES));
  xs.stop();
}
for (const pollers of POLLERS.filter(isWanted)) costs.push(await pollersCost(pollers));
const first = costs[0]?.name === REQUESTS[0]?.name ? (costs[0]?.time ?? NaN) : NaN;
table(
  "Requests on XS, keep-alive",
  ["request", "meter units", "goal", "garbage, slots", "CPU µs", "CPU, GET /api = 1"],
  costs.map(({ name, units, goal = "", garbage, time }) => [
    name,
    Math.round(units),
    goal,
    Number.isNaN(garbage) ? "" : garbage.toFixed(1),
    Math.round(time),
    ratio(time / first),
  ]),
);

const polls: PollCost[] = [];
for (const poll of POLLS.filter(isWanted)) polls.push(await pollCost(poll.readMode));
table(
  "A telemetry poll on XS",
  ["read mode", "meter units", "CPU µs", "CPU, GET /api = 1"],
  polls.map(({ readMode, units, time }) => [readMode, Math.round(units), Math.round(time), ratio(time / first)]),
);

table(
  "The history in flash on XS",
  ["what", "meter units, or what it says"],
  (await historyCosts(isWanted)).map(({ name, units }) => [name, Math.round(units)]),
);

const interfaces = await interfaceCosts(TIMES, isWanted);
const alone = polls[0]?.readMode === "registers" ? polls[0].units : NaN;
const [none] = interfaces;
table(
  "What each interface costs a poll",
  ["interfaces", "meter units, more", "goal", "of the poll alone", "CPU µs, more", "live slots", "live chunk bytes"],
  interfaces.map(({ name, units, goal = "", time, slots, chunks }) => [
    name,
    Math.round(units - none!.units),
    goal,
    `${ratio((100 * (units - none!.units)) / alone, 0)} %`,
    Math.round(time - none!.time),
    slots,
    chunks,
  ]),
);
const banks: Cell[][] = [];
for (const packs of BANKS)
  if (isWanted({ name: `${packs} packs` })) {
    const { rest, peak } = await packsMemory(packs);
    banks.push([packs, rest.slots, rest.chunks, peak.slots, peak.chunks]);
  }
table(
  "Several packs on XS, all interfaces on",
  ["packs", "live slots at rest", "live chunk bytes", "slots under all loads", "chunk bytes"],
  banks,
);
const modbus: Cell[][] = [];
for (const packs of MODBUS_BANKS) if (isWanted({ name: `modbus ${packs}` })) modbus.push(await modbusCosts(packs));
table(
  "Modbus TCP on XS",
  ["packs", "meter units, all of 802", "meter units, all of 803", "slots of three clients"],
  modbus,
);
if (WORDS.length) process.exit(0);

for (const index of [0, 1]) {
  const request = REQUESTS[index]!;
  const parts = Object.entries(await profile(request, TIMES));
  const sum = parts.reduce((total, [, units]) => total + units, 0);
  table(
    `${request.name} by part`,
    ["part", "meter units", "share"],
    parts
      .sort(([, a], [, b]) => b - a)
      .map(([part, units]) => [part, Math.round(units), `${((100 * units) / sum).toFixed(0)} %`]),
  );
}

const NONE: Load = { clients: false, write: false, file: false, storm: false, browsers: false };
const LOADS: readonly (readonly [string, Load])[] = [
  [`${CLIENTS} keep-alive clients on GET /api/bms/status`, { ...NONE, clients: true }],
  ["the same, a write in flight", { ...NONE, clients: true, write: true }],
  ["the same, a static file of 30 KB", { ...NONE, clients: true, file: true }],
  ["two browsers open", { ...NONE, browsers: true }],
  ["malformed requests alone", { ...NONE, storm: true }],
  [`all of it at once, ${CLIENTS} clients`, { clients: true, write: true, file: true, storm: true, browsers: false }],
  [
    "all of it at once, two clients and two browsers",
    { clients: true, write: true, file: true, storm: true, browsers: true },
  ],
];
const ROUNDS = 100;
const EVERY = 3;
const device = await XsSystem.start();
const rest = device.gauge.memory;
const rows: Cell[][] = [["at rest", rest.slots, rest.chunks]];
for (const [name, load] of LOADS) {
  const { slots, chunks } = await peakUnder(device, load, ROUNDS, EVERY);
  rows.push([name, slots, chunks]);
}
const samples = await line(device, LONG, LONG / 10);
device.stop();

const everything = LOADS.at(-1)![1];
const { slots: most, chunks: mostChunks } = await withInterfaces(async (settings) => {
  const connected = await XsSystem.start({ settings });
  const peak = await peakUnder(connected, everything, ROUNDS, EVERY);
  connected.stop();
  return peak;
});
rows.push(["the same, all interfaces on", most, mostChunks]);
rows.push(["budget with one pack", BUDGET.slots, BUDGET.chunks]);
table("Memory, peak", ["load", "live slots", "live chunk bytes"], rows);

table(
  "Memory over requests (GET /api/bms/status, four clients)",
  ["requests", "live slots", "live chunk bytes"],
  samples.map(({ requests, slots, chunks }) => [requests, slots, chunks]),
);
writeIfAsked("npm run bench:xs");
process.exit(0);
