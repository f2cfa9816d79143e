/** Rights and load together: whoever may do less never has what the owner needs. */
import { beforeEach, describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { ADDRESS_SHARE, BODY_GRACE_MS, HANDLER_GRACE_MS, MAX_CONNECTIONS } from "http-server/limits";
import { HttpServer } from "http-server/server";
import { MAX_LISTENERS, MAX_WAITING, SAMPLE_INTERVAL } from "../../src/web/limits";
import { linesOf } from "../support/http/header-lines";
import { statuses } from "../support/http/http-harness";
import { MemoryNetwork, type MemoryClient } from "../support/http/memory-sockets";
import { HOST, PASSWORD, WebBench } from "../support/web/web-bench";

/** Addresses that take all places within their shares. */
const SHARERS = Array.from({ length: MAX_CONNECTIONS / ADDRESS_SHARE }, (_, at) => `192.0.2.${at + 11}`);
const NEWCOMER = "192.0.2.99";

let bench: WebBench;
let network: MemoryNetwork;
let owner: string;
beforeEach(() => {
  bench = new WebBench();
  network = new MemoryNetwork(bench.board);
  new HttpServer({
    listener: { io: network.Listener, port: 80 },
    socket: { io: network.TCP },
    handler: (exchange) => bench.web.answer(exchange),
  });
  owner = bench.signIn();
});

const PRINCIPALS = {
  "who has no session": () => "",
  "a link": () => {
    const made = bench.post("/web/links", { name: "Wall" }, owner).json as { data: { token: string } };
    return bench.post("/web/session", { link: made.data.token }).responseHeader("set-cookie")!.split(";")[0]!;
  },
  "a guest": () => bench.signInGuest(),
};

const ask = (method: string, path: string, cookie: string, body = "", length = body.length): string =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: ${HOST}`,
    `Cookie: ${cookie}`,
    ...(length ? [`Origin: http://${HOST}`, "Content-Type: application/json", `Content-Length: ${length}`] : []),
    "",
    body,
  ].join("\r\n");
const unfinished = (cookie: string): string => ask("POST", "/web/session", cookie, "{", 200);
const session = (cookie: string): string => ask("GET", "/web/session", cookie);

describe.each(Object.entries(PRINCIPALS))("beside eight unfinished bodies of four addresses of %s", (_, signIn) => {
  it("a new client is served once their grace is over, and the owner writes", () => {
    const cookie = signIn();
    for (const address of SHARERS)
      for (let count = 0; count < ADDRESS_SHARE; count++) network.connect(address).send(unfinished(cookie));
    bench.advance(BODY_GRACE_MS - 1);
    expect(statuses(network.connect(NEWCOMER).send(session("")))).toEqual([503]);
    bench.advance(1);
    expect(statuses(network.connect(NEWCOMER).send(session("")))).toEqual([200]);
    // Its own body comes slowly, among those that are opened again.
    const write = JSON.stringify({ name: "Tablet" });
    const writes = network.connect("192.0.2.1").send(ask("POST", "/web/links", owner, "", write.length));
    for (let second = 0; second < 5; second++) {
      for (const address of SHARERS) network.connect(address).send(unfinished(cookie));
      bench.advance(1_000);
      expect(writes.ended).toBe(false);
    }
    expect(statuses(writes.send(write))).toEqual([200]);
  });
});

it("the owner's own unfinished bodies keep their places", () => {
  const all = SHARERS.flatMap((address) =>
    Array.from({ length: ADDRESS_SHARE }, () => network.connect(address).send(unfinished(owner))),
  );
  bench.advance(2 * BODY_GRACE_MS);
  expect(statuses(network.connect(NEWCOMER).send(session("")))).toEqual([503]);
  expect(all.filter(({ ended }) => ended)).toEqual([]);
});

it("an upload of the owner on one connection too many of its address is not closed for a stranger", () => {
  const upload = network.connect("192.0.2.1").send(unfinished(owner));
  const more = Array.from({ length: ADDRESS_SHARE }, () => network.connect("192.0.2.1").send(unfinished(owner)));
  for (let host = more.length + 1; host < MAX_CONNECTIONS; host++) network.connect(`192.0.2.${host + 20}`).send("G");
  expect(statuses(network.connect(NEWCOMER).send(session("")))).toEqual([503]);
  expect([upload, ...more].map(({ ended }) => ended)).toEqual([false, false, false]);
});

