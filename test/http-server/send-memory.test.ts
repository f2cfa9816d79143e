/** What all connections together have sent and not seen acknowledged. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ADDRESS_SEGMENTS,
  MAX_CONNECTIONS,
  MAX_REFUSALS,
  MAX_RESPONSE_HEAD_BYTES,
  MAX_SENT_SEGMENTS,
  READER_GRACE_MS,
  READER_PAUSE_MS,
  RESPONSE_BUFFER_BYTES,
  SEGMENT_BYTES,
  SEND_STALL_BYTES,
  SEND_STALL_MS,
  TICK_MS,
} from "http-server/limits";
import { app, BIG_FILE_BYTES } from "../support/http/http-app";
import { Harness, statuses } from "../support/http/http-harness";
import type { MemoryClient } from "../support/http/memory-sockets";

const RENDERED = "GET /rendered HTTP/1.1\r\nHost: a\r\n\r\n";
const FILE = "GET /bigfile HTTP/1.1\r\nHost: a\r\n\r\n";
const SMALL = "GET /length HTTP/1.1\r\nHost: a\r\n\r\n";
/** Responses of the longest that may be on their way at the same time. */
const AT_ONCE = 2;

let harness: Harness;
beforeEach(() => {
  harness = new Harness({
    handler: (exchange) =>
      exchange.path === "/rendered"
        ? exchange.respond(200, "text/plain", (into) => into.fill(0x61).length)
        : void app(exchange),
  });
});
afterEach(() => harness.server.close());

let host = 0;
/** A client of an address of its own that acknowledges nothing. */
function deaf(request: string, address = `192.0.2.${++host % 250}`): MemoryClient {
  const client = harness.connect(address);
  client.autoAck = false;
  return client.send(request);
}

const sizeOf = ({ writes }: MemoryClient): number => writes.reduce((sum, bytes) => sum + bytes, 0);
/** What lwIP has for it: each write in segments of its own. */
const segmentsOf = ({ ended, writes }: MemoryClient): number =>
  ended ? 0 : writes.reduce((sum, bytes) => sum + Math.ceil(bytes / SEGMENT_BYTES), 0);
const segments = (clients: readonly MemoryClient[]): number =>
  clients.reduce((sum, client) => sum + segmentsOf(client), 0);

it("is enough for two responses of the longest, and for one to an address", () => {
  const longest = Math.ceil((RESPONSE_BUFFER_BYTES + MAX_RESPONSE_HEAD_BYTES) / SEGMENT_BYTES);
  expect([MAX_SENT_SEGMENTS, ADDRESS_SEGMENTS]).toEqual([AT_ONCE * longest, longest]);
});

describe.each([
  ["rendered responses", RENDERED],
  ["files", FILE],
  ["small responses", SMALL.repeat(4)],
])("clients that do not read %s", (_, request) => {
  it("never have more segments than there are, and one for a refusal, however many come", () => {
    const clients: MemoryClient[] = [];
    for (let round = 0; round < 100; round++) {
      clients.push(deaf(request));
      expect(segments(clients)).toBeLessThanOrEqual(MAX_SENT_SEGMENTS + MAX_REFUSALS);
      if (round % 7 === 0) harness.advance(TICK_MS);
    }
  });
});

describe("a response of the longest", () => {
  it.each([AT_ONCE - 1, AT_ONCE])("beside %i others begins as soon as it fits", (others) => {
    const deafs = Array.from({ length: others }, () => deaf(RENDERED));
    const comes = deaf(RENDERED);
    expect(sizeOf(comes) > 0).toBe(others < AT_ONCE);
    for (const client of deafs) client.ack(sizeOf(client));
    expect(sizeOf(comes)).toBeGreaterThan(RESPONSE_BUFFER_BYTES);
  });

  it("waits while its own address has one, and not for that of another", () => {
    const [first, second] = [deaf(RENDERED, "192.0.2.1"), deaf(RENDERED, "192.0.2.1")];
    expect([sizeOf(first) > 0, sizeOf(second)]).toEqual([true, 0]);
    expect(sizeOf(deaf(RENDERED, "192.0.2.2"))).toBeGreaterThan(0);
    first.ack(sizeOf(first));
    expect(sizeOf(second)).toBeGreaterThan(0);
  });
});

describe("a file", () => {
  it("has the whole window while nobody waits, and no more than a segment at a time while somebody does", () => {
    const file = deaf(FILE);
    expect(sizeOf(file)).toBe(harness.network.window);
    deaf(RENDERED);
    const waits = deaf(RENDERED);
    expect(sizeOf(waits)).toBe(0);
    file.ack(SEGMENT_BYTES);
    expect(sizeOf(file)).toBe(harness.network.window);
    file.ack(harness.network.window - SEGMENT_BYTES);
    expect(sizeOf(waits)).toBeGreaterThan(0);
    expect(file.writes.at(-1)).toBeLessThanOrEqual(SEGMENT_BYTES);
  });

  it("goes on when those that waited have been served", () => {
    const file = harness.connect("192.0.2.1");
    const others = [deaf(RENDERED), deaf(RENDERED)];
    file.send(FILE);
    for (const client of others) client.ack(sizeOf(client));
    harness.advance(TICK_MS);
    expect(statuses(file)).toEqual([200]);
  });
});

