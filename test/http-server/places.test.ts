import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  ADDRESS_SHARE,
  HEAD_GRACE_MS,
  MAX_CONNECTIONS,
  NEW_CONNECTION_GRACE_MS,
  RETRY_AFTER_SECONDS,
} from "http-server/limits";
import { app } from "../support/http/http-app";
import { Harness, response, statuses } from "../support/http/http-harness";
import type { MemoryClient } from "../support/http/memory-sockets";

const HOSTILE = "192.0.2.66";
const HONEST = "192.0.2.1";
const GET = "GET /length HTTP/1.1\r\nHost: a\r\n\r\n";
const HALF = GET.slice(0, 20);
const BODY = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n";

/** Clients that never get anything done: what each sends at first, and does whenever it may. */
interface Hostile {
  readonly first: string;
  readonly go?: (client: MemoryClient) => void;
}

const KINDS: readonly (readonly [string, Hostile])[] = [
  ["say nothing", { first: "" }],
  ["send half a head", { first: HALF }],
  ["send a head byte by byte", { first: "G", go: (client) => client.send("x") }],
  ["send a body slowly", { first: BODY, go: (client) => client.send("x") }],
  ["never read", { first: "GET /bigfile HTTP/1.1\r\nHost: a\r\n\r\n" }],
  ["reset", { first: HALF, go: (client) => client.rst() }],
  ["close their half", { first: GET, go: (client) => client.fin() }],
  ["wait for an answer that is held back", { first: "GET /held HTTP/1.1\r\nHost: a\r\n\r\n" }],
];
const HOSTILE_CONNECTIONS = 60;

const STREAM = "GET /events HTTP/1.1\r\nHost: a\r\n\r\n";

let harness: Harness;
beforeEach(() => {
  harness = new Harness({
    handler: (exchange) => {
      if (exchange.path === "/events") exchange.respond(200, "text/event-stream", { read: () => -1 });
      else if (exchange.path !== "/held") app(exchange);
    },
  });
});
afterEach(() => harness.server.close());

/** Addresses that take all places within their shares. */
const SHARERS = Array.from({ length: MAX_CONNECTIONS / ADDRESS_SHARE }, (_, at) => `192.0.2.${at + 11}`);

const many = (count: number, send: string, address: string): MemoryClient[] =>
  Array.from({ length: count }, () => harness.connect(address).send(send));

describe.each(KINDS)("one address with 60 connections that %s", (_, { first, go }) => {
  /** All of them, each opened again when it has been closed. */
  function* attack(): Generator<void, void> {
    let clients: MemoryClient[] = [];
    for (;;) {
      clients = clients.filter((client) => !client.ended && !client.gone);
      while (clients.length < HOSTILE_CONNECTIONS) {
        const client = harness.connect(HOSTILE);
        client.autoAck = !first.includes("bigfile");
        clients.push(client.send(first));
        // Whom the server has closed at once comes again with the next round.
        if (client.ended) break;
      }
      for (const client of clients) go?.(client);
      yield;
    }
  }

  it("an honest new client is served at once, each time; an established one keeps its connection", () => {
    const attackers = attack();
    const keeps = harness.connect("192.0.2.2");
    for (let round = 0; round < 50; round++) {
      attackers.next();
      const comes = harness.connect(HONEST).send(GET);
      expect(statuses(comes)).toEqual([200]);
      comes.fin();
      expect(statuses(keeps.send(GET))).toEqual([200]);
      expect(keeps.ended).toBe(false);
      harness.advance(100);
    }
  });
});

