/** Requests a second, their latency, and what one allocates. */
import { HttpServer } from "http-server/server";
import type { ListenerOptions, TCPOptions } from "../../host-sim/io/options";
import type Listener from "embedded:io/socket/listener";
import type TCP from "embedded:io/socket/tcp";
import { System, TOKEN } from "../support/system";
import { load } from "./load";

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

/** A socket that gives the same request again and again and takes every answer: nothing but the firmware allocates. */
class LoopSocket {
  #position = 0;
  constructor(
    readonly options: TCPOptions,
    readonly request: Uint8Array,
  ) {}
  readonly remoteAddress = "127.0.0.1";
  ask(): void {
    this.#position = 0;
    this.options.onWritable?.call(this as unknown as TCP, WINDOW);
    this.options.onReadable?.call(this as unknown as TCP, this.request.length);
  }
  read(view: Uint8Array): number {
    view.set(this.request.subarray(this.#position, this.#position + view.length));
    this.#position += view.length;
    return view.length;
  }
  write(view: Uint8Array): number {
    return WINDOW - view.length;
  }
  close(): void {
    throw new Error("the server closed the connection");
  }
}

const WINDOW = 5744;
const WARM_UP = 5_000;
const MEASURED = 2_000;

/** Bytes of heap that one request takes, the platform's sockets left out. Needs node --expose-gc and a young generation that holds it all. */
export async function allocation(path: string): Promise<number> {
  const system = await System.start({ unpaced: true });
  system.board.clock.runFor(10_000);
  const request = new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: device\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: */*\r\n\r\n`,
  );
  let socket: LoopSocket | undefined;
  let accept: ListenerOptions["onReadable"];
  class OneListener {
    readonly port = 80;
    constructor({ onReadable }: ListenerOptions) {
      accept = onReadable;
    }
    read(): TCP {
      return { remoteAddress: "127.0.0.1", close: () => undefined } as unknown as TCP;
    }
    close(): void {
      accept = undefined;
    }
  }
  class OneSocket extends LoopSocket {
    constructor(options: TCPOptions) {
      super(options, request);
      // The bench plays the network: it needs the socket that the server has made.
      // eslint-disable-next-line @typescript-eslint/no-this-alias
      socket = this;
    }
  }
  const server = new HttpServer({
    listener: { io: OneListener, port: 80 },
    socket: { io: OneSocket as unknown as typeof TCP },
    handler: system.firmware.api.handler,
  });
  accept?.call({ read: () => undefined } as unknown as Listener, 1);
  for (let count = 0; count < WARM_UP; count++) socket?.ask();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < MEASURED; count++) socket?.ask();
  const bytes = (process.memoryUsage().heapUsed - before) / MEASURED;
  if (server.counters.requests !== WARM_UP + MEASURED) throw new Error("not every request was answered");
  system.stop();
  return bytes;
}
