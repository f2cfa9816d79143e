import { beforeEach, describe, expect, it } from "vitest";
import type Listener from "embedded:io/socket/listener";
import { MAX_REOPEN_MS, MIN_REOPEN_MS } from "http-server/limits";
import { HttpServer } from "http-server/server";
import type { ListenerOptions } from "../../host-sim/io/options";
import { app } from "../support/http/http-app";
import { MemoryNetwork } from "../support/http/memory-sockets";
import { poweredBoard } from "../support/system/simulated-board";

const PORT = 80;
const HOUR = 3_600_000;

/** Makes `Time.ticks` wrap while the listener is being opened. */
const board = (): ReturnType<typeof poweredBoard> => poweredBoard({ ticks: 0x7fff_ffff - 10_000 });

let platform: ReturnType<typeof board>;
let network: MemoryNetwork;
let refusal: string;
let tried: number[];
let faults: string[];
let heard: string[];
let server: HttpServer;

function makeServer(): HttpServer {
  const refusing = function (options: ListenerOptions): Listener {
    tried.push(platform.clock.now);
    if (refusal) throw new Error(refusal);
    return new network.Listener(options);
  };
  return new HttpServer({
    listener: { io: refusing as unknown as typeof Listener, port: PORT },
    socket: { io: network.TCP },
    handler: app,
    target: "its owner",
    onFault: (error) => faults.push(String(error)),
    onListening: (target, error) => heard.push(`${String(target)}: ${String(error)}`),
  });
}

beforeEach(() => {
  platform = board();
  network = new MemoryNetwork(platform);
  refusal = "no network";
  tried = [];
  faults = [];
  heard = [];
  server = makeServer();
});

describe("a listener that the platform refuses", () => {
  it("is opened after pauses that double up to a limit, as soon as it can be; each reason is reported once", () => {
    expect([server.port, server.listening, server.connections]).toEqual([PORT, true, 0]);
    platform.clock.runFor(HOUR);
    const pauses = tried.slice(1).map((at, n) => at - tried[n]!);
    expect(pauses[0]).toBe(MIN_REOPEN_MS);
    for (const [n, pause] of pauses.entries())
      expect(pause).toBe(Math.min(MIN_REOPEN_MS * 2 ** Math.min(n, 16), MAX_REOPEN_MS));
    refusal = "no memory";
    platform.clock.runFor(HOUR);
    expect(faults).toEqual(["Error: no network", "Error: no memory"]);
    expect(server.counters.faults).toBe(0);
    refusal = "";
    platform.clock.runFor(MAX_REOPEN_MS);
    const { length } = tried;
    const client = network.connect().send("GET /about HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(client.take()).toContain("200 OK");
    platform.clock.runFor(HOUR);
    expect(tried).toHaveLength(length);
    expect(heard).toHaveLength(length);
    expect([...new Set(heard)]).toEqual([
      "its owner: Error: no network",
      "its owner: Error: no memory",
      "its owner: undefined",
    ]);
    server.close();
  });

  it("is opened although there was no memory for the timer at first", () => {
    server.close();
    platform.refusals.failAllocation(1);
    faults = [];
    server = makeServer();
    expect(faults).toEqual(["Error: no network", "Error: add failed"]);
    refusal = "";
    platform.clock.runFor(HOUR);
    expect(heard.at(-1)).toContain("no network");
    platform.refusals.failAllocation(1);
    expect(() => server.start()).toThrow("add failed");
    server.start();
    server.start();
    platform.clock.runFor(MAX_REOPEN_MS);
    expect([heard.at(-1), platform.timers.count]).toEqual(["its owner: undefined", 1]);
    server.close();
    expect(platform.timers.count).toBe(0);
  });

  it("is not opened once the server is closed", () => {
    server.close();
    refusal = "";
    platform.clock.runFor(HOUR);
    expect(tried).toHaveLength(1);
  });
});