describe("behind a proxy, a share", () => {
  const PROXY = "192.0.2.80";
  const via = (client: string, request = GET): string =>
    request.replace("Host: a\r\n", `Host: a\r\nX-Forwarded-For: ${client}\r\n`);
  beforeEach(() => {
    harness.server.close();
    harness = new Harness({
      clientOf: (peer, exchange) => {
        if (peer !== PROXY) return peer;
        return exchange ? (exchange.header("x-forwarded-for") ?? peer) : "";
      },
    });
  });

  it("is the client's that the proxy names", () => {
    many(MAX_CONNECTIONS, via(HOSTILE, BODY), PROXY);
    const mine = many(ADDRESS_SHARE, via(HONEST, BODY), PROXY);
    for (const client of mine) expect(statuses(client.send("x".repeat(100)))).toEqual([200]);
  });

  it("is the client's of each request", () => {
    const kept = many(ADDRESS_SHARE + 1, via(HONEST), PROXY);
    kept.forEach((client) => client.send(via(HOSTILE, BODY)));
    many(MAX_CONNECTIONS - kept.length, BODY, "192.0.2.5");
    expect(statuses(harness.connect(HONEST).send(GET))).toEqual([200]);
  });

  it("counts no connection whose client is not named yet", () => {
    many(MAX_CONNECTIONS, via(HOSTILE, BODY), PROXY);
    const mine = many(MAX_CONNECTIONS - ADDRESS_SHARE, "", PROXY);
    mine.forEach((client, at) => expect(statuses(client.send(via(`198.51.100.${at}`)))).toEqual([200]));
  });

  it("is the proxy's where it names nobody", () => {
    many(MAX_CONNECTIONS, BODY, PROXY);
    expect(statuses(harness.connect(HONEST).send(GET))).toEqual([200]);
  });

  it("is the peer's where the peer is not the proxy, whomever it names", () => {
    SHARERS.forEach((client) => many(ADDRESS_SHARE, via(client, BODY), HOSTILE));
    expect(statuses(harness.connect(HONEST).send(GET))).toEqual([200]);
  });
});

describe("an address's share", () => {
  it.each([ADDRESS_SHARE - 1, ADDRESS_SHARE])(
    "a client holding %i connections takes a place from one that has more",
    (held) => {
      many(MAX_CONNECTIONS - held, HALF, HOSTILE);
      const mine = many(held, HALF, HONEST);
      expect(statuses(harness.connect(HONEST).send(GET))).toEqual([held < ADDRESS_SHARE ? 200 : 503]);
      for (const client of mine) expect(statuses(client.send(GET.slice(20)))).toEqual([200]);
    },
  );

  it("is guaranteed: connections within it are never closed", () => {
    const all = SHARERS.flatMap((address) => many(ADDRESS_SHARE, HALF, address));
    expect(all).toHaveLength(MAX_CONNECTIONS);
    expect(statuses(harness.connect("192.0.2.4").send(GET))).toEqual([503]);
    for (const client of all) expect(statuses(client.send(GET.slice(20)))).toEqual([200]);
  });

  it("may be exceeded while no other client needs a place", () => {
    const clients = many(MAX_CONNECTIONS, HALF, HOSTILE);
    for (const client of clients) expect(statuses(client.send(GET.slice(20)))).toEqual([200]);
  });

  it("does not let its holder take a place from others, however long they are idle", () => {
    const idle = many(MAX_CONNECTIONS - ADDRESS_SHARE, GET, HONEST);
    many(ADDRESS_SHARE, HALF, HOSTILE);
    harness.advance(10_000 - NEW_CONNECTION_GRACE_MS);
    many(ADDRESS_SHARE, HALF, HOSTILE);
    expect(idle.map(({ ended }) => ended)).toEqual(idle.map(() => false));
  });

  it("a waiting connection is closed first, then one sending its head, then its body, then one being answered", () => {
    const waits = harness.connect(HOSTILE).send(GET);
    const answered = harness.connect(HOSTILE);
    answered.autoAck = false;
    answered.send("GET /bigfile HTTP/1.1\r\nHost: a\r\n\r\n");
    const sends = harness.connect(HOSTILE).send(BODY);
    const begins = harness.connect(HOSTILE).send(HALF);
    for (let host = 0; host < MAX_CONNECTIONS - 4; host++) many(1, HALF, `192.0.2.${host + 20}`);
    const ended = (): boolean[] => [waits, begins, sends, answered].map((client) => client.ended);
    harness.connect(HONEST);
    expect(ended()).toEqual([true, false, false, false]);
    harness.connect("192.0.2.2");
    expect(ended()).toEqual([true, true, false, false]);
    expect(statuses(harness.connect("192.0.2.3"))).toEqual([503]);
    expect(ended()).toEqual([true, true, false, false]);
  });

  it("a closed connection that waits for an answer gets 503", () => {
    const clients = many(MAX_CONNECTIONS, HALF, HOSTILE);
    harness.connect(HONEST);
    const [gone] = clients.filter(({ ended }) => ended);
    const told = response(gone as MemoryClient);
    expect([told.status, told.headers["retry-after"]]).toEqual([503, `${RETRY_AFTER_SECONDS}`]);
    expect(harness.server.counters).toMatchObject({
      evictedConnections: 1,
      evictedRequests: 1,
      refusedConnections: 0,
      serverErrors: 1,
    });
  });
});

