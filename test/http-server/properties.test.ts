import fc, { runs } from "../support/property";
import { createServer, METHODS, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BODY_TIME_MS, HANDLER_TIME_MS, HEADER_TIME_MS, IDLE_TIME_MS, LINGER_MS } from "http-server/limits";
import { LIMIT } from "../support/http/http-app";
import { MALFORMED } from "../support/http/http-cases";
import { Harness, responses } from "../support/http/http-harness";
import { parseResponses } from "../support/http/http-responses";

/** Longer than any one state may last. */
const FOR_EVER = HEADER_TIME_MS + BODY_TIME_MS + HANDLER_TIME_MS + IDLE_TIME_MS + LINGER_MS;

let harness: Harness;
beforeEach(() => (harness = new Harness()));
afterEach(() => harness.server.close());

/** After whatever has happened: the slots come free by themselves and the server serves. */
function expectHealthy(): void {
  harness.advance(FOR_EVER);
  expect(harness.server.connections).toBe(0);
  expect(harness.network.open).toBe(0);
  const client = harness.connect().send("GET /length HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(responses(client).map(({ body }) => body.toString())).toEqual(["one,two,three"]);
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

const word = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_.~"), minLength: 1, maxLength: 12 });
const value = fc.string({ unit: fc.constantFrom(...'abc 019:;,=\t"/\xe9'), maxLength: 30 });
const bodyText = fc.string({ unit: fc.constantFrom(..."abc\r\n\0:0;"), maxLength: LIMIT });

interface Request {
  bytes: string;
  body: string | undefined;
}

const lines = fc
  .array(fc.tuple(word, value), { maxLength: 5 })
  .map((fields) => fields.map(([name, text]) => `X-${name}: ${text}\r\n`).join(""));

const getRequest: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom("/about", "/length", "/stream", "/file", "/nothing", "/missing", "/empty"), word, lines)
  .map(([path, query, fields]) => ({
    bytes: `GET ${path}?${query} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`,
    body: undefined,
  }));

const fixedRequest: fc.Arbitrary<Request> = fc.tuple(bodyText, lines).map(([body, fields]) => ({
  bytes: `POST /echo HTTP/1.1\r\n${fields}Host: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  body,
}));

const chunkedRequest: fc.Arbitrary<Request> = fc
  .tuple(fc.array(fc.tuple(fc.nat(), fc.constantFrom("", ";x", ';n="v"')), { maxLength: 6 }), bodyText, lines)
  .map(([cuts, body, fields]) => {
    let chunks = "";
    let at = 0;
    for (const [cut, extension] of cuts) {
      const chunk = body.slice(at, at + (cut % (body.length + 1)));
      at += chunk.length;
      if (chunk) chunks += `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`;
    }
    if (at < body.length) chunks += `${(body.length - at).toString(16).toUpperCase()}\r\n${body.slice(at)}\r\n`;
    const head = `POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${fields}\r\n`;
    return { bytes: `${head}${chunks}0\r\n${fields}\r\n`, body };
  });

const pipeline = fc.array(fc.oneof(getRequest, fixedRequest, chunkedRequest), { minLength: 1, maxLength: 6 });

/** Cuts `bytes` at the given places. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
}

describe("a pipeline of valid requests", () => {
  test("is answered the same however it is split", () => {
    fc.assert(
      fc.property(pipeline, fc.array(fc.nat(), { maxLength: 40 }), (requests, cuts) => {
        const bytes = latin1(requests.map((request) => request.bytes).join(""));
        const whole = harness.connect().send(bytes);
        const cut = harness.connect();
        for (const piece of pieces(bytes, cuts)) cut.send(piece);
        const expected = whole.bytes;
        expect(cut.bytes.equals(expected)).toBe(true);
        const answers = parseResponses(expected);
        expect(answers).toHaveLength(requests.length);
        requests.forEach(({ body }, index) => {
          if (body !== undefined) expect(answers[index]?.body.toString("latin1")).toBe(body);
        });
        whole.fin();
        cut.fin();
      }),
      { numRuns: runs(100) },
    );
    expectHealthy();
  });

  test("is answered the same however the window opens", () => {
    fc.assert(
      fc.property(
        pipeline,
        fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 30 }),
        (requests, acks) => {
          const bytes = latin1(requests.map((request) => request.bytes).join(""));
          const whole = harness.connect().send(bytes);
          const slow = harness.connect();
          slow.autoAck = false;
          slow.send(bytes);
          let acknowledged = 0;
          for (let round = 0; acknowledged < slow.bytes.length; round++) {
            const ack = Math.min(acks[round % acks.length] ?? 1, slow.bytes.length - acknowledged);
            acknowledged += ack;
            slow.ack(ack);
          }
          expect(slow.bytes.equals(whole.bytes)).toBe(true);
          whole.fin();
          slow.fin();
        },
      ),
      { numRuns: runs(70) },
    );
    expectHealthy();
  });
});

const nasty = fc.constantFrom(
  "\r",
  "\n",
  "\r\n",
  "\0",
  " ",
  "\t",
  ":",
  ",",
  ";",
  "0",
  "9",
  "+",
  "-",
  "x",
  "\x7f",
  "\xff",
  "Host: b\r\n",
  "\r\n\r\n",
  "chunked",
  "Content-Length: 3\r\n",
  "Transfer-Encoding: chunked\r\n",
  "HTTP/1.0",
  "#",
  "%",
  "@",
);

/** A valid pipeline with something put in, taken out or replaced here and there. */
const mutated = fc
  .tuple(
    pipeline,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 3 }), fc.option(nasty)), { minLength: 1, maxLength: 3 }),
  )
  .map(([requests, mutations]) => {
    let text = requests.map(({ bytes }) => bytes).join("");
    for (const [place, remove, insert] of mutations) {
      const at = place % (text.length + 1);
      text = text.slice(0, at) + (insert ?? "") + text.slice(at + remove);
    }
    return text;
  });

describe("bytes that are not requests", () => {
  test("random bytes never get a 2xx and never keep a slot", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 600 }), { maxLength: 4 }),
        fc.boolean(),
        (segments, fin) => {
          const client = harness.connect();
          for (const segment of segments) client.send(segment);
          for (const { status } of responses(client)) expect(status).toBeGreaterThanOrEqual(400);
          if (fin) client.fin();
          else harness.advance(FOR_EVER);
          expect(harness.server.connections).toBe(0);
        },
      ),
      { numRuns: runs(100) },
    );
    expectHealthy();
  });

  test("a mutated pipeline gets well-formed responses, and its slot comes free", () => {
    fc.assert(
      fc.property(mutated, fc.array(fc.nat(), { maxLength: 5 }), (text, cuts) => {
        const client = harness.connect();
        for (const piece of text ? pieces(latin1(text), cuts) : []) client.send(piece);
        const answers = responses(client);
        const error = answers.findIndex(({ status }) => status === 400);
        if (error >= 0) expect(error).toBe(answers.length - 1);
        harness.advance(FOR_EVER);
        expect(harness.server.connections).toBe(0);
        expect(client.ended).toBe(true);
      }),
      { numRuns: runs(170) },
    );
    expectHealthy();
    expect(harness.faults).toEqual([]);
  });

  test("a client that disconnects at any moment leaves no state", () => {
    fc.assert(
      fc.property(pipeline, fc.nat(), fc.boolean(), fc.nat(40), (requests, cut, reset, steps) => {
        const bytes = latin1(requests.map((request) => request.bytes).join(""));
        const client = harness.connect();
        client.push(bytes.subarray(0, cut % (bytes.length + 1)));
        for (let step = 0; step < steps; step++) harness.network.step();
        if (reset) client.rst();
        else client.fin();
        // With bytes unread the device does not tell that the client has gone: the deadline does.
        harness.advance(FOR_EVER);
        expect(harness.server.connections).toBe(0);
      }),
      { numRuns: runs(100) },
    );
    expectHealthy();
  });
});

/** Node's own parser (llhttp, strict) as a second opinion: what this server takes as a request, Node takes too, and as the same one. */
describe("no more lenient than Node", () => {
  let node: Server;
  beforeAll(async () => {
    node = createServer({ requireHostHeader: true, keepAliveTimeout: 1000 }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.setHeader("X-Request", JSON.stringify([request.method, request.url]));
        response.end(Buffer.concat(chunks));
      });
    });
    await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => node.close());

  const askNode = (bytes: Buffer): Promise<Buffer> =>
    new Promise((resolve) => {
      const received: Buffer[] = [];
      const socket = connect((node.address() as AddressInfo).port, "127.0.0.1", () => socket.end(bytes));
      socket.on("data", (data) => received.push(data));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(Buffer.concat(received)));
    });

  /** What the handler gets of the first request, and how many bytes that took. */
  const understand = (bytes: Buffer): { seen: string[]; length: number } => {
    const seen: string[] = [];
    let length = 0;
    harness.server.close();
    harness = new Harness({
      handler: (exchange) => {
        const url = exchange.query ? `${exchange.path}?${exchange.query}` : exchange.path;
        exchange.receive(1024, (body) => {
          // A body that is too large has not been read to its end: there is nothing to compare.
          if (body) seen.push(JSON.stringify([exchange.method, url, Buffer.from(body).toString("latin1")]));
          exchange.respond(204);
        });
      },
    });
    const client = harness.connect();
    while (length < bytes.length && !seen.length) client.send(bytes.subarray(length, ++length));
    return { seen, length };
  };

  /** What Node is known to refuse although the RFC allows it. */
  const nodeIsStricter = (text: string): boolean => {
    const [, method = "", version = ""] = /^(?:\r\n)*(\S+) \S+ HTTP\/1\.(\d)\r\n/.exec(text) ?? [];
    const others = [
      // It goes by the grammar of chunk extensions, of which this server looks only at the characters, and takes no blank before them.
      /\n[0-9a-fA-F]+(?:;(?!x\r\n|n="v"\r\n)|[ \t]+;)/,
      // It takes no tab after the value of a framing field, and no framing field in a trailer, which this server ignores.
      /(?:Content-Length|Transfer-Encoding):[^\r]*\t\r\n/,
      /\n0+(?:;[^\r]*)?\r\n(?:[^\r]+\r\n)*(?:Content-Length|Transfer-Encoding):/,
    ];
    return !METHODS.includes(method) || version > "1" || others.some((other) => other.test(text));
  };

  const check = async (text: string): Promise<void> => {
    const bytes = latin1(text);
    const {
      seen: [seen],
      length,
    } = understand(bytes);
    if (seen === undefined || nodeIsStricter(text)) return;
    const [method, url, body] = JSON.parse(seen) as [string, string, string];
    const raw = await askNode(bytes.subarray(0, length));
    const head = raw.toString("latin1", 0, raw.indexOf("\r\n\r\n"));
    const description = `${JSON.stringify(text)}: Node said ${JSON.stringify(head)}`;
    expect(head, description).toMatch(/^HTTP\/1\.1 200 /);
    const [nodeMethod, nodeUrl] = JSON.parse(/^X-Request: (.*)$/m.exec(head)?.[1] ?? "[]") as string[];
    // An empty query is no query here.
    expect([nodeMethod, nodeUrl?.replace(/^https?:\/\/[^/?]*(?=\/)/i, "").replace(/\?$/, "")], description).toEqual([
      method,
      url,
    ]);
    expect(raw.toString("latin1"), description).toContain(body);
  };

  test("in mutated requests", async () => {
    const single = fc
      .tuple(
        fc.oneof(getRequest, fixedRequest, chunkedRequest),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 2 }), fc.option(nasty)), { minLength: 1, maxLength: 2 }),
      )
      .map(([{ bytes }, mutations]) => {
        let text = bytes;
        for (const [place, remove, insert] of mutations) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + (insert ?? "") + text.slice(at + remove);
        }
        return text;
      });
    await fc.assert(fc.asyncProperty(single, check), { numRuns: runs(270) });
  });

  test("in everything this suite calls malformed: nothing reaches the handler", () => {
    for (const { send } of MALFORMED) expect(understand(latin1(send)).seen).toEqual([]);
  });
});
