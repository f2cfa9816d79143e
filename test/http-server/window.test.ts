import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  MAX_RESPONSE_HEAD_BYTES,
  MIN_SEND_BYTES,
  RESPONSE_BUFFER_BYTES,
  SEND_STALL_MS,
  TICK_MS,
} from "http-server/limits";
import { CHUNK_OVERHEAD } from "http-server/response-frame";
import type { Exchange } from "http-server/types";
import { BIG_FILE, BIG_FILE_BYTES, Pieces, text } from "../support/http/http-app";
import { Harness, response, responses, statuses } from "../support/http/http-harness";

const NEEDED = MAX_RESPONSE_HEAD_BYTES + RESPONSE_BUFFER_BYTES;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

let harness: Harness;
beforeEach(() => (harness = new Harness()));
afterEach(() => harness.server.close());

describe("a rendered response", () => {
  test("is rendered only when the window fits its maximum", () => {
    let rendered = 0;
    harness.server.close();
    harness = new Harness({
      handler: (exchange) => exchange.respond(200, "text/plain", (into) => (rendered++, into.fill(0x61).length)),
    });
    const client = harness.connect();
    client.autoAck = false;
    client.send(get("/") + get("/"));
    expect(rendered).toBe(1);
    const written = client.bytes.length;
    expect(harness.network.window - written).toBeLessThan(NEEDED);
    client.ack(NEEDED - (harness.network.window - written) - 1);
    expect(rendered).toBe(1);
    client.ack(1);
    expect(rendered).toBe(2);
    expect(responses(client).map(({ body }) => body.length)).toEqual([4096, 4096]);
  });

  test("goes out in one write", () => {
    const client = harness.connect();
    client.send(get("/full"));
    expect(client.writes).toHaveLength(1);
  });

  test.each([1, 20, 100, 255, 256, 257, 1536, NEEDED - 1, NEEDED, NEEDED + 1])(
    "arrives complete through a window of %i",
    (window) => {
      harness.server.close();
      harness = new Harness({ window });
      const client = harness.connect();
      client.send(get("/full") + get("/length"));
      const [full, length] = responses(client);
      expect(full?.body.toString()).toBe("x".repeat(4096));
      expect(length?.body.toString()).toBe("one,two,three");
      expect(Math.max(...client.writes)).toBeLessThanOrEqual(window);
    },
  );

  test("of one client never reaches another, however small the window", () => {
    harness.server.close();
    harness = new Harness({
      window: 100,
      handler: (exchange) => exchange.respond(200, "text/plain", text(exchange.path.repeat(50))),
    });
    const clients = ["/a", "/b", "/c"].map((path) => {
      const client = harness.connect();
      client.autoAck = false;
      return { path, client: client.send(get(path)) };
    });
    for (let round = 0; round < 20; round++) for (const { client } of clients) client.ack(100);
    for (const { path, client } of clients) expect(response(client).body.toString()).toBe(path.repeat(50));
  });

  test("triggered while another is rendered is not mixed up with it", () => {
    const waiting: Exchange[] = [];
    harness.server.close();
    harness = new Harness({
      handler: (exchange) => {
        if (exchange.path === "/wait") waiting.push(exchange);
        else {
          exchange.respond(200, "text/plain", (into) => {
            into.fill(0x61, 0, 100);
            waiting.pop()?.respond(200, "text/plain", (other) => other.fill(0x62).length);
            return 100;
          });
        }
      },
    });
    const first = harness.connect().send(get("/wait"));
    const second = harness.connect().send(get("/"));
    expect(response(second).body.toString()).toBe("a".repeat(100));
    harness.advance(1000);
    expect(response(first).body.toString()).toBe("b".repeat(4096));
  });
});

test("a stream resumed while another response is rendered is not mixed up with it", () => {
  const pieces = new Pieces(["b".repeat(50)]);
  let ready = false;
  let stream: Exchange | undefined;
  harness.server.close();
  harness = new Harness({
    handler: (exchange) => {
      if (exchange.path === "/stream") {
        stream = exchange;
        exchange.respond(200, "text/plain", { read: (into) => (ready ? pieces.read(into) : -1) });
      } else {
        exchange.respond(200, "text/plain", (into) => {
          into.fill(0x61, 0, 100);
          ready = true;
          stream?.resume();
          return 100;
        });
      }
    },
  });
  const first = harness.connect().send(get("/stream"));
  const second = harness.connect().send(get("/"));
  expect(response(second).body.toString()).toBe("a".repeat(100));
  harness.advance(1000);
  expect(response(first).body.toString()).toBe("b".repeat(50));
});

test("the rest of a response larger than the window waits only for the room it needs", () => {
  harness.server.close();
  harness = new Harness({ window: 4000 });
  const client = harness.connect();
  client.autoAck = false;
  client.send(get("/full"));
  const rest = client.bytes.indexOf("\r\n\r\n") + 4 + 4096 - 4000;
  expect(rest).toBeLessThan(MIN_SEND_BYTES);
  client.ack(rest - 1);
  expect(client.writes).toEqual([4000]);
  client.ack(1);
  expect(client.writes).toEqual([4000, rest]);
});

