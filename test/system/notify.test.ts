/** Notifications on the whole device: real services behind sockets, most of which behave as none should. */
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_MESSAGES } from "../../src/notify/limits";
import type { NotifySettings } from "../../src/settings/types";
import { freePort } from "../support/free-port";
import { Nginx } from "../support/peers/nginx";
import { Authority, serverOfLength, type KeyKind } from "../support/tls/certificates";
import { resourcesWith } from "../support/tls/own-roots";
import { System } from "../support/system/system";

const ALARM = 1 << 11;
const TEXT = "Alarm: Cell voltage too low.";
const SECRETS = { url1: "", token1: "geheim-4711", channel1: "topic-0815" };

interface Request {
  readonly head: string;
  readonly body: Readonly<Record<string, string>>;
}

/** A service that collects requests and answers as it is told. */
class Service {
  readonly #server: Server;
  readonly sockets: Socket[] = [];
  readonly requests: Request[] = [];
  answer: (socket: Socket, request: string) => void = (socket) =>
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntaken");

  constructor(files?: { readonly chain: string; readonly key: string }) {
    const taken = (socket: Socket): void => {
      this.sockets.push(socket);
      let text = "";
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        text += bytes.toString("latin1");
        const [head = "", body] = text.split("\r\n\r\n", 2);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (body?.length !== length) return;
        this.requests.push({ head, body: JSON.parse(body) as Request["body"] });
        this.answer(socket, text);
      });
    };
    this.#server = files
      ? createTlsServer({ cert: readFileSync(files.chain), key: readFileSync(files.key), maxVersion: "TLSv1.2" }, taken)
      : createServer(taken);
    this.#server.on("tlsClientError", () => undefined);
  }

  listen(): Promise<number> {
    return new Promise((resolve) =>
      this.#server.listen(0, "127.0.0.1", () => resolve((this.#server.address() as { port: number }).port)),
    );
  }

  get texts(): string[] {
    return this.requests.map(({ body }) => body["message"]!.replace(/ http:\S*$/, ""));
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }
}

let system: System;
let services: Service[];
beforeEach(() => {
  services = [];
});
afterEach(() => {
  for (const service of services) service.stop();
  system.stop();
});

async function service(files?: { readonly chain: string; readonly key: string }): Promise<[Service, number]> {
  const made = new Service(files);
  services.push(made);
  return [made, await made.listen()];
}

async function start(notify: Partial<NotifySettings>, resources?: string): Promise<void> {
  system = await System.start({
    bms: { evolving: false },
    board: { config: { settings: { notify, time: { server: "" } } }, ...(resources && { resources }) },
  });
  await system.untilLoaded();
}

interface State {
  readonly waiting: number;
  readonly targets: readonly { readonly problem: string; readonly status: number | null; readonly answer: string }[];
}
const state = async (): Promise<State> => ((await system.get("/api/notifications")).json as { data: State }).data;
const raise = (bits = ALARM): void => system.bms.registers.write("Alarms", bits);
const until = (what: string, condition: () => boolean | Promise<boolean>): Promise<void> =>
  system.until(what, condition);
/** For what takes the device long. */
const skipUntil = (what: string, condition: () => boolean | Promise<boolean>): Promise<void> =>
  system.skipUntil(what, condition, 300);

const ntfyAt = (port: number): Partial<NotifySettings> => ({
  kind1: "ntfy",
  url1: `http://127.0.0.1:${port}`,
  channel1: SECRETS.channel1,
  token1: SECRETS.token1,
});

it("an alarm on the bus is on the phone within two seconds, and that it is over", async () => {
  const [phone, port] = await service();
  await start(ntfyAt(port));
  const raised = system.board.clock.now;
  raise();
  await until("it has come", () => phone.requests.length === 1);
  expect(system.board.clock.now - raised).toBeLessThan(3_000);
  raise(0);
  await until("that it is over has come", () => phone.requests.length === 2);
  expect(phone.texts).toEqual([TEXT, "Alarm cleared: Cell voltage too low."]);
  const [{ head, body }] = phone.requests as [Request];
  expect(head.split("\r\n")).toEqual([
    "POST / HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Connection: close",
    expect.stringMatching(/^Content-Length: \d+$/),
    "Content-Type: application/json",
    "X-Priority: high",
    "X-Tags: warning",
    `Authorization: Bearer ${SECRETS.token1}`,
  ]);
  expect(body).toEqual({
    topic: SECRETS.channel1,
    title: "JK BMS monitor",
    message: "Alarm: Cell voltage too low. http://127.0.0.1:0/",
  });
});

