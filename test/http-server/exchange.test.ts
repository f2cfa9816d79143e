import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_BODY_BYTES, MAX_DRAIN_BYTES, MAX_RESPONSE_HEAD_BYTES } from "http-server/limits";
import type { Exchange, Handler, HeaderLine } from "http-server/types";
import { FILE, Pieces, text } from "../support/http/http-app";
import { Harness, response, statuses } from "../support/http/http-harness";

const GET = "GET /x HTTP/1.1\r\nHost: a\r\nCookie: c\r\n\r\n";
const post = (length: number, sent = length): string =>
  `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${"b".repeat(sent)}`;

let harness: Harness;
beforeEach(() => (harness = new Harness()));
afterEach(() => harness.server.close());

function serve(handler: Handler): void {
  harness.server.close();
  harness = new Harness({ handler });
}

/** A server that answers nothing by itself. */
function collect(): Exchange[] {
  const exchanges: Exchange[] = [];
  serve((exchange) => void exchanges.push(exchange));
  return exchanges;
}

describe("an exchange", () => {
  test("is open until the response is given", () => {
    const exchanges = collect();
    const client = harness.connect().send(GET);
    const exchange = exchanges[0] as Exchange;
    expect([exchange.open, exchange.header("cookie")]).toEqual([true, "c"]);
    exchange.respond(200, "text/plain", text("yes"));
    expect([exchange.open, exchange.header("cookie"), exchange.path]).toEqual([false, undefined, "/x"]);
    expect(response(client).body.toString()).toBe("yes");
  });

  test("answers once", () => {
    const exchanges = collect();
    const client = harness.connect().send(GET);
    exchanges[0]?.respond(200, "text/plain", text("first"));
    exchanges[0]?.respond(200, "text/plain", text("second"));
    exchanges[0]?.respondFile(FILE);
    exchanges[0]?.receive(1, () => expect.unreachable());
    expect(response(client).body.toString()).toBe("first");
  });

  test("that streams its response ignores another response and accepts no body", () => {
    const exchanges = collect();
    const client = harness.connect().send(post(5));
    const [exchange] = exchanges as [Exchange];
    let ready = false;
    const source = new Pieces(["first"]);
    exchange.respond(200, "text/plain", { read: (into) => (ready ? source.read(into) : -1) });
    const late = new Pieces(["second"]);
    exchange.respond(200, "text/plain", late);
    exchange.respond(200);
    exchange.respond(200, "text/plain", { read: () => expect.unreachable() });
    exchange.respondFile(FILE);
    exchange.receive(5, () => expect.unreachable());
    let aborted = 0;
    exchange.stream(5, {
      write: () => expect.unreachable(),
      end: () => expect.unreachable(),
      abort: () => aborted++,
    });
    expect([exchange.open, exchange.header("host"), late.closed, aborted]).toEqual([false, undefined, 1, 1]);
    ready = true;
    exchange.resume();
    expect(response(client).body.toString()).toBe("first");
    expect(harness.faults).toEqual([]);
  });

  test("whose stream waits for room ignores a file response", () => {
    const exchanges = collect();
    const client = harness.connect();
    client.autoAck = false;
    client.send(GET + GET);
    exchanges[0]?.respond(200, "text/plain", new Pieces(["x".repeat(5300)], 5300));
    client.take();
    exchanges[1]?.respond(200, "text/plain", new Pieces(["stream"]));
    exchanges[1]?.respondFile(FILE);
    expect(client.take()).toBe("");
    client.ack(5744);
    expect(response(client).body.toString()).toBe("stream");
  });

  test("renders nothing for a status without a body", () => {
    for (const status of [204, 304]) {
      serve((exchange) => exchange.respond(status, undefined, () => expect.unreachable()));
      expect(statuses(harness.connect().send(GET))).toEqual([status]);
    }
  });

  test("once answered ignores further responses", () => {
    const exchanges = collect();
    const client = harness.connect().send(GET);
    const [exchange] = exchanges as [Exchange];
    exchange.respond(204);
    exchange.respond(200);
    exchange.respond(200, "text/plain", { read: () => expect.unreachable() });
    expect(statuses(client)).toEqual([204]);
  });

  test("does not poll an empty source until it is resumed", () => {
    const exchanges = collect();
    const client = harness.connect();
    client.autoAck = false;
    client.send(GET);
    let reads = 0;
    exchanges[0]?.respond(200, "text/plain", { read: () => (reads++, -1) });
    client.ack(10);
    client.send(GET);
    harness.advance(1000);
    expect(reads).toBe(1);
    exchanges[0]?.resume();
    expect(reads).toBe(2);
  });

  test("sends a file with the headers given, also when it is unchanged or refused", () => {
    const exchanges = collect();
    const headers: readonly HeaderLine[] = [["X-Content-Type-Options", "nosniff"]];
    const ask = (line: string): ReturnType<typeof response> => {
      const client = harness.connect().send(`GET /x HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`);
      exchanges.at(-1)?.respondFile(FILE, headers);
      return response(client);
    };
    const answers = [ask("Accept-Encoding: gzip"), ask(`If-None-Match: ${FILE.etag}`), ask("Accept-Encoding: br")];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 406]);
    for (const answer of answers) {
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.headers["vary"]).toBe("Accept-Encoding");
    }
  });

  test("never answers a later request, of the same client or of another in its slot", () => {
    const exchanges = collect();
    const client = harness.connect().send(GET);
    exchanges[0]?.respond(204);
    client.send(GET).take();
    exchanges[0]?.respond(200, "text/plain", text("stale"));
    expect(client.take()).toBe("");
    client.fin();
    const other = harness.connect().send(GET);
    exchanges[0]?.respond(200, "text/plain", text("stale"));
    exchanges[1]?.respond(200, "text/plain", text("stale"));
    exchanges[1]?.resume();
    expect(other.take()).toBe("");
    exchanges[2]?.respond(204);
    expect(statuses(other)).toEqual([204]);
  });

  test("never resumes a later stream", () => {
    const exchanges = collect();
    const client = harness.connect().send(GET);
    exchanges[0]?.respond(204);
    client.send(GET);
    let reads = 0;
    exchanges[1]?.respond(200, "text/plain", { read: () => (reads++, -1) });
    exchanges[0]?.resume();
    expect(reads).toBe(1);
    exchanges[1]?.resume();
    expect(reads).toBe(2);
  });

  test.each([["fin"], ["rst"]] as const)("is closed when the client disconnects (%s)", (how) => {
    const exchanges = collect();
    harness.connect().send(GET)[how]();
    expect(exchanges[0]?.open).toBe(false);
    const source = new Pieces(["x"]);
    exchanges[0]?.respond(200, "text/plain", source);
    expect([source.reads, source.closed]).toEqual([0, 1]);
    expect(harness.server.connections).toBe(0);
  });

  test("closes its source once if the client disconnects midway", () => {
    const exchanges = collect();
    const client = harness.connect();
    client.autoAck = false;
    client.send(GET);
    const source = new Pieces(["x".repeat(20_000)]);
    exchanges[0]?.respond(200, "text/plain", source);
    client.rst();
    exchanges[0]?.resume();
    harness.server.close();
    expect(source.closed).toBe(1);
  });

  test.each([99, 100, 199, 600, 200.5, NaN])("refuses status %d", (status) => {
    const exchanges = collect();
    const client = harness.connect().send(GET);
    expect(() => exchanges[0]?.respond(status)).toThrow(new RangeError("status"));
    exchanges[0]?.respond(200);
    expect(statuses(client)).toEqual([200]);
  });

  test("a status without a reason phrase", () => {
    const exchanges = collect();
    const client = harness.connect().send(GET);
    exchanges[0]?.respond(299);
    expect(response(client)).toMatchObject({ status: 299, reason: "" });
  });
});

