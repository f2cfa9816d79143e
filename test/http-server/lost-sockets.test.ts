import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_CONNECTIONS } from "http-server/limits";
import { app, Pieces } from "../support/http/http-app";
import { Harness, statuses } from "../support/http/http-harness";
import type { MemoryClient } from "../support/http/memory-sockets";

/** A connection that the platform has lost shows when it is read or written: the server ends it, and nothing else. */
let harness: Harness;
let source: Pieces;
beforeEach(() => {
  source = new Pieces(["one,", "two"]);
  harness = new Harness({
    handler: (exchange) => (exchange.path === "/source" ? exchange.respond(200, "a/b", source) : app(exchange)),
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(harness.server.connections).toBe(0);
  harness.server.close();
  expect(harness.faults).toEqual([]);
});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (path: string, more = ""): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}Content-Length: 10\r\n\r\n`;

function lose(client: MemoryClient, call: "read" | "write", after = 0): void {
  const { socket } = client;
  if (!socket) throw new Error("closed");
  const real = socket[call].bind(socket);
  let calls = 0;
  vi.spyOn(socket, call).mockImplementation((bytes) => (calls++ < after ? real(bytes) : undefined));
}

it("a connection announced but already gone is ignored", () => {
  expect(() => harness.server.readable(1)).not.toThrow();
});

describe("read", () => {
  it.each([
    ["before a request", ""],
    ["in the middle of a head", "GET"],
    ["in the middle of a body", `${post("/echo")}12345`],
    ["in the middle of a body that nobody wants", `${post("/private")}12345`],
    ["after the last response", "BAD\r\n\r\n"],
  ])("%s", (_, first) => {
    const client = harness.connect().send(first);
    client.take();
    lose(client, "read");
    client.send("x");
    expect([client.ended, client.take()]).toEqual([true, ""]);
  });
});

describe("write", () => {
  it.each([
    ["of a response", get("/about"), 0],
    ["of 100 Continue", post("/echo", "Expect: 100-continue\r\n"), 0],
    ["of an error", "BAD\r\n\r\n", 0],
    ["of a file's head", get("/file"), 0],
    ["of a file", get("/file"), 1],
    ["of a stream's head", get("/source"), 0],
    ["of a stream", get("/source"), 1],
    ["of a stream's last chunk", get("/source"), 3],
  ])("%s", (_, request, after) => {
    const client = harness.connect();
    lose(client, "write", after);
    client.send(request);
    expect([client.ended, client.writes.length]).toEqual([true, after]);
    if (request === get("/source")) expect(source.closed).toBe(1);
  });

  it("of the rest of a response larger than the window", () => {
    harness.server.close();
    harness = new Harness({ window: 100 });
    const client = harness.connect();
    lose(client, "write", 1);
    client.send(get("/full"));
    expect([client.ended, client.writes]).toEqual([true, [100]]);
  });

  it("of a 503 to an evicted client", () => {
    const clients = Array.from({ length: MAX_CONNECTIONS }, () => harness.connect("192.0.2.66").send("GET"));
    for (const client of clients) lose(client, "write");
    expect(statuses(harness.connect().send(get("/about")))).toEqual([200]);
    expect(harness.server.counters).toMatchObject({ evictedConnections: 1, serverErrors: 0 });
    for (const client of clients) client.fin();
    harness.server.close();
  });
});
