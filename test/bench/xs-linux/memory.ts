/** What memory the firmware takes on the SDK's XS. */
import { setTimeout as pause } from "node:timers/promises";
import { LinuxSystem, type LinuxSystemOptions } from "../../support/system/linux-system";
import { TOKEN } from "../../support/system/system";
import type { Memory } from "../../support/xs/xs-program";
import { Browsers } from "../browsers";
import { DEVICE } from "../budget";
import { askOnce, load, post, request, statusOf, storm } from "./clients";

const CELLS_24 = { model: "JK_PB2A24S20P", cells: 24 };
const CLIENTS = 4;
const BROWSERS = 2;
export const STATUS = request("/api/bms/status");
const FC16 = 0x10;

/** A firmware that reads a pack of 24 cells and has its setup. */
export async function startLoaded(options: LinuxSystemOptions = {}): Promise<LinuxSystem> {
  const system = await LinuxSystem.start({ bms: CELLS_24, realTime: true, ...options });
  const deadline = Date.now() + 20_000;
  for (;;) {
    const response = await askOnce(system.baseUrl, request("/api/bms/config"));
    if (response && statusOf(response) === 200) return system;
    if (Date.now() > deadline) throw new Error(`the settings are not loaded: ${response}`);
    await pause(200);
  }
}

export interface Situation extends Memory {
  readonly name: string;
}

/** The most that is alive at any of many looks, each after a collection, between two callbacks. */
export async function peak(system: LinuxSystem, ms: number): Promise<Memory> {
  const most = { slots: 0, chunks: 0 };
  for (const end = Date.now() + ms; Date.now() < end; await pause(15)) {
    const { slots, chunks } = await system.program.meters();
    most.slots = Math.max(most.slots, slots);
    most.chunks = Math.max(most.chunks, chunks);
  }
  return most;
}

/** The largest file of the web page. */
const STATIC_FILE = request("/app.js", "Accept-Encoding: gzip\r\n");

interface OpenBrowsers {
  /** Times that all of them have got all their documents. */
  readonly rounds: number;
  /** Rejects when one of them did not get what it should. */
  stop(): Promise<void>;
}

/** Browsers that listen and ask for their documents without a pause. */
async function browse({ baseUrl, console }: LinuxSystem): Promise<OpenBrowsers> {
  const browsers = await Browsers.open(baseUrl, BROWSERS, () => pause(10), console);
  let rounds = 0;
  let running = true;
  const run = async (): Promise<void> => {
    for (; running; rounds++) await browsers.ask();
  };
  const ended = run();
  // Told by `stop`.
  ended.catch(() => undefined);
  return {
    get rounds() {
      return rounds;
    },
    async stop() {
      running = false;
      await ended;
      browsers.close();
    },
  };
}

/**
 * Everything at once that the budget is for, until `stop`, on the server's six connections: two listen, and one each is for the browsers'
 * documents, an API client, a download and the storm. A write takes 5 s to fail when the
 * BMS does not answer it: it is always in flight.
 */
async function everything(
  system: LinuxSystem,
): Promise<{ answered(): number; refused(): number; stop(): Promise<void> }> {
  const { baseUrl, bms } = system;
  const mend = bms.faults.add({ kind: "no-answer", matching: (asked) => asked.function === FC16 && !asked.trigger });
  await askOnce(baseUrl, post("/api/bms/commands", `{"command":"balance","state":"off"}`));
  const browsers = await browse(system);
  const loads = [load(baseUrl, STATUS, 1), storm(baseUrl, 1), load(baseUrl, STATIC_FILE, 1)];
  return {
    answered: () => loads[0]?.answered ?? 0,
    refused: () => loads[1]?.failed ?? 0,
    async stop() {
      await Promise.all(loads.map((each) => each.stop()));
      await browsers.stop();
      mend();
    },
  };
}

export interface MemoryReport {
  readonly before: Memory;
  readonly situations: readonly Situation[];
  readonly stack: number;
}

const LOOKING = 4000;