describe("receive", () => {
  test.each([
    [MAX_BODY_BYTES - 1, MAX_BODY_BYTES - 1],
    [MAX_BODY_BYTES, MAX_BODY_BYTES],
    [MAX_BODY_BYTES + 1, undefined],
  ])("%i bytes with a limit larger than MAX_BODY_BYTES: %s", (length, expected) => {
    let got: number | undefined = -1;
    serve((exchange) =>
      exchange.receive(1_000_000, (body) => {
        got = body?.length;
        exchange.respond(204);
      }),
    );
    const client = harness.connect().send(post(length));
    expect(got).toBe(expected);
    expect(statuses(client)).toEqual([204]);
    // What is longer than that is not read to its end.
    expect(length > MAX_DRAIN_BYTES).toBe(true);
    expect(statuses(client.send(post(3)))).toEqual(expected === undefined ? [] : [204]);
  });

  test.each([
    [MAX_BODY_BYTES, MAX_BODY_BYTES],
    [MAX_BODY_BYTES + 1, 0],
    [1_000_000_000, 0],
  ])("a body of %i bytes takes memory for %i", (length, expected) => {
    serve((exchange) => exchange.receive(MAX_BODY_BYTES, () => exchange.respond(413)));
    const client = harness.connect();
    const made: unknown[] = [];
    const real = globalThis.Uint8Array;
    globalThis.Uint8Array = new Proxy(real, {
      construct: (target, given: unknown[], as) => (
        made.push(given[0]),
        Reflect.construct(target, given, as) as object
      ),
    });
    try {
      client.send(post(length, 0));
    } finally {
      globalThis.Uint8Array = real;
    }
    expect(made).toContain(expected);
    expect(made.filter((size) => typeof size === "number" && size > MAX_BODY_BYTES)).toEqual([]);
  });

  test.each([
    ["fixed", post(1000)],
    [
      "chunked",
      `POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n${"b".repeat(1000)}\r\n0\r\n\r\n`,
    ],
  ])("a body longer than the head leaves room for, %s", (_, request) => {
    const bodies: string[] = [];
    serve((exchange) =>
      exchange.receive(1000, (body) => {
        bodies.push(Buffer.from(body ?? []).toString());
        expect(exchange.header("host")).toBe("a");
        exchange.respond(204);
      }),
    );
    const client = harness.connect();
    for (let at = 0; at < request.length; at += 100) client.send(request.slice(at, at + 100));
    expect(bodies).toEqual(["b".repeat(1000)]);
  });

  test("the head stays valid until the body has been handled", () => {
    serve((exchange) =>
      exchange.receive(700, (body) => {
        exchange.respond(200, "text/plain", text(`${exchange.header("cookie")} ${body?.length}`));
      }),
    );
    const client = harness.connect().send(post(650).replace("Host: a", `Host: a\r\nCookie: ${"c".repeat(600)}`));
    expect(response(client).body.toString()).toBe(`${"c".repeat(600)} 650`);
  });

  test("called late, with the body waiting in the socket", () => {
    const exchanges = collect();
    const client = harness.connect().send(post(600));
    exchanges[0]?.receive(600, (body) => exchanges[0]?.respond(200, "text/plain", text(`${body?.length}`)));
    expect(response(client).body.toString()).toBe("600");
  });

  test("answered later", () => {
    const exchanges = collect();
    const client = harness.connect().send(post(5));
    let done = 0;
    exchanges[0]?.receive(5, () => done++);
    expect(done).toBe(1);
    expect(client.take()).toBe("");
    exchanges[0]?.respond(200);
    expect(statuses(client)).toEqual([200]);
  });

  test("a limit of 0 or less accepts an empty body only", () => {
    for (const limit of [0, -1]) {
      const got: (number | undefined)[] = [];
      serve((exchange) =>
        exchange.receive(limit, (body) => {
          got.push(body?.length);
          exchange.respond(204);
        }),
      );
      harness
        .connect()
        .send(post(0))
        .send(post(1))
        .send(GET)
        .send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n");
      expect(got).toEqual([0, undefined, 0, undefined]);
    }
  });

  test("called twice is an error of the handler", () => {
    const exchanges = collect();
    const client = harness.connect().send(post(5));
    exchanges[0]?.receive(5, () => undefined);
    expect(() => exchanges[0]?.receive(5, () => undefined)).toThrow("body requested twice");
    exchanges[0]?.respond(200);
    expect(statuses(client)).toEqual([200]);
  });

  test("does not call back if the response comes first, the client disconnects or the body is malformed", () => {
    const exchanges = collect();
    const never = (): void => expect.unreachable();
    const answered = harness.connect().send(post(5, 2));
    exchanges[0]?.receive(5, never);
    exchanges[0]?.respond(200);
    answered.send("bbb" + GET);
    expect(statuses(answered)).toEqual([200]);
    expect(exchanges).toHaveLength(2);

    const gone = harness.connect().send(post(5, 2));
    exchanges[2]?.receive(5, never);
    gone.rst();

    const malformed = harness.connect().send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    exchanges[3]?.receive(5, never);
    malformed.send("x\r\n");
    expect(statuses(malformed)).toEqual([400]);
    expect(exchanges[3]?.open).toBe(false);
  });
});

