import { beforeEach, describe, expect, it } from "vitest";
import { DEVICE_COOKIE_LIFE, MAX_GUEST_SESSIONS, MAX_SESSIONS } from "../../src/web/limits";
import { ROUTES } from "../../src/web/router";
import type { FakeExchange } from "../support/http/fake-exchange";
import { linesOf } from "../support/http/header-lines";
import { GUEST_PASSWORD, HOST, PASSWORD, WebBench } from "../support/web/web-bench";

const SECOND = 1000;

let bench: WebBench;
beforeEach(() => void (bench = new WebBench()));

const isIn = (cookie: string): boolean => bench.get("/web/status", cookie).status === 200;
const setCookies = ({ headers }: FakeExchange): string[] =>
  linesOf(headers)
    .filter(([name]) => name === "Set-Cookie")
    .map(([, value]) => value);
const refused = ({ status, json }: FakeExchange): unknown => [status, json];

describe("signed-in clients", () => {
  const list = (cookie: string): unknown => (bench.get("/web/sessions", cookie).json as { data: unknown }).data;

  it("are listed with address, time and whether it is the caller", () => {
    const first = bench.signIn();
    bench.advance(10 * SECOND);
    const guest = bench.signInGuest("192.0.2.9");
    bench.advance(5 * SECOND);
    isIn(guest);
    bench.advance(SECOND);
    expect(list(first)).toEqual([
      { number: 1, address: "192.0.2.1", browser: "", since: 16, idle: 0, guest: false, link: 0, own: true, days: 0 },
      { number: 2, address: "192.0.2.9", browser: "", since: 6, idle: 1, guest: true, link: 0, own: false, days: 0 },
    ]);
  });

  it("are listed by their own address behind the configured proxy", () => {
    bench.settings.update("device", { proxyAddress: "192.0.2.1" });
    const headers = { "x-forwarded-for": "192.0.2.77" };
    const exchange = bench.ask({ method: "POST", path: "/web/session", json: { password: PASSWORD }, headers });
    bench.wait(exchange);
    expect(list(exchange.responseHeader("set-cookie")!.split(";")[0]!)).toMatchObject([{ address: "192.0.2.77" }]);
  });

  it("are listed without anything that would grant access", () => {
    const cookie = bench.signIn();
    expect(JSON.stringify(list(cookie))).not.toContain(cookie.split("=")[1]);
  });

  it("can be signed out one by one", () => {
    const [mine, other] = [bench.signIn(), bench.signIn()];
    const end = (query: string): FakeExchange =>
      bench.ask({ method: "DELETE", path: "/web/sessions", query, cookie: mine });
    for (const query of ["number=3", "number=", "number=02", "number=2&", "all"]) expect(end(query).status).toBe(404);
    expect([isIn(mine), isIn(other)]).toEqual([true, true]);
    const ended = end("number=2");
    expect([ended.status, ended.responseHeader("set-cookie")]).toEqual([204, undefined]);
    expect([isIn(mine), isIn(other)]).toEqual([true, false]);
    expect(end("number=2").status).toBe(404);
    expect(end("number=1").responseHeader("set-cookie")).toMatch(/^session=; Max-Age=0;/);
    expect(isIn(mine)).toBe(false);
  });

  it("can all be signed out at once", () => {
    const cookies = [bench.signIn(), bench.signIn(), bench.signInGuest()];
    const ended = bench.ask({ method: "DELETE", path: "/web/sessions", cookie: cookies[1] });
    expect([ended.status, ended.responseHeader("set-cookie")]).toEqual([
      204,
      expect.stringMatching(/^session=; Max-Age=0;/),
    ]);
    expect(cookies.map(isIn)).toEqual([false, false, false]);
  });
});