test.each([
  ["nothing", ""],
  ["empty lines", "\r\n\r\n"],
  ["a lone CR", "\r"],
])("connections of several addresses that send %s give way when their grace is over", (_, first) => {
  for (const address of SHARERS) many(ADDRESS_SHARE, first, address);
  harness.advance(NEW_CONNECTION_GRACE_MS - 1);
  expect(statuses(harness.connect("192.0.2.4").send(GET))).toEqual([503]);
  harness.advance(1);
  expect(statuses(harness.connect("192.0.2.4").send(GET))).toEqual([200]);
});

describe("an evicted client", () => {
  const HELD = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n";
  it.each([
    ["waits for a request", GET, []],
    ["sends its head", HALF, [503]],
    ["waits for an answer", HELD, [503]],
    ["sends its body", BODY, [503]],
  ])("that %s gets %j", (_, first, told) => {
    const clients = many(MAX_CONNECTIONS, first, HOSTILE);
    for (const client of clients) client.take();
    harness.connect(HONEST);
    const [gone, ...more] = clients.filter(({ ended }) => ended);
    expect([statuses(gone as MemoryClient), more]).toEqual([told, []]);
  });

  it("that is receiving a response gets no 503 in the middle of it", () => {
    const clients = Array.from({ length: MAX_CONNECTIONS }, () => {
      const client = harness.connect(HOSTILE);
      client.autoAck = false;
      client.send("GET /bigfile HTTP/1.1\r\nHost: a\r\n\r\n");
      client.take();
      client.ack(200);
      return client;
    });
    harness.connect(HONEST);
    const [gone] = clients.filter(({ ended }) => ended);
    expect(gone?.take()).toBe("");
  });
});

describe("an unfinished head", () => {
  test.each([
    [HEAD_GRACE_MS - 1, 503],
    [HEAD_GRACE_MS, 200],
    [HEAD_GRACE_MS + 1, 200],
  ])("after %i ms: a client that would be refused gets %i", (ms, status) => {
    many(MAX_CONNECTIONS, HALF, HONEST);
    harness.advance(ms);
    expect(statuses(harness.connect(HONEST).send(GET))).toEqual([status]);
  });

  it("keeps its place while there is room", () => {
    const clients = many(MAX_CONNECTIONS - 1, HALF, HONEST);
    harness.advance(2 * HEAD_GRACE_MS);
    expect(statuses(harness.connect(HONEST).send(GET))).toEqual([200]);
    expect(clients.filter(({ ended }) => ended)).toEqual([]);
  });
});

it("refused clients get 503 with Retry-After, however many there are", () => {
  many(MAX_CONNECTIONS, HALF, HONEST);
  for (const client of many(20, "", HONEST)) {
    const told = response(client);
    expect([told.status, told.headers["retry-after"]]).toEqual([503, `${RETRY_AFTER_SECONDS}`]);
  }
});