describe("a faulty handler gets a 500, and the server lives on:", () => {
  const wrong: Record<string, Handler> = {
    throws: () => {
      throw new Error("x");
    },
    "throws in done": (exchange) =>
      exchange.receive(5, () => {
        throw new Error("x");
      }),
    "throws in Render": (exchange) =>
      exchange.respond(200, "text/plain", () => {
        throw new Error("x");
      }),
    "renders more than there is": (exchange) => exchange.respond(200, "text/plain", (into) => into.length + 1),
    "renders a fraction": (exchange) => exchange.respond(200, "text/plain", () => 1.5),
    "renders NaN": (exchange) => exchange.respond(200, "text/plain", () => NaN),
    "renders -1": (exchange) => exchange.respond(200, "text/plain", () => -1),
    "breaks out of a header": (exchange) =>
      exchange.respond(200, "text/plain", undefined, [["X", "a\r\nSet-Cookie: b"]]),
    "breaks out of a type": (exchange) => exchange.respond(200, "text/plain\r\n\r\n<html>"),
    "puts LF into a header": (exchange) => exchange.respond(200, "text/plain", undefined, [["X", "a\nb"]]),
    "puts NUL into a header": (exchange) => exchange.respond(200, "text/plain", undefined, [["X", "a\0b"]]),
    "puts a smiley into a header": (exchange) => exchange.respond(200, "text/plain", undefined, [["X", "\u{1f600}"]]),
    "gives a header without a name": (exchange) => exchange.respond(200, "text/plain", undefined, [["", "v"]]),
    "gives a header name with a colon": (exchange) => exchange.respond(200, "text/plain", undefined, [["A: b", "v"]]),
    "gives more headers than there is room": (exchange) =>
      exchange.respond(200, "text/plain", undefined, [["X", "v".repeat(MAX_RESPONSE_HEAD_BYTES)]]),
    "gives a length that is none": (exchange) => exchange.respond(200, "text/plain", new Pieces(["x"], -5)),
    "answers with a status that is none": (exchange) => exchange.respond(42),
  };

  test.each(Object.entries(wrong))("%s", (_, handler) => {
    serve(handler);
    const client = harness.connect().send(post(5));
    const failed = response(client);
    expect(failed.status).toBe(500);
    expect(failed.headers["connection"]).toBe("close");
    expect(JSON.parse(failed.body.toString())).toEqual({ success: false, error: "Internal error." });
    expect(harness.faults).toHaveLength(1);
    // Each says what is wrong.
    expect(String(harness.faults[0])).toMatch(/^(?:Range)?Error: \w/);
    expect(harness.server.counters).toMatchObject({ faults: 1, serverErrors: 1, successful: 0 });
    expect(statuses(harness.connect().send(post(5)))).toEqual([500]);
  });

  test("throws after answering: the response is sent, the connection closed", () => {
    serve((exchange) => {
      exchange.respond(200, "text/plain", text("answer"));
      throw new Error("x");
    });
    const answer = response(harness.connect().send(GET));
    expect([answer.body.toString(), answer.headers["connection"]]).toEqual(["answer", "close"]);
  });

  test("closes the server, and throws", () => {
    serve(() => {
      harness.server.close();
      throw new Error("x");
    });
    const client = harness.connect();
    expect(() => client.send(GET)).not.toThrow();
    expect([client.ended, client.take(), harness.faults.length]).toEqual([true, "", 1]);
  });

  test("closes the server", () => {
    serve(() => harness.server.close());
    const client = harness.connect().send(GET + GET);
    expect([client.ended, client.take()]).toEqual([true, ""]);
  });

  test("closes the server while it renders, or while its source is read or closed", () => {
    const body = new Pieces(["x"]);
    for (const close of [
      (exchange: Exchange) =>
        exchange.respond(
          200,
          "text/plain",
          Object.assign(new Pieces(["x"], -5), { close: () => harness.server.close() }),
        ),

      (exchange: Exchange) => exchange.respond(200, "text/plain", () => (harness.server.close(), 1)),
      (exchange: Exchange) =>
        exchange.respond(200, "text/plain", Object.assign(body, { read: () => (harness.server.close(), 0) })),
      (exchange: Exchange) =>
        exchange.respond(200, "text/plain", Object.assign(new Pieces(["x"]), { close: () => harness.server.close() })),
    ]) {
      serve(close);
      const client = harness.connect().send(GET + GET);
      expect(client.ended).toBe(true);
      expect(harness.server.connections).toBe(0);
    }
  });

  test("throws from its fault reporter", () => {
    const network = harness.network;
    const server = harness.server;
    expect(server.counters.faults).toBe(0);
    const onFault = vi.spyOn(harness.faults, "push").mockImplementation(() => {
      throw new Error("nobody listens");
    });
    expect(statuses(network.connect().send("GET /throw HTTP/1.1\r\nHost: a\r\n\r\n"))).toEqual([500]);
    expect(onFault).toHaveBeenCalledOnce();
  });
});

