import { spawn } from "node:child_process";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MAX_CONNECTIONS, MAX_REFUSALS } from "http-server/limits";
import type { HttpServer } from "http-server/server";
import { serveOnSockets } from "../support/http/http-on-sockets";
import { parseResponses } from "../support/http/http-responses";

/** Real tools against a real port of the loopback. They are Debian packages: apt-get install slowhttptest wrk. */

let server: HttpServer;
let stop: () => void;
let base: string;
const faults: unknown[] = [];
beforeAll(async () => {
  // Without the device's limit every connection gets through to the server at once.
  ({ server, stop } = await serveOnSockets({ onFault: (error) => faults.push(error) }, { connections: Infinity }));
  base = `http://127.0.0.1:${server.port}`;
});
afterAll(() => stop());

let most = 0;
const watch = setInterval(() => (most = Math.max(most, server?.connections ?? 0)), 5);
afterAll(() => clearInterval(watch));

const run = (command: string, ...words: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (data: Buffer) => (output += data.toString()));
    child.stderr.on("data", (data: Buffer) => (output += data.toString()));
    child.on("error", () => reject(new Error(`${command} is missing: apt-get install ${command}`)));
    child.on("close", () => resolve(output));
  });

/** Connections that got no place, or lost it. */
const turnedAway = (): number => server.counters.refusedConnections + server.counters.evictedConnections;

const get = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(server.port, "127.0.0.1", () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
    );
    socket.on("data", (data) => received.push(data));
    socket.on("error", reject);
    socket.on("close", () => resolve(parseResponses(Buffer.concat(received))[0]?.status ?? 0));
  });

afterEach(async () => {
  expect(await get("/about")).toBe(200);
  expect(most).toBeLessThanOrEqual(MAX_CONNECTIONS);
  expect(faults).toEqual([]);
});

/** Length of an attack. On a busy machine slowhttptest may open too few connections in it: then another follows. */
const SECONDS = "1";
const CONNECTIONS = "40";
const common = ["-c", CONNECTIONS, "-r", CONNECTIONS, "-i", "1", "-l", SECONDS, "-p", "1"];

describe("slowhttptest", () => {
  test.each([
    ["slow headers", ["-H", "-x", "10"], "/about", MAX_REFUSALS],
    ["slow body", ["-B", "-s", "200", "-x", "5"], "/echo", MAX_REFUSALS],
    // Answered at once: no connection keeps its place.
    ["range", ["-R", "-a", "1", "-b", "200"], "/file", -1],
    ["slow read", ["-X", "-k", "3", "-n", "1", "-w", "10", "-y", "20", "-z", "5"], "/bigfile", MAX_REFUSALS],
  ])("%s", async (_, options, path, refusals) => {
    const { connections } = server.counters;
    const before = turnedAway();
    // It got through to the server, and found no more of it than there is.
    const isThrough = (): boolean => server.counters.connections > connections && turnedAway() > before + refusals;
    do {
      const output = await run("slowhttptest", ...common, ...options, "-u", `${base}${path}`);
      expect(output).toContain("slow HTTP test status");
    } while (!isThrough());
  });
});

describe("wrk", () => {
  const connections = (count: number): string[] => [
    "-t",
    "2",
    "-d",
    `${SECONDS}s`,
    "-c",
    `${count}`,
    "--timeout",
    "100s",
  ];

  test.each([
    ["as many clients as slots", MAX_CONNECTIONS, "/about"],
    ["with a file", MAX_CONNECTIONS, "/bigfile"],
    ["with a stream", 2, "/stream"],
  ])("%s: all requests are answered", async (_, count, path) => {
    const before = server.counters.refusedConnections;
    const output = await run("wrk", ...connections(count), `${base}${path}`);
    console.log(
      `${path}, ${count} connections: ${/Requests\/sec:.*/.exec(output)?.[0]}, ${/Latency .*/.exec(output)?.[0]}`,
    );
    expect(output).toMatch(/Requests\/sec: +[1-9]/);
    expect(output).not.toMatch(/Non-2xx|Socket errors/);
    expect(server.counters.refusedConnections).toBe(before);
  });

  test("more clients than slots: those with a slot are still served", async () => {
    const before = server.counters.requests;
    const output = await run("wrk", ...connections(32), `${base}/about`);
    expect(output).toMatch(/Requests\/sec: +[1-9]/);
    expect(server.counters.requests).toBeGreaterThan(before + MAX_CONNECTIONS);
    expect(server.counters.refusedConnections).toBeGreaterThan(0);
  });
});

test("a flood of connections does not disturb a request under way", async () => {
  // An unfinished head gives way, and so does the body of a client that is not trusted: test/http-server/places.test.ts.
  const head = "POST /echo HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const socket = connect(server.port, "127.0.0.1", () => socket.write(head));
  const answer = new Promise<Buffer>((resolve, reject) => {
    socket.on("data", resolve);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("closed")));
  });
  const before = turnedAway();
  let floods = true;
  const flood = (async () => {
    while (floods) await run("slowhttptest", "-H", ...common, "-u", `${base}/about`);
  })();
  const drip = setInterval(() => socket.write("1\r\nx\r\n"), 100);
  while (turnedAway() === before) await new Promise((resolve) => setTimeout(resolve, 10));
  floods = false;
  clearInterval(drip);
  socket.write("0\r\n\r\n");
  expect(parseResponses(await answer).map(({ status }) => status)).toEqual([200]);
  socket.destroy();
  await flood;
});
