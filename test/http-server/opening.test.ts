import { beforeEach, describe, expect, it } from "vitest";
import type Listener from "embedded:io/socket/listener";
import { MAX_REOPEN_MS, MIN_REOPEN_MS } from "http-server/limits";
import { HttpServer } from "http-server/server";
import type { ListenerOptions } from "../../host-sim/io/options";
import { app } from "../support/http-app";
import { MemoryNetwork } from "../support/memory-sockets";
import { poweredBoard } from "../support/simulated-board";

const PORT = 80;
const HOUR = 3_600_000;

/** Makes `Time.ticks` wrap while the listener is being opened. */
const board = (): ReturnType<typeof poweredBoard> => poweredBoard({ ticks: 0x7fff_ffff - 10_000 });

let platform: ReturnType<typeof board>;
let network: MemoryNetwork;
let refusal: string;
let tried: number[];
let faults: string[];
let server: HttpServer;

beforeEach(() => {
  platform = board();
  network = new MemoryNetwork(platform);
  refusal = "no network";
  tried = [];
  faults = [];
  const refusing = function (options: ListenerOptions): Listener {
    tried.push(platform.clock.now);
    if (refusal) throw new Error(refusal);
    return new network.Listener(options);
  };
  server = new HttpServer({
    listener: { io: refusing as unknown as typeof Listener, port: PORT },
    socket: { io: network.TCP },
    handler: app,
    onFault: (error) => faults.push(String(error)),
  });
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
    server.close();
  });

  it("is not opened once the server is closed", () => {
    server.close();
    refusal = "";
    platform.clock.runFor(HOUR);
    expect(tried).toHaveLength(1);
  });

  it("waits while the server is paused", () => {
    refusal = "";
    server.pause();
    platform.clock.runFor(HOUR);
    expect(tried).toHaveLength(1);
    server.resume();
    platform.clock.runFor(MIN_REOPEN_MS);
    expect(tried).toHaveLength(2);
    server.close();
  });
});
