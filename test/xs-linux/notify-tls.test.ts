/** Notifications over TLS on the SDK's own engine, with the device's own roots: chains like those of public services, and who is not trusted. */
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GoServer } from "../support/peers/go-server";
import { Nginx } from "../support/peers/nginx";
import { LinuxSystem } from "../support/system/linux-system";
import { TOKEN } from "../support/system/system";
import { Authority, serverOfLength, type KeyKind, type ServerFiles } from "../support/tls/certificates";
import { resourcesWith } from "../support/tls/own-roots";

const KB = 1_024;
const HOUR = 3_600_000;
/** Of a second message like the first. */
const MAX_GROWTH_SLOTS = 40;
const MAX_GROWTH_CHUNKS = 500;
const NAMES = "IP:127.0.0.1";

let authorities: Readonly<Record<KeyKind | "unknown", Authority>>;
let resources: string;
let system: LinuxSystem;
let nginx: Nginx;
let go: GoServer;

beforeAll(() => {
  authorities = { ec: new Authority("ec"), rsa: new Authority("rsa", "Other CA"), unknown: new Authority("ec") };
  resources = resourcesWith(authorities.ec, authorities.rsa);
});
afterAll(() => {
  for (const authority of Object.values(authorities)) authority.remove();
});
beforeEach(async () => {
  nginx = new Nginx();
  go = new GoServer();
  system = await LinuxSystem.start({ resources });
  // Later than any certificate's begin, however slowly the device's time goes.
  await system.setTime(Date.now() + HOUR);
});
afterEach(async () => {
  await system.stop();
  await nginx.stop();
  await go.stop();
});

const HEADERS = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };

/** What becomes of a test message to this port: the problem, empty if there is none, and the status. */
async function sendTest(port: number): Promise<[string, number | null]> {
  await system.configure("notify", { kind1: "webhook", url1: `https://127.0.0.1:${port}/` });
  // Answered when it is known.
  await (
    await fetch(`${system.baseUrl}/api/notifications`, { method: "POST", headers: HEADERS, body: '{"target":1}' })
  ).text();
  return outcome();
}

async function outcome(): Promise<[string, number | null]> {
  const { data } = (await (await fetch(`${system.baseUrl}/api/notifications`, { headers: HEADERS })).json()) as {
    data: { targets: [{ problem: string; status: number | null }] };
  };
  const [{ problem, status }] = data.targets;
  return [problem, status];
}

describe("a service with a root of the device's", () => {
  it.each<[KeyKind, number]>([
    ["ec", 2],
    ["ec", 4],
    ["rsa", 4],
  ])("behind nginx, of %s with %i KB of certificates", async (kind, length) => {
    await nginx.serve(serverOfLength(authorities[kind], length * KB, { names: NAMES }), "taken");
    expect(await sendTest(nginx.port)).toEqual(["", 200]);
  });

  it.each<KeyKind>(["ec", "rsa"])("of Go, of %s with 6 KB of certificates", async (kind) => {
    await go.serve(serverOfLength(authorities[kind], 6 * KB, { names: NAMES }));
    // It has understood the request.
    expect(await sendTest(go.port)).toEqual(["refused", expect.any(Number)]);
  });
});

it.each<[string, () => ServerFiles]>([
  ["certificate-expired", () => serverOfLength(authorities.ec, 2 * KB, { names: NAMES, days: -1 })],
  ["certificate-name", () => serverOfLength(authorities.ec, 2 * KB, { names: "IP:127.0.0.2" })],
  ["certificate-untrusted", () => serverOfLength(authorities.unknown, 2 * KB, { names: NAMES })],
])("a service behind nginx gives %s", async (problem, make) => {
  await nginx.serve(make(), "taken");
  expect(await sendTest(nginx.port)).toEqual([problem, null]);
});

it("a chain of more than 8 KB in one record gives tls-long-record", async () => {
  await go.serve(serverOfLength(authorities.ec, 8 * KB + 1, { names: NAMES }));
  expect(await sendTest(go.port)).toEqual(["tls-long-record", null]);
});

describe("a service that", () => {
  const says = (head: string) => (socket: TLSSocket) => socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`);
  const pour = (socket: TLSSocket): void => {
    if (!socket.destroyed && socket.write("x".repeat(KB))) setImmediate(pour, socket);
  };

  it.each<[string, (socket: TLSSocket) => void, string, number | null]>([
    // The test is given up before the request is.
    ["says nothing", () => undefined, "timeout", null],
    ["has too much to do", says("429 No\r\nRetry-After: 600"), "too-many", 429],
    ["has failed", says("500 No"), "server-error", 500],
    ["sends elsewhere", says("302 No\r\nLocation: https://127.0.0.1/"), "redirect", 302],
    [
      "has no end of head",
      (socket) => (socket.write("HTTP/1.1 200 OK\r\n"), socket.on("drain", () => pour(socket)), pour(socket)),
      "malformed",
      null,
    ],
    [
      "has no end of body",
      (socket) => (socket.write("HTTP/1.1 200 OK\r\n\r\n"), socket.on("drain", () => pour(socket)), pour(socket)),
      "",
      200,
    ],
  ])("%s harms nobody", async (_, answer, problem, status) => {
    const files = serverOfLength(authorities.ec, 2 * KB, { names: NAMES });
    const sockets: TLSSocket[] = [];
    const server = createServer({ cert: readFileSync(files.chain), key: readFileSync(files.key) }, (socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined).once("data", () => answer(socket));
    });
    try {
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      await sendTest(port);
      const before = await system.meters();
      await sendTest(port);
      await expect.poll(outcome).toEqual([problem, status]);
      // Garbage is collected when there is enough of it.
      await expect.poll(async () => (await system.meters()).chunks - before.chunks).toBeLessThan(MAX_GROWTH_CHUNKS);
      await expect.poll(async () => (await system.meters()).slots - before.slots).toBeLessThan(MAX_GROWTH_SLOTS);
      // None is followed.
      expect(sockets).toHaveLength(2);
    } finally {
      server.close();
      for (const socket of sockets) socket.destroy();
    }
  });
});
