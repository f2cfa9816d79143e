import { HttpServer, type HttpServerOptions } from "http-server/server";
import { app } from "./http-app";
import { parseResponses, type ParsedResponse } from "./http-responses";
import { MemoryNetwork, type MemoryClient } from "./memory-sockets";
import { poweredBoard } from "../system/simulated-board";

/** Makes `Time.ticks` wrap soon after the start, as on the device every 25 days. */
const FIRST_TICK = 0x7fff_ffff - 5_000;

/** A server on an in-memory network, on the virtual time of its own board. */
export class Harness {
  readonly board = poweredBoard({ ticks: FIRST_TICK });
  readonly network = new MemoryNetwork(this.board);
  readonly server: HttpServer;
  readonly faults: unknown[] = [];

  constructor(
    options: Partial<Pick<HttpServerOptions, "clientOf" | "handler" | "hasRoom" | "describeError">> & {
      window?: number;
    } = {},
  ) {
    const { window, ...rest } = options;
    if (window !== undefined) this.network.window = window;
    this.server = new HttpServer({
      listener: { io: this.network.Listener, port: 80 },
      socket: { io: this.network.TCP },
      handler: app,
      onFault: (error) => this.faults.push(error),
      ...rest,
    });
  }

  connect(address?: string): MemoryClient {
    return this.network.connect(address);
  }

  advance(ms: number): void {
    this.board.clock.runFor(ms);
  }
}

/** The responses a client has received since the last call. */
export function responses(client: MemoryClient, methods?: readonly string[]): ParsedResponse[] {
  return parseResponses(Buffer.from(client.take(), "latin1"), methods);
}

/** The only response a client has received since the last call. */
export function response(client: MemoryClient, method = "GET"): ParsedResponse {
  const [first, ...more] = responses(client, [method]);
  if (!first || more.length) throw new Error(`${more.length + (first ? 1 : 0)} responses`);
  return first;
}

export const statuses = (client: MemoryClient): number[] => responses(client).map(({ status }) => status);
