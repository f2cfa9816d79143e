/** What the firmware on XS takes of memory under load: real sockets, a 24-cell pack polled each second. */
import { once } from "node:events";
import { connect } from "node:net";
import type { KeepAliveClient } from "../../support/http/keep-alive-client";
import { Browsers } from "../browsers";
import type { Memory } from "../../support/xs/xs-gauge";
import { FILE_BYTES, FILE_PATH } from "./web";
import { requestText, settle, type XsSystem } from "./system";

export const CLIENTS = 4;
const BROWSERS = 2;

const STATUS = requestText("GET", "/api/bms/status");
const FILE = requestText("GET", FILE_PATH);
/** Virtual ms between two rounds of requests. */
const ROUND = 20;
/** Time for a write to be confirmed, polls between. */
const ROUNDS_A_WRITE = 50;
/** Between two times that the browsers ask for all their documents. */
const ROUNDS_A_LOOK = 10;
/** Each refused at another place: request line, field lines, limits, framing, body. */
const MALFORMED: readonly string[] = [
  "\0\r\n\r\n",
  "GET\r\n\r\n",
  `GET /${"x".repeat(300)} HTTP/1.1\r\n\r\n`,
  "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
  "GET / HTTP/1.1\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${"x".repeat(1100)}`,
  `GET / HTTP/1.1\r\n${"X-A: b\r\n".repeat(50)}`,
  `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${"x".repeat(400)}\r\nAuthorization: ${"x".repeat(400)}\r\n\r\n`,
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
  requestText("POST", "/api/bms/commands", "{".repeat(200)),
  requestText("POST", "/api/bms/commands", "x".repeat(5000)),
  "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
];
/** As many as the server's free places and one that is refused. */
const STORM_CONNECTIONS = 3;
/** Virtual ms in which the server is done with a malformed request and its connection. */
const LINGER = 1500;

export interface Load {
  readonly clients: boolean;
  readonly write: boolean;
  readonly file: boolean;
  readonly storm: boolean;
  /** Two with the page open, in place of two of the clients. */
  readonly browsers: boolean;
}

async function expectAnswer(client: KeepAliveClient, request: string, status: number): Promise<Buffer> {
  const reply = await client.ask(request);
  if (reply.status !== status) throw new Error(`${reply.status} ${reply.body.toString()}`);
  return reply.body;
}

let sent = 0;
/** Requests that the server refuses, each on a connection of its own. */
async function storm(xs: XsSystem): Promise<void> {
  const sockets = Array.from({ length: STORM_CONNECTIONS }, () => {
    const socket = connect(xs.system.probes.port(), "127.0.0.1");
    socket.on("error", () => undefined).resume();
    socket.write(MALFORMED[sent++ % MALFORMED.length]!, "latin1");
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await settle();
  xs.runFor(LINGER);
  for (const socket of sockets) socket.destroy();
  await settle();
}

/** Who listens holds a connection as a client does. */
const clientsOf = ({ clients, browsers }: Load): number => (clients ? CLIENTS - (browsers ? BROWSERS : 0) : 0);

/** Applies the load in rounds, and looks before and after every so many callbacks: the most that was alive. */
export async function peakUnder(xs: XsSystem, load: Load, rounds: number, every: number): Promise<Memory> {
  const clients = await Promise.all(Array.from({ length: clientsOf(load) }, () => xs.client()));
  const other = load.write || load.file ? await xs.client() : undefined;
  const { url } = xs.system;
  const browsers = load.browsers
    ? await Browsers.open(url, BROWSERS, () => xs.advance(), xs.system.console)
    : undefined;
  await settle();
  xs.gauge.watch(every);
  for (let round = 0; round < rounds; round++) {
    const answers: Promise<unknown>[] = clients.map((client) => expectAnswer(client, STATUS, 200));
    if (load.write && round % ROUNDS_A_WRITE === 0) {
      const body = JSON.stringify({ command: "balance", state: round % (2 * ROUNDS_A_WRITE) === 0 });
      await expectAnswer(other!, requestText("POST", "/api/bms/commands", body), 202);
    } else if (load.file && round % 2) {
      const file = await expectAnswer(other!, FILE, 200);
      if (file.length !== FILE_BYTES) throw new Error(`a file of ${file.length} bytes`);
    }
    await Promise.all(answers);
    if (round % ROUNDS_A_LOOK === 0) await browsers?.ask();
    if (load.storm) await storm(xs);
    xs.runFor(ROUND);
  }
  const { peak } = xs.gauge;
  xs.gauge.watch(0);
  browsers?.close();
  for (const client of [...clients, ...(other ? [other] : [])]) client.close();
  await settle();
  xs.runFor(LINGER);
  return peak;
}

/** Rounds of requests before the line begins. */
const WARM_UP = 5;

export interface Sample extends Memory {
  readonly requests: number;
}

/** Memory after each so many requests of four keep-alive clients. */
export async function line(xs: XsSystem, requests: number, step: number): Promise<Sample[]> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => xs.client()));
  const samples: Sample[] = [];
  // From the third request on, the server remembers a connection's head.
  for (let round = 0; round < WARM_UP; round++) {
    await Promise.all(clients.map((client) => expectAnswer(client, STATUS, 200)));
    xs.runFor(ROUND);
  }
  for (let count = 0; ; count += CLIENTS) {
    if (count % step === 0) {
      await settle();
      samples.push({ requests: count, ...xs.gauge.memory });
    }
    if (count === requests) break;
    await Promise.all(clients.map((client) => expectAnswer(client, STATUS, 200)));
    xs.runFor(ROUND);
  }
  for (const client of clients) client.close();
  await settle();
  return samples;
}
