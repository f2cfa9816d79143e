/** Read-only links: who comes by one sees the battery and its past, and nothing that tells where or whose it is. */
import { beforeEach, describe, expect, it } from "vitest";
import { HttpServer } from "http-server/server";
import { NorFlash } from "../../host-sim/nor-flash";
import { RecordStore } from "../../src/history/record-store";
import {
  LINK_IDLE,
  MAX_GUEST_SESSIONS,
  MAX_LINK_SESSIONS,
  SAMPLE_INTERVAL,
  SESSION_IDLE,
  SESSION_LIFE,
} from "../../src/web/limits";
import { ROUTES } from "../../src/web/router";
import { FakePack } from "../support/fakes/fake-monitor";
import type { FakeExchange } from "../support/http/fake-exchange";
import { MemoryNetwork } from "../support/http/memory-sockets";
import { HOST, WebBench } from "../support/web/web-bench";

const SECOND = 1_000;
/** Of the captured pack. */
const SERIAL = "10000000000";

const today = { number: undefined, chargedWattHours: undefined, dischargedWattHours: undefined };
const recorder = { today, cellRanges: new Uint8Array(8) };

let bench: WebBench;
let owner: string;
beforeEach(() => {
  const flashHistory = { store: new RecordStore(new NorFlash(64)), recorder, transfers: 0 };
  bench = new WebBench({ flashHistory });
  owner = bench.signIn();
});

const isIn = (cookie: string): boolean => bench.get("/web/status", cookie).status === 200;
const make = (name = "Wall tablet"): FakeExchange => bench.post("/web/links", { name }, owner);
const secretOf = (made: FakeExchange): string => (made.json as { data: { token: string } }).data.token;
const revoke = (number: number): number | undefined =>
  bench.ask({ method: "DELETE", path: "/web/links", query: `number=${number}`, cookie: owner }).status;
const come = (link: unknown, more: object = {}): FakeExchange => bench.post("/web/session", { link, ...more });
const cookieOf = (exchange: FakeExchange): string => exchange.responseHeader("set-cookie")!.split(";")[0]!;
/** Cookie header of a session by a new link. */
const enter = (): string => cookieOf(come(secretOf(make())));

describe("links", () => {
  it("are made with a secret that is shown once, listed by name, and at most two", () => {
    const [first, second, third] = [make("Wall tablet"), make("Neighbour"), make("One too many")];
    expect([first.status, second.status, third.status]).toEqual([200, 200, 409]);
    expect(third.json).toEqual({ success: false, error: "tokens-full" });
    const secrets = [first, second].map(secretOf);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{32}$/);
    expect(secrets[0]).not.toBe(secrets[1]);
    const listed = bench.get("/web/links", owner);
    expect(listed.json).toMatchObject({
      data: [
        { number: 0, name: "Wall tablet" },
        { number: 1, name: "Neighbour" },
      ],
    });
    // Neither the list nor what is stored has them.
    for (const secret of secrets) {
      expect(JSON.stringify(listed.json)).not.toContain(secret);
      expect(JSON.stringify(bench.settings.access)).not.toContain(secret);
    }
    expect(bench.get("/web/tokens", owner).json).toMatchObject({ data: [] });
  });

  it("can only be read with: `write` is not taken from the request", () => {
    bench.post("/web/links", { name: "Sly", write: true }, owner);
    expect(bench.settings.access.links[0].write).toBe(false);
  });

  it.each([[{}], [{ name: 1 }], [{ name: "" }], [{ name: "x".repeat(33) }]])("are not made of %j", (body) => {
    expect(bench.post("/web/links", body, owner).status).toBe(400);
    expect(bench.get("/web/links", owner).json).toMatchObject({ data: [] });
  });

  it("are the owner's: guests and those by a link neither see nor make nor revoke them", () => {
    for (const cookie of [enter(), bench.signInGuest()]) {
      expect(bench.get("/web/links", cookie).status).toBe(403);
      expect(bench.post("/web/links", { name: "More" }, cookie).status).toBe(403);
      const query = "number=0";
      expect(bench.ask({ method: "DELETE", path: "/web/links", query, cookie }).status).toBe(403);
    }
  });

  it.each([
    ["", 401],
    ["0".repeat(32), 401],
    ["not hexadecimal", 401],
    [12, 400],
    [null, 400],
    [undefined, 400],
  ])("a session for %j is refused with %i", (link, status) => {
    make();
    const exchange = come(link);
    expect(exchange.status).toBe(status);
    if (status === 401) expect(exchange.json).toEqual({ success: false, error: "no-link" });
    expect(exchange.responseHeader("set-cookie")).toBeUndefined();
  });

  it("an entry that is not in use lets nobody in, nor does the hash itself", () => {
    expect(come("").status).toBe(401);
    make();
    expect(come(bench.settings.access.links[0].hash).status).toBe(401);
  });

  it("a token is no link, and a link no token", () => {
    const token = secretOf(bench.post("/web/tokens", { name: "Program", write: false }, owner));
    expect(come(token).status).toBe(401);
    expect(bench.settings.access.tokens[0].hash).not.toBe("");
  });
});

