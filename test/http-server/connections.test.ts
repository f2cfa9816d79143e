import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  CLIENT_GRACE_MS,
  LINGER_MS,
  MAX_CONNECTIONS,
  MAX_REFUSALS,
  NEW_CONNECTION_GRACE_MS,
  RETRY_AFTER_SECONDS,
  TICK_MS,
} from "http-server/limits";
import { HttpServer } from "http-server/server";
import { app } from "../support/http/http-app";
import { Harness, response, statuses } from "../support/http/http-harness";
import type { MemoryClient } from "../support/http/memory-sockets";

const GET = "GET /length HTTP/1.1\r\nHost: a\r\n\r\n";
const HALF = GET.slice(0, 20);

let harness: Harness;
beforeEach(() => (harness = new Harness()));
afterEach(() => {
  harness.server.close();
  expect(harness.network.vainReads).toBe(0);
});

const many = (count: number, send: string): MemoryClient[] =>
  Array.from({ length: count }, () => harness.connect().send(send));

describe("all slots busy", () => {
  test.each([MAX_CONNECTIONS - 1, MAX_CONNECTIONS])("%i clients are served", (count) => {
    const clients = many(count, HALF);
    for (const client of clients) expect(statuses(client.send(GET.slice(20)))).toEqual([200]);
    expect(harness.server.counters.refusedConnections).toBe(0);
  });

  test("interleaved requests on all of them do not mix", () => {
    const clients = many(MAX_CONNECTIONS, "");
    const bodies = clients.map((_, index) => `body ${"x".repeat(index)} of ${index}`);
    const requests = bodies.map((body, index) => {
      const [framing, sent] =
        index % 2
          ? ["Transfer-Encoding: chunked", `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`]
          : [`Content-Length: ${body.length}`, body];
      return `POST /echo HTTP/1.1\r\nHost: host${index}\r\n${framing}\r\n\r\n${sent}`;
    });
    for (let at = 0; requests.some((text) => at < text.length); at++)
      for (const [index, client] of clients.entries()) client.send(requests[index]?.[at] ?? "");
    expect(clients.map((client) => response(client).body.toString())).toEqual(bodies);
  });

  test("one more gets 503 and is closed, the others continue", () => {
    const clients = many(MAX_CONNECTIONS, HALF);
    const extra = harness.connect();
    extra.send(GET);
    const refused = response(extra);
    expect(refused.status).toBe(503);
    expect(refused.headers).toMatchObject({
      "retry-after": `${RETRY_AFTER_SECONDS}`,
      connection: "close",
      "content-type": "application/json",
    });
    expect(JSON.parse(refused.body.toString())).toEqual({ success: false, error: "Too many connections." });
    expect(extra.ended).toBe(false);
    harness.advance(LINGER_MS + TICK_MS);
    expect([extra.ended, extra.reset]).toEqual([true, false]);
    for (const client of clients) expect(statuses(client.send(GET.slice(20)))).toEqual([200]);
    const { refusedConnections, refusedPlaces, serverErrors, requests } = harness.server.counters;
    expect({ refusedConnections, refusedPlaces, serverErrors, requests }).toEqual({
      refusedConnections: 1,
      refusedPlaces: 1,
      serverErrors: 1,
      requests: MAX_CONNECTIONS,
    });
  });

  test("the next one gets a 503 once the previous 503 has been sent", () => {
    many(MAX_CONNECTIONS, HALF);
    for (let time = 0; time < 3; time++) {
      const extra = harness.connect();
      expect(response(extra).status).toBe(503);
      extra.fin();
      expect(extra.ended).toBe(true);
    }
  });

  test("a client refused after the previous one timed out may still send and is not reset", () => {
    harness.server.close();
    // Trusted, they keep their places however long the answer takes.
    harness = new Harness({ handler: (exchange) => exchange.trust() });
    many(MAX_CONNECTIONS, GET);
    for (let time = 0; time < 3; time++) {
      const extra = harness.connect();
      expect(statuses(extra)).toEqual([503]);
      harness.advance(LINGER_MS - TICK_MS);
      extra.send(GET);
      expect([extra.ended, extra.reset]).toEqual([false, false]);
      harness.advance(2 * TICK_MS);
      expect([extra.ended, extra.reset]).toEqual([true, false]);
    }
  });

  test("an exception while rendering the 503: no response, no other effect", () => {
    harness.server.close();
    harness = new Harness({
      describeError: () => {
        throw new Error("x");
      },
    });
    many(MAX_CONNECTIONS, HALF);
    const extra = harness.connect();
    expect([extra.take(), harness.faults.length]).toEqual(["", 1]);
  });

  test("more at the same time are closed at once", () => {
    many(MAX_CONNECTIONS, HALF);
    const extras = harness.network.connectTogether(MAX_REFUSALS + 3);
    harness.network.settle();
    expect(extras.map(({ ended }) => ended)).toEqual([false, true, true, true]);
    expect(harness.network.open).toBe(MAX_CONNECTIONS + MAX_REFUSALS);
    expect(harness.server.counters.refusedConnections).toBe(MAX_REFUSALS + 3);
  });

  test("a refused client that disconnects frees its place at once", () => {
    many(MAX_CONNECTIONS, HALF);
    for (let round = 0; round < 5; round++) {
      const extra = harness.connect();
      expect(statuses(extra)).toEqual([503]);
      extra.fin();
      expect(extra.ended).toBe(true);
    }
  });

  test("a client that disconnects frees its slot at once", () => {
    const clients = many(MAX_CONNECTIONS, HALF);
    clients[2]?.rst();
    clients[4]?.fin();
    expect(many(2, GET + HALF).map(statuses)).toEqual([[200], [200]]);
    expect(statuses(harness.connect())).toEqual([503]);
  });
});

