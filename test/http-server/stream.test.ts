import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BODY_TIME_MS, INPUT_BYTES, STREAM_STALL_BYTES, TICK_MS } from "http-server/limits";
import type { BodySink, Exchange } from "http-server/types";
import { Harness, response, responses, statuses } from "../support/http/http-harness";
import { text } from "../support/http/http-app";

const LIMIT = 100_000;

/** Keeps what it is given; waits, throws or answers when it is told to. */
class Sink implements BodySink {
  bytes: number[] = [];
  ends: boolean[] = [];
  aborts = 0;
  waiting = false;
  writes = 0;
  takesLast = true;
  answerAt = Infinity;
  throwAt = Infinity;

  constructor(readonly exchange: Exchange) {}

  write(bytes: Uint8Array): boolean {
    if (this.waiting) return false;
    this.bytes.push(...bytes);
    if (this.bytes.length >= this.throwAt) throw new Error("flash");
    this.writes++;
    if (this.bytes.length < this.answerAt) return true;
    this.exchange.respond(409, "text/plain", text("no"));
    return this.takesLast;
  }

  end(whole: boolean): void {
    this.ends.push(whole);
    this.exchange.respond(whole ? 200 : 413, "text/plain", text(String(this.bytes.length)));
  }

  abort(): void {
    this.aborts++;
  }
}

let harness: Harness;
let sink: Sink;
let prepare: (sink: Sink) => void;
beforeEach(() => {
  prepare = () => undefined;
  harness = new Harness({
    handler: (exchange) => {
      if (exchange.method !== "POST") return exchange.respond(200, "text/plain", text("ok"));
      prepare((sink = new Sink(exchange)));
      exchange.stream(LIMIT, sink);
    },
  });
});
afterEach(() => harness.server.close());