describe("a session by a link", () => {
  it("is a guest's, and says so; it does not outlast a restart", () => {
    const exchange = come(secretOf(make()), { stay: true, browser: "Safari, iPad" });
    expect(exchange.json).toMatchObject({ data: { signedIn: true, guest: true, link: true } });
    const cookie = cookieOf(exchange);
    expect(bench.get("/web/session", cookie).json).toMatchObject({ data: { guest: true, link: true } });
    expect(bench.get("/web/session", owner).json).toMatchObject({ data: { guest: false, link: false } });
    expect(bench.get("/web/sessions", owner).json).toMatchObject({
      data: [
        { guest: false, link: 0 },
        { guest: true, link: 1, browser: "Safari, iPad", days: 0 },
      ],
    });
    bench.restart();
    expect(isIn(cookie)).toBe(false);
    expect(bench.settings.access.links[0].hash).not.toBe("");
  });

  it("sees these resources and no other, and changes nothing", () => {
    const cookie = enter();
    const seen: string[] = [];
    for (const route of ROUTES) {
      const path = route.below ? `${route.path}network` : route.path;
      if (route.get && bench.ask({ path, cookie, sources: true }).status !== 403) seen.push(path);
      for (const method of ["POST", "DELETE"] as const)
        if (route[method.toLowerCase() as "post"] && route.access !== "anybody") {
          const refused = bench.ask({ method, path, json: {}, cookie, sources: true });
          if (refused.status !== 404) expect([path, refused.status]).toEqual([path, 403]);
        }
    }
    const viewed = ["events", "status", "config", "queue", "history.csv", "records", "packs", "energy"];
    expect(ROUTES.filter(({ access }) => access === "viewer").map(({ path }) => path)).toEqual(
      viewed.map((name) => `/web/${name}`),
    );
    // This device has no ring in RAM.
    expect(seen.filter((path) => bench.ask({ path, cookie: owner, sources: true }).status !== 404)).toEqual([
      "/web/session",
      ...viewed.filter((name) => name !== "history.csv").map((name) => `/web/${name}`),
    ]);
    expect(isIn(cookie)).toBe(true);
  });

  it("has no events, neither the device's nor the BMS's", () => {
    const cookie = enter();
    const records = (query: string, as: string): number | undefined =>
      bench.ask({ path: "/web/records", query, cookie: as, sources: true }).status;
    for (const query of ["series=events", "series=events&last=5"]) {
      expect(records(query, cookie)).toBe(403);
      expect(records(query, owner)).not.toBe(403);
    }
    expect(records("series=fine", cookie)).toBe(records("series=fine", owner));
    expect(bench.get("/web/bms-log", cookie).status).toBe(403);
    expect(bench.get("/web/bms-log", owner).status).toBe(200);
  });

  it("does not see the last write, nor who made it", () => {
    const cookie = enter();
    bench.monitor.last = {
      name: "cell_uvp",
      value: "2.8",
      unit: "V",
      outcome: "confirmed",
      detail: "",
      origin: "page",
    };
    const NOTHING = { lastCommand: "", lastCommandOk: false, last: null };
    expect(bench.get("/web/queue", cookie).json).toMatchObject({ data: NOTHING });
    expect(bench.get("/web/queue", bench.signInGuest()).json).toMatchObject({ data: { last: { origin: "page" } } });
  });

  it.each(["", "America/Sao_Paulo <-03>3"])("is not told the place of the time zone (%j), but its offset", (zone) => {
    expect(bench.settings.update("time", { zone })).toBeUndefined();
    const [as, at] = [owner, enter()].map(
      (cookie) => (bench.get("/web/session", cookie).json as { data: object }).data,
    );
    expect(as).toMatchObject({ zone, offset: 0 });
    expect(at).toHaveProperty("offset", 0);
    expect((at as { zone?: string }).zone).toBe(zone ? undefined : "");
  });

  it("ends when it is idle or old, as others do", () => {
    const cookie = enter();
    expect(isIn(cookie)).toBe(true);
    bench.advance((SESSION_IDLE - 1) * SECOND);
    expect(isIn(cookie)).toBe(true);
    bench.advance(SESSION_IDLE * SECOND);
    expect(isIn(cookie)).toBe(false);
    const other = cookieOf(come(secretOf(bench.post("/web/links", { name: "Other" }, bench.signIn()))));
    for (let time = 0; time < SESSION_LIFE - 60; time += 60) {
      bench.advance(60 * SECOND);
      isIn(other);
    }
    expect(isIn(other)).toBe(true);
    bench.advance(60 * SECOND);
    expect(isIn(other)).toBe(false);
  });
});

