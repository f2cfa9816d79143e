import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MAX_CONNECTIONS } from "http-server/limits";
import { Service } from "http-server/service";
import type { Exchange } from "http-server/types";
import { text } from "../support/http/http-app";
import { Harness, response, responses } from "../support/http/http-harness";

/** One receive buffer is lent to the connection with unread bytes: one client's bytes never get into another's request. */
let harness: Harness;
let held: Exchange[];
beforeEach(() => {
  held = [];
  harness = new Harness({
    handler: (exchange) => {
      if (exchange.path === "/held") held.push(exchange);
      else if (exchange.method === "POST")
        exchange.receive(100, (body) => {
          const copy = Buffer.from(body!).toString();
          exchange.respond(200, "text/plain", text(`${exchange.path} ${copy}`));
        });
      else {
        for (const other of held.splice(0)) other.respond(200, "text/plain", text("held"));
        exchange.respond(200, "text/plain", text(`${exchange.path} ${exchange.header("cookie")}`));
      }
    },
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  harness.server.close();
});

const bodies = (answers: readonly { body: Buffer }[]): string[] => answers.map(({ body }) => body.toString());

it("clients that send byte by byte in turn get their own answers", () => {
  const clients = Array.from({ length: MAX_CONNECTIONS }, (_, count) => count + 10).map((at) => ({
    at,
    client: harness.connect(`192.0.2.${at}`),
    request: `POST /${at} HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\nbody-${at}GET /${at} HTTP/1.1\r\nHost: a\r\nCookie: ${at}\r\n\r\n`,
  }));
  for (let at = 0; at < clients[0]!.request.length; at++)
    for (const { client, request } of clients) client.send(request[at]!);
  clients.forEach(({ client, at }) => expect(bodies(responses(client))).toEqual([`/${at} body-${at}`, `/${at} ${at}`]));
});

it("pipelined requests wait while others are read, even in a handler that answers another client", () => {
  const first = harness.connect("192.0.2.1");
  first.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\nCookie: first\r\n\r\nGET /ha");
  const second = harness.connect("192.0.2.2");
  second.send("GET /b HTTP/1.1\r\nHost: a\r\nCookie: second\r\n\r\nGET /c HTTP/1.1\r\nHost: a\r\nCook");
  expect(bodies(responses(first))).toEqual(["held", "/next first"]);
  expect(bodies(responses(second))).toEqual(["/b second"]);
  second.send("ie: third\r\n\r\n");
  first.send("lf HTTP/1.1\r\nHost: a\r\nCookie: fourth\r\n\r\n");
  expect(response(second).body.toString()).toBe("/c third");
  expect(response(first).body.toString()).toBe("/half fourth");
});

it("a buffer is lent only while bytes wait in it", () => {
  const lent = vi.spyOn(Service.prototype, "lend");
  const returned = vi.spyOn(Service.prototype, "takeBack");
  const kept = (): number => lent.mock.calls.length - returned.mock.calls.length;
  const client = harness.connect();
  client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
  expect([kept(), lent.mock.calls.length]).toEqual([0, 1]);
  client.send("GET /a HT");
  expect(kept()).toBe(1);
  client.send("TP/1.1\r\nHost: a\r\n\r\n");
  expect(kept()).toBe(0);
  client.send("BAD\r\n\r\nmore");
  expect(kept()).toBe(0);
});

it("pipelined bytes of a disconnected client are not read as the next one's", () => {
  // The reset is found out when the first request is answered.
  harness.connect().push("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n").rst();
  const client = harness.connect();
  client.send("GET /new HTTP/1.1\r\nHost: a\r\nCookie: new\r\n\r\n");
  expect(response(client).body.toString()).toBe("/new new");
});
