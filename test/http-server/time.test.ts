import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  BODY_TIME_MS,
  HANDLER_TIME_MS,
  HEADER_TIME_MS,
  IDLE_TIME_MS,
  LINGER_MS,
  MAX_LINGER_BYTES,
  SEND_STALL_BYTES,
  SEND_STALL_MS,
  TICK_MS,
} from "http-server/limits";
import type { Exchange } from "http-server/types";
import Time from "time";
import { app, BIG_FILE_BYTES, Pieces } from "../support/http/http-app";
import { Harness, response, responses, statuses } from "../support/http/http-harness";
import { watchTimers } from "../support/fakes/timers";

const GET = "GET /length HTTP/1.1\r\nHost: a\r\n\r\n";

let harness: Harness;
beforeEach(() => (harness = new Harness()));
afterEach(() => harness.server.close());

describe("head", () => {
  test("times out however many bytes arrive", () => {
    const client = harness.connect();
    client.send("GET / HTTP/1.1\r\n");
    for (let second = 1; second * 1000 < HEADER_TIME_MS; second++) {
      harness.advance(1000);
      client.send("X: y\r\n");
    }
    harness.advance(1000 - 1);
    expect(client.take()).toBe("");
    harness.advance(TICK_MS);
    const late = response(client);
    expect(late.status).toBe(408);
    expect(late.headers["connection"]).toBe("close");
    harness.advance(LINGER_MS + TICK_MS);
    expect([client.ended, client.reset]).toEqual([true, false]);
    expect(harness.server.counters.protocolErrors).toBe(1);
  });

  test("of the second request has its own timeout", () => {
    const client = harness.connect();
    client.send(GET);
    harness.advance(HEADER_TIME_MS * 2);
    client.send(GET.slice(0, 5));
    harness.advance(HEADER_TIME_MS - 1);
    client.send(GET.slice(5));
    expect(statuses(client)).toEqual([200, 200]);
  });

  test("gets no extension when the client reads the previous response", () => {
    const client = harness.connect();
    client.autoAck = false;
    client.send("GET /full HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(statuses(client)).toEqual([200]);
    client.send(GET.slice(0, 5));
    harness.advance(HEADER_TIME_MS - TICK_MS);
    client.ack(4000);
    harness.advance(2 * TICK_MS);
    expect(statuses(client)).toEqual([408]);
  });

  test("of a pipelined request has its own timeout too", () => {
    const client = harness.connect();
    client.send(GET + GET.slice(0, 5));
    expect(statuses(client)).toEqual([200]);
    harness.advance(HEADER_TIME_MS + TICK_MS);
    expect(statuses(client)).toEqual([408]);
  });
});

describe("idle connection", () => {
  test("is closed silently after its timeout", () => {
    const client = harness.connect();
    client.send(GET).take();
    harness.advance(IDLE_TIME_MS - 1);
    expect(client.ended).toBe(false);
    harness.advance(TICK_MS + 1);
    expect([client.ended, client.reset, client.take()]).toEqual([true, false, ""]);
  });

  test("that never sent anything is closed silently", () => {
    const client = harness.connect();
    harness.advance(IDLE_TIME_MS + TICK_MS);
    expect([client.ended, client.take()]).toEqual([true, ""]);
  });

  test.each(["\r\n", "\r"])("an empty line does not count as a request: %j", (line) => {
    const client = harness.connect();
    client.send(line);
    harness.advance(IDLE_TIME_MS - TICK_MS);
    expect([client.ended, client.take()]).toEqual([false, ""]);
    harness.advance(2 * TICK_MS);
    expect([client.ended, client.take()]).toEqual([true, ""]);
  });

  test("is kept open by a request", () => {
    const client = harness.connect();
    for (let round = 0; round < 4; round++) {
      client.send(GET);
      harness.advance(IDLE_TIME_MS - 1);
    }
    expect(statuses(client)).toEqual([200, 200, 200, 200]);
  });
});

describe("body", () => {
  const head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n";

  test("times out", () => {
    const client = harness.connect();
    client.send(head);
    for (let byte = 0; byte < 9; byte++) {
      harness.advance(BODY_TIME_MS / 10);
      client.send("x");
    }
    harness.advance(BODY_TIME_MS / 10 - 1);
    expect(client.take()).toBe("");
    harness.advance(TICK_MS);
    expect(response(client).status).toBe(408);
    // The last byte comes too late: it is dropped.
    client.send("x");
    harness.advance(LINGER_MS + TICK_MS);
    expect([client.ended, client.reset, client.take()]).toEqual([true, false, ""]);
  });

  test("in time", () => {
    const client = harness.connect();
    client.send(head + "123456789");
    harness.advance(BODY_TIME_MS - 1);
    client.send("0");
    expect(response(client).body.toString()).toBe("1234567890");
  });

  test("that is unwanted gets the same timeout, then the connection is closed", () => {
    const client = harness.connect();
    client.send("POST /private HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n");
    expect(response(client).headers["connection"]).toBeUndefined();
    harness.advance(BODY_TIME_MS - 1);
    client.send("123456789");
    expect(client.ended).toBe(false);
    harness.advance(TICK_MS + 1);
    expect([client.ended, client.take()]).toEqual([true, ""]);
  });

  test("that is unwanted and malformed closes the connection", () => {
    const client = harness.connect();
    client.send("POST /private HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n123");
    expect(statuses(client)).toEqual([401]);
    client.send(GET);
    expect(statuses(client)).toEqual([200]);
  });
});

test("a handler that never answers: 500, and its late answer is dropped", () => {
  let kept: Exchange | undefined;
  harness.server.close();
  harness = new Harness({ handler: (exchange) => void (kept = exchange) });
  const client = harness.connect();
  client.send(GET);
  harness.advance(HANDLER_TIME_MS - 1);
  expect(client.take()).toBe("");
  expect(kept?.open).toBe(true);
  harness.advance(TICK_MS + 1);
  expect(response(client).status).toBe(500);
  expect(kept?.open).toBe(false);
  const source = new Pieces(["late"]);
  kept?.respond(200, "text/plain", source);
  expect([client.take(), source.reads, source.closed]).toEqual(["", 0, 1]);
  expect(harness.faults).toHaveLength(1);
});

describe("a handler that resumes although nothing waits", () => {
  const GIVEN: Exchange[] = [];
  beforeEach(() => {
    GIVEN.length = 0;
    harness.server.close();
    harness = new Harness({ handler: (exchange) => void GIVEN.push(exchange) });
  });

  test("does not extend its own timeout", () => {
    const client = harness.connect().send(GET);
    harness.advance(HANDLER_TIME_MS - TICK_MS);
    GIVEN[0]?.resume();
    harness.advance(2 * TICK_MS);
    expect(statuses(client)).toEqual([500]);
    expect(String(harness.faults)).toBe("Error: http-server: no response in time");
  });

  test("does not extend the timeout of a body", () => {
    const client = harness.connect().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n");
    GIVEN[0]?.receive(10, () => expect.unreachable());
    harness.advance(BODY_TIME_MS - TICK_MS);
    GIVEN[0]?.resume();
    harness.advance(2 * TICK_MS);
    expect(statuses(client)).toEqual([408]);
  });
});

describe("a client that does not read", () => {
  test("is dropped when it makes no progress", () => {
    const client = harness.connect();
    client.autoAck = false;
    client.send("GET /bigfile HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(client.bytes).toHaveLength(harness.network.window);
    harness.advance(SEND_STALL_MS - 1);
    expect(client.ended).toBe(false);
    harness.advance(TICK_MS + 1);
    expect(client.ended).toBe(true);
    expect(harness.server.connections).toBe(0);
  });

  test.each([
    [SEND_STALL_BYTES - 1, true],
    [SEND_STALL_BYTES, false],
    [SEND_STALL_BYTES + 1, false],
  ])("that takes %i bytes in the time: dropped %s", (bytes, given) => {
    const client = harness.connect();
    client.autoAck = false;
    client.send("GET /bigfile HTTP/1.1\r\nHost: a\r\n\r\n");
    for (let round = 0; round < 3; round++) {
      harness.advance(SEND_STALL_MS - TICK_MS);
      client.ack(bytes);
    }
    expect(client.ended).toBe(given);
  });

  test("cannot block the others' responses", () => {
    const slow = harness.connect();
    slow.autoAck = false;
    slow.send("GET /full HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));
    const quick = harness.connect();
    quick.send(GET);
    expect(statuses(quick)).toEqual([200]);
    harness.advance(SEND_STALL_MS + TICK_MS);
    expect([slow.ended, quick.ended]).toEqual([true, false]);
  });

  test("but reads slowly gets everything", () => {
    const client = harness.connect();
    client.autoAck = false;
    client.send("GET /bigfile HTTP/1.1\r\nHost: a\r\n\r\n");
    let acked = 0;
    for (let round = 0; round < 100 && client.bytes.length < BIG_FILE_BYTES; round++) {
      harness.advance(SEND_STALL_MS / 2);
      client.ack(1436);
      acked += 1436;
    }
    client.ack(client.bytes.length - acked);
    expect(response(client).body).toHaveLength(BIG_FILE_BYTES);
  });
});

describe("a stream", () => {
  const endless = (): { source: Pieces & { ready: number }; run: (harness: Harness) => Exchange | undefined } => {
    let exchange: Exchange | undefined;
    const source = Object.assign(new Pieces([]), { ready: 0 });
    source.read = (into): number => {
      if (!source.ready) return -1;
      const bytes = Math.min(source.ready, into.length);
      source.ready -= bytes;
      into.fill(0x65, 0, bytes);
      return bytes;
    };
    harness.server.close();
    harness = new Harness({
      handler: (given) => {
        exchange = given;
        given.respond(200, "text/event-stream", source);
      },
    });
    return { source, run: () => exchange };
  };

  test("may wait for its source forever", () => {
    const { source, run } = endless();
    const client = harness.connect();
    client.send(GET);
    harness.advance(10 * SEND_STALL_MS);
    expect(client.ended).toBe(false);
    source.ready = 5;
    run(harness)?.resume();
    harness.network.settle();
    expect(client.take()).toContain("\r\n\r\n5\r\neeeee\r\n");
    harness.advance(10 * SEND_STALL_MS);
    expect(client.ended).toBe(false);
    client.fin();
    expect(source.closed).toBe(1);
  });

  test("is dropped when the client stops reading, however often it is resumed", () => {
    const { source, run } = endless();
    const client = harness.connect();
    client.autoAck = false;
    client.send(GET);
    for (let second = 0; second * 1000 <= SEND_STALL_MS; second++) {
      source.ready = 5;
      run(harness)?.resume();
      harness.network.settle();
      harness.advance(1000);
    }
    expect(client.ended).toBe(true);
    expect(source.closed).toBe(1);
  });

  test("of small events never has more writes in flight than lwIP has buffers", () => {
    const { source, run } = endless();
    const client = harness.connect();
    client.autoAck = false;
    client.send(GET);
    for (let event = 0; event < 50; event++) {
      source.ready += 5;
      run(harness)?.resume();
      harness.network.settle();
    }
    expect(client.writes.length).toBeLessThanOrEqual(4);
    client.ack(client.bytes.length);
    expect(client.take()).toContain("e".repeat(200));
  });
});

describe("linger", () => {
  test("discards input, within limits", () => {
    const client = harness.connect();
    client.send("BAD\r\n\r\n");
    expect(statuses(client)).toEqual([400]);
    client.send("x".repeat(MAX_LINGER_BYTES - "\r\n\r\n".length));
    expect([client.ended, client.reset]).toEqual([false, false]);
    client.send("xxxx");
    expect(client.ended).toBe(true);
  });

  test("follows an error even if nothing is unread yet", () => {
    const client = harness.connect();
    client.send("GET / HTTP/1.1\r\n\r\n");
    expect(statuses(client)).toEqual([400]);
    client.send("more");
    expect([client.ended, client.reset]).toEqual([false, false]);
  });

  test("takes place if requests follow the last one answered", () => {
    for (const more of [20, 2000]) {
      const client = harness.connect();
      client.send("GET /length HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + "x".repeat(more));
      client.send("x".repeat(more));
      expect(statuses(client)).toEqual([200]);
      harness.advance(LINGER_MS + TICK_MS);
      expect([client.ended, client.reset]).toEqual([true, false]);
    }
  });

  test("ends when the client disconnects", () => {
    const client = harness.connect();
    client.send("BAD\r\n\r\n");
    client.fin();
    expect(harness.server.connections).toBe(0);
  });

  test("is skipped after the response to the last request", () => {
    const client = harness.connect();
    client.send("GET /length HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect([client.ended, client.reset]).toEqual([true, false]);
    expect(responses(client)).toHaveLength(1);
  });
});

test("a stream of more than 25 days is old, not new: its age is never negative", () => {
  harness.connect();
  const [connection] = harness.server["_connections"];
  for (const age of [0, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) expect(connection?.age((Time.ticks + age) | 0)).toBe(age);
});

test("one timer for the whole server, none after close", () => {
  const timers = watchTimers();
  const other = new Harness({ handler: app });
  for (let index = 0; index < 6; index++) other.connect().send("GET");
  expect(timers.size).toBe(1);
  other.server.close();
  expect(timers.size).toBe(0);
  expect(other.network.open).toBe(0);
});
