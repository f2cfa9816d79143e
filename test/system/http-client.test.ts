/** The HTTP client against a service that answers as no service should. */
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { bundleForXs } from "../../host-sim/xs/bundle";
import { XsMachine } from "../../host-sim/xs/machine";
import {
  MAX_BODY_BYTES,
  MAX_BODY_READ,
  MAX_HEAD_BYTES,
  MAX_REQUEST_BYTES,
  MAX_RETRY_AFTER,
  TIMEOUT_MS,
} from "../../modules/http-client/limits";
import type { RequestOptions } from "../../modules/http-client/request-bytes";
import { freePort } from "../support/free-port";
import { clientBench, type ClientBench, type Ending } from "../support/http/client-bench";
import { ENGINE, imageOf } from "../support/system/engines";

/** The client as a program for XS. */
let bundle: ReturnType<typeof bundleForXs> | undefined;
let board: SimulatedBoard;
let client: ClientBench;
let server: Server;
let port: number;
/** What the service got, by connection, and what it does then. */
let received: string[];
let sockets: Socket[];
let answer: (socket: Socket, request: string) => void;

beforeEach(async () => {
  received = [];
  sockets = [];
  answer = (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  server = createServer((socket) => {
    const at = sockets.push(socket) - 1;
    received[at] = "";
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const first = received[at] === "";
      received[at] += bytes.toString("utf8");
      if (first) answer(socket, received[at]!);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { port: number }).port;
  board = new SimulatedBoard({ online: true, console: () => undefined });
  if (ENGINE === "xs") bundle ??= bundleForXs("test/support/xs/xs-http-client-entry.ts");
  const program = await bundle;
  await board.boot(() => {
    if (!program) return void (client = clientBench());
    const machine = new XsMachine(board, program, { image: imageOf(program) });
    machine.boot();
    client = {
      start: (...parameters) => machine.ask("start", ...parameters) as string,
      close: () => void machine.ask("close"),
      endings: () => machine.ask("endings") as Ending[],
    };
  });
  board.clock.start();
});
afterEach(() => {
  board.clock.stop();
  board.powerOff();
  for (const socket of sockets) socket.destroy();
  server.close();
});

const POST: RequestOptions = {
  method: "POST",
  path: "/topic?a=b",
  host: "ntfy.example",
  fields: [["Title", "Alarm"]],
  body: "tensão",
};

/** Waits for the end of the request, and that the client's connection is closed. */
async function ending(): Promise<Ending> {
  let found: Ending[] = [];
  await expect.poll(() => (found = [...found, ...client.endings()]).length).toBe(1);
  await expect
    .poll(() => sockets.every((socket) => socket.destroyed || socket.readableEnded || socket.closed))
    .toBe(true);
  return found[0]!;
}

async function post(to = port): Promise<Ending> {
  expect(client.start(to, POST)).toBe("");
  return ending();
}

const sends = (text: string, end = true) => (answer = (socket) => void (end ? socket.end(text) : socket.write(text)));
const OK = "HTTP/1.1 200 OK\r\n";

it("sends one whole request and closes", async () => {
  expect(await post()).toEqual({ status: 200, body: "" });
  expect(received).toEqual([
    "POST /topic?a=b HTTP/1.1\r\nHost: ntfy.example\r\nConnection: close\r\nContent-Length: 7\r\nTitle: Alarm\r\n\r\ntensão",
  ]);
});

it("sends the largest request", async () => {
  const room = (body: string): string => client.start(port, { ...POST, fields: [], body });
  const head = "POST /topic?a=b HTTP/1.1\r\nHost: ntfy.example\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n"
    .length;
  expect(room("x".repeat(MAX_REQUEST_BYTES - head + 1))).toContain("request too long");
  expect(room("x".repeat(MAX_REQUEST_BYTES - head))).toBe("");
  expect(await ending()).toMatchObject({ status: 200 });
  expect(room("x".repeat(MAX_REQUEST_BYTES - head - 1))).toBe("");
  expect(await ending()).toMatchObject({ status: 200 });
});

describe("the service's own words", () => {
  it.each([
    ["with a length, the connection left open", `${OK}content-length: 5\r\n\r\nhello`, false, "hello"],
    ["until the connection ends", `${OK}\r\nhello`, true, "hello"],
    ["in chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`, false, "hello"],
    [
      "after interim answers",
      `HTTP/1.1 100 Continue\r\nRetry-After: 9\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
      false,
      "ok",
    ],
    ["with line feeds alone", "HTTP/1.0 200\nContent-Length: 2\n\nok", false, "ok"],
    ["without control characters", `${OK}\r\na\u0000\u001b[31m\r\nb\u007f`, true, "a  [31m  b "],
    ["in UTF-8", `${OK}\r\ntensão`, true, "tensão"],
    ["cut after MAX_BODY_BYTES", `${OK}\r\n${"x".repeat(MAX_BODY_BYTES + 1)}`, true, "x".repeat(MAX_BODY_BYTES)],
    ["shorter than said", `${OK}Content-Length: 50\r\n\r\nhello`, true, "hello"],
    ["none", "HTTP/1.1 204 No Content\r\n\r\n", false, ""],
  ])("%s", async (_, text, end, body) => {
    sends(text, end);
    const { status, body: heard, retryAfter } = await post();
    expect([status! < 300, heard, retryAfter ?? null]).toEqual([true, body, null]);
  });
});

it.each([301, 302, 303, 307, 308])(
  "a redirect, %d, is not followed: no second connection, and the token goes nowhere",
  async (status) => {
    const other = await freePort();
    let visited = false;
    const elsewhere = createServer((socket) => {
      visited = true;
      socket.destroy();
    });
    await new Promise<void>((resolve) => elsewhere.listen(other, "127.0.0.1", resolve));
    sends(`HTTP/1.1 ${status} Moved\r\nLocation: http://127.0.0.1:${other}/\r\nContent-Length: 0\r\n\r\n`);
    expect(await post()).toMatchObject({ status });
    sends(OK + "Content-Length: 0\r\n\r\n");
    expect(await post()).toMatchObject({ status: 200 });
    expect([sockets.length, visited]).toEqual([2, false]);
    elsewhere.close();
  },
);

it.each([
  ["120", 120],
  [String(MAX_RETRY_AFTER - 1), MAX_RETRY_AFTER - 1],
  [String(MAX_RETRY_AFTER), MAX_RETRY_AFTER],
  [String(MAX_RETRY_AFTER + 1), MAX_RETRY_AFTER],
  ["9".repeat(40), MAX_RETRY_AFTER],
  ["0", 0],
  ["-1", null],
  ["soon", null],
  ["Wed, 21 Oct 2026 07:28:00 GMT", null],
])("429 with Retry-After %s: %s s", async (value, seconds) => {
  sends(`HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${value}\r\nContent-Length: 4\r\n\r\nslow`);
  const { status, retryAfter, body } = await post();
  expect([status, retryAfter ?? null, body]).toEqual([429, seconds, "slow"]);
});

describe("a hostile service", () => {
  it.each([
    ["nothing", ""],
    ["half a head", `${OK}Content-Le`],
  ])("that sends %s and closes: closed", async (_, text) => {
    sends(text);
    expect(await post()).toEqual({ problem: "closed" });
  });

  it("that is not there: no connection", async () => {
    expect(await post(await freePort())).toEqual({ problem: "no-connection" });
  });

  it.each([
    ["another protocol", "220 mail.example ESMTP\r\n"],
    ["HTTP/2", "HTTP/2.0 200 OK\r\n\r\n"],
    ["no status", "HTTP/1.1 OK\r\n\r\n"],
    ["status 99", "HTTP/1.1 099 X\r\n\r\n"],
    ["status 600", "HTTP/1.1 600 X\r\n\r\n"],
    ["status 2000", "HTTP/1.1 2000 X\r\n\r\n"],
  ])("that speaks %s: malformed, at once", async (_, text) => {
    sends(text, false);
    expect(await post()).toEqual({ problem: "malformed" });
  });

  it.each([
    ["a head", (size: number) => `${OK}X: ${"y".repeat(size - OK.length - 7)}\r\n\r\n`],
    [
      "a head of many lines",
      (size: number) => `${OK}${"a:b\r\n".repeat((size - OK.length) / 5 - 1)}`.padEnd(size - 4, "z") + "\r\n\r\n",
    ],
    [
      "interim answers",
      (size: number) =>
        `${"HTTP/1.1 102 P\r\n\r\n".repeat((size - 40) / 18)}${OK}X: `.padEnd(size - 4, "z") + "\r\n\r\n",
    ],
  ])("that sends %s of MAX_HEAD_BYTES is read, with one more malformed", async (_, head) => {
    for (const [size, ending] of [
      [MAX_HEAD_BYTES - 1, { status: 200 }],
      [MAX_HEAD_BYTES, { status: 200 }],
      [MAX_HEAD_BYTES + 1, { problem: "malformed" }],
    ] as const) {
      const text = head(size);
      expect(text.length).toBe(size);
      sends(text);
      expect(await post()).toMatchObject(ending);
    }
  });

  it.each([
    ["a body", "\r\n"],
    ["a body with a length", "Content-Length: 99999999999\r\n\r\n"],
    ["a chunk", "Transfer-Encoding: chunked\r\n\r\nfffffff\r\n"],
  ])("that sends %s without end is cut off, and its answer counts", async (_, fields) => {
    answer = (socket) => {
      socket.write(OK + fields);
      const more = (): void => void (socket.destroyed || socket.write("x".repeat(1_000), () => setImmediate(more)));
      more();
    };
    expect(await post()).toEqual({ status: 200, body: "x".repeat(MAX_BODY_BYTES) });
    expect(sockets[0]!.bytesWritten).toBeGreaterThanOrEqual(MAX_BODY_READ);
  });

  it("that sends empty lines for chunks without end is cut off", async () => {
    sends(`${OK}Transfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(MAX_BODY_READ)}`, false);
    expect(await post()).toMatchObject({ status: 200, body: "x".repeat(MAX_BODY_BYTES) });
  });

  it.each([
    ["nothing", "", { problem: "timeout" }],
    ["half a head", `${OK}Content-`, { problem: "timeout" }],
    ["half a body", `${OK}Content-Length: 9\r\n\r\nhal`, { status: 200, body: "hal" }],
  ])("that sends %s and hangs is given up after TIMEOUT_MS, not before", async (_, text, ending) => {
    let answered = false;
    answer = (socket) => void socket.write(text || "", () => (answered = true));
    const start = board.clock.now;
    expect(client.start(port, POST)).toBe("");
    await expect.poll(() => answered).toBe(true);
    board.clock.stop();
    board.clock.runFor(start + TIMEOUT_MS - 1 - board.clock.now);
    expect(client.endings()).toEqual([]);
    board.clock.runFor(2);
    expect(client.endings()).toEqual([ending]);
  });

  it("that sends a byte now and then is given up at the same time", async () => {
    let sent = 0;
    answer = (socket) => {
      const drip = (): void =>
        void (socket.destroyed || socket.write("H", () => void (sent++, board.clock.after(1_000, drip))));
      socket.write("HTTP/1.1 200 OK\r\nX: ", drip);
    };
    const start = board.clock.now;
    expect(client.start(port, POST)).toBe("");
    board.clock.start(10);
    const found: Ending[] = [];
    await expect.poll(() => found.push(...client.endings())).toBe(1);
    expect(found).toEqual([{ problem: "timeout" }]);
    expect(sent).toBeGreaterThan(2);
    expect(board.clock.now - start).toBeGreaterThanOrEqual(TIMEOUT_MS);
  });
});

it("closed, it ends without a word", async () => {
  let connected = false;
  answer = () => (connected = true);
  expect(client.start(port, POST)).toBe("");
  await expect.poll(() => connected).toBe(true);
  client.close();
  await expect.poll(() => sockets[0]!.readableEnded || sockets[0]!.destroyed).toBe(true);
  board.clock.runFor(2 * TIMEOUT_MS);
  expect(client.endings()).toEqual([]);
});

it.each([
  ["a line feed in a field's value", { fields: [["Title", "a\nX-Evil: b"]] }],
  ["a carriage return in a name", { fields: [["Ti\rtle", "a"]] }],
  ["a character beyond ASCII in a value", { fields: [["Title", "tensão"]] }],
  ["a blank in the path", { path: "/a b" }],
  ["a line feed in the path", { path: "/a\nb" }],
  ["a path that is none", { path: "a" }],
  ["a line feed in the host", { host: "a\nb" }],
  ["no host", { host: "" }],
] as [string, Partial<RequestOptions>][])("%s is refused, without showing it", (_, change) => {
  expect(client.start(port, { ...POST, ...change })).toBe("RangeError: invalid request");
});