describe("a file", () => {
  test.each([1, 255, 256, 1000, 1536, 5744, 8192])("arrives complete through a window of %i", (window) => {
    harness.server.close();
    harness = new Harness({ window });
    const client = harness.connect();
    client.send(get("/bigfile"));
    const { body, headers } = response(client);
    expect(headers["content-length"]).toBe(`${BIG_FILE_BYTES}`);
    expect(body.equals(BIG_FILE.gzip)).toBe(true);
  });

  test("is never copied as a whole", () => {
    const client = harness.connect();
    client.send(get("/bigfile"));
    expect(Math.max(...client.writes)).toBeLessThanOrEqual(harness.network.window);
    expect(client.writes.length).toBeGreaterThan(BIG_FILE_BYTES / harness.network.window);
  });

  test("is sliced no finer than necessary", () => {
    const client = harness.connect();
    client.autoAck = false;
    client.send(get("/bigfile"));
    const before = client.writes.length;
    for (let byte = 0; byte < 255; byte++) client.ack(1);
    expect(client.writes).toHaveLength(before);
    client.ack(1);
    expect(client.writes.slice(before)).toEqual([256]);
  });
});

describe("a stream", () => {
  const long = Array.from({ length: 40 }, (_, index) => `${index}:`.padEnd(300, "z"));
  const serve = (make: () => Pieces, window?: number): Pieces[] => {
    const made: Pieces[] = [];
    harness.server.close();
    harness = new Harness({
      ...(window === undefined ? {} : { window }),
      handler: (exchange) => {
        const source = make();
        made.push(source);
        exchange.respond(200, "text/plain", source);
      },
    });
    return made;
  };

  test.each([20, 255, 256, 1536, 5744])("arrives complete through a window of %i, chunked or not", (window) => {
    for (const length of [undefined, 12_000]) {
      const sources = serve(() => new Pieces(long, length), window);
      const client = harness.connect();
      client.send(get("/") + get("/"));
      expect(responses(client).map(({ body }) => body.toString())).toEqual([long.join(""), long.join("")]);
      expect(sources.map(({ closed }) => closed)).toEqual([1, 1]);
    }
  });

  test("of known length waits only for the room its end needs", () => {
    const length = harness.network.window;
    serve(() => new Pieces(["z".repeat(length)], length));
    const client = harness.connect();
    client.autoAck = false;
    client.send(get("/"));
    const head = client.bytes.indexOf("\r\n\r\n") + 4;
    expect(head).toBeLessThan(MIN_SEND_BYTES);
    client.ack(head - 1);
    expect(client.bytes).toHaveLength(length);
    client.ack(1);
    expect(client.bytes).toHaveLength(length + head);
  });

  test.each([1, CHUNK_OVERHEAD])("is not read for chunks that a window of %i never takes", (window) => {
    const sources = serve(() => new Pieces(long), window);
    const client = harness.connect().send(get("/"));
    harness.advance(SEND_STALL_MS + TICK_MS);
    expect([sources[0]?.reads, client.ended]).toEqual([0, true]);
  });

  test("whose read gives another response is not mixed up with it", () => {
    const waiting: Exchange[] = [];
    const pieces = new Pieces(["a".repeat(100)]);
    harness.server.close();
    harness = new Harness({
      handler: (exchange) => {
        if (exchange.path === "/wait") waiting.push(exchange);
        else {
          exchange.respond(200, "text/plain", {
            read: (into) => {
              const length = pieces.read(into);
              waiting.pop()?.respond(200, "text/plain", (other) => other.fill(0x62).length);
              return length;
            },
          });
        }
      },
    });
    const first = harness.connect().send(get("/wait"));
    const second = harness.connect().send(get("/"));
    expect(response(second).body.toString()).toBe("a".repeat(100));
    harness.advance(1000);
    expect(response(first).body.toString()).toBe("b".repeat(4096));
  });

  test("is read only as far as the window allows", () => {
    const [source] = [serve(() => new Pieces(long))];
    const client = harness.connect();
    client.autoAck = false;
    client.send(get("/"));
    expect(client.bytes.length).toBeLessThanOrEqual(harness.network.window);
    const { reads } = source[0] as Pieces;
    harness.advance(1000);
    expect(source[0]?.reads).toBe(reads);
    client.fin();
    expect(source[0]?.closed).toBe(1);
  });

  test("that ends early closes the connection short of its length", () => {
    const sources = serve(() => new Pieces(["12345"], 10));
    const client = harness.connect();
    client.send(get("/"));
    expect(client.ended).toBe(true);
    expect(() => responses(client)).toThrow("truncated");
    expect(sources[0]?.closed).toBe(1);
  });

  test("that exceeds its length is cut off there", () => {
    const sources = serve(() => new Pieces(["12345", "67890more", "still more"], 10));
    const client = harness.connect();
    client.send(get("/") + get("/"));
    expect(responses(client).map(({ body }) => body.toString())).toEqual(["1234567890", "1234567890"]);
    expect(sources[0]?.closed).toBe(1);
  });

  test("of no length at all", () => {
    serve(() => new Pieces([]));
    expect(response(harness.connect().send(get("/")))).toMatchObject({
      chunks: 0,
      headers: { "transfer-encoding": "chunked" },
    });
    serve(() => new Pieces([], 0));
    expect(response(harness.connect().send(get("/"))).headers["content-length"]).toBe("0");
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["answers more than there is room", (into: Uint8Array) => into.length + 1],
    ["answers a fraction", () => 1.5],
    ["answers NaN", () => NaN],
    ["answers -2", () => -2],
  ])("whose read %s closes the connection, visibly", (_, read) => {
    const sources = serve(() => Object.assign(new Pieces(["x"]), { read }));
    const client = harness.connect();
    client.send(get("/"));
    expect(client.ended).toBe(true);
    expect(() => responses(client)).toThrow("truncated");
    expect(sources[0]?.closed).toBe(1);
    expect(harness.faults).toHaveLength(1);
    expect(statuses(harness.connect().send("BAD\r\n\r\n"))).toEqual([400]);
  });

  test("whose close throws does no harm", () => {
    serve(() =>
      Object.assign(new Pieces(["x"]), {
        close: () => {
          throw new Error("broken");
        },
      }),
    );
    const client = harness.connect();
    client.send(get("/") + get("/"));
    expect(statuses(client)).toEqual([200, 200]);
    expect(harness.faults).toHaveLength(2);
  });

  test("resumed from within its own read does no harm", () => {
    let exchange: Exchange | undefined;
    harness.server.close();
    const pieces = new Pieces(["x", "y"]);
    const source = {
      read: (into: Uint8Array): number => {
        exchange?.resume();
        return pieces.read(into);
      },
    };
    harness = new Harness({ handler: (given) => (exchange = given).respond(200, "text/plain", source) });
    const client = harness.connect().send(get("/"));
    exchange?.resume();
    expect(response(client).body.toString()).toBe("xy");
  });
});