describe("the event streams", () => {
  const listen = (cookie: string, address: string): MemoryClient =>
    network.connect(address).send(ask("GET", "/web/events", cookie));
  const isOver = (stream: MemoryClient): boolean => stream.take().endsWith("0\r\n\r\n");

  it.each([
    ["a link", "a guest"],
    ["a link", "the owner"],
    ["a guest", "the owner"],
  ])("of %s give way to %s, one for each, and never the other way round", (lower, higher) => {
    const cookieOf = (who: string): string => (who === "the owner" ? owner : PRINCIPALS[who as "a link"]());
    const [less, more] = [cookieOf(lower), cookieOf(higher)];
    const first = Array.from({ length: MAX_LISTENERS }, (_, at) => listen(less, SHARERS[at]!));
    bench.advance(SAMPLE_INTERVAL);
    expect(first.map(isOver)).toEqual(first.map(() => false));
    expect(statuses(listen(less, NEWCOMER))).toEqual([503]);
    const better: MemoryClient[] = [];
    for (let count = 1; count <= MAX_LISTENERS; count++) {
      better.push(listen(more, NEWCOMER));
      bench.advance(SAMPLE_INTERVAL);
      expect([count, first.filter(isOver).length]).toEqual([count, 1]);
    }
    for (const cookie of [less, more]) expect(statuses(listen(cookie, "192.0.2.98"))).toEqual([503]);
    for (const stream of better) expect(stream.take()).toContain("data: ");
    // They go on.
    bench.monitor.observers.report("writeEnded", {
      ...{ name: "cell_ovp_voltage", value: "3.6", unit: "V", outcome: "confirmed", detail: "", pack: undefined },
    });
    bench.advance(SAMPLE_INTERVAL);
    for (const stream of better) expect(stream.take()).toContain("data: ");
  });
});

it("who signs in again in the owner's browser keeps the place, and nobody else who signs in", () => {
  const signIn = (cookie?: string) => {
    const exchange = bench.ask({ method: "POST", path: "/web/session", json: { password: PASSWORD }, cookie });
    bench.wait(exchange);
    return exchange;
  };
  const first = signIn();
  const device = linesOf(first.headers)
    .find(([, value]) => value.startsWith("device="))![1]
    .split(";")[0]!;
  const isTrusted = [undefined, device, `${device}0`, "device="].map((cookie) => signIn(cookie).trusted);
  expect([first.trusted, isTrusted]).toEqual([false, [false, true, false, false]]);
});

describe("who waits for the answer to a password", () => {
  /** Long enough to wait for. */
  const SLOW = hashPassword(PASSWORD, 50_000);
  const guess = (): string => ask("POST", "/web/session", "", JSON.stringify({ password: "wrong password" }));

  it("gives way to a new client, and to the owner, beside two event streams of a link", () => {
    const cookie = PRINCIPALS["a link"]();
    expect(bench.settings.update("web", { password: SLOW })).toBeUndefined();
    for (let count = 0; count < MAX_LISTENERS; count++)
      network.connect(SHARERS[0]).send(ask("GET", "/web/events", cookie));
    const waiting = Array.from({ length: MAX_CONNECTIONS - MAX_LISTENERS }, (_, at) =>
      network.connect(`192.0.2.${at + 20}`).send(guess()),
    );
    const wait = waiting.filter((client) => {
      const isAnswered = client.take() !== "";
      if (isAnswered) client.fin();
      return !isAnswered;
    });
    expect(wait).toHaveLength(1 + MAX_WAITING);
    for (let at = waiting.length; network.open < MAX_CONNECTIONS; at++)
      network.connect(`192.0.2.${at + 20}`).send(unfinished(owner));
    bench.advance(HANDLER_GRACE_MS - 1);
    expect(statuses(network.connect(NEWCOMER).send(session("")))).toEqual([503]);
    bench.advance(1);
    expect(statuses(network.connect(NEWCOMER).send(session("")))).toEqual([200]);
    expect(wait.map((client) => statuses(client))).toEqual([[503], [], []]);
  });
});