const body = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 255);
const head = (length: number | "chunked", more = ""): string =>
  `POST / HTTP/1.1\r\nHost: a\r\n${length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`}\r\n${more}\r\n`;

function chunked(bytes: Uint8Array, size: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

describe("a streamed body", () => {
  it.each([0, 1, INPUT_BYTES, INPUT_BYTES + 1, 50_000, LIMIT])(
    "of %i bytes arrives complete, and the connection stays open",
    (n) => {
      const client = harness.connect();
      client.send(head(n));
      for (let at = 0; at < n; at += 1436) client.send(body(n).subarray(at, at + 1436));
      expect(response(client)).toMatchObject({ status: 200, body: Buffer.from(String(n)) });
      expect(Uint8Array.from(sink.bytes)).toEqual(body(n));
      expect([sink.ends, sink.aborts]).toEqual([[true], 0]);
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      expect(response(client).status).toBe(200);
    },
  );

  it.each([1, 7, 1000])("in chunks of %i", (size) => {
    const client = harness.connect().send(head("chunked"));
    client.send(chunked(body(3000), size));
    expect(response(client).status).toBe(200);
    expect(Uint8Array.from(sink.bytes)).toEqual(body(3000));
  });

  it("one byte over the limit: rejected before any of it is accepted", () => {
    const client = harness.connect().send(head(LIMIT + 1));
    expect(response(client).status).toBe(413);
    expect([sink.bytes.length, sink.ends, sink.aborts]).toEqual([0, [false], 0]);
  });

  it("in chunks beyond the limit: rejected on reaching the limit", () => {
    const client = harness.connect().send(head("chunked"));
    client.send(chunked(body(LIMIT), 1000).subarray(0, -5)).send("1\r\n");
    expect(response(client).status).toBe(413);
    expect([sink.ends, sink.aborts]).toEqual([[false], 0]);
  });

  it("a client that waits for 100 Continue gets it", () => {
    const client = harness.connect().send(head(5, "Expect: 100-continue\r\n"));
    expect(statuses(client)).toEqual([100]);
    client.send("hello");
    expect(response(client).status).toBe(200);
  });
});

describe("a sink that answers before the end", () => {
  it.each([1, 1_500])("is obeyed although the rest, %i bytes, has already arrived", (rest) => {
    prepare = (made) => (made.answerAt = 1);
    const client = harness.connect();
    client.send(Buffer.concat([Buffer.from(head(10 + rest)), body(10 + rest)]));
    expect(response(client)).toMatchObject({ status: 409, body: Buffer.from("no") });
    expect([sink.ends, sink.aborts]).toEqual([[], 1]);
  });
});

describe("a sink that has answered", () => {
  it.each([true, false])("gets none of the chunks already received; its last write returned %s", (takesLast) => {
    prepare = (made) => Object.assign(made, { answerAt: 1, takesLast });
    const client = harness.connect();
    client.send(Buffer.concat([Buffer.from(head("chunked")), chunked(body(100), 10)]));
    expect(response(client).status).toBe(409);
    expect([sink.writes, sink.ends, sink.aborts]).toEqual([1, [], 1]);
  });

  it.each([true, false])("and whose body ends keeps the connection; its last write returned %s", (takesLast) => {
    prepare = (made) => Object.assign(made, { answerAt: 1, takesLast });
    const client = harness.connect().send(head(100)).send(body(10));
    expect(response(client).status).toBe(409);
    client.send(body(90)).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(response(client).status).toBe(200);
    expect([sink.writes, sink.aborts]).toEqual([1, 1]);
  });
});

describe("a sink that waits", () => {
  it("throttles the client, is offered the same bytes again, and loses none", () => {
    prepare = (made) => (made.waiting = true);
    const client = harness.connect().send(head(2000)).send(body(2000));
    expect(sink.bytes).toHaveLength(0);
    sink.waiting = false;
    sink.exchange.resume();
    harness.network.settle();
    expect(response(client).status).toBe(200);
    expect(Uint8Array.from(sink.bytes)).toEqual(body(2000));
  });

  it("may wait longer than a client's timeout", () => {
    prepare = (made) => (made.waiting = true);
    const client = harness.connect().send(head(2000)).send(body(1000));
    harness.advance(3 * BODY_TIME_MS);
    expect(client.ended).toBe(false);
    sink.waiting = false;
    sink.exchange.resume();
    client.send(body(2000).subarray(1000));
    expect(response(client).status).toBe(200);
  });
});

describe("a stream that ends early", () => {
  it("a client that disconnects: aborted, once", () => {
    const client = harness.connect().send(head(2000)).send(body(1000));
    client.rst();
    expect([sink.ends, sink.aborts]).toEqual([[], 1]);
  });

  it("a sink that throws when it is aborted does no harm", () => {
    prepare = (made) =>
      (made.abort = () => {
        throw new Error("flash");
      });
    const client = harness.connect().send(head(2000)).send(body(1000));
    expect(() => client.rst()).not.toThrow();
    expect([harness.faults.length, harness.server.connections]).toEqual([1, 0]);
  });

  it("a malformed chunk: 400, aborted", () => {
    const client = harness.connect().send(head("chunked")).send("5\r\nhello!!");
    expect(response(client).status).toBe(400);
    expect([sink.ends, sink.aborts]).toEqual([[], 1]);
  });

  it("a body that stops, or advances by less than a kilobyte within the timeout: 408, aborted", () => {
    const client = harness.connect().send(head(LIMIT));
    client.send(body(STREAM_STALL_BYTES));
    harness.advance(BODY_TIME_MS - TICK_MS);
    client.send(body(STREAM_STALL_BYTES - 1));
    expect(responses(client)).toEqual([]);
    harness.advance(2 * TICK_MS);
    expect(response(client).status).toBe(408);
    expect([sink.ends, sink.aborts]).toEqual([[], 1]);
  });

  it("a body that advances by a kilobyte within the timeout continues", () => {
    const client = harness.connect().send(head(10 * STREAM_STALL_BYTES));
    for (let part = 0; part < 10; part++) {
      client.send(body(STREAM_STALL_BYTES));
      harness.advance(BODY_TIME_MS - 2 * TICK_MS);
    }
    expect(response(client).status).toBe(200);
  });

  it.each([
    [2 ** 31 - 2, []],
    [2 ** 31 - 1, [false]],
    [2 ** 31, [false]],
    [2 ** 32 + 5, [false]],
    [999_999_999_999_999, [false]],
  ])("of %i bytes, whatever the limit: more than 31 bits count is never whole", (n, ends) => {
    const { server, network } = new Harness({
      handler: (exchange) => exchange.stream(Infinity, (sink = new Sink(exchange))),
    });
    const client = network.connect().send(head(n));
    expect(sink.ends).toEqual(ends);
    if (ends.length) expect(response(client)).toMatchObject({ status: 413, headers: { connection: "close" } });
    server.close();
  });

  it("a sink that answers midway: its response, aborted, no further writes", () => {
    prepare = (made) => (made.answerAt = 500);
    const client = harness.connect().send(head(50_000)).send(body(1000));
    expect(response(client).status).toBe(409);
    expect([sink.ends, sink.aborts]).toEqual([[], 1]);
    expect(sink.bytes.length).toBeLessThan(500 + INPUT_BYTES);
  });

  it("a sink that throws: 500, aborted, reported", () => {
    prepare = (made) => (made.throwAt = 500);
    const client = harness.connect().send(head(50_000)).send(body(1000));
    expect(response(client).status).toBe(500);
    expect([sink.ends, sink.aborts, harness.faults.length]).toEqual([[], 1, 1]);
  });
});
