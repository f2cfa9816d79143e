/** Requests a second, their latency, and what one allocates. */
import { System, TOKEN } from "../support/system/system";
import { load } from "./load";
import { LoopServer } from "./loop";

export interface Rate {
  readonly path: string;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Over real sockets, the script taking no more time than this machine needs. */
export async function rate(path: string, connections: number, seconds = 4): Promise<Rate> {
  const system = await System.start();
  await system.untilLoaded();
  const { requests, latency, non2xx, errors } = await load(system.url + path, connections, seconds).result;
  system.stop();
  if (non2xx || errors) throw new Error(`${path}: ${non2xx} not 2xx, ${errors} errors`);
  return { path, connections, perSecond: requests.average, p50: latency.p50, p99: latency.p99 };
}

const WARM_UP = 5_000;
const MEASURED = 2_000;

/** Bytes of heap that one request takes, the platform's sockets left out. Needs node --expose-gc and a young generation that holds it all. */
export async function allocation(path: string): Promise<number> {
  const system = await System.start({ unpaced: true });
  system.board.clock.runFor(10_000);
  const request = new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: device\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: */*\r\n\r\n`,
  );
  const loop = new LoopServer((exchange) => system.firmware.api.answer(exchange));
  loop.ask(request, WARM_UP);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  loop.ask(request, MEASURED);
  const bytes = (process.memoryUsage().heapUsed - before) / MEASURED;
  system.stop();
  return bytes;
}
