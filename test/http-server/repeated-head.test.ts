import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { INPUT_BYTES, MAX_HEADER_COUNT, MAX_REMEMBERED_BYTES } from "http-server/limits";
import type { Exchange } from "http-server/types";
import { text } from "../support/http/http-app";
import { Harness, response } from "../support/http/http-harness";
import type { MemoryClient } from "../support/http/memory-sockets";

/** Of requests that are the same to the byte only the first two are parsed. */
let harness: Harness;
let client: MemoryClient;
beforeEach(() => {
  harness = new Harness();
  client = harness.connect();
});
afterEach(() => harness.server.close());

interface About {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
}

const get = (target: string, fields = ""): Buffer =>
  Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`, "latin1");

function ask(request: Uint8Array): About {
  const { status, body } = response(client.send(request));
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as About;
}

describe("a head that repeats the last one", () => {
  it("is parsed the same each time", () => {
    const request = get("/about?a=b", "Cookie: c=1\r\nCookie: d=2\r\nAuthorization: Bearer t\r\n");
    const all = Array.from({ length: 5 }, () => ask(request));
    expect(all[0]).toMatchObject({
      method: "GET",
      path: "/about",
      query: "a=b",
      headers: { cookie: "c=1; d=2", authorization: "Bearer t", host: "a" },
    });
    expect(new Set(all.map((about) => JSON.stringify(about))).size).toBe(1);
  });

  it("is not confused with another one of the same length", () => {
    for (const query of ["a", "a", "a", "b", "b", "b", "a"]) expect(ask(get(`/about?${query}`)).query).toBe(query);
    for (const token of ["a", "a", "a", "b", "a"])
      expect(ask(get("/about", `Authorization: ${token}\r\n`)).headers["authorization"]).toBe(token);
  });

  it.each([
    ["a byte that is no UTF-8", "\x80", "\x81"],
    ["characters of two bytes", "\xc3\xa9", "\xc3\xa8"],
    ["a character in the place of as many others", "\xc3\xa9", "ab"],
  ])("%s in a field: it is parsed as without the previous ones", (_, one, other) => {
    const about = (type: string): About => ask(get("/about", `Content-Type: x${type}\r\n`));
    for (let time = 0; time < 3; time++) about(one);
    const after = about(other);
    client = harness.connect();
    expect(after).toEqual(about(other));
  });

  it("does not include a byte order mark before it", () => {
    for (let time = 0; time < 3; time++) ask(get("/about"));
    const marked = Buffer.concat([Buffer.from("\ufeff"), get("/about")]);
    expect(response(client.send(marked)).status).toBe(400);
  });

  it("works with a body between them, stored where the head was kept", () => {
    for (let time = 0; time < 3; time++) ask(get("/about"));
    const body = "x".repeat(200);
    const post = `POST /echo HTTP/1.1\r\nHost: b\r\nContent-Length: 200\r\n\r\n${body}`;
    for (let time = 0; time < 4; time++) expect(response(client.send(post)).body.toString()).toBe(body);
    expect(ask(get("/about")).path).toBe("/about");
  });

  it.each([INPUT_BYTES - 1, INPUT_BYTES, INPUT_BYTES + 1])("of %i bytes, in one piece or in two", (length) => {
    const request = get("/about", `X: ${"x".repeat(length - get("/about", "X: \r\n").length)}\r\n`);
    expect(request.length).toBe(length);
    const first = ask(request);
    for (let time = 0; time < 4; time++) expect(ask(request)).toEqual(first);
    for (const at of [1, 20, length - 1]) {
      client.send(request.subarray(0, at));
      expect(ask(request.subarray(at))).toEqual(first);
      expect(ask(request)).toEqual(first);
    }
  });

  it("is not matched by its last part alone", () => {
    ask(get("/about"));
    client.send("GET /about HTTP/1.1\r\nHost: a\r\nX: ");
    const piece = "y\r\nY: z\r\n\r\n";
    expect(response(client.send(piece)).status).toBe(200);
    expect(response(client.send(piece)).status).toBe(400);
  });

  it("works with trailers after each body, which belong to that request alone", () => {
    for (let time = 0; time < MAX_HEADER_COUNT; time++) {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      expect(response(client.send("1\r\na\r\n0\r\nX: y\r\n\r\n")).body.toString()).toBe("a");
    }
  });

  it("works with a different body each time", () => {
    for (const text of ["one", "two", "six", "ten"]) {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n" + text);
      expect(response(client).body.toString()).toBe(text);
    }
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nfour");
    expect(response(client).body.toString()).toBe("four");
  });

  it("is answered each time when pipelined", () => {
    const request = get("/about");
    for (let time = 0; time < 3; time++) ask(request);
    client.send(Buffer.concat([request, request, request]));
    expect(client.take().match(/HTTP\/1.1 200/g)).toHaveLength(3);
  });

  it("pipelined with another one before it, both are answered each time", () => {
    const pair = Buffer.concat([get("/about?a"), get("/about?b")]);
    for (let time = 0; time < 4; time++)
      expect(
        client
          .send(pair)
          .take()
          .match(/"query":"."/g),
      ).toEqual(['"query":"a"', '"query":"b"']);
  });

  it("is not recognized before it is complete, although the last one is still in the buffer", () => {
    const request = get("/about");
    for (let time = 0; time < 4; time++) ask(request);
    client.send(request.subarray(0, 20));
    expect(client.take()).toBe("");
    ask(request.subarray(20));
  });

  it("starts fresh on another connection in the same slot", () => {
    for (let time = 0; time < 3; time++) ask(get("/about?a"));
    client.fin();
    client = harness.connect();
    expect(ask(get("/about?b")).query).toBe("b");
  });

  it("that asks to close ends the connection", () => {
    for (let time = 0; time < 3; time++) ask(get("/about"));
    expect(response(client.send(get("/about", "Connection: close\r\n"))).headers["connection"]).toBe("close");
    expect(client.ended).toBe(true);
  });
});

describe("what the handler remembers of a head", () => {
  let seen: unknown[];
  beforeEach(() => {
    seen = [];
    harness.server.close();
    harness = new Harness({
      handler: (exchange) => {
        seen.push(exchange.memo);
        exchange.memo ??= exchange.path;
        exchange.respond(204);
        exchange.memo = "too late";
      },
    });
    client = harness.connect();
  });

  it("is available if the next head is identical to the byte", () => {
    for (let time = 0; time < 4; time++) client.send(get("/a"));
    expect(seen).toEqual([undefined, undefined, "/a", "/a"]);
  });

  it.each([
    [MAX_REMEMBERED_BYTES - 1, "/a"],
    [MAX_REMEMBERED_BYTES, "/a"],
    [MAX_REMEMBERED_BYTES + 1, undefined],
  ])("of %i bytes: %s the third time", (length, memo) => {
    const request = get("/a", `X: ${"x".repeat(length - get("/a", "X: \r\n").length)}\r\n`);
    expect(request.length).toBe(length);
    for (let time = 0; time < 3; time++) client.send(request);
    expect(seen).toEqual([undefined, undefined, memo]);
  });

  it("is not available to a different head pipelined after it", () => {
    for (let time = 0; time < 2; time++) client.send(get("/a"));
    client.send(Buffer.concat([get("/a"), get("/b")]));
    expect(seen).toEqual([undefined, undefined, "/a", undefined]);
  });

  it("is dropped if the next head differs, and with the connection", () => {
    for (const target of ["/a", "/a", "/a", "/b", "/a", "/a"]) client.send(get(target));
    expect(seen).toEqual([undefined, undefined, "/a", undefined, undefined, "/a"]);
    client.fin();
    seen = [];
    client = harness.connect();
    for (let time = 0; time < 2; time++) client.send(get("/a"));
    expect(seen).toEqual([undefined, undefined]);
  });
});

describe("a response with the head of the last one", () => {
  const START = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
  let pieces: string[];
  let streaming: Exchange;
  beforeEach(() => {
    pieces = ["first"];
    harness.server.close();
    harness = new Harness({
      handler: (exchange) => {
        if (exchange.path === "/stream") {
          streaming = exchange;
          exchange.respond(200, "text/plain", {
            read(into) {
              const piece = pieces.shift();
              if (piece === undefined) return -1;
              into.set(Buffer.from(piece));
              return piece.length;
            },
          });
        } else exchange.respond(200, "text/plain", text(exchange.query));
      },
    });
    client = harness.connect();
  });

  const expectBody = (body: string): void => {
    client.send(get(`/?${body}`));
    expect(client.take()).toBe(`${START}Content-Length: ${body.length}\r\n\r\n${body}`);
  };

  it("has its own length", () => {
    for (const body of ["one", "one", "two", "three", "one", "x".repeat(10), "x".repeat(99), "one"]) expectBody(body);
  });

  it("is intact after a chunk of another connection's stream", () => {
    const listener = harness.connect();
    listener.send(get("/stream"));
    for (let time = 0; time < 2; time++) expectBody("one");
    pieces.push("another");
    streaming.resume();
    expect(listener.take()).toBe(`${START}Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n7\r\nanother\r\n`);
    for (let time = 0; time < 2; time++) expectBody("one");
  });
});