/** `settings`: of a device that has more interfaces on than at first. */
export async function memoryReport(settings?: LinuxSystemOptions["settings"]): Promise<MemoryReport> {
  const system = await startLoaded(settings && { settings });
  const { baseUrl, bms, program } = system;
  const situations: Situation[] = [];
  const look = async (name: string): Promise<void> => void situations.push({ name, ...(await peak(system, LOOKING)) });

  await pause(1000);
  const { slots, chunks } = await program.meters();
  situations.push({ name: "at rest", slots, chunks });
  await look("polling the BMS, no client");

  const browsers = await browse(system);
  await look("two browsers open");
  await browsers.stop();
  if (!browsers.rounds) throw new Error("the browsers got no documents");

  const clients = load(baseUrl, STATUS, CLIENTS);
  await look(`${CLIENTS} keep-alive clients on GET /api/bms/status`);

  const mend = bms.faults.add({ kind: "no-answer", matching: (asked) => asked.function === FC16 && !asked.trigger });
  await askOnce(baseUrl, post("/api/bms/commands", `{"command":"balance","state":"off"}`));
  await look("and a write in flight");
  mend();
  const download = load(baseUrl, STATIC_FILE, 1);
  await look("and a static file");
  await download.stop();
  const malformed = storm(baseUrl, 1);
  await look("and a storm of malformed requests");
  await malformed.stop();
  await clients.stop();

  const all = await everything(system);
  await look("all at once, with two browsers");
  await all.stop();
  if (clients.failed || download.failed || !download.answered) throw new Error("requests failed");

  await pause(7000);
  const after = await program.meters();
  situations.push({ name: "at rest again", slots: after.slots, chunks: after.chunks });
  await system.stop();
  return { before: program.greeting.before, situations, stack: after.stack };
}

export interface Growth extends Memory {
  readonly requests: number;
}

/** Memory after each so many requests, all clients resting. */
export async function growth(requests = 10_000, step = 1000): Promise<Growth[]> {
  const system = await startLoaded();
  const samples: Growth[] = [];
  let done = 0;
  while (done < requests) {
    const clients = load(system.baseUrl, STATUS, CLIENTS);
    while (clients.answered < step) await pause(20);
    await clients.stop();
    done += clients.answered;
    await pause(200);
    const { slots, chunks } = await system.program.meters();
    samples.push({ requests: done, slots, chunks });
  }
  await system.stop();
  return samples;
}

/** Options of a system with packs at the addresses from 1 on, all of them set up. */
function packsOptions(count: number, settings: LinuxSystemOptions["settings"] = {}): LinuxSystemOptions {
  const further = Array.from({ length: count - 1 }, (_, index) => ({ address: index + 2, name: `Pack ${index + 2}` }));
  return {
    bank: { count, ...CELLS_24 },
    settings: { ...settings, packs: { further } },
  };
}

interface BankMemory {
  readonly rest: Memory;
  readonly most: Memory;
}

/** Of a bank, all online: at rest, and the most that is alive with everything at once. */
export async function packsMemory(count: number, settings?: LinuxSystemOptions["settings"]): Promise<BankMemory> {
  const system = await startLoaded(packsOptions(count, settings));
  await allOnline(system, count);
  const rest = await peak(system, LOOKING);
  const all = await everything(system);
  const most = await peak(system, 5 * LOOKING);
  await all.stop();
  if (!all.answered() || !all.refused()) throw new Error("requests failed");
  await system.stop();
  return { rest, most };
}

async function allOnline({ baseUrl }: LinuxSystem, count: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await (
      await fetch(`${baseUrl}/api/packs`, { headers: { authorization: `Bearer ${TOKEN}` } })
    ).text();
    if (answer.includes(`"packs":${count},"online":${count},`)) return;
    if (Date.now() > deadline) throw new Error(`not all of ${count} packs were read: ${answer}`);
    await pause(200);
  }
}

/** Whether the firmware starts, all packs come online, and it does everything in that memory. */
export async function suffices(
  memory: typeof DEVICE,
  settings: LinuxSystemOptions["settings"],
  packs = 1,
): Promise<boolean> {
  let system: LinuxSystem;
  try {
    system = await startLoaded({
      memory,
      ...(packs > 1 ? packsOptions(packs, settings) : settings && { settings }),
    });
  } catch {
    return false;
  }
  try {
    if (packs > 1) await allOnline(system, packs);
    const all = await everything(system);
    await pause(LOOKING);
    const well = system.program.exit === undefined && all.answered() > 10 && all.refused() > 5;
    await all.stop();
    await system.stop();
    return well;
  } catch {
    await system.stop().catch(() => undefined);
    return false;
  }
}

/** The least of one kind of memory, with the device's of the other, in which everything runs: the true peak, garbage apart. */
export async function least(
  kind: "slots" | "chunks",
  step: number,
  settings?: LinuxSystemOptions["settings"],
): Promise<number> {
  let fails = 0;
  let passes = DEVICE[kind];
  while (passes - fails > step) {
    const middle = Math.ceil((fails + passes) / 2 / step) * step;
    const tried = middle >= passes ? passes - step : middle;
    if (await suffices({ ...DEVICE, [kind]: tried }, settings)) passes = tried;
    else fails = tried;
  }
  return passes;
}