describe.each([
  ["a first", 0],
  ["a middle", 1],
  ["a last", 2],
])("%s pack's serial number", (_, at) => {
  it("is not for who came by a link", () => {
    const packs = [1, 2, 3].map((address, index) =>
      Object.assign(new FakePack(), { index, identity: { address, name: "", serial: "" }, isSwapped: index === at }),
    );
    Object.assign(bench.monitor, { packs });
    const cookie = enter();
    const status = (as: string): FakeExchange =>
      bench.ask({ path: "/web/status", query: `pack=${at + 1}`, cookie: as });
    const rows = (as: string): FakeExchange => bench.ask({ path: "/web/packs", cookie: as, sources: true });
    expect(status(owner).json).toMatchObject({ data: { info: { serialNumber: SERIAL } } });
    expect(JSON.stringify(rows(owner).json)).toContain(SERIAL);
    expect(status(cookie).json).toMatchObject({ data: { info: { serialNumber: null }, pack: { voltage: 52.695 } } });
    for (const exchange of [status(cookie), rows(cookie)]) {
      expect(exchange.status).toBe(200);
      expect(JSON.stringify(exchange.json)).not.toContain(SERIAL);
    }
  });
});

describe("revoking", () => {
  it("signs out at once who came by that link, and nobody else; the secret is void", () => {
    const secrets = [secretOf(make("One")), secretOf(make("Two"))];
    const [one, two] = secrets.map((secret) => cookieOf(come(secret))) as [string, string];
    const guest = bench.signInGuest();
    expect(revoke(0)).toBe(204);
    expect([one, two, guest, owner].map(isIn)).toEqual([false, true, true, true]);
    expect(come(secrets[0]).status).toBe(401);
    expect(come(secrets[1]).status).toBe(200);
    expect(revoke(0)).toBe(404);
    // Its place is free again, and the old secret stays void.
    expect(make("Three").status).toBe(200);
    expect(come(secrets[0]).status).toBe(401);
  });

  it("ends its streams", () => {
    const network = new MemoryNetwork(bench.board);
    new HttpServer({
      listener: { io: network.Listener, port: 80 },
      socket: { io: network.TCP },
      handler: (exchange) => bench.web.answer(exchange),
    });
    const [one, two] = [enter(), enter()];
    const listen = (cookie: string) =>
      network.connect().send(`GET /web/events HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${cookie}\r\n\r\n`);
    const streams = [listen(one), listen(two)];
    bench.advance(SAMPLE_INTERVAL);
    const areOver = (): boolean[] => streams.map((stream) => stream.take().endsWith("0\r\n\r\n"));
    expect(areOver()).toEqual([false, false]);
    expect(revoke(1)).toBe(204);
    bench.advance(SAMPLE_INTERVAL);
    expect(areOver()).toEqual([false, true]);
  });

  it("is refused if it cannot be stored, and nobody is signed out", () => {
    const cookie = enter();
    bench.storage.writesLeft = 0;
    expect(revoke(0)).toBe(500);
    bench.storage.writesLeft = Infinity;
    expect(isIn(cookie)).toBe(true);
  });

  it("leaves guests alone, and a new guest password leaves links alone", () => {
    const cookie = enter();
    const guest = bench.signInGuest();
    bench.wait(bench.post("/web/guest", { password: "another guest" }, owner));
    expect([isIn(guest), isIn(cookie)]).toEqual([false, true]);
  });
});

describe("the sessions of links", () => {
  it(`are at most ${MAX_LINK_SESSIONS}: one in use is not ended for another, one that is idle is`, () => {
    const secret = secretOf(make());
    const cookies = Array.from({ length: MAX_LINK_SESSIONS }, () => cookieOf(come(secret)));
    expect(cookies.map(isIn)).toEqual(cookies.map(() => true));
    const refused = come(secret);
    expect([refused.status, refused.json]).toEqual([503, { success: false, error: "busy" }]);
    expect(Number(refused.responseHeader("retry-after"))).toBe(LINK_IDLE);
    bench.advance((LINK_IDLE - 1) * SECOND);
    expect(cookies.slice(1).map(isIn)).toEqual(cookies.slice(1).map(() => true));
    expect(come(secret).status).toBe(503);
    bench.advance(SECOND);
    const late = cookieOf(come(secret));
    expect([...cookies, late].map(isIn)).toEqual([false, ...cookies.slice(1).map(() => true), true]);
  });

  it("begun by an answer that was lost give way at once: they have never been used", () => {
    const secret = secretOf(make());
    const cookie = cookieOf(come(secret));
    expect(isIn(cookie)).toBe(true);
    for (let lost = 0; lost < MAX_LINK_SESSIONS; lost++) expect(come(secret).status).toBe(200);
    const other = cookieOf(come(secret));
    expect([cookie, other].map(isIn)).toEqual([true, true]);
    expect(come(secret).status).toBe(503);
  });

  it("take no place of guests, nor guests theirs", () => {
    const cookie = enter();
    const guests = Array.from({ length: MAX_GUEST_SESSIONS + 1 }, () => {
      bench.advance(SECOND);
      return bench.signInGuest();
    });
    expect(guests.map(isIn)).toEqual([false, ...guests.slice(1).map(() => true)]);
    expect(isIn(cookie)).toBe(true);
  });
});