/** Clients that keep their connections, as browsers and programs do: one that has been closed between two requests is opened again. */
class Keeper {
  private client: MemoryClient | undefined;
  opened = 0;

  constructor(private readonly address: string) {}

  ask(request: string): number | undefined {
    if (!this.client || this.client.ended) {
      this.client = harness.connect(this.address);
      this.opened++;
    }
    return statuses(this.client.send(request))[0];
  }

  /** Its connection becomes a stream. */
  listen(): MemoryClient | undefined {
    const { client } = this;
    this.client = undefined;
    return client?.send(STREAM);
  }

  close(): void {
    this.client?.fin();
    this.client = undefined;
  }
}

it("beside 60 kept connections of 30 addresses each new client is served at once", () => {
  const keepers = Array.from({ length: HOSTILE_CONNECTIONS }, (_, at) => new Keeper(`192.0.2.${100 + (at >> 1)}`));
  for (let round = 0; round < 100; round++) {
    for (const keeper of keepers.slice(round % 30, (round % 30) + MAX_CONNECTIONS)) keeper.ask(GET);
    const comes = harness.connect(HONEST).send(GET);
    expect(statuses(comes)).toEqual([200]);
    comes.fin();
    harness.advance(100);
  }
});

describe("an hour of four pages and four pollers", () => {
  const FILES = 4;
  const HOUR = 3_600_000;
  const SECOND = 1_000;
  /** As in src/web/limits.ts; the other pages poll. */
  const STREAMS = 2;
  const RELOAD = 60;

  it("no load fails", () => {
    const pages = Array.from({ length: 4 }, (_, at) => new Keeper(`192.0.2.${at + 1}`));
    const pollers = Array.from({ length: 4 }, (_, at) => new Keeper(`192.0.2.${at + 11}`));
    const streams: (MemoryClient | undefined)[] = [];
    const failed: string[] = [];
    const ask = (keeper: Keeper, what: string): void => {
      const status = keeper.ask(GET);
      if (status !== 200) failed.push(`${what}: ${status}`);
    };
    for (let time = 0; time < HOUR / SECOND; time++) {
      pages.forEach((page, at) => {
        if (time % RELOAD === 7 * at) {
          page.close();
          streams[at]?.fin();
          for (let file = 0; file < FILES; file++) ask(page, `file of page ${at} after ${time} s`);
          // The browser's, in advance.
          harness.connect(`192.0.2.${at + 1}`);
          if (at < STREAMS) streams[at] = page.listen();
        } else ask(page, `document of page ${at} after ${time} s`);
      });
      pollers.forEach((poller, at) => {
        if (time % (at + 1) === 0) ask(poller, `poller ${at} after ${time} s`);
      });
      harness.advance(SECOND);
    }
    expect(failed).toEqual([]);
    for (const stream of streams)
      if (stream) expect([stream.ended, stream.take().slice(9, 12)]).toEqual([false, "200"]);
  });
});

describe("fifteen clients of fifteen addresses that come back once a second", () => {
  const SECONDS = 60;
  const CLIENTS = 15;

  it(`each request is answered, and ${MAX_CONNECTIONS - 1} keep their connections`, () => {
    const clients: { connection?: MemoryClient; closed: number; refused: number }[] = Array.from(
      { length: CLIENTS },
      () => ({ closed: 0, refused: 0 }),
    );
    for (let second = 0; second < SECONDS; second++)
      for (const [at, client] of clients.entries()) {
        if (client.connection?.ended) {
          client.closed++;
          delete client.connection;
        }
        client.connection ??= harness.connect(`192.0.2.${at + 100}`);
        client.connection.take();
        if (!statuses(client.connection.send(GET)).includes(200)) client.refused++;
        harness.advance(1_000 / CLIENTS);
      }
    expect(clients.map(({ refused }) => refused)).toEqual(clients.map(() => 0));
    // Those that came first, from their first request on.
    expect(clients.filter(({ closed }) => closed === 0)).toHaveLength(MAX_CONNECTIONS - 1);
  });
});
