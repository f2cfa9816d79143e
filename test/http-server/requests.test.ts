import { afterEach, beforeEach, describe, expect } from "vitest";
import { LINGER_MS, TICK_MS } from "http-server/limits";
import { expectAnswers, GROUPS } from "../support/http/http-cases";
import { Harness, responses } from "../support/http/http-harness";
import { table } from "../support/table";

let harness: Harness;
beforeEach(() => (harness = new Harness()));
afterEach(() => harness.server.close());
const anew = (): void => {
  harness.server.close();
  harness = new Harness();
};

describe.each(GROUPS)("%s", (_, rows) => {
  table(rows, anew)("in one piece", (row) => {
    const client = harness.connect();
    client.send(row.send);
    expectAnswers(row, responses(client, row.methods));
    if (row.closed) {
      harness.advance(LINGER_MS + TICK_MS);
      expect(client.bytes).toHaveLength(0);
      expect(client.ended).toBe(true);
      expect(client.reset).toBe(false);
      expect(harness.server.connections).toBe(0);
    } else {
      client.send("GET /length HTTP/1.1\r\nHost: a\r\n\r\n");
      expect(responses(client).map(({ body }) => body.toString())).toEqual(["one,two,three"]);
      expect(client.ended).toBe(false);
    }
  });

  table(rows, anew)("a byte at a time", (row) => {
    const client = harness.connect();
    for (const byte of row.send) client.send(byte);
    // What comes byte by byte cannot be told to be unread yet, so only some answers to bodies that nobody wants may differ.
    const received = responses(client, row.methods);
    expect(received.map(({ status }) => status).filter((status) => status !== 100)).toEqual(row.status);
    if (row.body !== undefined) expect(received.at(-1)?.body.toString()).toContain(row.body);
  });
});