describe("a hostile service", () => {
  it.each<[string, string, Service["answer"]]>([
    ["hangs", "timeout", () => undefined],
    ["resets the connection", "closed", (socket) => socket.resetAndDestroy()],
    ["answers 500", "server-error", (socket) => socket.end("HTTP/1.1 500 No\r\n\r\noops")],
    ["answers 429", "too-many", (socket) => socket.end("HTTP/1.1 429 No\r\nRetry-After: 90\r\n\r\n")],
    [
      "redirects",
      "redirect",
      (socket) => socket.end("HTTP/1.1 301 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
    ],
    [
      "sends a body without end",
      "refused",
      (socket) => {
        socket.write("HTTP/1.1 403 No\r\n\r\n");
        const more = (): void => void (socket.destroyed || socket.write("x".repeat(1_000), () => setImmediate(more)));
        more();
      },
    ],
    ["speaks something else", "malformed", (socket) => socket.write("220 mail ESMTP\r\n")],
  ])(
    "that %s: the other has its message, polls go on, and what waits is sent in the end",
    async (_, problem, answer) => {
      const [[bad, badPort], [good, goodPort]] = [await service(), await service()];
      bad.answer = answer;
      await start({ ...ntfyAt(badPort), kind2: "gotify", url2: `http://127.0.0.1:${goodPort}/`, token2: "app" });
      raise();
      await until("the good one has it", () => good.requests.length === 1);
      await skipUntil("the bad one has failed", async () => (await state()).targets[0]!.problem === problem);
      const { requests, replies } = system.monitor().statistics!;
      await system.pass(20_000);
      const after = system.monitor().statistics!;
      expect(after.replies - replies).toBeGreaterThan(15);
      expect(after.requests - requests - (after.replies - replies)).toBeLessThanOrEqual(1);
      expect(bad.sockets.every((socket) => socket.destroyed || socket.closed || socket.readableEnded)).toBe(true);
      bad.answer = (socket) => void socket.end("HTTP/1.1 204 No Content\r\n\r\n");
      const failed = bad.requests.length;
      await skipUntil("it is sent at last", () => bad.requests.length > failed);
      await until("nothing waits", async () => (await state()).waiting === 0);
      expect(new Set(bad.texts.map((text) => text.replace(/ That was .*/, "")))).toEqual(new Set([TEXT]));
      expect(good.texts).toEqual([TEXT]);
    },
  );
});

describe("a test", () => {
  it("is answered with the service's words; without token or target it is refused", async () => {
    const [phone, port] = await service();
    await start(ntfyAt(port));
    const reply = system.post("/api/notifications", { target: 1 });
    await until("it has come", () => phone.requests.length === 1);
    expect((await reply).json).toEqual({
      success: true,
      data: { status: 200, answer: "taken", message: "The service has taken the message. It answered 200: taken" },
    });
    expect(phone.texts).toEqual(["Messages arrive. It is only a test."]);
    for (const target of [0, 3, "1", null, 1.5])
      expect((await system.post("/api/notifications", { target })).status).toBe(400);
    expect((await system.request("POST", "/api/notifications", { headers: { Authorization: "" } })).status).toBe(401);
    expect((await system.post("/api/notifications", { target: 2 })).json).toEqual({
      success: false,
      error: "This target is off, or its address, topic or token is missing.",
    });
  });

  it("one that nobody answers says so; a second one meanwhile is refused", async () => {
    const [phone, port] = await service();
    phone.answer = () => undefined;
    await start(ntfyAt(port));
    const reply = system.post("/api/notifications", { target: 1 });
    await until("it has come", () => phone.requests.length === 1);
    expect((await system.post("/api/notifications", { target: 1 })).status).toBe(409);
    await system.pass(14_000);
    expect(await reply).toMatchObject({
      status: 409,
      json: { success: false, error: "The service did not answer in time." },
    });
  });

  it("shows no secret in answer, error, state, log, console or settings, whatever the service says", async () => {
    const [phone, port] = await service();
    phone.answer = (socket, request) => {
      const body = `no ${SECRETS.token1} ${request}`;
      socket.end(`HTTP/1.1 403 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    };
    await start({ ...ntfyAt(port), url1: `http://127.0.0.1:${port}/hidden-path` });
    const reply = system.post("/api/notifications", { target: 1 });
    await until("it has come", () => phone.requests.length === 1);
    const seen = [
      (await reply).text,
      (await system.get("/api/notifications")).text,
      (await system.get("/api")).text,
      (await system.get("/metrics")).text,
      system.probes.parts().log.join(),
      system.console.join(),
      String(system.probes.configure("notify", { url1: "ftp://hidden-path" })),
      String(system.probes.configure("notify", { token1: `${SECRETS.token1} "` })),
    ].join("\n");
    expect(seen).toContain("The service has refused the message. It answered 403: no …");
    for (const secret of [SECRETS.token1, SECRETS.channel1, "hidden-path"]) expect(seen).not.toContain(secret);
  });
});

describe("Pushover, with the answers of https://pushover.net/api", () => {
  const USER = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";
  const APP = "azGDORePK8gMaC0QOYAMyEEuzJnyUi";
  const REQUEST = "647d2300-702c-4b38-8b2f-d56326ae460b";
  let authority: Authority;
  beforeEach(() => {
    authority = new Authority("rsa");
  });
  afterEach(() => authority.remove());

  /** The service, and the device set to it with this token. */
  async function pushover(token: string): Promise<Service> {
    const [phone, port] = await service(authority.server());
    const answer = (socket: Socket, status: string, body: object): void => {
      const text = JSON.stringify(body);
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
    };
    phone.answer = (socket) => {
      const { head, body } = phone.requests.at(-1)!;
      if (!head.startsWith("POST /1/messages.json HTTP/1.1\r\n")) return answer(socket, "404 Not Found", {});
      if (body["token"] !== APP)
        return answer(socket, "400 Bad Request", {
          ...{
            token: "invalid",
            errors: [`application token is invalid: ${body["token"]!}`],
            status: 0,
            request: REQUEST,
          },
        });
      if (phone.requests.length > 2)
        return answer(socket, "429 Too Many Requests", {
          errors: ["message limit reached"],
          status: 0,
          request: REQUEST,
        });
      answer(socket, "200 OK", { status: 1, request: REQUEST });
    };
    await start({
      ...{ kind1: "pushover", url1: `https://127.0.0.1:${port}`, channel1: USER, token1: token, ca: authority.pem },
    });
    system.probes.setTime(Date.now());
    return phone;
  }

  it("gets an alarm with high priority, and the link beside the sentence", async () => {
    const phone = await pushover(APP);
    raise();
    await until("it has come", async () => (await state()).targets[0]!.status === 200);
    expect(phone.requests[0]!.body).toEqual({
      token: APP,
      user: USER,
      priority: 1,
      title: "JK BMS monitor",
      message: TEXT,
      url: expect.stringMatching(/^http:/) as string,
    });
    raise(0);
    await until("that it is over has come", () => phone.requests.length === 2);
    expect(phone.requests[1]!.body).toMatchObject({ priority: 0, message: "Alarm cleared: Cell voltage too low." });
    const test = system.post("/api/notifications", { target: 1 });
    await until("the third has come", () => phone.requests.length === 3);
    expect(await test).toMatchObject({
      status: 409,
      json: {
        error: expect.stringMatching(
          /^The service wants fewer messages for now\. It answered 429: .*message limit reached/,
        ) as string,
      },
    });
  });

  it("refuses a wrong token in its own words, in which the token is hidden; so it is everywhere", async () => {
    const wrong = "aWrongTokenOfSomebodyElse12345";
    const phone = await pushover(wrong);
    const test = system.post("/api/notifications", { target: 1 });
    await until("it has come", () => phone.requests.length === 1);
    const { status, text } = await test;
    expect([status, text]).toEqual([
      409,
      expect.stringContaining("The service has refused the message. It answered 400: ") as string,
    ]);
    expect(text).toContain("application token is invalid: …");
    const seen = [
      ...[text, (await system.get("/api/notifications")).text, (await system.get("/metrics")).text],
      ...[system.probes.parts().log.join(), system.console.join()],
    ].join("\n");
    for (const secret of [wrong, USER]) expect(seen).not.toContain(secret);
  });
});

it("messages outlive a restart; a factory reset forgets them", async () => {
  const port = await freePort();
  await start(ntfyAt(port));
  raise();
  await until("one waits", async () => (await state()).waiting === 1);
  system.probes.restart();
  await until("it has started again", () => system.probes.start().restarts === 1);
  await until("it still waits", async () => (await state()).waiting >= 1);
  expect((await state()).waiting).toBeLessThanOrEqual(MAX_MESSAGES);
  raise(0);
  system.probes.factoryReset(true);
  await until("it has started again", () => system.probes.start().restarts === 2);
  // The board's own configuration is in force again.
  expect((await state()).waiting).toBe(0);
});

describe("https", () => {
  it("without a CA of the owner trusts the device's roots, and nobody else", async () => {
    const [authority, other] = [new Authority("ec", "A root"), new Authority("rsa", "No root")];
    try {
      const [phone, port] = await service(authority.server({ issuer: authority.intermediate() }));
      const [stranger, strange] = await service(other.server());
      const second = { kind2: "gotify", url2: `https://127.0.0.1:${strange}`, token2: "app" } as const;
      await start({ ...ntfyAt(port), url1: `https://127.0.0.1:${port}`, ...second }, resourcesWith(authority));
      system.probes.setTime(Date.now());
      raise();
      await until("it has come", () => phone.requests.length === 1);
      expect(phone.texts[0]).toContain(TEXT);
      await until(
        "the other is a stranger",
        async () => (await state()).targets[1]!.problem === "certificate-untrusted",
      );
      expect(stranger.requests).toEqual([]);
    } finally {
      authority.remove();
      other.remove();
    }
  });

  it.each<[KeyKind, number]>([
    ["ec", 2],
    ["rsa", 4],
    ["ec", 6],
    ["rsa", 6],
  ])("behind nginx, of %s with %i KB of certificates", async (kind, length) => {
    const authority = new Authority(kind);
    const nginx = new Nginx();
    try {
      await nginx.serve(serverOfLength(authority, length * 1_024, { names: "IP:127.0.0.1" }), "taken");
      await start({ ...ntfyAt(nginx.port), url1: `https://127.0.0.1:${nginx.port}`, ca: authority.pem });
      system.probes.setTime(Date.now());
      raise();
      await until("it has come", async () => (await state()).targets[0]!.status === 200);
      expect((await state()).targets[0]).toMatchObject({ problem: "", answer: "taken" });
    } finally {
      await nginx.stop();
      authority.remove();
    }
  });

  it("waits for MQTT's handshake, also for one that hangs", async () => {
    const authority = new Authority("ec");
    try {
      const [phone, port] = await service(authority.server());
      // Says nothing to what is no HTTP.
      const [broker, brokerPort] = await service();
      await start({ ...ntfyAt(port), url1: `https://127.0.0.1:${port}`, ca: authority.pem });
      system.probes.setTime(Date.now());
      const mqtt = { enabled: true, host: "127.0.0.1", port: brokerPort, tls: true, ca: authority.pem };
      expect(system.probes.configure("mqtt", mqtt)).toBeUndefined();
      await until("MQTT is in its handshake", () => broker.sockets.length === 1);
      raise();
      await until("the message waits", async () => (await state()).targets[0]!.problem === "pending");
      expect(phone.sockets).toEqual([]);
      await skipUntil("MQTT has given up", () => phone.requests.length === 1);
    } finally {
      authority.remove();
    }
  });

  it("waits for the time and says so; then with the owner's CA, and not with another", async () => {
    const [authority, other] = [new Authority("ec"), new Authority("ec")];
    try {
      const [phone, port] = await service(authority.server());
      await start({ ...ntfyAt(port), url1: `https://127.0.0.1:${port}`, ca: other.pem });
      raise();
      await until("it waits for the time", async () => (await state()).targets[0]!.problem === "no-time");
      await system.pass(5_000);
      expect([phone.sockets.length, (await state()).waiting]).toEqual([0, 1]);
      system.probes.setTime(Date.now());
      await until(
        "the CA is the wrong one",
        async () => (await state()).targets[0]!.problem === "certificate-untrusted",
      );
      expect(phone.requests).toEqual([]);
      expect(system.probes.configure("notify", { ca: authority.pem })).toBeUndefined();
      await until("it has come", () => phone.requests.length === 1);
      expect(phone.texts[0]).toContain(TEXT);
      await until("nothing waits", async () => (await state()).waiting === 0);
    } finally {
      authority.remove();
      other.remove();
    }
  });
});