describe("describeError", () => {
  test("makes the bodies of the server's own errors", () => {
    harness.server.close();
    harness = new Harness({ describeError: (status, error, into) => text(`${status} ${error}`)(into) });
    expect(response(harness.connect().send("GET / HTTP/1.1\r\n\r\n")).body.toString()).toBe("400 Missing Host.");
    expect(response(harness.connect().send("GET /throw HTTP/1.1\r\nHost: a\r\n\r\n")).body.toString()).toBe(
      "500 Internal error.",
    );
  });

  test("that throws: the connection is closed", () => {
    harness.server.close();
    harness = new Harness({
      describeError: () => {
        throw new Error("x");
      },
    });
    const client = harness.connect().send("BAD\r\n\r\n");
    expect([client.ended, client.take()]).toEqual([true, ""]);
    expect(harness.server.connections).toBe(0);
  });
});

test("headers of a response", () => {
  serve((exchange) =>
    exchange.respond(302, undefined, undefined, [
      ["Location", "/login?a=\xe9"],
      ["Set-Cookie", "a=b; HttpOnly"],
    ]),
  );
  const client = harness.connect().send(GET);
  expect(client.bytes.toString("latin1")).toBe(
    "HTTP/1.1 302 Found\r\nLocation: /login?a=\xe9\r\nSet-Cookie: a=b; HttpOnly\r\nContent-Length: 0\r\n\r\n",
  );
});