/** Which of them have been closed. */
const ended = (clients: readonly MemoryClient[]): number[] =>
  clients.flatMap((client, at) => (client.ended ? [at] : []));

describe("room for a new client", () => {
  test("is made by closing the connection that was idle longest", () => {
    const clients = many(MAX_CONNECTIONS, "");
    const order = [3, 1, ...clients.keys()].filter((index, at, all) => all.indexOf(index) === at);
    for (const index of order) {
      harness.advance(NEW_CONNECTION_GRACE_MS);
      clients[index]?.send(GET).take();
    }
    harness.advance(CLIENT_GRACE_MS);
    expect(statuses(harness.connect().send(GET))).toEqual([200]);
    expect(ended(clients)).toEqual([3]);
    expect(statuses(harness.connect().send(GET))).toEqual([200]);
    expect(ended(clients)).toEqual([1, 3]);
    expect(harness.server.counters.evictedConnections).toBe(2);
    expect(harness.server.counters.refusedConnections).toBe(0);
  });

  test("is never made by closing one with a request in progress", () => {
    const clients = many(MAX_CONNECTIONS, "");
    harness.advance(60_000 / 3);
    clients.forEach((client, index) => index !== 4 && client.send(HALF));
    expect(statuses(harness.connect().send(HALF))).toEqual([]);
    expect(ended(clients)).toEqual([4]);
    expect(statuses(harness.connect())).toEqual([503]);
  });

  test("is not made by closing a new connection whose request may be on its way", () => {
    const clients = many(MAX_CONNECTIONS, "");
    harness.advance(NEW_CONNECTION_GRACE_MS - 1);
    expect(statuses(harness.connect())).toEqual([503]);
    harness.advance(1);
    expect(statuses(harness.connect().send(GET))).toEqual([200]);
    expect(clients.filter(({ ended }) => ended)).toHaveLength(1);
  });

  test("is not made by closing one whose request a script has not heard that was busy with others for most of a second", () => {
    const clients = many(MAX_CONNECTIONS, "");
    harness.advance(750);
    expect(statuses(harness.connect().send(GET))).toEqual([503]);
    for (const client of clients) expect(statuses(client.send(GET))).toEqual([200]);
  });

  test("is made by closing one that was just served: at once for another address, after its grace for its own", () => {
    const clients = many(MAX_CONNECTIONS, GET);
    harness.advance(CLIENT_GRACE_MS - 1);
    expect(statuses(harness.connect())).toEqual([503]);
    harness.advance(1);
    expect(statuses(harness.connect().send(GET))).toEqual([200]);
    expect(ended(clients)).toHaveLength(1);
    expect(statuses(harness.connect("192.0.2.1").send(GET))).toEqual([200]);
  });

  test("is made first by closing a lingering connection", () => {
    const clients = many(MAX_CONNECTIONS, GET);
    harness.advance(20_000);
    clients[3]?.send("BAD\r\n\r\n");
    expect(statuses(harness.connect().send(GET))).toEqual([200]);
    expect(ended(clients)).toEqual([3]);
  });
});

