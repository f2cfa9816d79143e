/** The page behind a proxy with TLS: the server of docs/security.md, run by Debian's nginx. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { MAX_CONNECTIONS } from "../../modules/http-server/limits";
import { Authority } from "../support/tls/certificates";
import { image } from "../support/boards/image";
import { Nginx } from "../support/peers/nginx";
import { System } from "../support/system/system";

const NAME = "battery.example.org";
const PASSWORD = "correct horse";
/** Bytes in each of the image's two segments: more than nginx accepts by default. */
const LARGE = 600_000;
/** Slow uploads of one visitor: more than the device has connections. */
const UPLOADS = 20;
const VISITORS = 35;

let authority: Authority;
let certificate: string;
let system: System;
let nginx: Nginx;

beforeAll(async () => {
  authority = new Authority("ec");
  certificate = authority.pem;
  const settings = {
    web: { password: hashPassword(PASSWORD, 100) },
    device: { proxyHost: NAME, proxyAddress: "127.0.0.1" },
  };
  // No name or address of this machine: only the proxy's is accepted.
  system = await System.start({ board: { config: { settings, hosts: [] } } });
  nginx = new Nginx();
  await nginx.start(system.url, authority.server({ names: `DNS:${NAME}` }));
});
afterAll(async () => {
  await nginx.stop();
  await system.board.restarted;
  system.stop();
  authority.remove();
});

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** On loopback all of 127/8 are ours. */
  readonly from?: string;
}

function open(
  method: string,
  path: string,
  { headers = {}, body, from = "127.0.0.1" }: Sent = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpsRequest(
      {
        ...{ host: "127.0.0.1", port: nginx.port, servername: NAME, ca: certificate, localAddress: from, agent: false },
        ...{ method, path, headers: { host: NAME, origin: `https://${NAME}`, ...headers } },
      },
      resolve,
    )
      .on("error", reject)
      .end(body);
  });
}

async function send(
  method: string,
  path: string,
  sent: Sent = {},
): Promise<{ status: number; cookies: string; text: string }> {
  const incoming = await open(method, path, sent);
  let text = "";
  for await (const piece of incoming) text += String(piece);
  const cookies = (incoming.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
  return { status: incoming.statusCode ?? 0, cookies, text };
}

const signIn = (password: string, sent: Sent = {}): ReturnType<typeof send> =>
  send("POST", "/web/session", {
    ...sent,
    body: JSON.stringify({ password }),
    headers: { "content-type": "application/json", ...sent.headers },
  });

it("refuses other host names, and writes from pages of other sites", async () => {
  expect((await send("GET", "/web/session", { headers: { host: "evil.example" } })).status).toBe(421);
  expect((await signIn(PASSWORD, { headers: { origin: "https://evil.example" } })).status).toBe(403);
});

it("trusts X-Forwarded-For only from the named proxy", async () => {
  // The second wrong password of an address is held back, and meanwhile no other one is looked at.
  const wrong = (from: string): ReturnType<typeof send> =>
    signIn("a wrong guess", { from, headers: { "x-forwarded-for": "203.0.113.1" } });
  expect((await wrong("127.0.0.5")).status).toBe(401);
  // While time stands, whichever of the two comes first stays held back.
  system.stand(true);
  const guesses = [wrong("127.0.0.5"), wrong("127.0.0.5")];
  expect((await Promise.race(guesses)).status).toBe(429);
  const owner = signIn(PASSWORD, { from: "127.0.0.6" });
  system.stand(false);
  expect((await owner).status).toBe(200);
  expect((await Promise.all(guesses)).map(({ status }) => status).sort()).toEqual([401, 429]);
});

it("serves every visitor beside slow uploads", async () => {
  const uploads = Array.from({ length: UPLOADS }, () => {
    const headers = {
      ...{ host: NAME, origin: `https://${NAME}` },
      ...{ "content-type": "application/json", "content-length": "200" },
    };
    const upload = httpsRequest({
      ...{ host: "127.0.0.1", port: nginx.port, servername: NAME, ca: certificate, agent: false },
      ...{ method: "POST", path: "/web/session", headers },
    });
    upload.on("error", () => undefined).write("{");
    return upload;
  });
  await Promise.all(uploads.map((upload) => once(upload, "socket")));
  try {
    const statuses: number[] = [];
    for (let count = 0; count < VISITORS; count++) statuses.push((await send("GET", "/")).status);
    expect(statuses).toEqual(Array<number>(VISITORS).fill(200));
  } finally {
    for (const upload of uploads) upload.destroy();
  }
});

it("counts the connections of a visitor for the visitor, not for the proxy", async () => {
  // As a proxy passes them on that buffers nothing.
  const lines = [
    "POST /web/session HTTP/1.1",
    `Host: ${NAME}`,
    `Origin: https://${NAME}`,
    "X-Forwarded-For: 203.0.113.7",
    "Content-Type: application/json",
    "Content-Length: 200",
  ];
  const head = `${lines.join("\r\n")}\r\n\r\n`;
  const port = Number(new URL(system.url).port);
  const uploads = Array.from({ length: UPLOADS }, () => {
    const upload = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.1" });
    return upload
      .on("error", () => undefined)
      .on("connect", () => upload.write(head))
      .resume();
  });
  try {
    // It knows by then whose they are: those without a place have been closed.
    const open = (): number => uploads.filter(({ closed }) => !closed).length;
    await expect.poll(open).toBeLessThanOrEqual(MAX_CONNECTIONS);
    const statuses: number[] = [];
    for (let count = 0; count < VISITORS; count++) statuses.push((await send("GET", "/")).status);
    expect(statuses).toEqual(Array<number>(VISITORS).fill(200));
  } finally {
    for (const upload of uploads) upload.destroy();
  }
});

it("passes sign-in, live events, and an image larger than nginx's default limit", async () => {
  const { status, cookies } = await signIn(PASSWORD);
  expect([status, cookies]).toEqual([200, expect.stringMatching(/^__Host-session=\w+; device=\w+$/)]);
  const headers = { cookie: cookies };
  expect((await send("GET", "/web/token", { headers })).status).toBe(200);

  const events = await open("GET", "/web/events", { headers });
  expect(events.headers["content-type"]).toBe("text/event-stream");
  expect(String((await once(events, "data"))[0])).toContain("data: {");
  events.destroy();

  const body = image({ size: LARGE });
  const type = "application/octet-stream";
  const answer = await send("POST", "/web/update", {
    headers: { ...headers, "content-type": type, "content-length": String(body.length) },
    body,
  });
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([200, { data: { state: "restarting" } }]);
  await system.until("the new image runs", () => system.board.slots.running === 1);
});