describe("Expect: 100-continue", () => {
  const head = (length: number): string =>
    `POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;

  test("100 is sent once, when the handler requests the body", () => {
    const client = harness.connect().send(head(5));
    expect(client.take()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    client.send("he");
    client.send("llo");
    expect(response(client).body.toString()).toBe("hello");
  });

  test("100 is not sent if the body arrives without it", () => {
    const client = harness.connect();
    client.push(head(5)).push("hello");
    harness.network.settle();
    expect(responses(client).map(({ status }) => status)).toEqual([200]);
  });

  test("100 is not sent in the middle of a body", () => {
    const client = harness.connect();
    client.push(head(5)).push("he");
    harness.network.settle();
    expect(client.take()).toBe("");
    client.send("llo");
    expect(response(client).body.toString()).toBe("hello");
  });

  test("100 is not sent for a body that is too large, unwanted or empty", () => {
    expect(statuses(harness.connect().send(head(257)))).toEqual([413]);
    expect(statuses(harness.connect().send(head(5).replace("/echo", "/private")))).toEqual([401]);
    expect(statuses(harness.connect().send(head(0)))).toEqual([200]);
  });

  test("100 is not sent to an HTTP/1.0 client", () => {
    const client = harness.connect().send(head(5).replace("HTTP/1.1", "HTTP/1.0"));
    expect(client.take()).toBe("");
    expect(statuses(client.send("hello"))).toEqual([200]);
  });

  test("100 waits for the window", () => {
    const window = harness.connect().send(get("/full")).bytes.length;
    harness.server.close();
    harness = new Harness({ window });
    const client = harness.connect();
    client.autoAck = false;
    client.send(get("/full") + head(5));
    expect(statuses(client)).toEqual([200]);
    client.ack(24);
    expect(client.take()).toBe("");
    client.ack(1);
    expect(client.take()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  });
});

test("pipelined small responses never have more writes in flight than lwIP has buffers", () => {
  const client = harness.connect();
  client.autoAck = false;
  client.send(get("/empty").repeat(50));
  expect(client.writes).toHaveLength(4);
  for (let round = 0; round < 20; round++) client.ack(10_000);
  expect(statuses(client)).toHaveLength(50);
});

test("pipelined requests stay in the socket until the previous response is sent", () => {
  const client = harness.connect();
  client.autoAck = false;
  client.send(get("/bigfile"));
  client.send("x".repeat(10_000));
  // What the server has taken of it fits its one small buffer; the rest holds back the client.
  expect(client.socket?.available).toBeGreaterThanOrEqual(10_000 - 256);
});
