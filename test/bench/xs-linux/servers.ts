/** This project's HTTP server and the SDK's, each a program on the SDK's XS, under the same clients. */
import { setTimeout as pause } from "node:timers/promises";
import { XsProgram } from "../../support/xs/xs-program";
import { askOnce, bodyOf, Client, load, request, statusOf } from "./clients";
import { STATUS, startLoaded } from "./memory";

export interface Server {
  readonly name: string;
  readonly program: XsProgram;
  readonly keepAlive: boolean;
  stop(): Promise<void>;
}

/** The firmware, with its BMS. */
async function ours(): Promise<Server> {
  const system = await startLoaded();
  return { name: "this firmware", program: system.program, keepAlive: true, stop: () => system.stop() };
}

/** One of the programs beside this file, with that document. */
async function serving(variable: string, name: string, keepAlive: boolean, order: object): Promise<Server> {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} names no program: run npm run bench:xs-linux`);
  const program = await XsProgram.start(path, {});
  await program.order({ order: "serve", ...order });
  return { name, program, keepAlive, stop: () => program.stop() };
}

const oursAlone = (text: string): Promise<Server> =>
  serving("OUR_SERVER", "this server alone, the bytes ready", true, { text });

const sdks = (text: string): Promise<Server> =>
  serving("SDK_SERVER", "the SDK's, JSON.stringify", false, { text, ready: false });

const sdksReady = (text: string): Promise<Server> =>
  serving("SDK_SERVER", "the SDK's, the bytes ready", false, { text, ready: true });

export interface Speed {
  readonly name: string;
  readonly connections: number;
  /** Of a request. */
  readonly bytes: number;
  readonly perSecond: number;
  /** Microseconds of processor time a second without a connection, and with as many open ones at rest. */
  readonly idle: number;
  readonly atRest: number;
  /** Microseconds of processor time a request, less that of the same connections at rest. */
  readonly cpu: number;
}

const IDLE_MS = 5000;
const LOAD_MS = 10_000;

/** What Chromium sends beside. */
const BROWSER = [
  "Accept-Encoding: gzip, deflate, br, zstd",
  "Accept-Language: en-GB,en;q=0.9,de-DE;q=0.8,de;q=0.7",
  "Cache-Control: no-cache",
  "Pragma: no-cache",
  "Referer: http://192.168.1.20/",
  "Sec-Fetch-Dest: empty",
  "Sec-Fetch-Mode: cors",
  "Sec-Fetch-Site: same-origin",
  "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  `sec-ch-ua: "Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"`,
  "sec-ch-ua-mobile: ?0",
  `sec-ch-ua-platform: "Linux"`,
]
  .map((line) => `${line}\r\n`)
  .join("");

/** Microseconds of processor time a second. */
async function idleTime(program: XsProgram): Promise<number> {
  const [cpu, time] = [await program.cpu(), performance.now()];
  await pause(IDLE_MS);
  return ((await program.cpu()) - cpu) / ((performance.now() - time) / 1000);
}

/**
 * The sockets of the SDK for Linux are each looked at every 20 ms, with requests or without: what that takes is told apart, and is no
 * part of what a request takes. A client that has a connection for each request has one open nearly all the time as well.
 */
async function speed(server: Server, connections: number, keepAlive: boolean, browser = false): Promise<Speed> {
  const { program, name } = server;
  const asked = request("/api/bms/status", (keepAlive ? "" : "Connection: close\r\n") + (browser ? BROWSER : ""));
  const idle = await idleTime(program);
  const resting = Array.from({ length: connections }, () => new Client(program.baseUrl));
  await pause(500);
  const atRest = await idleTime(program);
  for (const client of resting) client.close();
  await pause(500);
  const [cpu, time] = [await program.cpu(), performance.now()];
  const clients = load(program.baseUrl, asked, connections, keepAlive);
  await pause(LOAD_MS);
  const [endCpu, seconds] = [await program.cpu(), (performance.now() - time) / 1000];
  const { answered, failed } = clients;
  await clients.stop();
  if (failed) throw new Error(`${name}: ${failed} of ${answered + failed} requests failed`);
  return {
    name: `${name}, ${keepAlive ? "keep-alive" : "a connection a request"}`,
    connections,
    bytes: asked.length,
    perSecond: answered / seconds,
    idle,
    atRest,
    cpu: (endCpu - cpu - atRest * seconds) / answered,
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
  /** Bytes of the document. */
  readonly bytes: number;
}

/** Takes some 7 minutes. */
export async function comparison(): Promise<Comparison> {
  const speeds: Speed[] = [];
  const memory: ConnectionMemory[] = [];
  const firmware = await ours();
  const document = bodyOf((await askOnce(firmware.program.baseUrl, STATUS)) ?? "");
  await firmware.stop();
  for (const start of [ours, oursAlone, sdks, sdksReady]) {
    const server = await start(document);
    console.log(`${server.name} …`);
    memory.push(await connectionMemory(server));
    for (const keepAlive of server.keepAlive ? [true, false] : [false]) {
      for (const connections of [1, 4]) speeds.push(await speed(server, connections, keepAlive));
      speeds.push(await speed(server, 4, keepAlive, true));
    }
    await server.stop();
  }
  return { speeds, memory, bytes: document.length };
}

/** Takes some 3 minutes. */
export async function hostility(): Promise<Hostility[]> {
  const document = JSON.stringify({ success: true, data: "x".repeat(2000) });
  const reports: Hostility[] = [];
  for (const attack of ATTACKS)
    for (const start of [ours, () => sdks(document)]) {
      console.log(`${attack.name} …`);
      reports.push(await underAttack(start, attack));
    }
  return reports;
}
