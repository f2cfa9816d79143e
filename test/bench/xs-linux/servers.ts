/** This project's HTTP server and the SDK's, each a program on the SDK's XS, under the same clients. */
import { XsProgram } from "../../support/xs-program";
import { askOnce, bodyOf, Client, load, request, statusOf } from "./clients";
import { STATUS, startLoaded } from "./memory";

export interface Server {
  readonly name: string;
  readonly program: XsProgram;
  readonly keepAlive: boolean;
  stop(): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The firmware, with its BMS. */
async function ours(): Promise<Server> {
  const system = await startLoaded();
  return { name: "this firmware", program: system.program, keepAlive: true, stop: () => system.stop() };
}

const sdkProgram = (): string => {
  const path = process.env["SDK_PROGRAM"];
  if (!path) throw new Error("SDK_PROGRAM names no program: run npm run bench:xs-linux");
  return path;
};

/** The SDK's server with that document, `ready` or made for each request. */
async function sdks(text: string, ready: boolean): Promise<Server> {
  const program = await XsProgram.start(sdkProgram(), {});
  await program.order({ order: "serve", text, ready });
  const name = ready ? "the SDK's, its bytes ready" : "the SDK's, JSON.stringify";
  return { name, program, keepAlive: false, stop: () => program.stop() };
}

export interface Speed {
  readonly name: string;
  readonly connections: number;
  readonly perSecond: number;
  /** Microseconds of processor time a request. */
  readonly cpu: number;
}

const IDLE_MS = 5000;
const LOAD_MS = 15_000;
const CLOSE = request("/api/bms/status", "Connection: close\r\n");

/** `cpu` is what the requests add to what the process takes without any. */
async function speed(server: Server, connections: number, keepAlive: boolean): Promise<Speed> {
  const { program, name } = server;
  const at = async (): Promise<[number, number]> => [await program.cpu(), performance.now()];
  const [idleCpu, idleTime] = await at();
  await pause(IDLE_MS);
  const [cpu, time] = await at();
  const idle = (cpu - idleCpu) / (time - idleTime);
  const clients = load(program.baseUrl, keepAlive ? STATUS : CLOSE, connections, keepAlive);
  await pause(LOAD_MS);
  const [endCpu, endTime] = await at();
  const { answered, failed } = clients;
  await clients.stop();
  if (failed) throw new Error(`${name}: ${failed} of ${answered + failed} requests failed`);
  return {
    name: `${name}, ${keepAlive ? "keep-alive" : "a connection a request"}`,
    connections,
    perSecond: answered / ((endTime - time) / 1000),
    cpu: (endCpu - cpu - idle * (endTime - time)) / answered,
  };
}

export interface ConnectionMemory {
  readonly name: string;
  readonly idle: { readonly slots: number; readonly chunks: number };
  readonly each: { readonly slots: number; readonly chunks: number };
}

const OPEN = 4;

/** What an open connection with a request under way takes, beside what the program holds without one. */
async function connectionMemory({ name, program }: Server): Promise<ConnectionMemory> {
  const idle = await program.meters();
  const clients = Array.from({ length: OPEN }, () => new Client(program.baseUrl).send(STATUS.slice(0, -2)));
  await pause(500);
  const open = await program.meters();
  for (const client of clients) client.close();
  await pause(500);
  return {
    name,
    idle,
    each: { slots: (open.slots - idle.slots) / OPEN, chunks: (open.chunks - idle.chunks) / OPEN },
  };
}

export interface Hostility {
  readonly name: string;
  readonly attack: string;
  /** What became of the attackers. */
  readonly attackers: string;
  /** Requests of another client while it lasted. */
  readonly others: string;
  readonly memory: string;
  readonly after: string;
}

const MEGABYTE = 1_000_000;
const FLOOD = 50;
const SILENCE_MS = 45_000;

interface Attack {
  readonly name: string;
  readonly ms: number;
  start(baseUrl: string): Client[];
}

const ATTACKS: readonly Attack[] = [
  {
    name: "a header line of 1 MB",
    ms: 20_000,
    start: (baseUrl) => [
      new Client(baseUrl).send(`GET /api HTTP/1.1\r\nHost: device\r\nX: ${"a".repeat(MEGABYTE)}\r\n\r\n`),
    ],
  },
  { name: "a client that says nothing", ms: SILENCE_MS, start: (baseUrl) => [new Client(baseUrl)] },
  {
    name: `${FLOOD} connections with half a request`,
    ms: 20_000,
    start: (baseUrl) => Array.from({ length: FLOOD }, () => new Client(baseUrl).send(STATUS.slice(0, -2))),
  },
];

async function underAttack(start: () => Promise<Server>, attack: Attack): Promise<Hostility> {
  const server = await start();
  const { name, program, keepAlive } = server;
  const resting = await program.meters();
  // On a connection of its own, which it keeps if it may: it was there before the attack.
  let other = new Client(program.baseUrl);
  await other.ask(STATUS);
  const attackers = attack.start(program.baseUrl);
  let [asked, answered, slots, chunks] = [0, 0, 0, 0];
  for (const end = Date.now() + attack.ms; Date.now() < end && !program.exit; await pause(250)) {
    if (!keepAlive || other.closed) {
      other.close();
      other = new Client(program.baseUrl);
    }
    asked++;
    const response = await other.ask(STATUS, 2000);
    if (response && statusOf(response) === 200) answered++;
    const now = await program.meters().catch(() => undefined);
    slots = Math.max(slots, (now?.slots ?? 0) - resting.slots);
    chunks = Math.max(chunks, (now?.chunks ?? 0) - resting.chunks);
  }
  const open = attackers.filter(({ closed }) => !closed).length;
  for (const attacker of attackers) attacker.close();
  other.close();
  await pause(1000);
  const response = program.exit ? undefined : await askOnce(program.baseUrl, STATUS, 5000);
  const report = {
    name,
    attack: attack.name,
    attackers: program.exit ? "" : `${open} of ${attackers.length} still connected after ${attack.ms / 1000} s`,
    others: `${answered} of ${asked} answered`,
    memory: `+${slots} slots, +${chunks} bytes`,
    after: program.exit ?? (response && statusOf(response) === 200 ? "serves" : "does not answer"),
  };
  await server.stop().catch(() => undefined);
  return report;
}

export interface Comparison {
  readonly speeds: readonly Speed[];
  readonly memory: readonly ConnectionMemory[];
  readonly hostility: readonly Hostility[];
  /** Bytes of the document. */
  readonly bytes: number;
}

export async function comparison(): Promise<Comparison> {
  const speeds: Speed[] = [];
  const memory: ConnectionMemory[] = [];
  const firmware = await ours();
  const document = bodyOf((await askOnce(firmware.program.baseUrl, STATUS)) ?? "");
  memory.push(await connectionMemory(firmware));
  for (const keepAlive of [true, false])
    for (const connections of [1, 4]) speeds.push(await speed(firmware, connections, keepAlive));
  await firmware.stop();
  for (const ready of [false, true]) {
    const server = await sdks(document, ready);
    if (ready) memory.push(await connectionMemory(server));
    for (const connections of [1, 4]) speeds.push(await speed(server, connections, false));
    await server.stop();
  }
  const hostility: Hostility[] = [];
  for (const attack of ATTACKS)
    for (const start of [ours, () => sdks(document, false)]) hostility.push(await underAttack(start, attack));
  return { speeds, memory, hostility, bytes: document.length };
}