describe("a client that does not read", () => {
  it("is closed after its grace if another waits for its memory, which then is served", () => {
    const deafs = [deaf(RENDERED), deaf(RENDERED)];
    const comes = harness.connect("192.0.2.254").send(RENDERED);
    harness.advance(READER_GRACE_MS - TICK_MS);
    expect([deafs.map(({ ended }) => ended), statuses(comes)]).toEqual([[false, false], []]);
    harness.advance(2 * TICK_MS);
    expect([deafs.map(({ ended }) => ended), statuses(comes)]).toEqual([[true, true], [200]]);
  });

  it("keeps its time while nobody waits", () => {
    const deafs = [deaf(RENDERED), deaf(RENDERED)];
    harness.advance(2 * READER_GRACE_MS);
    expect(deafs.map(({ ended }) => ended)).toEqual([false, false]);
  });

  it("is not closed while it reads, however slowly others would like to begin", () => {
    const reads = [deaf(FILE), deaf(FILE)];
    deaf(RENDERED);
    for (let time = 0; time < 5 * READER_GRACE_MS; time += READER_GRACE_MS / 2) {
      for (const client of reads) client.ack(SEGMENT_BYTES);
      harness.advance(READER_GRACE_MS / 2);
    }
    expect(reads.map(({ ended }) => ended)).toEqual([false, false]);
  });

  it("that has read before has its time from when it is sent more, however long that took", () => {
    const ADDRESS = "192.0.2.251";
    const reads = deaf(FILE, ADDRESS);
    const slow = [deaf(FILE), deaf(RENDERED), deaf(FILE)];
    reads.ack(sizeOf(reads));
    // While this one waits to begin, the file of its address gets no more.
    deaf(RENDERED, ADDRESS);
    reads.ack(harness.network.window);
    const before = sizeOf(reads);
    deaf(RENDERED);
    const pause = (READER_GRACE_MS * 3) / 4;
    let waited = 0;
    for (; sizeOf(reads) === before && waited < SEND_STALL_MS; waited += pause) {
      harness.advance(pause);
      for (const client of slow) client.ack(SEND_STALL_BYTES);
    }
    expect(waited).toBeGreaterThan(READER_GRACE_MS);
    // As long as others wait, who do not read.
    for (let time = 0; time < READER_PAUSE_MS - TICK_MS; time += TICK_MS) {
      expect(reads.ended).toBe(false);
      harness.advance(TICK_MS);
    }
    harness.advance(2 * TICK_MS);
    expect(reads.ended).toBe(true);
  });

  it("gives its place to another after the same time", () => {
    for (let count = 0; count < MAX_CONNECTIONS; count++) deaf(FILE);
    expect(statuses(harness.connect("192.0.2.254").send(SMALL))).toEqual([503]);
    harness.advance(READER_GRACE_MS + TICK_MS);
    expect(statuses(harness.connect("192.0.2.254").send(SMALL))).toEqual([200]);
  });
});

describe("a response to a client that also reads files", () => {
  const ADDRESS = "192.0.2.1";
  const acknowledged = new Map<MemoryClient, number>();

  /** Acknowledges up to `bytes` of what has come. */
  function read(client: MemoryClient, bytes = Infinity): void {
    const before = acknowledged.get(client) ?? 0;
    const more = Math.min(bytes, sizeOf(client) - before);
    if (!more || client.ended) return;
    acknowledged.set(client, before + more);
    client.ack(more);
  }

  it.each([1, 2, 3])("begins beside %i, which then go on", (count) => {
    const files = Array.from({ length: count }, () => deaf(FILE, ADDRESS));
    const comes = deaf(RENDERED, ADDRESS);
    expect(sizeOf(comes)).toBe(0);
    for (let round = 0; round < 2 * ADDRESS_SEGMENTS; round++) for (const file of files) read(file, SEGMENT_BYTES);
    expect(sizeOf(comes)).toBeGreaterThan(RESPONSE_BUFFER_BYTES);
    read(comes);
    for (let round = 0; round < BIG_FILE_BYTES / SEGMENT_BYTES; round++) for (const file of files) read(file);
    for (const file of files) expect(sizeOf(file)).toBeGreaterThan(BIG_FILE_BYTES);
  });

  it("does not hold a file up, however many follow", () => {
    const asks = Array.from({ length: MAX_CONNECTIONS - 1 }, () => deaf(RENDERED, ADDRESS));
    const file = deaf(FILE, ADDRESS);
    let answers = 0;
    for (; sizeOf(file) < BIG_FILE_BYTES && answers < 10_000; answers++) {
      const [client] = asks.filter((one) => sizeOf(one) > (acknowledged.get(one) ?? 0));
      read(file);
      if (!client) continue;
      client.push(RENDERED);
      read(client);
    }
    expect(answers).toBeLessThan(10_000);
  });

  it("is not closed for having waited while others read slowly", () => {
    const clients = Array.from({ length: 6 }, () => deaf(RENDERED, ADDRESS));
    const pause = (READER_GRACE_MS * 3) / 4;
    let waited = 0;
    for (; clients.some((client) => sizeOf(client) === 0) && waited < 10 * SEND_STALL_MS; waited += pause) {
      for (const client of clients) read(client, SEND_STALL_BYTES);
      harness.advance(pause);
    }
    expect(waited).toBeGreaterThan(SEND_STALL_MS);
    for (const client of clients) expect([client.ended, sizeOf(client) > RESPONSE_BUFFER_BYTES]).toEqual([false, true]);
  });
});
