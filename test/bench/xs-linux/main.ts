/**
 * `npm run bench:xs-linux [-- memory|interfaces|packs|tls|growth|least|servers|hostile …] [--write]`: figures of the SDK's own XS, those of each part a
 * section of docs/figures.md.
 */
import { withInterfaces } from "../interfaces";
import { BUDGET, DEVICE, WIDE, WIDE_DEVICE } from "../budget";
import { growth, least, memoryReport, packsMemory, suffices, type MemoryReport } from "./memory";
import { comparison, hostility } from "./servers";
import { table, words, writeIfAsked } from "../table";
import { tlsReport } from "./tls";

const number = (value: number): string => Math.round(value).toLocaleString("en");
const share = (value: number, of: number): string => `${((100 * value) / of).toFixed(0)} %`;

async function memory(): Promise<void> {
  report("Alive after a collection", await memoryReport());
}

async function interfaces(): Promise<void> {
  report("Alive after a collection, MQTT and SNMP on", await withInterfaces(memoryReport));
}

function report(title: string, { before, situations, stack }: MemoryReport): void {
  const rows = [{ name: "the engine and this build, before main", ...before }, ...situations].map(
    ({ name, slots, chunks }) => [
      name,
      number(slots),
      share(slots, BUDGET.slots),
      number(chunks),
      share(chunks, BUDGET.chunks),
    ],
  );
  rows.push(["stack, at most", number(stack), share(stack, DEVICE.stack), "", ""]);
  table(title, ["Situation", "Slots", "of the budget", "Bytes of chunks", "of the budget"], rows);
}

async function flatLine(): Promise<void> {
  const samples = await growth();
  table(
    "Alive at rest after so many requests",
    ["Requests", "Slots", "Bytes of chunks"],
    samples.map(({ requests, slots, chunks }) => [number(requests), number(slots), number(chunks)]),
  );
}

async function tls(): Promise<void> {
  table(
    "MQTT, alive after a collection",
    ["Situation", "Slots", "Bytes of chunks"],
    (await tlsReport()).map(({ name, slots, chunks }) => [name, number(slots), number(chunks)]),
  );
}

async function truePeak(): Promise<void> {
  const [slots, chunks] = await withInterfaces(async (settings) => [
    await least("slots", 32, settings),
    await least("chunks", 512, settings),
  ]);
  table(
    "The least memory in which everything at once still runs, MQTT and SNMP on",
    ["Kind", "Least", "Budget"],
    [
      ["slots", number(slots), number(BUDGET.slots)],
      ["bytes of chunks", number(chunks), number(BUDGET.chunks)],
    ],
  );
}

const BANKS = [1, 2, 8, 15] as const;

async function packs(): Promise<void> {
  const rows = await withInterfaces(async (settings) => {
    const all: (string | number)[][] = [];
    for (const count of BANKS) {
      const { rest, most } = await packsMemory(count, settings);
      const runs = (await suffices(WIDE_DEVICE, settings, count)) ? "yes" : "no";
      all.push([count, ...[rest.slots, rest.chunks, most.slots, most.chunks].map(number), runs]);
    }
    return all;
  });
  table(
    `Several packs, all interfaces on: alive after a collection, and whether all of it runs in the memory of a board, with ${WIDE} times its chunks on this 64-bit engine`,
    ["Packs", "Slots at rest", "Bytes of chunks", "Slots at most", "Bytes of chunks", "Runs on a board"],
    rows,
  );
}

async function servers(): Promise<void> {
  const { speeds, memory, bytes } = await comparison();
  table(
    `GET /api/bms/status, ${bytes} bytes of JSON`,
    [
      "Server",
      "Connections",
      "Bytes of a request",
      "Requests/s",
      "Processor time a request less that of the same connections at rest, µs",
      "At rest, µs/s",
      "Without a connection, µs/s",
    ],
    speeds.map(({ name, connections, bytes: size, perSecond, cpu, atRest, idle }) => [
      name,
      connections,
      size,
      ...[perSecond, cpu, atRest, idle].map((value) => value.toFixed(0)),
    ]),
  );
  table(
    "Memory a connection with a request under way, beside what is alive without one",
    ["Server", "Slots alive", "Bytes alive", "Slots a connection", "Bytes a connection"],
    memory.map(({ name, idle, each }) =>
      [name, idle.slots, idle.chunks, each.slots, each.chunks].map((cell) =>
        typeof cell === "number" ? number(cell) : cell,
      ),
    ),
  );
}

async function hostile(): Promise<void> {
  table(
    "Hostile clients",
    ["Attack", "Server", "Another client's requests", "Attackers", "Memory at most", "Afterwards"],
    (await hostility()).map(({ name, attack, attackers, others, memory: most, after }) => [
      attack,
      name,
      others,
      attackers,
      most,
      after,
    ]),
  );
}

const PARTS: Record<string, () => Promise<void>> = {
  memory,
  interfaces,
  packs,
  tls,
  growth: flatLine,
  least: truePeak,
  servers,
  hostile,
};
for (const part of words.length ? words : Object.keys(PARTS)) {
  const run = PARTS[part];
  if (!run) throw new Error(`no such part: ${part} (${Object.keys(PARTS).join(", ")})`);
  await run();
  writeIfAsked(`npm run bench:xs-linux -- ${part}`, true);
}
process.exit(0);