test("a head is never sent with another response, whatever their order", () => {
  const LISTS: readonly (readonly HeaderLine[])[] = [
    [],
    [["X-A", "1"]],
    [
      ["X-A", "2"],
      ["X-B", "3"],
    ],
  ];
  const STATUSES = [200, 404, 204];
  const TYPES = ["application/json", "text/plain", undefined];
  const handler: Handler = (exchange) => {
    const [status = 0, type = 0, list = 0, sized = 0] = exchange.query.split(",").map(Number);
    const body = text("x".repeat(10 ** type));
    exchange.respond(STATUSES[status] as number, TYPES[type], sized ? body : new Pieces(["a", "bc"]), LISTS[list]);
  };
  const kinds = [0, 1, 2].flatMap((status) =>
    [0, 1, 2].flatMap((type) =>
      [0, 1, 2].flatMap((list) =>
        [0, 1].flatMap((sized) =>
          ["HTTP/1.1", "HTTP/1.0"].flatMap((version) =>
            ["keep-alive", "close"].map(
              (connection) =>
                `GET /?${status},${type},${list},${sized} ${version}\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`,
            ),
          ),
        ),
      ),
    ),
  );
  const answerTo = (kind: string): string => {
    const client = harness.connect().send(kind);
    const answer = client.take();
    client.rst();
    return answer;
  };
  // Each by a server that has answered nothing before.
  const alone = kinds.map((kind) => {
    serve(handler);
    return answerTo(kind);
  });
  expect(new Set(alone).size).toBeGreaterThan(100);
  serve(handler);
  for (let step = 1; step < 24; step++)
    for (let at = 0; at < kinds.length; at += step)
      for (const time of ["first", "again"])
        expect(answerTo(kinds[at] as string), `${time}: ${kinds[at]}`).toBe(alone[at]);
});
