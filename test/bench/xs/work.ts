/** What a request and a poll cost on XS: units of the bytecode meter, which are the same on every machine, and processor time. */
import { readFileSync } from "node:fs";
import { requestText, settle, XsSystem, type XsOptions } from "./system";

export interface Request {
  readonly name: string;
  readonly text: string;
  readonly status: number;
  /** Virtual ms until the next one can be sent. */
  readonly pause?: number;
  /** Units that it should take at most. */
  readonly goal?: number;
}

export const REQUESTS: readonly Request[] = [
  { name: "GET /api", text: requestText("GET", "/api"), status: 200 },
  { name: "GET /api/bms/status (24 cells)", text: requestText("GET", "/api/bms/status"), status: 200 },
  { name: "GET /api/bms/config", text: requestText("GET", "/api/bms/config"), status: 200 },
  {
    name: "POST /api/bms/commands",
    text: requestText("POST", "/api/bms/commands", '{"command":"balance","state":true}'),
    status: 202,
    pause: 6000,
    goal: 15_000,
  },
  { name: "404 below /api", text: requestText("GET", "/api/nothing"), status: 404, goal: 3_500 },
];

/** Microseconds of processor time of a process so far. Linux alone tells. */
export function processorTime(pid: number | undefined): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1000;
}

export interface Cost {
  readonly name: string;
  readonly units: number;
  readonly goal?: number | undefined;
  /** Microseconds of the worker's process, its pipe to the simulator included. */
  readonly time: number;
  /** Slots that are garbage after it. */
  readonly garbage: number;
}

const WARM_UP = 5;

/** Mean of so many requests on one connection. */
export async function requestCost(
  xs: XsSystem,
  { name, text, status, goal, pause = 0 }: Request,
  times: number,
): Promise<Cost> {
  const client = await xs.client();
  const { worker } = xs.machine;
  let units = 0;
  let time = 0;
  for (let request = -WARM_UP; request < times; request++) {
    const before = [xs.gauge.units, processorTime(worker.pid)] as const;
    const reply = await client.ask(text);
    if (reply.status !== status) throw new Error(`${name}: ${reply.status} ${reply.body.toString()}`);
    await settle();
    if (request >= 0) {
      units += xs.gauge.units - before[0];
      time += processorTime(worker.pid) - before[1];
    }
    if (pause) xs.runFor(pause);
  }
  client.close();
  await settle();
  return { name, units: units / times, goal, time: time / times, garbage: pause ? NaN : garbageSlots(xs, text) };
}

/** Clients that ask each once a second, one after another: what they are answered has changed since. */
export const POLLERS = [
  { name: "GET /api, once a second", path: "/api", clients: 1, goal: 25_000 },
  { name: "GET /api/bms/status, once a second", path: "/api/bms/status", clients: 1, goal: 38_000 },
  { name: "GET /api/bms/status, four clients a second each", path: "/api/bms/status", clients: 4, goal: undefined },
] as const;
const ASKED_FOR = 60;

/** Mean of a request of theirs: what a time with them costs, less what it costs without. */
export async function pollersCost({ name, path, clients, goal }: (typeof POLLERS)[number]): Promise<Cost> {
  const seconds = ASKED_FOR;
  const text = requestText("GET", path);
  const measured: (readonly [units: number, time: number])[] = [];
  for (const count of [clients, 0]) {
    const xs = await XsSystem.start();
    const { pid } = xs.machine.worker;
    const asking = await Promise.all(Array.from({ length: count }, () => xs.client()));
    let before: readonly [units: number, time: number] = [0, 0];
    for (let turn = -WARM_UP * clients; turn < seconds * clients; turn++) {
      if (turn === 0) before = [xs.gauge.units, processorTime(pid)];
      await asking[(turn + WARM_UP * clients) % clients]?.ask(text);
      await settle();
      xs.runFor(1000 / clients);
    }
    measured.push([xs.gauge.units - before[0], processorTime(pid) - before[1]]);
    for (const client of asking) client.close();
    xs.stop();
  }
  const [[units, time], [idleUnits, idleTime]] = measured as [[number, number], [number, number]];
  const requests = clients * seconds;
  return { name, units: (units - idleUnits) / requests, goal, time: (time - idleTime) / requests, garbage: NaN };
}

const GARBAGE_REQUESTS = 20;

/** Slots that one request leaves as garbage, the simulator's sockets left out. */
function garbageSlots(xs: XsSystem, text: string): number {
  const slots = (times: number): number => {
    // The first may make what stays; the garbage is gone after that.
    xs.machine.ask("loop", [...Buffer.from(text)], 1);
    xs.gauge.collect();
    xs.machine.ask("loop", [...Buffer.from(text)], times);
    return xs.machine.worker.figures.currentHeapCount;
  };
  return (slots(1 + GARBAGE_REQUESTS) - slots(1)) / GARBAGE_REQUESTS;
}

export interface PollCost {
  readonly readMode: NonNullable<XsOptions["readMode"]>;
  readonly units: number;
  readonly time: number;
}

export const POLLS: readonly { readonly name: string; readonly readMode: PollCost["readMode"] }[] = [
  { name: "poll by registers", readMode: "registers" },
  { name: "poll by frames", readMode: "frames" },
];

const POLLED_FOR = 200_000;

/** What a second without requests costs with a poll each second, less what it costs with one each other second. */
export async function pollCost(readMode: PollCost["readMode"]): Promise<PollCost> {
  const measured: [polls: number, units: number, time: number][] = [];
  for (const interval of [1000, 2000]) {
    const xs = await XsSystem.start({ readMode, interval });
    const { pid } = xs.machine.worker;
    const before = [xs.gauge.units, processorTime(pid)] as const;
    xs.runFor(POLLED_FOR);
    measured.push([POLLED_FOR / interval, xs.gauge.units - before[0], processorTime(pid) - before[1]]);
    xs.stop();
  }
  const [[polls, units, time], [fewer, unitsOfFewer, timeOfFewer]] = measured as [
    [number, number, number],
    [number, number, number],
  ];
  return {
    readMode,
    units: (units - unitsOfFewer) / (polls - fewer),
    time: (time - timeOfFewer) / (polls - fewer),
  };
}

export type Parts = Readonly<Record<string, number>>;

/** Units of one request by part. */
export async function profile({ text }: Request, times: number): Promise<Parts> {
  const xs = await XsSystem.start();
  const client = await xs.client();
  await client.ask(text);
  xs.machine.ask("profile");
  await client.ask(text);
  await settle();
  xs.machine.ask("parts");
  for (let request = 0; request < times; request++) await client.ask(text);
  await settle();
  const parts = xs.machine.ask("parts") as Parts;
  client.close();
  xs.stop();
  return Object.fromEntries(Object.entries(parts).map(([part, units]) => [part, units / times]));
}