describe("cookies behind a TLS proxy", () => {
  const signIn = (origin: string): readonly string[] => {
    const headers = { origin };
    const exchange = bench.ask({ method: "POST", path: "/web/session", json: { password: PASSWORD }, headers });
    bench.wait(exchange);
    return setCookies(exchange);
  };

  it("are bound to this host and to TLS", () => {
    const [session = "", device] = signIn(`https://${HOST}`);
    expect(session).toMatch(/^__Host-session=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    expect(device).toMatch(
      new RegExp(
        `^device=[0-9a-f]{48}; Max-Age=${DEVICE_COOKIE_LIFE}; Path=/web/session; HttpOnly; SameSite=Strict; Secure$`,
      ),
    );
    const cookie = session.split(";")[0]!;
    expect(isIn(cookie)).toBe(true);
    // Another host of the domain can set only the plain name.
    expect(isIn(`session=${"0".repeat(32)}; ${cookie}`)).toBe(true);
    expect(isIn(`${cookie.slice(0, -1)}; session=${cookie.split("=")[1]}`)).toBe(false);
    const out = bench.ask({ method: "DELETE", path: "/web/session", cookie });
    expect(out.responseHeader("set-cookie")).toBe(
      "__Host-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
    );
  });

  it("are not without TLS: browsers would reject them", () => {
    for (const cookie of signIn(`http://${HOST}`)) expect(cookie).not.toMatch(/__Host-|Secure/);
  });
});

describe("guests", () => {
  it("do not exist until the owner sets a password for them", () => {
    const attempt = bench.attempt(GUEST_PASSWORD, undefined, true);
    bench.wait(attempt);
    expect(refused(attempt)).toEqual([401, { success: false, error: "wrong-password" }]);
    expect(bench.get("/web/session").json).toMatchObject({ data: { guests: false } });
    bench.letGuestsIn();
    expect(bench.get("/web/session").json).toMatchObject({ data: { guests: true, guest: false, signedIn: false } });
    const guest = bench.signInGuest();
    expect(bench.get("/web/session", guest).json).toMatchObject({ data: { guest: true, signedIn: true } });
  });

  it("cannot sign in with the owner's password, nor the owner with theirs", () => {
    bench.letGuestsIn();
    for (const [password, guest] of [
      [PASSWORD, true],
      [GUEST_PASSWORD, false],
    ] as const) {
      const attempt = bench.attempt(password, undefined, guest);
      bench.wait(attempt);
      expect(attempt.status).toBe(401);
    }
  });

  it("can read everything but secrets, and change nothing", () => {
    const guest = bench.signInGuest();
    const owner = bench.signIn();
    const seen: string[] = [];
    for (const route of ROUTES) {
      const path = route.below ? `${route.path}network` : route.path;
      if (route.get && bench.ask({ path, cookie: guest, sources: true }).status !== 403) seen.push(path);
      for (const method of ["post", "delete"] as const)
        if (route[method] && route.access !== "anybody")
          expect(refused(bench.ask({ method: method.toUpperCase(), path, json: {}, cookie: guest }))).toEqual(
            (route.part ?? route.exists) && bench.get(path, owner).status === 404
              ? [404, expect.anything()]
              : [403, { success: false, error: "guest" }],
          );
    }
    expect(seen).toEqual(expect.arrayContaining(["/web/status", "/web/config", "/web/group/network"]));
    expect(seen).not.toEqual(expect.arrayContaining(["/web/token"]));
    expect(seen).not.toEqual(expect.arrayContaining(["/web/sessions"]));
    expect(bench.ask({ path: "/web/group/network", query: "secrets=1", cookie: guest }).status).toBe(403);
    expect(bench.ask({ path: "/web/group/network", query: "secrets=1", cookie: owner }).status).toBe(200);
    expect(bench.ask({ method: "DELETE", path: "/web/session", cookie: guest }).status).toBe(204);
  });

  it("cannot sign the owner out, however many there are, and get no precedence for guessing", () => {
    const owner = bench.signIn();
    const guests = Array.from({ length: MAX_GUEST_SESSIONS + MAX_SESSIONS }, () => {
      bench.advance(2 * SECOND);
      return bench.signInGuest();
    });
    expect(isIn(owner)).toBe(true);
    expect(guests.filter(isIn)).toHaveLength(MAX_GUEST_SESSIONS);
    const attempt = bench.attempt(GUEST_PASSWORD, undefined, true);
    bench.wait(attempt);
    expect(setCookies(attempt)).toEqual([expect.stringMatching(/^session=/)]);
  });

  it("are signed out when their password changes or is removed", () => {
    const owner = bench.signIn();
    const guest = bench.signInGuest();
    const set = (password: unknown): FakeExchange => {
      const exchange = bench.post("/web/guest", { password }, owner);
      bench.wait(exchange);
      return exchange;
    };
    for (const wrong of [undefined, 1, "short", "x".repeat(65), "with\tcontrol"]) expect(set(wrong).status).toBe(400);
    expect(isIn(guest)).toBe(true);
    expect([set("another guest").status, isIn(guest), isIn(owner)]).toEqual([200, false, true]);
    expect(bench.settings.access.guest).toMatch(/^pbkdf2-sha256\$5000\$/);
    expect([set("").status, bench.settings.access.guest]).toEqual([200, ""]);
  });

  it("are not changed by an owner who was signed out meanwhile", () => {
    const owner = bench.signIn();
    const exchange = bench.post("/web/guest", { password: "another guest" }, owner);
    bench.ask({ method: "DELETE", path: "/web/sessions", cookie: owner });
    bench.wait(exchange);
    expect([exchange.status, bench.settings.access.guest]).toEqual([401, ""]);
  });
});