test("several connections announced in one callback are all accepted", () => {
  const clients = harness.network.connectTogether(3);
  harness.network.settle();
  expect(clients.map((client) => statuses(client.send(GET)))).toEqual([[200], [200], [200]]);
});

test("a client that disconnects before it is accepted does no harm", () => {
  const [gone, stays] = harness.network.connectTogether(2);
  if (gone) gone.gone = true;
  expect(() => harness.network.settle()).not.toThrow();
  expect(statuses((stays as MemoryClient).send(GET))).toEqual([200]);
  expect([harness.server.connections, harness.network.open]).toEqual([1, 1]);
});

test("a listener that the platform closes no longer listens", () => {
  let fail: (() => void) | undefined;
  const { network } = harness;
  const server = new HttpServer({
    listener: {
      port: 80,
      io: class extends network.Listener {
        constructor(options: ConstructorParameters<typeof network.Listener>[0] & { onError?: () => void }) {
          super(options);
          fail = () => options.onError?.call(this);
        }
      },
    },
    socket: { io: network.TCP },
    handler: app,
  });
  expect(server.listening).toBe(true);
  fail?.();
  expect(server.listening).toBe(false);
  server.close();
});

test("slots are reused", () => {
  for (let round = 0; round < 100; round++) {
    const client = harness.connect(`192.0.2.${round}`);
    client.send(round % 3 ? GET : HALF);
    if (round % 2) client.fin();
    else client.rst();
  }
  expect(harness.server.connections).toBe(0);
  expect(harness.network.open).toBe(0);
  expect(statuses(harness.connect().send(GET))).toEqual([200]);
});

test("the address is the connection's", () => {
  const addresses: string[] = [];
  harness.server.close();
  harness = new Harness({
    handler: (exchange) => {
      addresses.push(exchange.remoteAddress);
      app(exchange);
    },
  });
  harness.connect("192.0.2.1").send(GET);
  harness.connect("192.0.2.2").send(GET);
  expect(addresses).toEqual(["192.0.2.1", "192.0.2.2"]);
});

test("close closes all connections and stops listening", () => {
  const clients = many(3, HALF);
  harness.server.close();
  expect(clients.map(({ ended }) => ended)).toEqual([true, true, true]);
  expect(harness.server.connections).toBe(0);
  expect(harness.network.open).toBe(0);
});

test("counters", () => {
  const client = harness.connect();
  client.send(GET + GET);
  client.send('GET /file HTTP/1.1\r\nHost: a\r\nIf-None-Match: "abc"\r\n\r\n');
  client.send("GET /missing HTTP/1.1\r\nHost: a\r\n\r\n");
  client.send("GET /throw HTTP/1.1\r\nHost: a\r\n\r\n");
  harness.connect().send("BAD\r\n\r\n");
  expect({ ...harness.server.counters }).toEqual({
    requests: 5,
    successful: 2,
    redirected: 1,
    clientErrors: 2,
    serverErrors: 1,
    connections: 2,
    refusedConnections: 0,
    refusedPlaces: 0,
    evictedConnections: 0,
    evictedRequests: 0,
    protocolErrors: 1,
    faults: 1,
  });
});

test.each([
  [200, "successful"],
  [299, "successful"],
  [300, "redirected"],
  [399, "redirected"],
  [400, "clientErrors"],
  [499, "clientErrors"],
  [500, "serverErrors"],
  [599, "serverErrors"],
] as const)("status %i counts as %s", (status, name) => {
  harness.server.close();
  harness = new Harness({ handler: (exchange) => exchange.respond(status) });
  expect(statuses(harness.connect().send(GET))).toEqual([status]);
  expect(harness.server.counters).toMatchObject({
    successful: 0,
    redirected: 0,
    clientErrors: 0,
    serverErrors: 0,
    [name]: 1,
  });
});

test("a request of another major version leaves no state for the next connection", () => {
  const other = harness.connect().send("GET / HTTP/2.0\r\nHost: a\r\n\r\n");
  expect(statuses(other)).toEqual([505]);
  harness.advance(LINGER_MS + TICK_MS);
  expect(statuses(harness.connect().send(GET))).toEqual([200]);
});
